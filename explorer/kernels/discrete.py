"""Kernels on points that are labels: equality, and a Gram matrix that is already there."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.model import Array

from .base import Kernel


class Delta(Kernel):
    """k(x, y) = 1 if x = y else 0, on categories: numbers or strings, or rows of them.

    Its mean embedding is the table of probabilities. Bounded; characteristic and universal on a countable set.
    """

    bounded = characteristic = universal = True

    def points(self, X, name="X", at_least=1):
        array = np.asarray(X)
        if array.dtype.kind == "O" and all(isinstance(x, str) for x in array.flat):
            array = array.astype(str)  # a column of text from pandas
        if array.dtype.kind in "US":
            array = array[:, None] if array.ndim == 1 else array
            if array.ndim != 2:
                raise ValueError(f"{name} has {array.ndim} dimensions; give categories as a list or as rows.")
            checks.rows(array, name, at_least)
            return array
        return checks.sample(X, name, at_least)

    def pairs(self, X, Y=None):
        return (X[:, None, :] == (X if Y is None else Y)[None, :, :]).all(axis=2)

    def of_pairs(self, S):
        return S.astype(np.float64)

    def diagonal(self, X):
        return np.ones(len(self.points(X)))


class Precomputed(Kernel):
    """k(i, j) = gram[i, j]: the points are row numbers of a symmetric positive semi-definite (N, N) matrix."""

    gram = Array(doc="the Gram matrix of all N points")

    def _check(self):
        if self.gram.ndim != 2 or self.gram.shape[0] != self.gram.shape[1] or not len(self.gram):
            raise ValueError(f"Precomputed.gram has shape {self.gram.shape}; give a square (N, N) matrix.")
        if np.abs(self.gram - self.gram.T).max() > 1e-10 * np.abs(self.gram).max():
            raise ValueError("Precomputed.gram is not symmetric; a kernel is: give (gram + gram.T) / 2 if it should be.")

    def points(self, X, name="X", at_least=1):
        rows = checks.sample(X, name, at_least)
        if rows.shape[1] != 1 or (rows != np.round(rows)).any() or rows.min() < 0 or rows.max() >= len(self.gram):
            raise ValueError(f"{name} must hold row numbers of the Gram matrix, whole numbers from 0 to {len(self.gram) - 1}.")
        return rows

    def pairs(self, X, Y=None):
        i, j = (Z[:, 0].astype(int) for Z in (X, X if Y is None else Y))
        return self.gram[np.ix_(i, j)]

    def of_pairs(self, S):
        return S

    def diagonal(self, X):
        return np.diag(self.gram)[self.points(X)[:, 0].astype(int)]
