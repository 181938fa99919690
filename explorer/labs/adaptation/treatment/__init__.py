"""Treatment picture of the adaptation lab: its numbers, pictures and sentences."""
