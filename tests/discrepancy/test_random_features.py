"""Two-sample tests by random features: the frequencies of a limit, and the limit law of two sketches."""

import numpy as np
import pytest

from explorer import Gaussian, Sketch, mmd2, mmd_test
from explorer.kernels import low_rank
from explorer.kernels.low_rank import fourier

K = Gaussian(1.0)
X, Y = np.random.default_rng(0).normal(size=(2, 8, 2))
Z = np.concatenate([Y, X[:4] + 1, Y[:3] - 1])
OF_X, OF_Z = (Sketch.of(points, K, 6, rng=0) for points in (X, Z))


def test_a_limit_has_as_many_frequencies_as_all_points_together_allow(monkeypatch):
    """Each frequency alone is a kernel; its MMD² is that of its cosine and sine."""
    monkeypatch.setattr(fourier, "WORK", 150 * 16)
    low = low_rank(K, np.concatenate([X, Y]), "features", 20, rng=0)
    more = low.more_frequencies(16)
    assert more.rank == 2 * 150

    def alone(features):
        F = np.square(features.features(X).mean(axis=0) - features.features(Y).mean(axis=0))
        return features.by_frequency(F)

    found = mmd2(X, Y, K, "biased", approximation="features", rank=20, rng=0)
    assert found == pytest.approx(alone(low).mean())
    assert found.error == pytest.approx(fourier.error_limit(alone(low), alone(more)))


def test_the_limit_law_of_two_sketches_is_a_sum_of_squares():
    """It has variance 2 (1/n + 1/m)² tr Σ², Σ the pooled covariance of features, whichever sample is the first."""
    one, other = (mmd_test(*both, n_resamples=4000, rng=0) for both in ((OF_X, OF_Z), (OF_Z, OF_X)))
    np.testing.assert_allclose(one.null_distribution, other.null_distribution, rtol=1e-9)
    n, m = len(X), len(Z)
    low = low_rank(K, X, "features", 6, rng=0)
    shared = ((n - 1) * np.cov(low.features(X).T) + (m - 1) * np.cov(low.features(Z).T)) / (n + m - 2)
    expected = 2 * (1 / n + 1 / m) ** 2 * np.trace(shared @ shared)
    assert one.null_distribution.var() == pytest.approx(expected, rel=0.2)


def test_one_frequency_alone_has_no_limit():
    a, b = (Sketch.of(points, K, 2, rng=0) for points in (X, Y))
    assert mmd_test(a, b, n_resamples=9, rng=0).error == np.inf
