"""How computations run: how many threads they use, how much memory they may take, and their cancellation."""
