"""What the Two-sample lab adds once the hand rests.

Every bandwidth, power, influence, and a check of the test itself.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from explorer.discrepancy import mmd_test, mmdagg_test, mmdfuse_test, power, spectral_difference
from explorer.discrepancy.frequencies import Difference
from explorer.discrepancy.influence import without_each_of
from explorer.discrepancy.mmd import gram_of
from explorer.discrepancy.permutation import mmd2_of_splits, observed_split
from explorer.discrepancy.rate import rate_interval
from explorer.kernels import FOUR, Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.rng import stream
from explorer.workbench.steps import with_value

from .base import Cache
from .twosample_sources import the_laws, the_samples
from .twosample_trials import BANDWIDTHS, TABLED, Trials, rest_keys, trials

ALL_SHUFFLES = 1000  # points together beyond which nothing follows at rest
SIZES = np.unique(np.geomspace(5, 5000, 60).astype(int))  # of P's sample, where the power is drawn
FREQUENCIES = np.geomspace(0.05, 50, 121)  # of the X-ray, in units of sqrt(d) / median distance
AIM = 0.8  # the power that a plan wants
MOST_PAIRED = 600  # points together up to which the X-ray is made
MOST = 5  # rows that are named for their influence
CHECK = 199  # shuffles of each repetition of the self-check


class Every(NamedTuple):
    """What holds for all bandwidths.

    The tests at each, the X-ray (None where it would take too long), and the p-values of MMDAgg and of MMD-FUSE (nan
    where they cannot be had).
    """

    trials: Trials
    difference: Difference | None
    aggregated: float
    fused: float


class Without(NamedTuple):
    """A row that the test hangs on.

    Where it is among the pooled points, its word in `dropped`, its name, and MMD^2 and p without it."""

    place: int
    word: str
    name: str
    statistic: float
    pvalue: float


class Checked(NamedTuple):
    """How often the test rejected where P = Q, P's own sample split in two, and with fresh samples of P and Q, in
    `count`.
    """

    count: int
    equal: int
    fresh: int | None

    def interval(self, rejected):
        """The 95 % interval of Clopper and Pearson for the chance of what happened `rejected` times."""
        return rate_interval(rejected, self.count)


class Here(NamedTuple):
    """What holds for one kernel: its test with all shuffles, the rows of most influence, the power (sizes,) at SIZES
    with the n that has a power of AIM, None where they cannot be had."""

    trials: Trials
    influence: tuple
    power: np.ndarray | None
    needed: int | None


def at_rest(lab, tables, every, stopped):
    """{key: Every, key: Here} for a snapshot of the lab, which may have the first already.

    None as soon as `stopped()`.
    """
    own = Cache().get
    samples = the_samples(lab, tables)
    median = median_and_remark(samples.pooled)[0]
    if every is None:
        estimator = "KME" if lab.estimator == "F-KMSE" else lab.estimator
        stops, count = with_value(BANDWIDTHS, lab.bandwidth), min(lab.shuffles, TABLED)
        rows = trials(lab, samples, stops, median, count, own, estimator, stopped)
        if rows is None:
            return None
        every = Every(rows, *_all_kernels(lab, samples, median))
    if stopped():
        return None
    kernel = the_kernel(lab, median)
    row = every.trials.bandwidths.tolist().index(lab.bandwidth)
    if lab.kernel == "RBF" and lab.shuffles <= TABLED and lab.estimator != "F-KMSE":
        here = every.trials.row(row)
    else:
        here = trials(
            lab, samples, [lab.bandwidth if lab.kernel == "RBF" else None], median, lab.shuffles, own, stopped=stopped
        )
    if here is None:
        return None
    influence = _influence(lab, tables, samples, kernel, stopped)
    if stopped():
        return None
    keys = rest_keys(lab)
    return {keys[0]: every, keys[1]: Here(here, influence, *_power(lab, samples, kernel))}


def the_kernel(lab, median):
    """The lab's kernel, its bandwidth counted in medians."""
    return Gaussian(lab.bandwidth * median) if lab.kernel == "RBF" else FOUR[lab.kernel]


def _all_kernels(lab, samples, median):
    """The X-ray, and the two tests over many bandwidths."""
    d, N = samples.X.shape[1], len(samples.rows)
    difference = None
    if N <= MOST_PAIRED:
        difference = spectral_difference(samples.X, samples.Y, FREQUENCIES * np.sqrt(d) / median)
    tests = []
    for test in (mmdagg_test, mmdfuse_test):
        try:
            tests.append(test(samples.X, samples.Y, n_resamples=min(lab.shuffles, TABLED), rng=lab.seed).pvalue)
        except ValueError:  # all points are equal, or no two are alike: there is nothing to aggregate
            tests.append(np.nan)
    return difference, *tests


def _influence(lab, tables, samples, kernel, stopped):
    """The rows without which MMD^2 changes most, and what the page would say without each."""
    if min(len(samples.X), len(samples.Y)) < 4 or lab.estimator == "F-KMSE":
        return ()
    n = len(samples.X)
    gram = gram_of(kernel, samples.pooled)
    whole = float(mmd2_of_splits(gram, observed_split(gram.N, n), lab.statistic)[0])
    change = np.abs(without_each_of(gram.K, n, lab.statistic) - whole)
    found = []
    for place in np.argsort(-change, kind="stable")[:MOST]:
        if stopped():
            return ()
        word = f"P{samples.drawn[0][place] + 1}" if place < n else f"Q{samples.drawn[1][place - n] + 1}"
        there = lab.replace(dropped=with_row(lab.dropped, word))
        rest = the_samples(there, tables)
        median = median_and_remark(rest.pooled)[0]
        at = [lab.bandwidth if lab.kernel == "RBF" else None]
        one = trials(there, rest, at, median, min(lab.shuffles, TABLED), Cache().get)
        found.append(Without(int(place), word, samples.rows[place], float(one.observed[0]), float(one.pvalues[0])))
    return tuple(found)


def with_row(text, word):
    """The words of `dropped` with one row more."""
    return json.dumps([*(json.loads(text) if text else []), word], separators=(",", ":"))


def _power(lab, samples, kernel):
    """The power at SIZES, m in proportion, and the least n with a power of AIM.

    (None, None) where no variance can be had.
    """
    share = len(samples.Y) / len(samples.X)
    options = {"level": lab.alpha, "n_resamples": min(lab.shuffles, TABLED), "rng": lab.seed}
    sizes = np.unique(np.geomspace(5, 5000, 800).astype(int))
    try:
        fine = power(samples.X, samples.Y, kernel, sizes, np.maximum(np.round(share * sizes), 2), **options)
    except ValueError:  # k takes one value on all these points
        return None, None
    enough = np.flatnonzero(fine >= AIM)
    return np.interp(SIZES, sizes, fine), int(sizes[enough[0]]) if len(enough) else None


def self_check(lab, tables, stopped):
    """{key: Checked} for a snapshot of the lab; None as soon as `stopped()` says so.

    A permutation test keeps its level whatever P is, so the splits of P's sample must be rejected as often as the level
    says.
    """
    samples, laws = the_samples(lab, tables), the_laws(lab)
    kernel, generator = the_kernel(lab, median_and_remark(samples.pooled)[0]), stream(lab.seed, "self-check")
    half, equal, fresh = max(len(samples.X) // 2, 2), 0, 0
    for i in range(lab.samples):
        if stopped():
            return None
        order = generator.permutation(len(samples.X))
        equal += _rejects(lab, samples.X[order[:half]], samples.X[order[-half:]], kernel, i)
        if laws:
            there = lab.replace(seed=(lab.seed + 1 + i) % 2**32, moved_p="", moved_q="", dropped="")
            anew = the_samples(there, ())
            fresh += _rejects(lab, anew.X, anew.Y, the_kernel(lab, median_and_remark(anew.pooled)[0]), i)
    return {rest_keys(lab)[2]: Checked(lab.samples, equal, fresh if laws else None)}


def _rejects(lab, X, Y, kernel, i):
    test = mmd_test(X, Y, kernel, lab.statistic, n_resamples=CHECK, rng=stream(lab.seed + i, "self-check shuffles"))
    return test.pvalue <= lab.alpha
