"""File formats: from the bytes of a file, a database or a pipe to columns of cells."""
