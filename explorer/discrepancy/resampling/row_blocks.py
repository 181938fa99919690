"""Permutation tests of very many rows: blocks of random rows of one sample are exchanged with blocks of the other.

If P = Q and rows are independent, all orders of the blocks are equally likely, as all orders of the rows are. These
permutations are a subset of those, closed under composition, so the test keeps its level. Rows that belong to no block
stay in their sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import side_by_side
from explorer.rng import stream
from explorer.types import Mask, Points, Rng, Rows, Values, Vector

from .permutation import BATCH, SLACK, mmd2_of_forms, observed_split, permutations, splits, tie_tolerance

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

MANY = 4096  # largest number of blocks of a sample; the larger sample has at least half as many if its rows suffice
HELD = 2**20  # number of entries in a part of the features, 8 MB; a core works on one part while three wait
FEW = 256  # smallest number of blocks of the smaller sample, if it has as many rows


class Plan(NamedTuple):
    """Plan of blocks for samples of given sizes.

    Attributes
    ----------
    sizes : tuple of int
        Number of rows of each sample.
    rows : int
        Number of rows of a block.
    counts : tuple of int
        Number of blocks of each sample.
    """

    sizes: tuple[int, ...]
    rows: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, *sizes: int) -> Plan:
        """Choose the number of blocks and their rows for samples of these sizes.

        Parameters
        ----------
        *sizes : int
            Number of rows of each sample.

        Returns
        -------
        Plan
            The blocks.
        """
        rows = max(1, min(sum(sizes) // MANY, min(sizes) // FEW))
        return cls(sizes, rows, tuple(min(size // rows, MANY) for size in sizes))

    @property
    def total(self) -> int:
        """Number of blocks of all samples."""
        return sum(self.counts)

    def blocks(self, a: int) -> slice:
        """Return the numbers of the blocks of sample a.

        Parameters
        ----------
        a : int
            Number of the sample.

        Returns
        -------
        slice
            The numbers of its blocks.
        """
        start = sum(self.counts[:a])
        return slice(start, start + self.counts[a])

    def rows_without_block(self, a: int) -> int:
        """Return the number of rows of sample a that belong to no block. They form an extra entry after all blocks.

        Parameters
        ----------
        a : int
            Number of the sample.

        Returns
        -------
        int
            Number of rows.
        """
        return self.sizes[a] - self.counts[a] * self.rows

    def splits(self, count: int, rng: Rng) -> Mask:
        """Draw splits of all blocks into two samples.

        Parameters
        ----------
        count : int
            Number of splits.
        rng : int, Generator or None
            Seed of the permutations.

        Returns
        -------
        ndarray of shape (count, total)
            True for the blocks that form the first sample.
        """
        return splits(self.total, self.counts[0], count, rng)

    def assign_rows(self, rng: Rng) -> list[Rows]:
        """Assign the rows of each sample to blocks at random.

        Parameters
        ----------
        rng : int, Generator or None
            Seed of the assignment.

        Returns
        -------
        list of ndarray
            For each sample a the block of each row, shape (n_a,); `total` + a for a row without a block.
        """
        generator, found = stream(rng, "row blocks"), []
        for a, (size, count) in enumerate(zip(self.sizes, self.counts, strict=True)):
            place = np.full(size, self.total + a, np.int32)
            order = generator.permutation(size)[: count * self.rows]
            place[order] = self.blocks(a).start + np.repeat(np.arange(count, dtype=np.int32), self.rows)
            found.append(place)
        return found


class RowBlocks:
    """Sums over blocks of rows of features φ - o, shape (total + k, r), and of ``|φ - o|²``; rows may arrive in chunks.

    Parameters
    ----------
    low : FiniteRank
        Kernel of finite rank, which gives the features.
    plan : Plan
        Number of blocks of the k samples, and of rows in a block.
    origin : ndarray of shape (r,)
        Some mean o of features. MMD² does not depend on it, and subtracting it saves digits.
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
        """Compute the sums for samples in memory.

        Parameters
        ----------
        low : FiniteRank
            Kernel of finite rank.
        samples : sequence of ndarray of shape (n_a, d)
            The samples.
        rng : int, Generator or None
            Seed of the random blocks.
        plan : Plan or None, default None
            Blocks of the samples; None chooses them.
        places : sequence of ndarray of shape (n_a,) or None, default None
            Block of each row; None draws random blocks.

        Returns
        -------
        RowBlocks
            The sums.
        """
        some = np.concatenate([X[:100] for X in samples])
        blocks = cls(low, plan or Plan.of(*map(len, samples)), low.features(some).mean(axis=0))
        blocks.add(zip(samples, places or blocks.plan.assign_rows(rng), strict=True))
        return blocks

    def pair(self, a: int, b: int) -> RowBlocks:
        """Return the sums of two of the samples alone.

        Parameters
        ----------
        a : int
            Number of the first sample.
        b : int
            Number of the second sample.

        Returns
        -------
        RowBlocks
            Their sums.
        """
        plan = self.plan
        both = Plan((plan.sizes[a], plan.sizes[b]), plan.rows, (plan.counts[a], plan.counts[b]))
        found = RowBlocks(self.low, both, self._origin)
        rows = np.concatenate([np.r_[plan.blocks(a)], np.r_[plan.blocks(b)], [plan.total + a, plan.total + b]])
        found._sums, found._squares = self._sums[rows], self._squares[rows]
        return found

    def add(self, pieces: Iterable[tuple[Points, Rows]]) -> None:
        """Add rows to the sums of their blocks, on all cores and in bounded memory.

        The sums do not depend on the number of cores.

        Parameters
        ----------
        pieces : iterable of (ndarray of shape (p, d), ndarray of shape (p,))
            Chunks of rows of any size, with the block of each row.
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
        """Return the features of the rows of a chunk, and their blocks."""
        X, places = part
        return self.low.features(X) - self._origin, places

    def _put(self, F, places):
        """Add features to the blocks of their rows. If blocks have one row each, that row is the sum."""
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
        """Name of the resamples that make the null distribution."""
        return "permutations" if self.plan.rows == 1 else f"permutations of blocks of {self.plan.rows} rows"

    def test(
        self, statistic: str, n_resamples: int, rng: Rng, prepared: Mask | None = None
    ) -> tuple[float, Vector, float]:
        """Compute MMD² of two samples and of splits of their blocks.

        Parameters
        ----------
        statistic : {"unbiased", "biased"}
            Estimate of MMD².
        n_resamples : int
            Number of splits B.
        rng : int, Generator or None
            Seed of the splits.
        prepared : ndarray of shape (B, total) or None, default None
            ``Plan.splits`` of this rng, if the caller has them for several kernels.

        Returns
        -------
        observed : float
            MMD² of the two samples.
        null : ndarray of shape (B,)
            MMD² of the splits.
        tolerance : float
            Values that differ by less are ties.
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
        """Compute the dispersion ``Σ_a n_a |μ̂_a - μ̂|²`` of the samples and of random orders of all blocks.

        Parameters
        ----------
        n_resamples : int
            Number of orders B.
        rng : int, Generator or None
            Seed of the orders.

        Returns
        -------
        observed : float
            Dispersion of the samples.
        null : ndarray of shape (B,)
            Dispersion of the orders.
        tolerance : float
            Values that differ by less are ties.
        """
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
        """Return an upper bound of ``sum |HKH|`` and ``|K|_F``: the trace is at least the Frobenius norm."""
        return (sum(self.plan.sizes) + 2) * float(squares.sum())

    def _centred(self) -> Values:
        """Return the sums and, in the last column, the squares about the mean of all rows, shape (total + k, r + 1)."""
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
    """Return the sparse matrix of 0 and 1 that sums rows by their positions 0 ... count - 1.

    Parameters
    ----------
    places : ndarray of shape (n,)
        Position of each row.
    count : int
        Number of positions.

    Returns
    -------
    csr_array of shape (count, n)
        The matrix.
    """
    ends = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=count))])
    return csr_array((np.ones(len(places)), np.argsort(places, kind="stable"), ends), shape=(count, len(places)))


def _forms(S: Mask, values: Values, rest: int) -> Values:
    """Sum `values` (t, ...) over each set S (B, blocks) of blocks, and add the rows without a block, at `rest`."""
    found = np.empty((len(S), *values.shape[1:]))
    for start in range(0, len(S), BATCH):
        check_cancelled()
        part = slice(start, start + BATCH)
        found[part] = S[part].astype(np.float64) @ values[: S.shape[1]] + values[rest]
    return found
