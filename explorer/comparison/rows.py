"""Rows of one sample that are most unlike the other, and whether one sample has more of those that are unlike all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.datasets.common_space import Tables
from explorer.kernels import RationalQuadratic
from explorer.kernels.low_rank import some_points
from explorer.kernels.selecting import LARGE
from explorer.processors import side_by_side
from explorer.types import Matrix, Points, Rows, Vector

from .stepdown import adjusted_pvalues

OTHERS = 1000  # rows of the other sample that each row is compared with
ALL = 200  # rows of both samples that each row is compared with to find those unlike all
FEW, PORTION = 8, 20  # counts of far rows: 8, 16, 32, ... up to one in 20 of all rows
PART = 2000  # rows at a time
VALUE = 2e-8  # s on a usual core for a value of the kernel
EQUAL = 1e-9  # relative: likenesses that differ by less differ by rounding alone


class OutlyingRows(NamedTuple):
    """The rows that are least like all others: of k = 8, 16, ... of them, the k for which the samples differ most.

    of_a, of_b  how many of these rows each sample has; rows as unlike as the k-th all count, so there may be more
                than k
    pvalue      over all k, under the splits of the joint test: exact for exchangeable rows, tied ones too
    """

    of_a: int
    of_b: int
    pvalue: float

    @classmethod
    def of(cls, marks: Matrix, statistics: Matrix, n: int) -> OutlyingRows | None:
        """Return the far rows from `far_marks`, of which the first n are a's, or None if there are too few rows."""
        if not marks.shape[1]:
            return None
        adjusted = adjusted_pvalues(statistics)
        k = int(adjusted.argmin())
        return cls(int((marks[:n, k] > 0).sum()), int((marks[n:, k] > 0).sum()), float(adjusted[k]))

    def sentence(self, first: str, second: str) -> str:
        """Say which of the samples named `first` and `second` has more of these rows."""
        count, name = max((self.of_a, first), (self.of_b, second))
        return f"Of the {self.of_a + self.of_b:,} rows least like all others {count:,} are of {name}."


def outlying_row_indicators(tables: Tables, P: Points, seed: int) -> Matrix:
    """Return marks (N, r) of the k = 8, 16, ... rows of P (N, d) that are least like 200 random ones of all.

    k is at most N / 20, and the marks of each k sum to k. A row has mark 1 if fewer than k rows are as unlike as it is.
    Rows that tie for the k-th place share what is left to mark. So the marks depend on the rows' values alone, not on
    their order or sample, and a permutation test of the marks' means is exact.

    A clump of few rows far off hardly moves a kernel mean, whatever the bandwidth; that most of the farthest rows are
    of one sample is seen at once.
    """
    most = len(P) // PORTION
    counts = [FEW << j for j in range(len(P).bit_length()) if FEW << j <= most]
    marks = np.zeros((len(P), len(counts)))
    if counts:
        order, ends = in_ties(similarity(tables, P, P, seed, ALL))
        starts = np.concatenate([[0], ends[:-1]])
        for j, count in enumerate(counts):
            shares = np.clip((count - starts) / (ends - starts), 0.0, 1.0)
            marks[order, j] = np.repeat(shares, ends - starts)
    return marks


def most_unlike(alike: Vector, k: int) -> Rows:
    """Return at most k places in order of increasing likeness (n,), only those that no tie makes arbitrary.

    Rows that tie are taken together or not at all: fewer than k places, or none, if more rows tie for the k-th place.
    """
    order, ends = in_ties(alike)
    return order[: ends[ends <= k].max(initial=0)]


def in_ties(alike: Vector) -> tuple[Rows, Rows]:
    """Return the places in order of increasing likeness (n,), and where in that order each group of ties ends."""
    order = np.argsort(alike, kind="stable")
    ordered = alike[order]
    return order, np.append(np.flatnonzero(np.diff(ordered) > EQUAL * ordered[1:]) + 1, len(alike))


def similarity(tables: Tables, X: Points, Y: Points, seed: int, others: int = OTHERS) -> Vector:
    """Return how much each row of X (n, d) is like the rows of Y, (n,), from 0 to 1: the kernel mean of Y there.

    The kernel is a rational quadratic one with the median bandwidth of all rows, times the kernel of the categories. It
    falls by a power of the distance, so that of two far rows the farther one is still the less like. If Y has more than
    `others` rows, so many random ones stand for all; equal rows are equally alike, as the choice depends on the values
    of Y alone.
    """
    P = X if X is Y else np.concatenate([X, Y])
    kernel = tables.product(RationalQuadratic()).select(some_points(P, LARGE, seed))
    some = some_points(Y, others, seed)

    def alike(start: int) -> Vector:
        return kernel(X[start : start + PART], some).mean(axis=1)

    return np.concatenate(list(side_by_side(alike, range(0, len(X), PART), VALUE * len(X) * len(some))))
