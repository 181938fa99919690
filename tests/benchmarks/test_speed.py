"""Running times as ratios of alternating pairs: `pytest -m benchmark --benchmark-enable`.

A ratio of two times measured side by side does not know the machine; the median of many forgets its neighbours.
"""

import statistics
import subprocess
import sys
from time import perf_counter

import numpy as np
import pytest
import scipy.linalg
from sklearn.metrics.pairwise import rbf_kernel

from explorer import Gaussian
from explorer.estimators.spectrum import Spectrum

pytestmark = pytest.mark.benchmark

PAIRS = 21


def seconds(act):
    start = perf_counter()
    result = act()
    taken = perf_counter() - start
    del result  # the time to free a large array does not count
    return taken


def ratios(ours, *theirs, pairs=PAIRS):
    """Time of `ours` over the faster of `theirs`, pair by pair, each going first in turn; all warmed up."""
    ours()
    rival = min(theirs, key=lambda act: statistics.median(seconds(act) for _ in range(4)))
    measured = []
    for i in range(pairs):
        times = [(act, seconds(act)) for act in ((ours, rival) if i % 2 else (rival, ours))]
        measured.append(dict(times)[ours] / dict(times)[rival])
    return measured


def report(benchmark, measured):
    """Return the median of the ratios, written into the benchmark with its quartiles."""
    low, median, high = statistics.quantiles(measured, n=4)
    benchmark.extra_info.update(ratio=median, quartiles=[low, high], pairs=len(measured))
    return median


def test_a_hundred_lambdas_cost_little_beside_the_eigendecomposition(benchmark):
    n = 1000
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 20))
    K, z = Gaussian(6.0)(X), rng.random(n)
    lams = np.geomspace(1e-4, 1e4, 100)

    def ours():
        spectrum = Spectrum(K)
        return spectrum.weights(lams), spectrum.loss(lams, z, 0.5), spectrum.leave_one_out(lams)

    measured = ratios(ours, lambda: scipy.linalg.eigh(K, driver="evd"), lambda: np.linalg.eigh(K))
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, measured) <= 1.6


def test_the_gaussian_gram_matrix_against_scikit_learn(benchmark):
    X = np.random.default_rng(0).normal(size=(4000, 20)) + 100  # data need not be centred to be fast
    theta = 6.0
    k = Gaussian(theta)
    measured = ratios(lambda: k(X), lambda: rbf_kernel(X, gamma=1 / (2 * theta**2)))
    benchmark.pedantic(k, args=(X,), rounds=1)
    assert 1 / report(benchmark, measured) >= 1.7


def test_import_explorer_in_a_fresh_process(benchmark):
    """Seconds, not a ratio: what a user waits for."""
    timed = "from time import perf_counter as t; a = t(); import explorer; print(t() - a)"

    def fresh():
        return float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)

    fresh()  # the bytecode is written once
    measured = [fresh() for _ in range(PAIRS)]
    benchmark.pedantic(fresh, rounds=1)
    assert report(benchmark, measured) <= 0.5
