"""Files in memory, as bytes."""

import io

import numpy as np


def saved(save, *args, **named):
    """Return the bytes that a function writes to a file."""
    file = io.BytesIO()
    save(file, *args, **named)
    return file.getvalue()


def npy(matrix):
    """Return a matrix as a file of numpy."""
    return saved(np.save, matrix)
