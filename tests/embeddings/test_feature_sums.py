"""Sums of random features: their error is the spread of the waves' own estimates, by its definition."""

import math
import statistics

import numpy as np
import pytest

from explorer import Gaussian
from explorer.embeddings.feature_sums import FeatureSums


def test_the_error_is_the_spread_of_the_waves_own_estimates():
    X, Y = (np.random.default_rng(seed).normal(seed, 1.0, (12, 2)) for seed in (0, 1))
    one, other = (FeatureSums(Gaussian(1.0), 8, 0).update(P) for P in (X, Y))
    waves = one.finite_rank.frequencies

    def by_wave(P):
        """Return |mean exp(i w'x)|² for each wave w: the estimate of |μ̂|² by it alone."""
        return np.abs(np.exp(1j * P @ waves.T).mean(axis=0)) ** 2

    assert one.error == pytest.approx(statistics.stdev(by_wave(X)) / math.sqrt(4), rel=1e-7)
    # without the pairs of a row with itself |mean|² of n rows becomes (n |mean|² - 1) / (n - 1)
    apart = np.abs(np.exp(1j * X @ waves.T).mean(axis=0) - np.exp(1j * Y @ waves.T).mean(axis=0)) ** 2
    unbiased = apart - sum((1 - by_wave(P)) / (len(P) - 1) for P in (X, Y))
    assert one.mmd2(other) == pytest.approx(unbiased.mean(), abs=1e-7)
    assert one.mmd2_error(other) == pytest.approx(statistics.stdev(unbiased) / math.sqrt(4), rel=1e-4)
