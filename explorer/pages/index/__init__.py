"""Pages that lead to others: the home page, and the list of lessons with each lesson to read."""
