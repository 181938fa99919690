"""How computations run: threads and their limit, memory, and cancellation."""
