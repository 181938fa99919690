"""Estimators along λ against what they stand for: the estimators one by one, their distances and their refits."""

import math

import numpy as np
import pytest

from explorer import FKMSE, KME, SKMSE, Embedding, Gaussian, GaussianMixture, Linear, Polynomial
from explorer.estimators.filtering import NAMES, Filtering, filter_estimates
from explorer.estimators.paths import (
    Target,
    Truth,
    constant_estimates,
    simple_estimates,
    simplex_estimates,
    simplex_weights,
)
from explorer.estimators.refits import Refits
from explorer.estimators.simple import Summary
from explorer.estimators.spectrum import Spectrum

LAMS = np.array([1e-3, 0.02, 0.3, 1.0, 20.0])
KERNELS = {"gaussian": Gaussian(2.5), "linear": Linear(), "polynomial": Polynomial(2)}


@pytest.fixture(params=KERNELS.values(), ids=KERNELS)
def sample(request):
    """A kernel, 15 points of a mixture, its Gram matrix with its spectrum, and the mixture's exact embedding."""
    kernel, law = request.param, GaussianMixture.random(3, rng=1)
    X = law.sample(15, rng=2)
    return kernel, law, X, kernel(X), Spectrum(kernel(X))


def check(path, row, estimator, sample):
    """Loss and score of a row of a path are those of the estimator itself, counted from the plain average's."""
    kernel, law, X, K, _ = sample
    mu = law.embed(kernel)
    loss, empirical = (each.embed(X).distance(mu) ** 2 for each in (estimator, KME(kernel)))
    assert path.loss[row] == pytest.approx(loss / empirical, rel=1e-9)
    score = estimator.loocv(X, [getattr(estimator, estimator.free)])[0]
    summary = Summary.of(K)
    # counted in units of KME's estimated loss, some 15 times smaller than the score
    assert path.score[row] == pytest.approx(1 + (score - KME(kernel).loocv(X)) / (summary.gap / 14), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("shrunk_towards", ["zero", "blob"])
def test_simple_estimates_are_skmse(sample, shrunk_towards):
    kernel, law, X, _, spectrum = sample
    f = None if shrunk_towards == "zero" else GaussianMixture([1.0], [[0.5, 0.0, 0.0]], np.eye(3)).embed(kernel)
    target = None if f is None else Target.of(f, X, law.embed(kernel))
    made = simple_estimates(spectrum, LAMS, Truth.of(law, kernel, X), target)
    for row, lam in enumerate(made.path.lams):
        estimator = SKMSE(kernel, lam, f)
        estimate = estimator.embed(X)
        loss, empirical = (each.distance(law.embed(kernel)) ** 2 for each in (estimate, KME(kernel).embed(X)))
        assert made.path.loss[row] == pytest.approx(loss / empirical, rel=1e-9)
        np.testing.assert_allclose(made.weights[row], estimate.weights[: len(X)], rtol=1e-12)
        if f is None:
            check(made.path, row, estimator, sample)
    assert made.path.chosen == pytest.approx(SKMSE(kernel, None, f).select(X).lam, rel=1e-9)
    assert made.path.best_loss <= made.path.loss.min() + 1e-12


def test_estimates_on_the_simplex_are_skmse(sample):
    kernel, law, X, K, spectrum = sample
    lams = np.append(LAMS, 0.7)
    weights = simplex_weights(K, lams)
    made = simplex_estimates(spectrum, Summary.of(K), lams, weights, Truth.of(law, kernel, X))
    for row, lam in enumerate(lams):
        estimate = SKMSE(kernel, lam, weights="simplex").embed(X)
        np.testing.assert_allclose(made.weights[row], estimate.weights, rtol=0, atol=1e-9)
        loss, empirical = (each.distance(law.embed(kernel)) ** 2 for each in (estimate, KME(kernel).embed(X)))
        assert made.path.loss[row] == pytest.approx(loss / empirical, rel=1e-7)


def test_weights_that_sum_to_one_are_the_plain_average_s(sample):
    kernel, law, X, _, spectrum = sample
    made = constant_estimates(spectrum, LAMS, 0.3, Truth.of(law, kernel, X))
    np.testing.assert_array_equal(made.path.loss, np.ones(6))
    np.testing.assert_array_equal(made.weights, np.full((6, 15), 1 / 15))
    np.testing.assert_allclose(made.coefficients[0], spectrum.coefficients(), rtol=1e-12)


@pytest.mark.parametrize("weights", ["free", "sum-to-one"])
@pytest.mark.parametrize("name", NAMES)
def test_filters_are_the_estimators(sample, name, weights):
    kernel, law, X, K, spectrum = sample
    filtering = Filtering(name, float(spectrum.gamma[-1]))
    scale = K.diagonal().mean()
    lams = np.array([0.005, 0.02, 0.1, 0.3])  # larger ones leave some filters nothing that could sum to one
    values = filtering.values(lams * scale)
    estimators = [
        filtering.estimator.replace(kernel=kernel, weights=weights, **{filtering.estimator.free: value.item()})
        for value in values
    ]
    score = np.array([e.loocv(X, [getattr(e, e.free)])[0] for e in estimators])
    at, truth = np.array([0.01, 1.0]), Truth.of(law, kernel, X)
    made = filter_estimates(filtering, spectrum, lams, score, at, scale, Summary.of(K), truth, weights)
    for row, estimator in enumerate(estimators):
        estimate = estimator.embed(X)
        np.testing.assert_allclose(
            made.weights[row], estimate.weights, rtol=0, atol=1e-11 * abs(estimate.weights).max()
        )
        check(made.path, row, estimator, sample)
        if weights == "free":
            np.testing.assert_allclose(
                made.filter_values[row], estimator.filter_at(spectrum.gamma), rtol=1e-9, atol=1e-12
            )
    assert made.path.best_loss <= np.nanmin(made.path.loss) + 1e-9  # Brent stops within 1e-7 of the best log λ


def test_scores_along_lam_are_those_of_the_refits(sample):
    kernel, _, X, K, _ = sample
    for name in NAMES:
        filtering = Filtering(name, float(Spectrum(K).gamma[-1]))
        lams = filtering.top * np.array([0.01, 0.3])
        expected = filtering.estimator.replace(kernel=kernel).loocv(X, filtering.values(lams))
        np.testing.assert_allclose(filtering.score(Refits(K), lams), expected, rtol=1e-9)


def test_simplex_weights_of_a_filter_are_the_plain_average_s(sample):
    kernel, law, X, K, spectrum = sample
    filtering, truth = Filtering("tikhonov", float(spectrum.gamma[-1])), Truth.of(law, kernel, X)
    made = filter_estimates(filtering, spectrum, LAMS, None, np.ones(2), 1.0, Summary.of(K), truth, "simplex")
    np.testing.assert_allclose(made.weights[0], FKMSE(kernel, 1e-3, weights="simplex").embed(X).weights, rtol=1e-14)
    np.testing.assert_array_equal(made.path.loss, np.ones(len(LAMS)))


def test_without_a_truth_there_are_scores_alone(sample):
    _, _, _, K, spectrum = sample
    made = simple_estimates(spectrum, LAMS)
    assert (made.path.loss, made.path.best, made.share) == (None, None, None)
    np.testing.assert_array_equal(made.path.height, made.path.score)
    lams = np.append(LAMS, 0.7)
    assert simplex_estimates(spectrum, Summary.of(K), lams, simplex_weights(K, lams)).path.loss is None


@pytest.mark.parametrize("name", ["landweber", "nu"])
def test_steps_go_to_lam_and_back(name):
    filtering = Filtering(name, 7.3)
    steps = np.array([0, 1, 2, 3, 17, 400, 1000])
    np.testing.assert_array_equal(filtering.values([filtering.lam(t) for t in steps]), steps)
    assert filtering.lam(0) == math.inf


def test_lam_stands_for_the_same_reach_in_every_filter():
    """At a well-separated spectrum, what is far above λ is kept and what is far below is not, by whichever filter."""
    gamma = np.array([1e-4, 1e4])
    for name in NAMES:
        low, high = Filtering(name, 1e4).filter_values(gamma, np.array([1.0]))[:, 0]
        assert low < 0.01, name
        assert high > 0.97, name


def test_a_truth_relative_to_a_target_is_in_inner_products(sample):
    kernel, law, X, _, _ = sample
    mu, f = law.embed(kernel), 0.7 * KME(kernel).embed(X[:4] + 0.3)
    relative = Truth.of(law, kernel, X).relative_to(Target.of(f, X, mu))
    expected = [(Embedding(kernel, x[None], [1.0]) - f).inner(mu - f) for x in X]
    assert relative.z == pytest.approx(expected, rel=1e-9)
    assert relative.square == pytest.approx((mu - f).norm() ** 2, rel=1e-9)
