"""Which rows of one sample are most unlike the other, and whether one has more of those that are unlike all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.datasets.joint_tables import Tables
from explorer.kernels import RationalQuadratic
from explorer.kernels.low_rank import some_rows
from explorer.kernels.selecting import LARGE
from explorer.stopping import go_on
from explorer.types import Matrix, Points, Vector

from .stepdown import adjusted_pvalues

OTHERS = 1000  # rows of the other sample that each row is compared with
ALL = 200  # and of both, where it is asked how unlike all rows are
FEW, PORTION = 8, 20  # far rows: so many, twice as many, and so on, up to one in so many of all rows
PART = 2000  # rows at a time


class FarRows(NamedTuple):
    """How many of the rows that are least like all others are of b: of counts k = 8, 16, ... the one that says most.

    of_a, of_b  k of them in all
    pvalue      over all k, under the splits of the joint test
    """

    of_a: int
    of_b: int
    pvalue: float

    @classmethod
    def of(cls, marks: Matrix, statistics: Matrix, n: int) -> FarRows | None:
        """Of `far_marks` and their statistics, of which the first n rows are a's; None where there are none."""
        if not marks.shape[1]:
            return None
        adjusted = adjusted_pvalues(statistics)
        k = int(adjusted.argmin())
        return cls(int(marks[:n, k].sum()), int(marks[n:, k].sum()), float(adjusted[k]))

    def sentence(self, first: str, second: str) -> str:
        """Whose they are, of samples that are called so."""
        count, name = max((self.of_a, first), (self.of_b, second))
        return f"Of the {self.of_a + self.of_b:,} rows least like all others {count:,} are of {name}."


def far_marks(tables: Tables, P: Points, seed: int) -> Matrix:
    """Marks (N, r), 1 for the 8, 16, ... rows of P (N, d) that are least like 200 random ones of all, at most N / 20.

    A clump of few rows far off moves no kernel mean much, whatever the bandwidth; that most of the farthest rows are of
    one sample is seen at once. Which rows are marked does not depend on whose they are.
    """
    most = len(P) // PORTION
    counts = [FEW << j for j in range(len(P).bit_length()) if FEW << j <= most]
    marks = np.zeros((len(P), len(counts)))
    if counts:
        order = np.argsort(likeness(tables, P, P, seed, ALL), kind="stable")
        for j, count in enumerate(counts):
            marks[order[:count], j] = 1.0
    return marks


def likeness(tables: Tables, X: Points, Y: Points, seed: int, others: int = OTHERS) -> Vector:
    """How much each row of X (n, d) is like the rows of Y, (n,), from 0 to 1: the kernel mean of Y there.

    The kernel is a rational quadratic one with the median bandwidth of all rows, times that of categories: it falls by
    a power of the distance, so that of two far rows the farther one is still the less like. Of more rows of Y than
    `others` so many random ones stand for all.
    """
    P = X if X is Y else np.concatenate([X, Y])
    kernel = tables.product(RationalQuadratic()).select(P[some_rows(len(P), LARGE, seed)])
    some = Y[some_rows(len(Y), others, seed)]
    alike = np.empty(len(X))
    for start in range(0, len(X), PART):
        go_on()
        part = slice(start, start + PART)
        alike[part] = kernel(X[part], some).mean(axis=1)
    return alike
