"""Running times of MKME and MMKME as ratios of alternating pairs: `pytest -m benchmark --benchmark-enable`."""

import numpy as np
import pytest
import scipy.linalg
from test_speed import ratios, report

from explorer import MKME, MMKME, Gaussian, GaussianMixture

pytestmark = pytest.mark.benchmark


def sample(n, d):
    X = GaussianMixture.random(d, rng=0).sample(n, rng=0)
    return X, Gaussian().select(X)


@pytest.mark.parametrize("d", [1, 20])
def test_a_hundred_sigmas_cost_a_dozen_gram_matrices(benchmark, d):
    """The time includes everything between the points and 100 scores, at n = 500."""
    X, k = sample(500, d)
    sigmas = np.geomspace(1e-2, 1e1, 100) * k.bandwidth

    def ours():
        return MKME(k).loocv(X, sigmas)

    measured = ratios(ours, lambda: k(X))
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, measured) <= 12


def test_choosing_a_sigma_for_every_coordinate(benchmark):
    """MMKME at n = 200, d = 100, against one Gram matrix and its eigendecomposition."""
    X, k = sample(200, 100)

    def ours():
        return MMKME(k).select(X)

    measured = ratios(ours, lambda: scipy.linalg.eigh(k(X), driver="evd"), lambda: np.linalg.eigh(k(X)))
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, measured) <= 20
