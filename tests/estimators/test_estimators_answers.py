"""The class attributes of estimators describe their estimates correctly."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS, D, target, vectors

from explorer import KME, Embedding, Gaussian, GaussianMixture, risk
from explorer.estimators import SKMSE, Summary

KERNEL, X = Gaussian(1.3), vectors(8)
K = KERNEL(X)


@pytest.fixture(params=ESTIMATORS.values(), ids=ESTIMATORS)
def estimator(request):
    return request.param(KERNEL, target(KERNEL, X))


def test_settled_estimators_choose_nothing(estimator):
    chosen = estimator.select(X)
    assert chosen.settled
    assert estimator.settled == (estimator.free is None or getattr(estimator, estimator.free) is not None)
    if estimator.settled and estimator.free is not None:
        np.testing.assert_array_equal(getattr(chosen, estimator.free), getattr(estimator, estimator.free))


def test_equal_weights_are_scale_over_n(estimator):
    weights = estimator.embed(X).weights[: len(X)]
    if estimator.equal_weights:
        scale = estimator.scale(Summary.of(K)) if estimator.target is None else estimator.select(X).scale()
        np.testing.assert_allclose(weights, np.full(len(X), scale / len(X)), rtol=1e-12)
        if estimator.target is None:
            assert estimator.select(X).scale() == pytest.approx(scale, rel=1e-12)
    elif estimator.free == "lam" and estimator.settled and 0 < estimator.lam < np.inf:
        assert np.ptp(weights) > 1e-6


def test_the_plain_one_is_kme(estimator):
    assert estimator.plain == isinstance(estimator, KME)


def test_noise_is_the_covariance_that_points_carry(estimator):
    estimate, noise = estimator.embed(X), estimator.select(X).point_noise
    assert estimator.noisy == (noise is not None)
    if estimator.noisy:
        expected = np.diag(np.broadcast_to(np.square(noise), (D,)))
        np.testing.assert_allclose(np.broadcast_to(estimate.covariance, (len(X), D, D))[0], expected, rtol=1e-15)
    else:
        assert estimate.covariance is None


def test_a_ridge_is_the_lam_of_a_system(estimator):
    lam = estimator.ridge
    if lam is not None and 0 < lam < np.inf:
        beta = np.linalg.solve(K + lam * np.eye(len(X)), K.mean(axis=1))
        np.testing.assert_allclose(estimator.constrained(beta), estimator.embed(X).weights, rtol=0, atol=1e-13)


def test_weights_on_a_gram_matrix_are_those_of_its_points(estimator):
    if estimator.noisy or estimator.target is not None:
        return
    np.testing.assert_allclose(estimator.on_gram(K), estimator.embed(X).weights, rtol=0, atol=1e-9)


def test_risks_are_exact_or_a_sentence(estimator):
    law = GaussianMixture([1.0], [np.zeros(D)], np.eye(D))
    if type(estimator).__name__ in ("KME", "SKMSE", "MKME", "MMKME"):
        if estimator.settled and getattr(estimator, "weights", "free") != "simplex":
            assert 0 <= risk(estimator, law, 5) < 10
    else:
        with pytest.raises(ValueError, match=naming(type(estimator).__name__, "risk")):
            risk(estimator, law, 5)


def test_a_target_counts_in_the_sum():
    f = Embedding(KERNEL, X[:3], [0.5, 0.3, -0.1])
    for lam in (0.1, 2.0):
        estimator = SKMSE(KERNEL, lam, f, "sum-to-one")
        weights = estimator.embed(X).weights
        assert weights.sum() == pytest.approx(1.0)
        assert weights[5] == pytest.approx(estimator.scale() / len(X))
