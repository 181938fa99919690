"""Tests of joint and conditional independence against those of hyppo and causal-learn, where these are installed."""

import statistics
from time import perf_counter

import numpy as np
import pytest
from scipy.stats import binom
from test_speed import report, seconds

from explorer import Gaussian, dhsic, dhsic_test, gcm_test, kci_test

pytestmark = [pytest.mark.benchmark, pytest.mark.filterwarnings("ignore")]  # warnings of packages older than numpy

COUNT = 100


def test_dhsic_beside_hyppo(benchmark):
    """The statistic is equal, and 100 permutations of three samples of 100 rows are at least as fast."""
    pytest.importorskip("hyppo", reason="hyppo is not installed")
    from hyppo.d_variate import dHsic

    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 100, 1))
    z += x * y
    theirs = dHsic(compute_kernel="rbf", gamma=0.5)
    # sums of 10,000 entries in another order
    assert dhsic([x, y, z], Gaussian(1.0)) == pytest.approx(theirs.statistic(x, y, z), rel=1e-10)
    acts = [
        lambda: dhsic_test([x, y, z], Gaussian(1.0), n_resamples=100, rng=0),
        lambda: theirs.test(x, y, z, reps=100, workers=1),
    ]
    measured = []
    for i in range(7):
        ours, other = (seconds(act) for act in (acts if i % 2 else acts[::-1]))
        measured.append(other / ours if i % 2 else ours / other)
    benchmark.pedantic(acts[0], rounds=1)
    assert report(benchmark, measured) >= 1


def nonlinear(seed, direct):
    """x and y that z alone makes dependent, and y also on x itself where `direct` is not 0."""
    z, a, b = np.random.default_rng(seed).normal(size=(3, 100))
    return z + a, np.sin(z) + direct * a + 0.5 * b, z


def rates(direct):
    """Return each test's share of rejections at level 0.05 in `COUNT` samples, and its seconds per sample."""
    from causallearn.utils.cit import CIT

    tests = {
        "causal-learn": lambda x, y, z, seed: CIT(np.column_stack([x, y, z]), "kci")(0, 1, [2]),
        "kci": lambda x, y, z, seed: kci_test(x, y, z, n_resamples=199, rng=seed).pvalue,
        "gcm": lambda x, y, z, seed: gcm_test(x, y, z, n_resamples=199, rng=seed).pvalue,
    }
    found = {name: [] for name in tests}
    times = {name: [] for name in tests}
    for seed in range(COUNT):
        sample = nonlinear(seed, direct)
        for name, test in tests.items():
            start = perf_counter()
            found[name].append(test(*sample, seed) <= 0.05)
            times[name].append(perf_counter() - start)
    return {name: np.mean(each) for name, each in found.items()}, {n: statistics.median(t) for n, t in times.items()}


def test_conditional_independence_beside_causal_learn(benchmark):
    """Levels inside the binomial interval, the power of both KCI within its noise, at most ten times the time.

    Its p is by a gamma distribution, and ours by the eigenvalues that this has the first two moments of.
    """
    pytest.importorskip("causallearn", reason="causal-learn is not installed")
    levels, _ = rates(0.0)
    assert max(levels.values()) <= binom.isf(1e-4, COUNT, 0.05) / COUNT
    powers, times = benchmark.pedantic(rates, args=(0.2,), rounds=1)
    benchmark.extra_info.update(levels=levels, powers=powers, seconds=times)
    assert abs(powers["kci"] - powers["causal-learn"]) <= 0.15
    assert powers["gcm"] >= powers["kci"]  # whose alternative this is: covariance
    assert times["kci"] <= 10 * times["causal-learn"]
