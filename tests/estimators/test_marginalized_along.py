"""Marginalized estimates along σ against the estimators one by one, and what their pictures show against its parts."""

import numpy as np
import pytest

from explorer import KME, MKME, MMKME, Embedding, Gaussian, GaussianMixture, risk
from explorer.estimators.marginalized.along import NoisySample
from explorer.estimators.marginalized.noise import copies_path, corrupted, kernel_slices
from explorer.estimators.marginalized.weights import Projection, approximations, misses, projected_weights

LAW = GaussianMixture.random(3, rng=3)
X = LAW.sample(20, rng=4)
KERNEL = Gaussian(4.0)
SIGMAS = np.array([0.0, 0.3, 2.0])
SHAPES = {"isotropic": [1.0, 1.0, 1.0], "narrow": [0.3, 0.0, 2.0], "none": [0.0, 0.0, 0.0]}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_mixture_with_noise_is_the_embedding_s_inner_product(shape):
    mean, s, shape = LAW.embed(KERNEL), np.array([0.0, 0.7, 12.0]), np.array(shape)
    mixture = KERNEL.noisy_mixture(mean.weights, mean.points, mean.covariance, shape)
    means, squares, less = mixture.means(X, s**2), mixture.squares(s**2), mixture.squares(s**2, np.expm1)
    for row, each in enumerate(s):
        D = np.diag((each * shape) ** 2)
        noisy = Embedding(KERNEL, X, np.full(len(X), 1 / len(X)), D)
        assert means[row] == pytest.approx(noisy.inner(mean), rel=1e-12)
        widened = Embedding(KERNEL, mean.points, mean.weights, mean.covariance + D)
        assert squares[row] == pytest.approx(widened.inner(mean), rel=1e-12)
        assert less[row] == pytest.approx(squares[row] - 1, rel=1e-12)


def test_mkme_along_sigma_is_mkme():
    sample, unit = NoisySample(KERNEL, X, LAW), 2.0
    along, mu, plain = sample.mkme(SIGMAS / unit, unit), LAW.embed(KERNEL), KME(KERNEL)
    kme, score = plain.embed(X).distance(mu) ** 2, plain.loocv(X)
    assert sample.empirical == pytest.approx(kme, rel=1e-10)
    for row, sigma in enumerate(along.deviations[:, 0]):
        assert along.loss[row] == pytest.approx(MKME(KERNEL, sigma).embed(X).distance(mu) ** 2 / kme, rel=1e-9)
        own = MKME(KERNEL).loocv(X, [sigma])[0]
        # counted in units of what leave-one-out says of KME's loss, 20 times smaller than the score
        estimated = sample.estimated_loss * len(X) / (len(X) - 1)
        assert along.score[row] == pytest.approx(1 + (own - score) / estimated, rel=1e-9, abs=1e-9)
    assert along.chosen * unit == pytest.approx(MKME(KERNEL).select(X).sigma, rel=1e-12)
    np.testing.assert_array_equal(along.sigmas[:-1], SIGMAS / unit)
    expected = [risk(MKME(KERNEL, s), LAW, 20) / risk(plain, LAW, 20) for s in SIGMAS]
    np.testing.assert_allclose(sample.risk(SIGMAS), expected, rtol=1e-10)


@pytest.mark.parametrize("given", [None, [np.nan, 0.0, np.nan], [1.0, 0.5, 2.0]], ids=str)
def test_mmkme_along_sigma_is_mmkme(given):
    sample, mu = NoisySample(KERNEL, X, LAW), LAW.embed(KERNEL)
    along = sample.mmkme(SIGMAS, shape=None if given is None else np.array(given))
    for row, sigma in enumerate(along.deviations):
        loss = MMKME(KERNEL, sigma).embed(X).distance(mu) ** 2
        assert along.loss[row] == pytest.approx(loss / sample.empirical, rel=1e-9)
    if given is None:
        np.testing.assert_allclose(along.deviations[-1], MMKME(KERNEL).select(X).sigma, rtol=1e-12)
        return
    held = ~np.isnan(given)
    shape, s = sample.best_shape(np.array(given))
    np.testing.assert_array_equal(shape[held], np.array(given)[held])
    scores = MMKME(KERNEL).loocv(X, np.outer(s * np.array([0.9, 1.0, 1.1]), shape))
    assert scores[1] == scores.min()


def test_without_a_law_there_are_scores_alone():
    sample = NoisySample(KERNEL, X)
    along = sample.mkme(SIGMAS)
    assert (along.loss, along.best, sample.empirical, sample.risk(SIGMAS)) == (None, None, None, None)
    np.testing.assert_array_equal(along.height, along.score)


def test_slices_are_expectations_of_the_kernel():
    at, deviations, origin = np.linspace(-4, 4, 9), np.array([[0.5, 0.5, 0.5], [0.1, 2.0, 0.0]]), np.zeros((1, 3))
    for axis in range(3):
        points = np.zeros((9, 3))
        points[:, axis] = at * KERNEL.bandwidth
        made = kernel_slices(KERNEL.bandwidth, deviations, at, axis)
        np.testing.assert_allclose(made.plain, KERNEL(origin, points)[0], rtol=1e-12)
        for row, each in enumerate(deviations):
            e = np.diag(each**2)
            np.testing.assert_allclose(made.one[row], KERNEL.expected(origin, None, points, e)[0], rtol=1e-12)
            np.testing.assert_allclose(made.both[row], KERNEL.expected(origin, e, points, e)[0], rtol=1e-12)


def test_weights_along_sigma_are_those_of_the_approximations():
    projection, pairs = Projection(KERNEL, X), KERNEL.noisy_pairs(X)
    made, weights = misses(projection, pairs, SIGMAS), projected_weights(projection, SIGMAS)
    for row, sigma in enumerate(SIGMAS):
        own = approximations(MKME(KERNEL, sigma), X)
        length = own.estimate.norm()
        for name in ("KME", "projection", "corrected", "printed"):
            # squares of 1e-4 are differences of numbers near 1
            expected = own.missed[name] / length
            assert getattr(made, name.lower())[row] == pytest.approx(expected, rel=1e-4, abs=1e-7)
        assert weights.sums[row] == pytest.approx(own.projection.weights.sum(), rel=1e-8)
    assert (weights.coefficients**2).sum() == pytest.approx(1)


@pytest.mark.parametrize("deviations", [[0.5, 0.5, 0.5], [0.2, 0.0, 1.0]], ids=str)
def test_the_path_of_copies_is_that_of_plain_averages(deviations):
    few, estimate = X[:6], MMKME(KERNEL, deviations).embed(X[:6])
    made = copies_path(KERNEL, few, np.array(deviations), copies=10, rng=4)
    many = corrupted(few, deviations, 10, rng=4).reshape(6, 10, 3)
    for m in (1, 2, 10):
        np.testing.assert_array_equal(made.points[m - 1], many[:, m - 1])
        far = KME(KERNEL).embed(many[:, :m].reshape(-1, 3)).distance(estimate) ** 2
        assert made.path[m - 1] == pytest.approx(far, rel=1e-9)
    C = np.diag(np.square(deviations))
    own = 1 - KERNEL.expected(few[:1], C, few[:1], C)[0, 0]
    np.testing.assert_allclose(made.expected, own / (6 * np.arange(1, 11)), rtol=1e-12)
