"""Data of one's own, brought in by three clicks: a table, groups of rows, pairs of columns, strings."""
