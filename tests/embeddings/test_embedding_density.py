"""The mean and the density of an embedding: integrals, laws that are known, and what has none."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    KME,
    Delta,
    Embedding,
    Energy,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
)
from explorer.checks import Refusal

POINTS, WEIGHTS = np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]]), np.array([0.7, 0.5, -0.2])


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(0.7)], ids=repr)
def test_it_integrates_to_the_sum_of_the_weights(kernel):
    axis = np.linspace(-12, 14, 521)
    plane = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T
    for weights in (WEIGHTS, 3 * WEIGHTS):
        density = Embedding(kernel, POINTS, weights).density(plane)
        # the trapezium rule on a grid of 0.05: exact to rounding for a Gaussian, to (0.05 / 0.7)² / 6 for the kinks
        assert density.sum() * (axis[1] - axis[0]) ** 2 == pytest.approx(weights.sum(), rel=2e-3)


def test_a_law_s_embedding_has_the_density_of_the_law_blurred_by_the_kernel():
    law = GaussianMixture([0.4, 0.6], [[0.0], [3.0]], [[[0.5]], [[1.0]]])
    blurred = GaussianMixture([0.4, 0.6], [[0.0], [3.0]], [[[0.5 + 0.8**2]], [[1.0 + 0.8**2]]])
    at = np.linspace(-3, 6, 7)[:, None]
    assert law.embed(Gaussian(0.8)).density(at) == pytest.approx(np.exp(blurred.logpdf(at)), rel=1e-12)


def test_under_delta_it_is_the_table():
    e = KME(Delta()).embed(["a", "b", "a", "a"])
    assert e.density(["a", "b", "c"]).tolist() == [0.75, 0.25, 0.0]


def test_in_many_dimensions_no_part_of_it_is_lost():
    """θ^400 overflows or underflows; the density is exact, up to infinity and down to 0."""
    e = Embedding(Gaussian(0.05), np.zeros((1, 400)), [1.0])
    assert e.density(np.array([[0.0] * 400, [9.0] * 400])).tolist() == [np.inf, 0.0]
    assert Embedding(Gaussian(1e4), np.zeros((1, 400)), [1.0]).density(np.zeros((1, 400))).tolist() == [0.0]
    at = Embedding(Gaussian(0.3), np.zeros((1, 400)), [1.0]).density(np.full((1, 400), 0.1))
    # an embedding's values are exact to rounding of its largest one, e^22 times this one
    assert np.log(at) == pytest.approx([-400 * (0.5 * np.log(2 * np.pi) + np.log(0.3)) - 4 / 0.18], abs=1e-6)


def test_it_moves_with_the_units():
    one, thousand = Embedding(Gaussian(0.7), POINTS, WEIGHTS), Embedding(Gaussian(700.0), 1000 * POINTS, WEIGHTS)
    assert thousand.density(1000 * POINTS) == pytest.approx(one.density(POINTS) / 1e6, rel=1e-12)
    assert thousand.mean() == pytest.approx(1000 * one.mean())


def test_the_mean_is_that_of_the_mixture():
    assert Embedding(Gaussian(1.0), POINTS, WEIGHTS).mean() == pytest.approx(WEIGHTS @ POINTS)
    law = GaussianMixture.random(3, rng=0)
    assert law.embed(Gaussian(1.0)).mean() == pytest.approx(law.weights @ law.means)
    with pytest.raises(Refusal, match="words"):
        KME(Delta()).embed(["a", "b"]).mean()


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(), Energy(), Precomputed(np.eye(3))], ids=type)
def test_what_has_no_integral_says_so(kernel):
    e = Embedding(kernel, [[0.0], [1.0], [2.0]], [0.3, 0.3, 0.4])
    with pytest.raises(Refusal, match=naming("density")):
        e.density([[0.0]])
