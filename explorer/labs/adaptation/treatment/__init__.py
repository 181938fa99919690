"""The adaptation lab's treatment picture: its numbers, pictures and sentences."""
