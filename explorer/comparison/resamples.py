"""Resamples: the observed split of the rows into two samples and random ones, which all parts of a comparison share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from explorer.discrepancy.resampling.permutation import observed_split, splits
from explorer.discrepancy.resampling.row_blocks import Plan, members_of
from explorer.execution.cancellation import check_cancelled
from explorer.types import Mask, Matrix, Rng, Rows, Values, Vector

WIDE = 256  # splits computed at a time
COUNTED = 2**19  # counts of levels computed at a time: 4 MB, plus intermediate results
FORM = 2e-10  # seconds per split, row or block, and score


class Resamples:
    """B + 1 splits of n + m pooled rows, a's first, into samples of these sizes; the observed split comes first.

    With an int rng they are the splits of `mmd_test`.

    Parameters
    ----------
    n : int
        Rows of a.
    m : int
        Rows of b.
    count : int
        Number of random splits, B.
    rng : int, Generator or None
        Seed of the splits.
    by_blocks : bool, default False
        Whether blocks of random rows of one sample are exchanged (see `row_blocks`) instead of rows. A split then costs
        what its 8192 blocks cost, whatever n and m are.
    groups : ndarray of shape (n + m,) or None, default None
        Codes of groups within which rows stay.
    """

    ranked_anew: bool = True  # whether ranks may be made anew within the samples of each split

    def __init__(
        self, n: int, m: int, count: int, rng: Rng, by_blocks: bool = False, groups: Rows | None = None
    ) -> None:
        self.n, self.m, self.count, self._rng, self._by_blocks = n, m, count, rng, by_blocks
        if by_blocks:
            plan = Plan.of(n, m)
            self._place = np.concatenate(plan.assign_rows(rng))
            self._of_block = members_of(self._place, plan.total + 2)
            total, first = plan.total, plan.counts[0]
        else:
            self._place, self._of_block, total, first = None, None, n + m, n
        self._splits = np.concatenate([observed_split(total, first), splits(total, first, count, rng, groups)])

    def of_sizes(self, n: int, m: int) -> Resamples:
        """Return as many resamples of the same rng and kind, for samples of other sizes.

        Parameters
        ----------
        n : int
            Rows of the first sample.
        m : int
            Rows of the second sample.

        Returns
        -------
        Resamples
            The resamples.
        """
        return Resamples(n, m, self.count, self._rng, self._by_blocks)

    def members(self, which: slice) -> Mask:
        """Return the rows of the first sample in some of the splits.

        Parameters
        ----------
        which : slice
            The splits.

        Returns
        -------
        ndarray of shape (splits, n + m)
            A mask for each split.
        """
        S = self._splits[which]
        if self._place is None:
            return S
        rest = np.repeat([[True, False]], len(S), axis=0)  # rows without a block stay in their sample
        return np.concatenate([S, rest], axis=1)[:, self._place]

    def differences(self, values: Values, given: Mask | None = None) -> Matrix:
        """Return the mean of b's values minus the mean of a's, for each split.

        If only the rows in the mask `given` have values, means are over them, and each difference is divided by

            √(1/k + 1/l) / √(1/k_0 + 1/l_0),

        where k and l count these rows in the two samples of the split, and k_0 and l_0 in the observed ones. A
        difference of means varies with √(1/k + 1/l), so splits stay comparable with the observed one if one sample
        misses more cells.

        Parameters
        ----------
        values : ndarray of shape (N, r) or (k + l, r)
            Values of all rows, or of the rows in `given`.
        given : ndarray of shape (N,) or None, default None
            Mask of the rows that have values; None if all have.

        Returns
        -------
        ndarray of shape (B + 1, r)
            The differences, observed split first.
        """
        if given is None:
            return -(1 / self.n + 1 / self.m) * self._sums_of_a(_centred(values))
        of_given = np.zeros((len(given), values.shape[1]))
        of_given[given] = _centred(values)
        sums = self._sums_of_a(np.column_stack([of_given, given]))
        k = np.rint(sums[:, -1])
        both = k * (given.sum() - k)
        inverse = np.divide(float(given.sum()), both, out=np.zeros(len(k)), where=both > 0)  # 1/k + 1/l
        return -np.sqrt(inverse * inverse[0])[:, None] * sums[:, :-1]

    def counts(self, codes: Vector, levels: int, given: Mask | None = None) -> Iterator[Matrix]:
        """Yield the first sample's number of rows of each level for some splits at a time, in order.

        Parameters
        ----------
        codes : ndarray of shape (N,) or (k + l,)
            Codes 0, 1, ... of the levels of all rows, or of the rows in `given`.
        levels : int
            Number of levels.
        given : ndarray of shape (N,) or None, default None
            Mask of the rows that have a level; None if all have.

        Yields
        ------
        ndarray of shape (w, levels)
            Counts of the next w splits.
        """
        rows = np.arange(self.n + self.m) if given is None else np.flatnonzero(given)
        one = csr_array((np.ones(len(rows)), (rows, codes.astype(int))), shape=(self.n + self.m, levels))
        sums = one if self._of_block is None else csr_array(self._of_block @ one)
        blocks, rest = self._splits.shape[1], np.zeros(levels)
        if self._of_block is not None:
            sums, rest = sums[:blocks], (sums.T @ (np.arange(blocks + 2) == blocks)).ravel()
        across, step = csr_array(sums.T), max(1, min(WIDE, COUNTED // levels))
        for start in range(0, len(self._splits), step):
            check_cancelled()
            yield (across @ self._splits[start : start + step].T.astype(np.float64)).T + rest

    def _sums_of_a(self, values):
        """Return the sums of values (N, r) over the first sample of each split, shape (B + 1, r)."""
        sums, rest = values if self._of_block is None else self._of_block @ values, 0.0
        blocks = self._splits.shape[1]
        if len(sums) > blocks:
            rest, sums = sums[blocks], sums[:blocks]
        found = np.empty((len(self._splits), values.shape[1]))
        for start in range(0, len(found), WIDE):
            check_cancelled()
            part = slice(start, start + WIDE)
            found[part] = self._splits[part].astype(np.float64) @ sums
        return found + rest

    def takes(self, scores: int) -> float:
        """Return an estimate of the seconds that the differences of this number of scores take.

        Parameters
        ----------
        scores : int
            Number of scores.

        Returns
        -------
        float
            Seconds on a typical core.
        """
        return FORM * len(self._splits) * self._splits.shape[1] * scores


def _centred(values):
    """Return values (N, r) minus their mean, or unchanged if there are none."""
    if not len(values):
        return values
    centred = values - values.mean(axis=0)
    return centred - centred.mean(axis=0)  # removes what rounding left of the first mean
