"""Result of the DNA lab: both samples, their Gram matrix, and two tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.datasets.letter_profile import Profile
from explorer.discrepancy import mmd_test, monk_test, renewed_gram
from explorer.discrepancy.monk.estimates import PARTITIONS
from explorer.kernels import Precomputed, Subsequence, letter_shares
from explorer.types import Gram, Labels, Mask, Rows, Vector
from explorer.workbench import Result, deferred, effect, measure, stage
from explorer.workbench.cost import costs
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps

from .lab import DnaLab, rows_of

if TYPE_CHECKING:
    from explorer.datasets.strings import StringSet
    from explorer.discrepancy.results.test_result import TestResult


ITERATIONS = 100
# the largest counts of numbers that the features, and the copies of a test, store at a time
FEATURES, COPIES = 8e6, 1.3e7
LETTERS, LONGEST = 4, 60  # alphabet size and longest read of the data sets that come with the package
DRAWN = 60  # the picture of the Gram matrix has the last reads of each sample, and with them the contaminated ones
LIT = 120  # the number of letters of a read that are shown
LIT_AT_ONCE = 2.5e5  # up to this many pairs of letters times p, the shares take a fraction of a frame
LIT_QUICKLY = 3e7  # up to this many additions, the shares take less than a second


@dataclass(frozen=True)
class Rates:
    """The p-values of both tests in more draws of reads.

    Attributes
    ----------
    plain : ndarray of shape (draws,)
        p of the plain test.
    monk : ndarray of shape (draws,)
        p of MONK's test.
    """

    plain: np.ndarray
    monk: np.ndarray

    @property
    def count(self) -> int:
        """The number of draws."""
        return len(self.plain)

    def rejections(self, level: float) -> tuple[int, int]:
        """Return the numbers of draws with a rejection at a level, by the plain test and by MONK."""
        return int((self.plain <= level).sum()), int((self.monk <= level).sum())


class Square(NamedTuple):
    """The drawn part of the Gram matrix, and the values at which its colours end."""

    values: np.ndarray
    low: float
    high: float


# Seconds on the core on which the labs were timed, and numbers held.


def _kernel(lab):
    """Return the seconds for the Gram matrix: by one feature per string of p letters, or pair by pair."""
    letters, longest = _reads(lab)
    padded = longest * (lab.longer if lab.contaminated else 1)  # all reads are padded to the length of the longest
    read, p = 2 * lab.n * padded, lab.length
    by_features = 8e-10 * read * letters ** (p - 1) + 2e-11 * (2 * lab.n) ** 2 * letters**p
    by_pairs = 7e-10 * p * read**2
    return 5e-4 + (4e-8 * p - 3e-8) * read + min(by_features, by_pairs)


def _permuted(lab):
    return 3e-4 + 7e-11 * lab.shuffles * (2 * lab.n) ** 2


def _voted(lab):
    """Return the seconds for MONK's test, where every flip of signs makes another sample."""
    n, flips, Q = lab.n, lab.flips, lab.blocks
    if lab.method == "direction":
        return PARTITIONS * flips * (3e-7 + 8e-11 * Q * n**2 + 1.7e-8 * Q**2) + 1e-3
    if lab.method == "bcd":
        return ITERATIONS * (6e-5 + 4e-6 * Q + 3e-9 * n**2 + flips * (5e-9 * n + 4e-8 * Q + 8e-11 * n**2 / Q))
    return 1.2e-3 + 10 * (1e-8 * n**2 + flips * 1.2e-10 * n**2 / Q) + ITERATIONS * flips * Q * 2e-8


def _slower(lab):
    """Return the fields that slow the kernel down."""
    return ("n", "length", "longer") if lab.contaminated else ("n", "length")


def _held(lab):
    return 4 * (2 * lab.n) ** 2


def _features(lab):
    return min(2.0 * lab.n * _reads(lab)[0] ** lab.length, FEATURES)


def _copies(lab):
    return min(3.0 * lab.flips * lab.blocks * lab.n, COPIES)


def _reads(lab):
    """Return the size of the alphabet and the length of the longest read."""
    return _alphabet(lab.own) if lab.source == "file" and lab.own is not None else (LETTERS, LONGEST)


@lru_cache(8)
def _alphabet(strings):
    return len(strings.alphabet), strings.longest


class DnaResult(Result[DnaLab]):
    """Numbers of a state.

    Attributes
    ----------
    X, Y : ndarray of shape (n,)
        The reads of both samples, contaminated ones included.
    K : ndarray of shape (2n, 2n)
        The Gram matrix of X, then Y.
    plain, monk : TestResult
        The tests.
    """

    @stage
    def strings(self) -> StringSet:
        """Return all strings of the source, a StringSet."""
        return self.lab.the_set()

    @stage
    def clean(self) -> tuple[Labels, Labels]:
        """Draw the reads of both samples before any is contaminated."""
        return self.lab.draw(self.strings, self.lab.seed)

    @stage
    def numbers(self) -> tuple[Rows, Rows] | None:
        """Return the position in its file of each read of both samples, from 1, or None without a file."""
        return self.lab.numbers(self.strings, self.lab.seed) if self.lab.source == "file" else None

    def number_of(self, sample: str, place: int) -> int:
        """Return the number of a read at a place of sample X or Y, from 1: its position in the file, or the place."""
        return place if self.numbers is None else int(self.numbers["XY".index(sample)][place - 1])

    @property
    def X(self) -> Labels:
        """The reads of the first sample, shape (n,)."""
        return self.clean[0]

    @stage
    def Y(self) -> Labels:
        """Return the reads of the second sample, the last of them contaminated, shape (n,)."""
        return self.lab.with_contaminated(self.clean[1], self.lab.seed)

    @stage
    def kernel(self) -> Subsequence:
        """Return the subsequence kernel."""
        return Subsequence(self.lab.length, self.lab.decay, self.lab.normalized)

    @stage
    def clean_gram(self) -> Gram:
        """Compute the Gram matrix before any read is contaminated, shape (2n, 2n)."""
        return self.kernel(np.concatenate(self.clean))

    @stage
    @costs(
        "the subsequence kernel",
        lambda lab: 3e-3 + _kernel(lab),
        lambda lab: _held(lab) + 1.5 * _features(lab),
        _slower,
    )
    def K(self) -> Gram:
        """Compute the Gram matrix of X, then Y, shape (2n, 2n)."""
        reads = np.concatenate([self.X, self.Y])
        return renewed_gram(self.kernel, self.clean_gram, reads, self.lab.contaminated)

    @stage
    @costs("the permutation test", _permuted, lambda lab: _held(lab) + lab.shuffles * lab.n / 2, "n", "shuffles")
    def plain(self) -> TestResult:
        """Run the permutation test by the unbiased MMD²."""
        return replace(_plain(self.lab, self.K, self.lab.seed), kernel=self.kernel)

    @stage
    @costs("MONK's test", _voted, lambda lab: _held(lab) + _copies(lab) + 3 * lab.flips * lab.n, "flips", "blocks", "n")
    def monk(self) -> TestResult:
        """Run MONK's test, which swaps pairs."""
        return replace(_monk(self.lab, self.K, self.lab.seed), kernel=self.kernel)

    @stage
    def means(self) -> tuple[float, float, float]:
        """Return the mean of k over pairs of different reads of X, of Y, and over pairs of one of each.

        U = first + second - 2 third.
        """
        n, K = self.n, self.K
        of_X, of_Y = (float(block.sum() - np.trace(block)) / (n * (n - 1)) for block in (K[:n, :n], K[n:, n:]))
        return of_X, of_Y, float(K[:n, n:].mean())

    @stage
    def profile(self) -> Profile:
        """Return the frequency of each letter at each place of the reads that are not contaminated."""
        X, Y = self.clean
        return Profile.of(X, Y[: len(Y) - self.lab.contaminated])

    @stage
    def square(self) -> Square:
        """Return the drawn part of K, centred or not, with the range of its colours.

        Centred, an entry is <φ_i - c, φ_j - c>, where c is the mean of the drawn reads that are not contaminated. MMD²
        is the
        same for every c. The colours end at quantiles of the off-diagonal values between those reads: a contaminated
        read may
        lie far beyond them, and would leave one colour for all others.
        """
        K, clean = self.K[np.ix_(self.drawn, self.drawn)], ~self.contaminated
        if clean.sum() < 2:
            clean = np.ones(len(K), dtype=bool)
        if self.lab.picture == "centred":
            to_mean = K[:, clean].mean(axis=1)
            K = K - to_mean[:, None] - to_mean + to_mean[clean].mean()
        off = K[np.ix_(clean, clean)][~np.eye(int(clean.sum()), dtype=bool)]
        low, high = np.quantile(off, [0.02, 0.98])
        return Square(K, float(low), float(high))

    @stage
    def shares_at_once(self) -> tuple[Vector, Vector] | None:
        """Return the `shares` if they take less than a frame, otherwise None."""
        return letter_shares(self.kernel, *self.reads, LIT) if self.lit_at_once else None

    @deferred(lambda result: not result.lit_at_once and result.lit)
    def shares_later(self) -> tuple[Vector, Vector]:
        """Compute the `shares` if they take longer than a frame, but less than a second."""
        return letter_shares(self.kernel, *self.reads, LIT)

    @deferred(lambda result: result.lab.samples > 0)
    @costs(
        "the repeated draws of reads",
        lambda lab: lab.samples * (_kernel(lab) + _permuted(lab) + _voted(lab)),
        lambda lab: _held(lab) + _features(lab) + _copies(lab),
        "samples",
        "n",
    )
    def replicates(self) -> Steps[Rates]:
        """Run both tests on more draws of reads, with the seeds that follow."""
        lab, strings, kernel, pvalues = self.lab, self.strings, self.kernel, []
        for i in range(lab.samples):
            yield
            seed = further_seed(lab.seed, i)
            X, Y = lab.draw(strings, seed)
            K = kernel(np.concatenate([X, lab.with_contaminated(Y, seed)]))
            pvalues.append([test(lab, K, seed).pvalue for test in (_plain, _monk)])
        return Rates(*np.array(pvalues).T)

    @property
    def titles(self) -> tuple[str, str]:
        """The titles of the two samples."""
        return self.lab.titles

    @property
    def n(self) -> int:
        """The number of reads in each sample."""
        return self.lab.n

    @property
    def level(self) -> float:
        """The level of both tests."""
        return float(self.lab.level)

    @property
    def pair(self) -> tuple[int, int]:
        """The two rows of K whose reads are shown letter by letter."""
        return rows_of(self.lab.pair, self.n)

    @property
    def reads(self) -> tuple[str, str]:
        """The two reads that are shown letter by letter."""
        first, second = (str(self.X[row] if row < self.n else self.Y[row - self.n]) for row in self.pair)
        return first, second

    @property
    def shares(self) -> tuple[Vector, Vector] | None:
        """The share of k(s, t) that each of the first LIT letters has, for both reads that are shown letter by letter.

        None until the shares are computed, which happens in a deferred stage if they take long.
        """
        return self.shares_at_once if self.lit_at_once else self.shares_later

    @property
    def lit_at_once(self) -> bool:
        """True if the shares take less than a frame."""
        s, t = self.reads
        return len(s) * len(t) * self.lab.length <= LIT_AT_ONCE

    @property
    def lit(self) -> bool:
        """True if the shares are shown at all."""
        letters = len(set("".join(self.reads)))
        additions = sum(min(len(s), LIT) * len(s) for s in self.reads) * letters ** (self.lab.length - 1)
        return additions <= LIT_QUICKLY or self.lit_at_once

    @property
    def drawn(self) -> Rows:
        """The rows of K that are drawn: the last 60 of X and of Y."""
        first = np.arange(max(0, self.n - DRAWN), self.n)
        return np.concatenate([first, self.n + first])

    @property
    def contaminated(self) -> Mask:
        """The mask of the drawn rows that are contaminated."""
        return self.drawn >= 2 * self.n - self.lab.contaminated

    def reach(self, test: TestResult) -> float:
        """Return a test's statistic in units of the value that it must exceed at the level."""
        return float(test.statistic / self.unit(test))

    def unit(self, test: TestResult) -> float:
        """Return the value that a statistic must exceed at the level.

        If that is not positive, it is the largest null value.
        """
        edge = test.threshold(self.level)
        if np.isfinite(edge) and edge > 0:
            return edge
        return max(float(np.abs(test.null_distribution).max()), abs(test.statistic), 1e-300)

    def rejects(self, test: TestResult) -> bool:
        """Return whether a test rejects at the level."""
        return test.pvalue <= self.level

    monk_p: measure[float] = measure("p of MONK's test", of="monk.pvalue")
    plain_p: measure[float] = measure("p of the plain test", of="plain.pvalue")
    mmd2: measure[float] = measure("MMD squared, unbiased", "MMD², unbiased", of="plain.statistic")
    mmd_by_monk: measure[float] = measure("MMD by MONK", of="monk.statistic")
    within_first: measure[float] = measure("mean k within the first", compute=lambda r: r.means[0])
    within_second: measure[float] = measure("mean k within the second", compute=lambda r: r.means[1])
    across: measure[float] = measure("mean k across", compute=lambda r: r.means[2])

    plain_reach: effect[float] = effect("the plain statistic beside its threshold", compute=lambda r: r.reach(r.plain))
    lesser_reach: effect[float] = effect(
        "the lesser statistic beside its threshold", compute=lambda r: min(r.plain_reach, r.reach(r.monk))
    )
    lesser_p: effect[float] = effect("the lesser p", compute=lambda r: min(r.plain_p, r.monk_p))
    plain_beside_monk: effect[float] = effect(
        "the plain test's p, where MONK rejects", compute=lambda r: r.plain_p if r.rejects(r.monk) else 0.0
    )
    monk_beside_plain: effect[float] = effect(
        "MONK's p, where the plain test rejects", compute=lambda r: r.monk_p if r.rejects(r.plain) else 0.0
    )

    # Numbers that the stories let the user guess.

    @property
    def rejecting(self) -> int:
        """0 if neither test rejects, 1 for the plain test, 2 for MONK's, 3 for both."""
        return self.rejects(self.plain) + 2 * self.rejects(self.monk)

    monk_reach = property(lambda self: self.reach(self.monk), doc="MONK's statistic over its threshold.")


def _plain(lab, K, seed):
    """Run the permutation test of MMD, without MONK, on the Gram matrix of the pooled reads."""
    X, Y = np.split(np.arange(len(K)), 2)
    return mmd_test(X, Y, Precomputed.trusted(K), n_resamples=lab.shuffles, rng=seed)


def _monk(lab, K, seed):
    """Run MONK's test on the Gram matrix of the pooled reads."""
    X, Y = np.split(np.arange(len(K)), 2)
    return monk_test(X, Y, Precomputed.trusted(K), lab.blocks, lab.method, n_resamples=lab.flips, rng=seed)
