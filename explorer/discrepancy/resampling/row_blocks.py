"""Permutation tests of very many rows: whole blocks of random rows of one sample are exchanged for those of the other.

Where P = Q and rows are independent, all orders of the blocks are equally likely, as all orders of the rows are: these
permutations are a part of those, closed under composition, so the test keeps its level. Rows that no block has stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from explorer.processors import side_by_side
from explorer.rng import stream
from explorer.stopping import check_cancelled
from explorer.types import Mask, Points, Rng, Rows, Values, Vector

from .permutation import BATCH, SLACK, mmd2_of_forms, observed_split, permutations, splits, tie_tolerance

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

MANY = 4096  # blocks of a sample at most, and half as many of the larger one at least where rows suffice
HELD = 2**20  # numbers of a part of the features, of which a core has one and three wait: 8 MB
FEW = 256  # and of the smaller one, where it has as many rows


class Plan(NamedTuple):
    """Blocks of `rows` rows each, for samples of these sizes: so many of each sample."""

    sizes: tuple[int, ...]
    rows: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, *sizes: int) -> Plan:
        """For samples of these sizes."""
        rows = max(1, min(sum(sizes) // MANY, min(sizes) // FEW))
        return cls(sizes, rows, tuple(min(size // rows, MANY) for size in sizes))

    @property
    def total(self) -> int:
        """How many blocks there are."""
        return sum(self.counts)

    def blocks(self, a: int) -> slice:
        """The numbers of sample a's blocks."""
        start = sum(self.counts[:a])
        return slice(start, start + self.counts[a])

    def rows_without_block(self, a: int) -> int:
        """How many rows of sample a have no block: they are one of their own, after all blocks."""
        return self.sizes[a] - self.counts[a] * self.rows

    def splits(self, count: int, rng: Rng) -> Mask:
        """Splits (count, total) of all blocks: true for those that stand in for the first sample's."""
        return splits(self.total, self.counts[0], count, rng)

    def assign_rows(self, rng: Rng) -> list[Rows]:
        """The block of each row of each sample, at random, [(n_a,), ...]; `total` + a where it has none."""
        generator, found = stream(rng, "row blocks"), []
        for a, (size, count) in enumerate(zip(self.sizes, self.counts, strict=True)):
            place = np.full(size, self.total + a, np.int32)
            order = generator.permutation(size)[: count * self.rows]
            place[order] = self.blocks(a).start + np.repeat(np.arange(count, dtype=np.int32), self.rows)
            found.append(place)
        return found


class RowBlocks:
    """Sums over blocks of rows of features φ - o, (total + k, r), and of |φ - o|²; rows come piece by piece.

    low     the kernel of finite rank whose features they are
    plan    how many blocks the k samples have, and of how many rows
    origin  o, (r,): some mean of features; MMD^2 does not change, and digits are saved
    """

    low: FiniteRank
    plan: Plan

    def __init__(self, low: FiniteRank, plan: Plan, origin: Vector) -> None:
        self.low, self.plan, self._origin = low, plan, origin
        count = plan.total + len(plan.sizes)
        self._sums, self._squares = np.zeros((count, low.rank)), np.zeros(count)

    @classmethod
    def of(
        cls,
        low: FiniteRank,
        samples: Sequence[Points],
        rng: Rng,
        plan: Plan | None = None,
        places: Sequence[Rows] | None = None,
    ) -> RowBlocks:
        """Of samples in memory, (n_a, d) each; rows have these places in the blocks of the plan, or random ones."""
        some = np.concatenate([X[:100] for X in samples])
        blocks = cls(low, plan or Plan.of(*map(len, samples)), low.features(some).mean(axis=0))
        blocks.add(zip(samples, places or blocks.plan.assign_rows(rng), strict=True))
        return blocks

    def pair(self, a: int, b: int) -> RowBlocks:
        """Those of two of the samples alone."""
        plan = self.plan
        both = Plan((plan.sizes[a], plan.sizes[b]), plan.rows, (plan.counts[a], plan.counts[b]))
        found = RowBlocks(self.low, both, self._origin)
        rows = np.concatenate([np.r_[plan.blocks(a)], np.r_[plan.blocks(b)], [plan.total + a, plan.total + b]])
        found._sums, found._squares = self._sums[rows], self._squares[rows]
        return found

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
        for F, places in side_by_side(self._features, parts, math.inf):
            self._put(F, places)

    def _features(self, part):
        """The features of a part's rows, and their places."""
        X, places = part
        return self.low.features(X) - self._origin, places

    def _put(self, F, places):
        """Add features to the blocks of their rows, which are those of one row if blocks have one."""
        if self.plan.rows == 1:
            alone = places < self.plan.total
            own, block = F[alone], places[alone]
            self._sums[block], self._squares[block] = own, np.einsum("ij,ij->i", own, own)
            F, places = F[~alone], places[~alone]
            if not len(F):
                return
        found, place = np.unique(places, return_inverse=True)
        of_block = members_of(place, len(found))
        self._sums[found] += of_block @ F
        self._squares[found] += of_block @ np.einsum("ij,ij->i", F, F)

    @property
    def resamples(self) -> str:
        """What the null distribution is made by."""
        return "permutations" if self.plan.rows == 1 else f"permutations of blocks of {self.plan.rows} rows"

    def test(
        self, statistic: str, n_resamples: int, rng: Rng, prepared: Mask | None = None
    ) -> tuple[float, Vector, float]:
        """MMD^2 of two samples, of `n_resamples` splits of their blocks, (B,), and how near to it is a tie.

        `prepared` are the splits of this rng, `Plan.splits`, where the caller has them for several kernels.
        """
        total, (n, m), both = self.plan.total, self.plan.sizes, self._centred()
        squares = both[:, -1]

        def mmd2(S: Mask) -> Vector:
            forms = _forms(S, both, total)
            q = np.square(forms[:, :-1]).sum(axis=1)
            return mmd2_of_forms(q, forms[:, -1], squares.sum(), n, m, statistic)

        observed = float(mmd2(observed_split(total, self.plan.counts[0]))[0])
        tolerance = tie_tolerance(self._magnitude(squares), n, m)
        return observed, mmd2(self.plan.splits(n_resamples, rng) if prepared is None else prepared), tolerance

    def dispersions(self, n_resamples: int, rng: Rng) -> tuple[float, Vector, float]:
        """Σ_a n_a |μ̂_a - μ̂|² of the samples, of `n_resamples` orders of all blocks, (B,), and how near is a tie."""
        plan, both = self.plan, self._centred()
        sums, squares = both[:, :-1], both[:, -1]
        orders = np.concatenate([np.arange(plan.total)[None], *permutations(plan.total, n_resamples, rng)])
        found = np.zeros(len(orders))
        for a, size in enumerate(plan.sizes):
            S = np.zeros(orders.shape, dtype=bool)
            np.put_along_axis(S, orders[:, plan.blocks(a)], True, axis=1)
            found += np.square(_forms(S, sums, plan.total + a)).sum(axis=1) / size
        return float(found[0]), found[1:], SLACK * self._magnitude(squares) / min(plan.sizes)

    def _magnitude(self, squares):
        """sum |HKH| + |K|_F, or more: the trace is the largest that a Frobenius norm can be."""
        return (sum(self.plan.sizes) + 2) * float(squares.sum())

    def _centred(self) -> Values:
        """The sums and, in the last column, the squares about the mean of all rows, (total + k, r + 1)."""
        plan = self.plan
        count = np.full(len(self._squares), plan.rows, float)
        count[plan.total :] = [plan.rows_without_block(a) for a in range(len(plan.sizes))]
        mean = self._sums.sum(axis=0) / sum(plan.sizes)
        both = np.empty((len(count), len(mean) + 1))
        np.multiply(count[:, None], -mean, out=both[:, :-1])
        both[:, :-1] += self._sums
        both[:, -1] = self._squares - 2 * self._sums @ mean + count * (mean @ mean)
        return both


def members_of(places: Rows, count: int) -> csr_array:
    """Return the matrix (count, n) of 0 and 1 that sums rows by their places 0 ... count - 1, (n,)."""
    ends = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=count))])
    return csr_array((np.ones(len(places)), np.argsort(places, kind="stable"), ends), shape=(count, len(places)))


def _forms(S: Mask, values: Values, rest: int) -> Values:
    """The sums of `values` (t, ...) over each set S (B, blocks) of blocks, and over the rows without one at `rest`."""
    found = np.empty((len(S), *values.shape[1:]))
    for start in range(0, len(S), BATCH):
        check_cancelled()
        part = slice(start, start + BATCH)
        found[part] = S[part].astype(np.float64) @ values[: S.shape[1]] + values[rest]
    return found
