"""What a state of the DNA lab shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy import TestResult
from explorer.kernels import Subsequence, letter_shares
from explorer.printing import printed

from .dna_pairs import rows_of
from .dna_profile import Profile

if TYPE_CHECKING:
    from .dna import DnaLab
    from .dna_rates import Rates

DRAWN = 60  # reads of each sample in the picture of the Gram matrix, the last: the spoiled ones are among them
LIT, LIT_QUICKLY = 120, 3e7  # letters of a read that are shown, and additions up to which their shares take no time


@printed
@dataclass(frozen=True)
class DnaResult:
    """The numbers of a state.

    X, Y (n,) the reads of both samples, spoiled ones included, with the samples' titles and a note on where they come
    from; K (2n, 2n) the Gram matrix of X, then Y; the tests `plain` and `monk`; the profile of both samples;
    replicates, how both tests do in further draws, or None.
    """

    lab: DnaLab
    titles: tuple[str, str]
    note: str
    X: np.ndarray
    Y: np.ndarray
    kernel: Subsequence
    K: np.ndarray
    plain: TestResult
    monk: TestResult
    profile: Profile
    replicates: Rates | None

    row = 0  # no slider is answered from a table

    @property
    def n(self):
        """Reads in each sample."""
        return len(self.X)

    @property
    def level(self):
        """The level of both tests."""
        return float(self.lab.level)

    @property
    def pair(self):
        """The two rows of K whose reads are shown letter by letter."""
        return rows_of(self.lab.pair, self.n)

    @property
    def reads(self):
        """The two reads that are shown letter by letter."""
        return tuple(str(self.X[row] if row < self.n else self.Y[row - self.n]) for row in self.pair)

    @cached_property
    def shares(self):
        """The share of k(s, t) that goes through each of the first letters of either of them.

        None where that takes long.
        """
        letters = len(set("".join(self.reads)))
        additions = sum(min(len(s), LIT) * len(s) for s in self.reads) * letters ** (self.lab.length - 1)
        return letter_shares(self.kernel, *self.reads, LIT) if additions <= LIT_QUICKLY else None

    @cached_property
    def means(self):
        """The mean of k over pairs of different reads of X, of Y, and over pairs of one of each.

        U = first + second - 2 third.
        """
        n, K = self.n, self.K
        within = [(block.sum() - np.trace(block)) / (n * (n - 1)) for block in (K[:n, :n], K[n:, n:])]
        return (*map(float, within), float(K[:n, n:].mean()))

    def reach(self, test):
        """A test's statistic in units of the value that it must exceed at the level."""
        return float(test.statistic / self.unit(test))

    def unit(self, test):
        """The value that a statistic must exceed at the level, or where that is not positive the largest of the null
        values.
        """
        edge = test.threshold(self.level)
        if np.isfinite(edge) and edge > 0:
            return edge
        return max(float(np.abs(test.null_distribution).max()), abs(test.statistic), 1e-300)

    def rejects(self, test):
        """Whether a test tells the samples apart at the level."""
        return test.pvalue <= self.level

    @cached_property
    def drawn(self):
        """The rows of K that are drawn, of X and of Y: the last 60 of each."""
        first = np.arange(max(0, self.n - DRAWN), self.n)
        return np.concatenate([first, self.n + first])

    @cached_property
    def spoiled(self):
        """Which of the drawn rows are spoiled."""
        return self.drawn >= 2 * self.n - self.lab.spoiled

    @cached_property
    def seen(self):
        """The drawn part of K, centred or as it is, and the values at which its colours end, (low, high).

        Centred is <φ_i - c, φ_j - c>, c the mean of the drawn reads that are not spoiled; MMD^2 is the same for every
        c. The colours end at quantiles of what lies off the diagonal between those reads: a spoiled one may pass them
        by far, and would leave the rest one colour.
        """
        K = self.K[np.ix_(self.drawn, self.drawn)]
        clean = ~self.spoiled if (~self.spoiled).sum() > 1 else np.ones(len(K), dtype=bool)
        if self.lab.picture == "centred":
            to_mean = K[:, clean].mean(axis=1)
            K = K - to_mean[:, None] - to_mean + to_mean[clean].mean()
        off = K[np.ix_(clean, clean)][~np.eye(int(clean.sum()), dtype=bool)]
        low, high = np.quantile(off, [0.02, 0.98])
        return K, (float(low), float(high))

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        plain, monk = self.plain.pvalue, self.monk.pvalue
        return {
            "the plain statistic beside its threshold": self.reach(self.plain),
            "the lesser statistic beside its threshold": min(self.reach(self.plain), self.reach(self.monk)),
            "the lesser p": min(plain, monk),
            "the plain test's p, where MONK rejects": plain if self.rejects(self.monk) else 0.0,
            "MONK's p, where the plain test rejects": monk if self.rejects(self.plain) else 0.0,
        }
