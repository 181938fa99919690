"""Rows of one sample that are most unlike the other, and the split of the most outlying rows between the samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.datasets.common_space import Tables
from explorer.discrepancy.columns.step_down import adjusted_pvalues
from explorer.execution.processors import side_by_side
from explorer.kernels import RationalQuadratic
from explorer.kernels.bandwidth_selection import LARGE
from explorer.kernels.low_rank import some_points
from explorer.types import Matrix, Points, Rows, Vector

OTHERS = 1000  # most rows of the other sample that each row is compared with
ALL = 200  # rows of both samples that each row is compared with, to find those unlike all
FEW, PORTION = 8, 20  # numbers of outlying rows: 8, 16, 32, ... up to one in 20 of all rows
PART = 2000  # rows whose similarities are computed at a time
VALUE = 2e-8  # seconds per value of the kernel on a typical core
EQUAL = 1e-9  # similarities that differ by less than this share of their size are equal up to rounding


class OutlyingRows(NamedTuple):
    """Composition of the k most outlying pooled rows, k the one of 8, 16, ... with the smallest adjusted p.

    Attributes
    ----------
    of_a, of_b : int
        Number of these rows in each sample. Rows as unlike as the k-th all count, so there may be more than k.
    pvalue : float
        p over all k, under the splits of the joint test: exact for exchangeable rows, tied ones too.
    """

    of_a: int
    of_b: int
    pvalue: float

    @classmethod
    def of(cls, marks: Matrix, statistics: Matrix, n: int) -> OutlyingRows | None:
        """Build from the output of `outlying_row_indicators` and its statistics; return None if there are too few rows.

        The first n rows belong to a.
        """
        if not marks.shape[1]:
            return None
        adjusted = adjusted_pvalues(statistics)
        k = int(adjusted.argmin())
        return cls(int((marks[:n, k] > 0).sum()), int((marks[n:, k] > 0).sum()), float(adjusted[k]))

    def sentence(self, first: str, second: str) -> str:
        """Return a sentence on which of the samples named `first` and `second` has more of these rows."""
        count, name = max((self.of_a, first), (self.of_b, second))
        return f"Of the {self.of_a + self.of_b:,} rows least like all others {count:,} are of {name}."


def outlying_row_indicators(tables: Tables, P: Points, seed: int) -> Matrix:
    """Return marks (N, r) of the k = 8, 16, ... rows of P (N, d) that are least like 200 random ones of all.

    k is at most N / 20, and the marks of each k sum to k. A row has mark 1 if fewer than k rows are as unlike as it is.
    Rows that tie for the k-th place share the rest. So the marks depend on the rows' values alone, not on their order
    or sample, and a permutation test of the marks' means is exact.

    A cluster of a few rows far away hardly moves a kernel mean, whatever the bandwidth. These marks show at once that
    most of the outlying rows belong to one sample.
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
    """Return at most k positions in order of increasing similarity (n,), only those that no tie makes arbitrary.

    Rows that tie are taken together or not at all: fewer than k positions, or none, if more rows tie for the k-th
    place.
    """
    order, ends = in_ties(alike)
    return order[: ends[ends <= k].max(initial=0)]


def in_ties(alike: Vector) -> tuple[Rows, Rows]:
    """Return the positions in order of increasing similarity (n,), and where in that order each group of ties ends."""
    order = np.argsort(alike, kind="stable")
    ordered = alike[order]
    return order, np.append(np.flatnonzero(np.diff(ordered) > EQUAL * ordered[1:]) + 1, len(alike))


def similarity(tables: Tables, X: Points, Y: Points, seed: int, others: int = OTHERS) -> Vector:
    """Return the similarity of each row of X (n, d) to the rows of Y, (n,), from 0 to 1: the kernel mean of Y there.

    The kernel is a rational quadratic one with the median bandwidth of all rows, times the kernel of the categories. It
    decreases as a power of the distance, so that of two far rows the farther one is still the less similar. If Y has
    more than `others` rows, this number of random ones represents all. Equal rows are equally similar, as the choice
    depends on the values of Y alone.
    """
    P = X if X is Y else np.concatenate([X, Y])
    kernel = tables.product(RationalQuadratic()).select(some_points(P, LARGE, seed))
    some = some_points(Y, others, seed)

    def alike(start: int) -> Vector:
        return kernel(X[start : start + PART], some).mean(axis=1)

    return np.concatenate(list(side_by_side(alike, range(0, len(X), PART), VALUE * len(X) * len(some))))
