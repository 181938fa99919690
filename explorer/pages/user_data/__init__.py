"""The user's data on a page: a table, two samples, pairs of columns, bags, strings."""
