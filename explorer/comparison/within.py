"""Resamples that keep every row with its subject: labels of the two samples are permuted within subjects."""

from __future__ import annotations

import numpy as np

from explorer.discrepancy.columns.scores import number_scores
from explorer.discrepancy.columns.ties import Ties
from explorer.discrepancy.resampling.groups import subtract_group_means
from explorer.discrepancy.resampling.matched_pairs import MatchedPairs
from explorer.discrepancy.resampling.row_blocks import members_of
from explorer.types import Mask, Matrix, Rng, Rows, Values, Vector

from .resamples import Resamples

DIGITS = 10  # digits of values minus their subject's mean: smaller differences are rounding
SAME = 1e-9  # relative deviations within subjects below this are rounding


class WithinSubjects(Resamples):
    """B + 1 splits of n + m pooled rows that permute labels within subjects; the observed split comes first.

    `groups` (n + m,) are the subjects' codes 0, 1, ..., each with rows of both samples. With an int rng the splits are
    those of `Collection` with these groups. `by_blocks`, random pairs of a subject's rows, one of each sample, are
    exchanged instead, in blocks (see `matched`), and rows without a partner are ignored.
    """

    ranked_anew: bool = False
    _matched: MatchedPairs | None

    def __init__(self, n: int, m: int, count: int, rng: Rng, by_blocks: bool, groups: Rows) -> None:
        self.groups = groups
        if by_blocks:
            self.n, self.m, self.count, self._rng = n, m, count, rng
            self._matched = MatchedPairs.of(groups, n, rng)
            exchanged = self._matched.exchanges(count, rng)
            self._splits = np.concatenate([np.zeros((1, self._matched.blocks), dtype=bool), exchanged])
            return
        super().__init__(n, m, count, rng, False, groups)
        self._matched = None
        self._of_subject = members_of(groups, int(groups.max()) + 1)
        self._sizes = np.array([np.bincount(part, minlength=groups.max() + 1) for part in (groups[:n], groups[n:])])

    def differences(self, values: Values, given: Mask | None = None) -> Matrix:
        """Return the mean over subjects of b's values (N, r) minus a's, scaled by its deviation, (B + 1, r).

        A subject with n_s rows of a and m_s of b has the weight n_s m_s / (n_s + m_s), the precision with which its
        difference of means is known. So differences between subjects do not matter, however unequal their numbers of
        rows are. Each column is multiplied by the deviation of its values over that of the difference in splits within
        subjects: scores that share a statistic then keep their weights, whichever of them vary more between subjects.

        If only the rows in the mask `given` (N,) have values, (k + l, r), only these are compared, and n_s and m_s
        count them.
        """
        rows = np.ones(self.n + self.m, dtype=bool) if given is None else given
        every = np.zeros((len(rows), values.shape[1]))
        every[rows] = values
        if self._matched is None:
            apart, spread = self._permuted(every, rows)
        else:
            apart, spread = self._exchanged(self._matched, every, rows)
        own = values.std(axis=0) if len(values) else np.zeros(values.shape[1])
        varies = spread > SAME * own
        return apart * np.divide(own, spread, out=np.zeros_like(own), where=varies)

    def aligned_scores(self, x: Vector, given: Mask | None = None) -> Matrix:
        """Return scores (k, 5) of the ranks of numbers x (k,) minus the mean of their subject, for the rows in `given`.

        Aligned ranks: Hodges and Lehmann 1962 (Ann. Math. Stat. 33, 482). They do not depend on which rows are a's, so
        permutations within subjects are as exact as for other scores.
        """
        codes = self.groups if given is None else self.groups[given]
        if not len(x):
            return number_scores(x)
        own = subtract_group_means(x - x.mean(), codes)
        size = np.abs(own).max()
        return number_scores(Ties.of(np.round(own / (size if size > 0 else 1.0), DIGITS)).ranks())

    def _permuted(self, values: Values, rows: Mask) -> tuple[Matrix, Vector]:
        """Return the differences of all splits, and their deviation under all permutations within subjects."""
        if rows.all():
            centred = subtract_group_means(subtract_group_means(values, self.groups), self.groups)
            weight = self._weights(*self._sizes)
            sums = -self._sums_of_a(centred) / weight.sum()
        else:
            codes = np.where(rows, self.groups, self.groups.max() + 1)  # rows without values form a separate subject
            centred = subtract_group_means(subtract_group_means(values, codes), codes)
            inside = self._of_subject @ (self._splits & rows).T.astype(float)  # (subjects, B + 1)
            total = self._of_subject @ rows.astype(float)
            weight = self._weights(inside, total[:, None] - inside).sum(axis=0)
            inverse = np.divide(1.0, weight, out=np.zeros_like(weight), where=weight > 0)
            sums = -np.sqrt(inverse * inverse[0])[:, None] * self._sums_of_a(centred)
        n_s, m_s = self._sizes
        both = n_s + m_s
        each = self._weights(n_s, m_s) / np.maximum(both - 1, 1)
        return sums, np.sqrt(each @ (self._of_subject @ np.square(centred))) / self._weights(n_s, m_s).sum()

    def _exchanged(self, matched: MatchedPairs, values: Values, rows: Mask) -> tuple[Matrix, Vector]:
        """Return the differences of all exchanges of blocks of pairs, and their deviation."""
        a, b = matched.a, self.n + matched.b
        both = rows[a] & rows[b]
        pairs = np.where(both[:, None], values[b] - values[a], 0.0)
        blocks = pairs.reshape(matched.blocks, matched.rows, -1).sum(axis=1)
        count = max(int(both.sum()), 1)
        return (1.0 - 2.0 * self._splits) @ blocks / count, np.sqrt(np.square(blocks).sum(axis=0)) / count

    @staticmethod
    def _weights(n, m):
        """Return n m / (n + m), or 0 for subjects without rows."""
        both = n + m
        return np.divide(n * m, both, out=np.zeros(np.shape(both)), where=both > 0)


def resamples_of(n: int, m: int, count: int, rng: Rng, by_blocks: bool, groups: Rows | None = None) -> Resamples:
    """Return the resamples of n + m pooled rows, within subjects if `groups` (n + m,) are their codes."""
    if groups is None:
        return Resamples(n, m, count, rng, by_blocks)
    return WithinSubjects(n, m, count, rng, by_blocks, groups)
