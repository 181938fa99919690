"""Noise of other shapes and distributions along σ, in a second way: embeddings, refits, simulation, quadrature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers.naming import naming
from scipy.integrate import quad

from explorer import KME, MKME, Embedding, Gaussian, GaussianMixture, StudentT
from explorer.checks import Refusal
from explorer.estimators.marginalized.along import NoisySample
from explorer.estimators.marginalized.noises import NOISES, mixing, other_noise
from explorer.estimators.marginalized.shapes import (
    axes_of,
    ellipse,
    like_the_data,
    local_shapes,
    marginalized_along,
    marginalized_refits,
    shaped,
    with_axes,
)

KERNEL = Gaussian(2.0)
LAWS = {
    "mixture": GaussianMixture.random(2, 0),
    "three coordinates": GaussianMixture.random(3, 1),
    "Student's t": StudentT(3.0, [0.5, 0.0], 1.0),
    "one coordinate": GaussianMixture.random(1, 2),
}
SIGMAS = [0.0, 0.1, 0.7, 2.0]


def of(name, n=12):
    law = LAWS[name]
    X = law.sample(n, rng=5)
    return law, X, NoisySample(KERNEL, X, law)


def shapes(X):
    return {"one": like_the_data(X), "each": local_shapes(X, 4)}


# covariances


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("which", ["one", "each"])
def test_losses_are_distances_of_embeddings_with_these_covariances(name, which):
    law, X, noisy = of(name)
    C, truth, even = shapes(X)[which], law.embed(KERNEL), np.full(len(X), 1 / len(X))
    path = marginalized_along(noisy, SIGMAS, 1.3, shaped(noisy, C), np.ones(X.shape[1]))
    unit = KME(KERNEL).embed(X).distance(truth) ** 2
    for sigma, loss in zip(path.sigmas, path.loss, strict=True):
        covariance = (1.3 * sigma) ** 2 * C if sigma else None
        exact = Embedding(KERNEL, X, even, covariance).distance(truth) ** 2 / unit
        assert loss == pytest.approx(exact, abs=1e-11)  # differences of squares of 1, over a loss of some 1/n


def test_a_round_shape_is_mkme():
    _, X, noisy = of("three coordinates")
    path = marginalized_along(noisy, SIGMAS, 1.0, shaped(noisy, np.eye(3)), np.ones(3))
    usual = noisy.mkme(SIGMAS)
    assert path.chosen == pytest.approx(usual.chosen, rel=1e-6)  # the score is flat at its minimum
    assert path.loss[:-1] == pytest.approx(usual.loss[:-1], abs=1e-11)
    assert path.score[:-1] == pytest.approx(usual.score[:-1], abs=1e-11)
    assert path.deviations[2].tolist() == [0.7] * 3
    many = marginalized_along(noisy, SIGMAS, 1.0, shaped(noisy, np.repeat(np.eye(3)[None], len(X), axis=0)), np.ones(3))
    assert many.loss == pytest.approx(path.loss, abs=1e-7)


@pytest.mark.parametrize("which", ["one", "each"])
def test_scores_are_those_of_refits(which):
    _, X, noisy = of("mixture", n=7)
    fixed, s = shapes(X)[which], 0.9
    made = {"one": lambda Y: like_the_data(Y), "each": lambda Y: local_shapes(Y, 4)}[which]
    anew = which == "each"
    literal = []
    for i in range(len(X)):
        others = np.delete(X, i, axis=0)
        C = made(others) if anew else fixed
        estimate = Embedding(KERNEL, others, np.full(len(others), 1 / len(others)), s**2 * C)
        literal.append(Embedding(KERNEL, X[i : i + 1], [1.0]).distance(estimate) ** 2)
    score = marginalized_refits(noisy, made) if anew else lambda s: shaped(noisy, fixed)(s).score(len(X))
    assert score(np.array([s]))[0] == pytest.approx(np.mean(literal), rel=1e-12)


def test_a_given_amount_is_kept_and_nothing_is_fitted():
    _, _, noisy = of("mixture")
    path = marginalized_along(noisy, SIGMAS, 2.0, shaped(noisy, np.eye(2)), np.ones(2), chosen=1.5)
    assert path.chosen == 0.75
    assert path.deviations[-1].tolist() == [1.5, 1.5]


def test_without_a_truth_there_are_scores_alone_and_equal_points_take_no_noise():
    _, X, _ = of("mixture")
    noisy = NoisySample(KERNEL, X)
    path = marginalized_along(noisy, SIGMAS, 1.0, shaped(noisy, np.eye(2)), np.ones(2))
    assert path.loss is None
    assert path.height is path.score
    same = NoisySample(KERNEL, np.zeros((4, 2)))
    assert marginalized_along(same, SIGMAS, 1.0, shaped(same, np.eye(2)), np.ones(2)).chosen == 0


def test_an_ellipse_has_the_axes_that_it_is_made_of():
    for axes in ((3.0, 0.5, 0.0), (2.0, 1.0, 35.0), (2.0, 1.0, 90.0), (1.5, 0.1, 170.0)):
        assert axes_of(ellipse(*axes)) == pytest.approx(axes, abs=1e-9)
    assert ellipse(2.0, 1.0, 30.0) @ [math.cos(math.pi / 6), 0.5] == pytest.approx([4 * math.cos(math.pi / 6), 2.0])
    assert ellipse(1.0, 2.0, 0.0).tolist() == np.diag([1.0, 4.0]).tolist()


def test_shapes_have_mean_variance_one():
    _, X, _ = of("three coordinates")
    assert np.trace(like_the_data(X)) == pytest.approx(3)
    assert np.trace(local_shapes(X, 5), axis1=1, axis2=2).mean() == pytest.approx(3)
    assert (np.linalg.eigvalsh(local_shapes(X, 1)) > 0).all()
    assert like_the_data(np.zeros((4, 2))).tolist() == np.eye(2).tolist()
    assert local_shapes(np.zeros((4, 2)), 2).shape == (4, 2, 2)


def test_given_axes_replace_those_of_the_first_two_coordinates():
    _, X, _ = of("three coordinates")
    C = like_the_data(X)
    assert with_axes(C, (None, None, None)) is C
    made = with_axes(C, (2.0, None, 40.0))
    assert axes_of(made[:2, :2]) == pytest.approx((2.0, axes_of(C[:2, :2])[1], 40.0))
    assert made[2].tolist() == [0.0, 0.0, C[2, 2]]
    assert with_axes(np.eye(1), (3.0, None, None)).tolist() == [[9.0]]


# distributions


DENSITIES = {
    "laplace": lambda u: math.exp(-math.sqrt(2) * abs(u)) / math.sqrt(2),
    "t": lambda u: 2 / math.pi / (1 + u**2) ** 2,  # has variance 1
    "uniform": lambda u: (abs(u) <= math.sqrt(3)) / (2 * math.sqrt(3)),
}


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("s", [0.05, 0.8, 4.0])
def test_in_one_coordinate_the_kernel_is_smoothed_by_the_noise_s_density(kind, s):
    law, X, _ = of("one coordinate", n=2)
    noisy = NoisySample(KERNEL, X, law)
    moments, (r,), density, truth = (
        other_noise(noisy, kind)(np.array([s])),
        X[0] - X[1],
        DENSITIES[kind],
        law.embed(KERNEL),
    )

    def smoothed(f):
        ends = (-math.sqrt(3), math.sqrt(3)) if kind == "uniform" else (-200.0, 200.0)
        return quad(lambda u: f(s * u) * density(u), *ends, points=[0.0], limit=2000, epsabs=1e-11)[0]

    assert moments.one[0] == pytest.approx(smoothed(lambda u: math.exp(-((r + u) ** 2) / 8)), abs=1e-8)
    values = np.mean([smoothed(lambda u, x=x: float(truth([[x + u]])[0])) for x in X[:, 0]])
    assert moments.truth[0] == pytest.approx(values, abs=1e-8)


@pytest.mark.parametrize("kind", NOISES)
def test_noise_on_both_points_is_the_mean_over_drawn_noise(kind):
    law, X, _ = of("mixture", n=2)
    rng, draws, s = np.random.default_rng(1), 200_000, 0.9
    if kind == "uniform":
        U = rng.uniform(-math.sqrt(3), math.sqrt(3), (draws, 2, 2))
    else:
        V = rng.exponential(size=(draws, 2, 1)) if kind == "laplace" else 1 / rng.chisquare(3, (draws, 2, 1))
        U = np.sqrt(V) * rng.standard_normal((draws, 2, 2))
    u, w = s * U[:, 0], s * U[:, 1]
    moments, apart = other_noise(NoisySample(KERNEL, X, law), kind)(np.array([s])), X[0] - X[1]
    for value, moved in ((moments.one, apart + u), (moments.both, apart + u - w), (moments.same, u - w)):
        drawn = np.exp(-(moved**2).sum(axis=1) / 8)
        # 4.5 standard errors: once in 100,000 times by chance
        assert value[0] == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() / math.sqrt(draws))
    truth = law.embed(KERNEL)
    drawn = (truth(X[0] + u[:20_000]) + truth(X[1] + u[:20_000])) / 2
    assert moments.truth[0] == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() / math.sqrt(20_000))


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("name", ["mixture", "Student's t"])
def test_little_noise_is_gaussian_noise_and_none_is_the_plain_average(kind, name):
    _, _, noisy = of(name)
    path = marginalized_along(noisy, [0.0, 1e-3, 0.01], 1.0, other_noise(noisy, kind), np.ones(2))
    usual = noisy.mkme([0.0, 1e-3, 0.01])
    assert path.loss[0] == pytest.approx(1, abs=1e-10)
    # they differ by some (σ/θ)^4 or, as t has no fourth moment, (σ/θ)^3: 1e-7, over a loss of 1/n
    assert path.loss[:3] == pytest.approx(usual.loss[:3], abs=3e-6)


def test_the_weights_of_the_mixing_variances_have_mean_one_and_two():
    v, one, two = mixing("laplace")
    assert (one @ v, two @ v) == (pytest.approx(1, rel=1e-7), pytest.approx(2, rel=1e-7))
    v, one, two = mixing("t")
    for share, weights in ((1, one), (2, two)):
        # the tail of V has infinite variance and ends at e^20, so compare characteristic functions instead
        w = np.array([0.3, 1.0, 2.5])
        assert np.exp(-np.outer(w**2, v) / 2) @ weights == pytest.approx(((1 + w) * np.exp(-w)) ** share, abs=1e-9)


def test_uniform_noise_of_correlated_coordinates_ends_at_two():
    _, _, noisy = of("three coordinates")
    with pytest.raises(Refusal, match=naming("3")):
        other_noise(noisy, "uniform")
    law = GaussianMixture([1.0], [[0.0] * 3], [1.0, 2.0, 0.5])
    noisy = NoisySample(KERNEL, law.sample(6, rng=0), law)
    assert np.isfinite(marginalized_along(noisy, SIGMAS, 1.0, other_noise(noisy, "uniform"), np.ones(3)).loss).all()


def test_gaussian_noise_has_no_entry_here():
    assert "gaussian" not in NOISES
    assert MKME(KERNEL, 0.5).embed([[0.0], [1.0]]).covariance is not None
