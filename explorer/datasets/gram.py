"""A table that is a Gram matrix: coordinates of the points that only it knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.linalg import eigh_psd
from explorer.types import Gram, Matrix, Vector

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Column


SYMMETRIC = 1e-10  # of the largest entry, as kernels.Precomputed has it
EDGES = 1e-6  # of the larger of column and row: a first look, which most runs of columns do not pass
MOST = 20  # runs that pass it and are none, in tables of nearly nothing but zeros, before the search ends
LEAST = 3  # rows: a smaller table is symmetric by chance


def is_gram(numbers: Sequence[Vector]) -> bool:
    """Whether these columns of numbers, one for each row, are a symmetric matrix with no negative diagonal entry."""
    if len(numbers) < LEAST or len(numbers) != len(numbers[0]):
        return False
    K = np.column_stack(numbers)
    size = np.abs(K).max()
    if not 0 < size < np.inf:  # nan, too
        return False
    return bool(_asymmetry(K, size).max() <= SYMMETRIC and K.diagonal().min() >= 0)


def block_of(columns: Sequence[Column], rows: int) -> Any:
    """The first of a table's neighbouring columns that may be a Gram matrix of its rows; none where none may.

    columns: its columns of numbers, in order. The edges of a run that is no such matrix mostly say so.
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
    """Whether an edge of a matrix is about its mirror image."""
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite cells, which no comparison passes
        return bool(np.abs(column - row).max() <= EDGES * max(np.abs(column).max(), np.abs(row).max()))


def _asymmetry(K, size):
    """How far each entry is from its mirror image, in units of a size that no entry exceeds."""
    K = K / size
    return np.abs(K - K.T)


def coordinates(K: Gram, name: str) -> Matrix:
    """X (n, r) with X X' = K (n, n) up to rounding, its columns by falling length; Refusal where K is no Gram matrix.

    A kernel's values are all that its estimators and tests need, and under Linear() those of X are K's.
    """
    n, d = K.shape
    if n != d:
        raise Refusal(f"{name} has {n} rows and {d} chosen columns; a Gram matrix has as many of both.")
    size = np.abs(K).max()
    if size == 0:
        raise Refusal(f"{name} has nothing but zeros, so all of its points coincide.")
    apart = _asymmetry(K, size)
    if apart.max() > SYMMETRIC:
        row, column = np.unravel_index(np.argmax(apart), K.shape)
        raise Refusal(
            f"{name} is no Gram matrix: row {row + 1} of column {column + 1} is {K[row, column]:.6g}, and row"
            f" {column + 1} of column {row + 1} is {K[column, row]:.6g}; a kernel is symmetric."
        )
    gamma, U = eigh_psd(K / 2 + K.T / 2, f"the matrix of {name}")
    kept = np.flatnonzero(gamma > n * np.finfo(float).eps * gamma[-1])[::-1]
    X = U[:, kept] * np.sqrt(gamma[kept])
    X = X * np.sign(X[np.abs(X).argmax(axis=0), np.arange(len(kept))])  # an axis has no direction of its own
    _, first, same = np.unique(K, axis=0, return_index=True, return_inverse=True)
    return X[first[same.ravel()]]  # points of equal rows coincide, to the last digit


def axes(count: int) -> tuple[str, ...]:
    """The names of coordinates."""
    return tuple(f"axis {j + 1}" for j in range(count))
