"""Data of one's own: dropped, chosen, pasted or an example; a table, groups of rows, pairs of columns, strings."""
