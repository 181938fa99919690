"""Tests of a table's single columns: scores, ranks with ties, categories, and p-values adjusted for their number."""
