"""Permutation tests of very many rows: whole blocks of random rows of one sample are exchanged for those of the other.

Where P = Q and rows are independent, all orders of the blocks are equally likely, as all orders of the rows are: these
permutations are a part of those, closed under composition, so the test keeps its level. Rows that no block has stay.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.rng import stream
from explorer.types import Mask, Matrix, Points, Rng, Rows, Values, Vector

from .permutation import BATCH, mmd2_of_forms, observed_split, splits, tie_tolerance

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

MANY = 4096  # blocks of a sample at most, and half as many of the larger one at least where rows suffice
HELD = 2**20  # numbers of a part of the features, of which a core has one and three wait: 8 MB
FEW = 256  # and of the smaller one, where it has as many rows


class Plan(NamedTuple):
    """Blocks of `rows` rows each: so many of a first sample of n rows, and of a second one of m."""

    n: int
    m: int
    rows: int
    first: int
    second: int

    @classmethod
    def of(cls, n: int, m: int) -> Plan:
        """For samples of n and m rows."""
        rows = max(1, min((n + m) // MANY, min(n, m) // FEW))
        return cls(n, m, rows, min(n // rows, MANY), min(m // rows, MANY))

    def places(self, rng: Rng) -> tuple[Rows, Rows]:
        """The block of each row of either sample, at random, (n,) and (m,): numbers from 0, the second sample's after
        the first's, and of rows without one the number that comes after all, or the next for the second sample.
        """
        generator, total = stream(rng, "row blocks"), self.first + self.second
        places = []
        for count, blocks, start, rest in ((self.n, self.first, 0, 0), (self.m, self.second, self.first, 1)):
            place = np.full(count, total + rest, np.int32)
            order = generator.permutation(count)[: blocks * self.rows]
            place[order] = start + np.repeat(np.arange(blocks, dtype=np.int32), self.rows)
            places.append(place)
        return places[0], places[1]


class RowBlocks:
    """Sums over blocks of rows of features φ - o, (blocks + 2, r), and of |φ - o|²; rows come piece by piece.

    low     the kernel of finite rank whose features they are
    plan    how many blocks there are, and of how many rows
    origin  o, (r,): some mean of features; MMD^2 does not change, and digits are saved
    """

    low: FiniteRank
    plan: Plan

    def __init__(self, low: FiniteRank, plan: Plan, origin: Vector) -> None:
        self.low, self.plan, self._origin = low, plan, origin
        count = plan.first + plan.second + 2
        self._sums, self._squares = np.zeros((count, low.rank)), np.zeros(count)

    @classmethod
    def of(cls, low: FiniteRank, X: Points, Y: Points, rng: Rng) -> RowBlocks:
        """Of two samples in memory, X (n, d) and Y (m, d)."""
        some = np.concatenate([X[:100], Y[:100]])
        blocks = cls(low, Plan.of(len(X), len(Y)), low.features(some).mean(axis=0))
        blocks.add(zip((X, Y), blocks.plan.places(rng), strict=True))
        return blocks

    def add(self, pieces: Iterable[tuple[Points, Rows]]) -> None:
        """Add rows X (p, d), each to its block, places (p,): pieces of any size, on all cores, in bounded memory.

        What the sums are does not depend on how many cores there are.
        """
        rows = max(1, HELD // self.low.rank)
        parts = (
            (X[start : start + rows], places[start : start + rows])
            for X, places in pieces
            for start in range(0, len(X), rows)
        )
        out: deque[tuple[Future[Matrix], Rows]] = deque()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                for X, places in parts:
                    out.append((pool.submit(self._features, X), places))
                    if len(out) > 2 * (os.cpu_count() or 1):
                        self._put(*out.popleft())
                while out:
                    self._put(*out.popleft())
            finally:
                for future, _ in out:
                    future.cancel()

    def _features(self, X):
        return self.low.features(X) - self._origin

    def _put(self, features, places):
        """Add features to the blocks of their rows."""
        F = features.result()
        order = np.argsort(places, kind="stable")
        found, starts = np.unique(places[order], return_index=True)
        self._sums[found] += np.add.reduceat(F[order], starts)
        self._squares[found] += np.add.reduceat(np.einsum("ij,ij->i", F, F)[order], starts)

    @property
    def resamples(self) -> str:
        """What the null distribution is made by."""
        return "permutations" if self.plan.rows == 1 else f"permutations of blocks of {self.plan.rows} rows"

    def test(self, statistic: str, n_resamples: int, rng: Rng) -> tuple[float, Vector, float]:
        """MMD^2 of the samples, of `n_resamples` splits of their blocks, (B,), and how near to it is a tie."""
        plan, sums, squares = self.plan, *self._centred()
        first, total = plan.first, plan.first + plan.second
        held, own = (each[[total]] for each in (sums, squares))  # rows of the first sample that no block has
        blocks = sums[:total], squares[:total]

        def mmd2(S: Mask) -> Vector:
            parts = [S[start : start + BATCH].astype(np.float64) for start in range(0, len(S), BATCH)]
            q = np.concatenate([np.square(s @ blocks[0] + held).sum(axis=1) for s in parts])
            d = np.concatenate([s @ blocks[1] + own for s in parts])
            return mmd2_of_forms(q, d, squares.sum(), plan.n, plan.m, statistic)

        observed = float(mmd2(observed_split(total, first))[0])
        # sum |HKH| + |K|_F, or more: the trace is the largest that a Frobenius norm can be
        magnitude = (plan.n + plan.m + 2) * float(squares.sum())
        tolerance = tie_tolerance(magnitude, plan.n, plan.m)
        return observed, mmd2(splits(total, first, n_resamples, rng)), tolerance

    def _centred(self) -> tuple[Values, Vector]:
        """The sums and squares about the mean of all rows."""
        plan = self.plan
        total = plan.first + plan.second
        count = np.full(total + 2, plan.rows, float)
        count[total:] = plan.n - plan.first * plan.rows, plan.m - plan.second * plan.rows
        mean = self._sums.sum(axis=0) / (plan.n + plan.m)
        squares = self._squares - 2 * self._sums @ mean + count * (mean @ mean)
        return self._sums - count[:, None] * mean, squares
