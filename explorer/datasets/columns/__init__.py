"""Columns: what their cells mean, and what a kernel may compare."""
