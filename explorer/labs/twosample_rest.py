"""What the Two-sample lab adds once the hand rests.

Every bandwidth, power, influence, and a check of the test itself.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np

from explorer.discrepancy import (
    Difference,
    level_check,
    mmd_level,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    most_influential,
    power_curve,
    rate_interval,
    spectral_difference,
)
from explorer.kernels import FOUR, Gaussian
from explorer.kernels.bandwidth import median_and_remark
from explorer.rng import stream
from explorer.workbench.steps import with_value

from .base import Cache
from .twosample_sources import the_laws, the_samples
from .twosample_trials import BANDWIDTHS, MAKE, TABLED, Trials, rest_keys, trials

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
    influence = _influence(lab, samples, kernel, stopped)
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


def _influence(lab, samples, kernel, stopped):
    """The rows without which MMD^2 changes most, and what the page would say without each."""
    if min(len(samples.X), len(samples.Y)) < 4 or lab.estimator == "F-KMSE":
        return ()

    def rekernel(rest):
        return the_kernel(lab, median_and_remark(rest)[0])

    how = MAKE[lab.estimator](), MOST, min(lab.shuffles, TABLED), lab.seed, rekernel, stopped
    rows = most_influential(samples.X, samples.Y, kernel, lab.statistic, *how)
    return tuple(Without(one.row, _word(samples, one.row), samples.rows[one.row], *one[1:]) for one in rows or ())


def _word(samples, row):
    """The word in `dropped` of a row of the pooled points."""
    n = len(samples.X)
    return f"P{samples.drawn[0][row] + 1}" if row < n else f"Q{samples.drawn[1][row - n] + 1}"


def with_row(text, word):
    """The words of `dropped` with one row more."""
    return json.dumps([*(json.loads(text) if text else []), word], separators=(",", ":"))


def _power(lab, samples, kernel):
    """The power at SIZES, m in proportion, and the least n with a power of AIM.

    (None, None) where no variance can be had.
    """
    options = {"level": lab.alpha, "n_resamples": min(lab.shuffles, TABLED), "rng": lab.seed}
    try:
        curve = power_curve(samples.X, samples.Y, kernel, aim=AIM, **options)
    except ValueError:  # k takes one value on all these points
        return None, None
    return curve.at(SIZES), curve.needed


def self_check(lab, tables, stopped):
    """{key: Checked} for a snapshot of the lab; None as soon as `stopped()` says so.

    A permutation test keeps its level whatever P is, so the splits of P's sample must be rejected as often as the level
    says.
    """
    samples, count = the_samples(lab, tables), lab.samples
    kernel = the_kernel(lab, median_and_remark(samples.pooled)[0])
    equal = mmd_level(samples.X, kernel, lab.statistic, lab.alpha, count, CHECK, lab.seed, stopped)
    fresh = level_check(lambda i: _afresh(lab, i), count, lab.alpha, stopped) if equal and the_laws(lab) else None
    if equal is None or (the_laws(lab) and fresh is None):
        return None
    return {rest_keys(lab)[2]: Checked(count, equal.rejected, fresh and fresh.rejected)}


def _afresh(lab, i):
    """p of the test of a further sample of the lab's laws."""
    there = lab.replace(seed=(lab.seed + 1 + i) % 2**32, moved_p="", moved_q="", dropped="")
    anew = the_samples(there, ())
    kernel = the_kernel(lab, median_and_remark(anew.pooled)[0])
    shuffles = stream(lab.seed + i, "self-check shuffles")
    return mmd_test(anew.X, anew.Y, kernel, lab.statistic, n_resamples=CHECK, rng=shuffles).pvalue
