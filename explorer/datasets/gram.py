"""Tables that are Gram matrices, and coordinates of their points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.linalg import eigh_psd
from explorer.printing import plural
from explorer.types import Gram, Matrix, Vector

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Column


SYMMETRIC = 1e-10  # tolerance of symmetry relative to the largest entry, as in kernels.Precomputed
EDGES = 1e-6  # tolerance of a first test of the edges, relative to their largest entry; most runs fail it
MOST = 20  # the search ends after this number of runs that pass it in vain, as in tables of almost only zeros
LEAST = 3  # smallest number of rows: a smaller table may be symmetric by chance


def is_gram(numbers: Sequence[Vector]) -> bool:
    """Return whether columns of numbers, one per row, form a symmetric matrix without negative diagonal entries."""
    if len(numbers) < LEAST or len(numbers) != len(numbers[0]):
        return False
    K = np.column_stack(numbers)
    size = np.abs(K).max()
    if not 0 < size < np.inf:  # NaN fails this test, too
        return False
    return bool(_asymmetry(K, size).max() <= SYMMETRIC and K.diagonal().min() >= 0)


def block_of(columns: Sequence[Column], rows: int) -> Any:
    """Return the first run of neighbouring columns that may be a Gram matrix of the rows, or [] if there is none.

    `columns` are the table's columns of numbers, in order. Comparing the edges of a run excludes most runs quickly.
    """
    if not LEAST <= rows <= len(columns):
        return []
    table, doubtful = np.column_stack([column.numbers_or_nan for column in columns]), 0
    for start in range(len(columns) - rows + 1):
        run = table[:, start : start + rows]
        if _mirrored(run[:, 0], run[0]) and _mirrored(run[:, -1], run[-1]):
            if is_gram(list(run.T)):
                return columns[start : start + rows]
            doubtful += 1
            if doubtful == MOST:
                return []
    return []


def _mirrored(column, row):
    """Return whether an edge of a matrix is approximately its mirror image."""
    with np.errstate(invalid="ignore", over="ignore"):  # infinite cells fail the comparison
        return bool(np.abs(column - row).max() <= EDGES * max(np.abs(column).max(), np.abs(row).max()))


def _asymmetry(K, size):
    """Return the distance of each entry from its mirror image, relative to a size that no entry exceeds."""
    K = K / size
    return np.abs(K - K.T)


def coordinates(K: Gram, name: str) -> Matrix:
    r"""Return coordinates X with :math:`X X^\top = K` up to rounding.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The Gram matrix.
    name : str
        The table's name in messages.

    Returns
    -------
    ndarray of shape (n, r)
        The coordinates, with the columns sorted by decreasing length.

    Raises
    ------
    Refusal
        If K is not a Gram matrix.

    Notes
    -----
    Estimators and tests need only the values of a kernel, and under Linear() those of X are the entries of K.
    """
    n, d = K.shape
    if n != d:
        raise Refusal(f"{name} has {plural(n, 'row')} and {d} chosen columns; a Gram matrix has as many of both.")
    size = np.abs(K).max()
    if size == 0:
        raise Refusal(f"{name} has nothing but zeros, so all of its points coincide.")
    asymmetry = _asymmetry(K, size)
    if asymmetry.max() > SYMMETRIC:
        row, column = np.unravel_index(np.argmax(asymmetry), K.shape)
        raise Refusal(
            f"{name} is no Gram matrix: row {row + 1} of column {column + 1} is {K[row, column]:.6g}, and row"
            f" {column + 1} of column {row + 1} is {K[column, row]:.6g}; a kernel is symmetric."
        )
    gamma, U = eigh_psd(K / 2 + K.T / 2, f"the matrix of {name}")
    positive = np.flatnonzero(gamma > n * np.finfo(float).eps * gamma[-1])[::-1]
    X = U[:, positive] * np.sqrt(gamma[positive])
    X = X * np.sign(X[np.abs(X).argmax(axis=0), np.arange(len(positive))])  # the sign of an eigenvector is arbitrary
    _, first, same = np.unique(K, axis=0, return_index=True, return_inverse=True)
    return X[first[same.ravel()]]  # points with equal rows coincide exactly


def axes(count: int) -> tuple[str, ...]:
    """Return the names of coordinates."""
    return tuple(f"axis {j + 1}" for j in range(count))
