"""Gaussian mixtures: samples, density and exact embedding agree."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import CLOSED, law

from explorer import Delta, Embedding, Gaussian, GaussianMixture, Polynomial
from explorer.kernels import Kernel

N = 200_000


def moments(mixture):
    mean = mixture.weights @ mixture.means
    second = mixture.covariances + np.einsum("ci,cj->cij", mixture.means, mixture.means)
    return mean, np.einsum("c,cij->ij", mixture.weights, second) - np.outer(mean, mean)


@pytest.fixture(scope="module")
def drawn():
    return law().sample(N, rng=1)


def test_the_sample_has_the_moments(drawn):
    mean, covariance = moments(law())
    z = (drawn.mean(0) - mean) / np.sqrt(np.diag(covariance) / N)
    assert np.abs(z).max() < 4.5  # each beyond with probability 7e-6, seed fixed
    centred = drawn - mean
    products = np.einsum("ni,nj->nij", centred, centred)
    z = (products.mean(0) - covariance) / (products.std(0) / np.sqrt(N))
    assert np.abs(z).max() < 4.5


def test_its_mean_and_variances_are_the_moments():
    mean, covariance = moments(law())
    np.testing.assert_allclose(law().mean, mean, rtol=1e-14)
    np.testing.assert_allclose(law().variances, np.diag(covariance), rtol=1e-12)  # a difference of squares


def test_components_come_with_their_probabilities(drawn):
    point = law().means[2]  # the component without covariance
    hits = (drawn == point).all(axis=1).sum()
    assert abs(hits - 0.2 * N) < 4.5 * np.sqrt(N * 0.2 * 0.8)


def test_singular_covariances_are_sampled_in_their_subspace():
    direction = np.array([3.0, 4.0]) / 5
    mixture = GaussianMixture([1.0], [[1.0, -1.0]], np.outer(direction, direction))
    X = mixture.sample(50, rng=0) - [1.0, -1.0]
    # the root of an eigenvalue that is zero up to eps |C| is sqrt(eps)
    np.testing.assert_allclose(X @ [-0.8, 0.6], 0.0, rtol=0, atol=1e-7)
    assert np.std(X @ direction) > 0.5


@pytest.mark.parametrize("mixture", [law(), GaussianMixture.random(5, rng=0)], ids=["three", "random"])
def test_a_longer_sample_only_appends(mixture):
    np.testing.assert_array_equal(mixture.sample(10, 7), mixture.sample(30, 7)[:10])
    assert not np.array_equal(mixture.sample(10, 7), mixture.sample(10, 8))
    assert mixture.sample(0, 7).shape == (0, mixture.d)


def test_a_generator_is_consumed():
    rng = np.random.default_rng(0)
    assert not np.array_equal(law().sample(5, rng), law().sample(5, rng))
    np.testing.assert_array_equal(law().sample(5, np.random.default_rng(0)), law().sample(5, np.random.default_rng(0)))


def test_logpdf_is_scipys():
    from scipy.stats import multivariate_normal

    mixture = GaussianMixture.random(3, rng=4)
    X = mixture.sample(20, rng=0)
    density = sum(
        w * multivariate_normal(m, S).pdf(X)
        for w, m, S in zip(mixture.weights, mixture.means, mixture.covariances, strict=True)
    )
    np.testing.assert_allclose(mixture.logpdf(X), np.log(density), rtol=1e-10)  # both by eigendecompositions


def test_a_component_without_weight_adds_no_density():
    one = GaussianMixture([1.0], [[0.0]], [[1.0]])
    two = GaussianMixture([1.0, 0.0], [[0.0], [5.0]], [[1.0]])
    np.testing.assert_array_equal(one.logpdf([-1.0, 5.0]), two.logpdf([-1.0, 5.0]))


def test_a_singular_law_has_no_density():
    with pytest.raises(ValueError, match=naming("singular")):
        law().logpdf(np.zeros((1, 3)))


@pytest.mark.thorough(default=["linear + .7", "polynomial 2", "polynomial 3", "laplacian"])
@pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)
def test_the_embedding_is_the_mean_of_the_kernel(row, drawn):
    k = row.kernel.select(drawn[:50])
    Y = np.random.default_rng(2).normal(size=(4, 3))
    values = k(drawn, Y)
    z = (values.mean(0) - law().embed(k)(Y)) / (values.std(0) / np.sqrt(N))
    assert np.abs(z).max() < 4.5


@pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)
def test_norm_and_expected_diagonal_by_monte_carlo(row, drawn):
    k = row.kernel.select(drawn[:50])
    half = N // 2
    independent = row.definition(k, drawn[:half], drawn[half:])
    z = (independent.mean() - law().embed(k).norm() ** 2) / (independent.std() / np.sqrt(half))
    assert abs(z) < 4.5
    same = row.definition(k, drawn, drawn)
    if k.bounded:
        assert law().expected_diagonal(k) == pytest.approx(1, rel=1e-15)  # weights of .5, .3 and .2 sum to 1 up to eps
    else:
        assert abs(same.mean() - law().expected_diagonal(k)) < 4.5 * same.std() / np.sqrt(N)


def test_the_embedding_is_a_signed_mixture_like_any_other():
    k = Gaussian(1.3)
    by_hand = Embedding(k, law().means, law().weights, law().covariances)
    assert law().embed(k).distance(by_hand) < 1e-7  # sqrt(eps): a root of a difference that vanishes


def test_the_law_needs_a_kernel_that_embeds_gaussians():
    for kernel, said in ((Delta(), "no closed form"), (Polynomial(4), "no closed form"), (Gaussian(), "no bandwidth")):
        with pytest.raises(ValueError, match=naming(*said.split())):
            law().embed(kernel)


def test_a_law_of_points_is_no_sample_to_choose_a_bandwidth_on():
    """Two embeddings of one law would otherwise have a kernel that changes from call to call."""
    points = GaussianMixture([0.5, 0.5], [[0.0], [1.0]], [[0.0]])
    assert points.embed(Gaussian(1.0)).norm() ** 2 == pytest.approx((1 + np.exp(-0.5)) / 2, rel=1e-14)
    assert points.embed(Delta()).norm() ** 2 == pytest.approx(0.5, rel=1e-14)
    with pytest.raises(ValueError, match="no bandwidth"):
        points.embed(Gaussian())


@pytest.mark.parametrize("d", [2, 20])
def test_the_papers_mixture(d):
    mixture = GaussianMixture.random(d, rng=3)
    np.testing.assert_array_equal(mixture.weights, [0.05, 0.3, 0.4, 0.25])
    assert mixture.means.shape == (4, d)
    assert np.abs(mixture.means).max() <= 10
    ranks = np.linalg.matrix_rank(mixture.covariances - 0.2 * np.eye(d), tol=1e-8)
    np.testing.assert_array_equal(ranks, min(d, 7))  # W(2I, 7) has rank 7 at most: erratum 36
    assert mixture == GaussianMixture.random(d, rng=3)
    assert mixture != GaussianMixture.random(d, rng=4)


def test_the_papers_covariances_are_wishart():
    """E S = 7 * 2 I, and var S_11 = 2 * 7 * 2^2."""
    S = np.concatenate([GaussianMixture.random(2, rng=seed).covariances for seed in range(1000)])
    n = len(S)
    assert np.abs(S[:, 0, 0].mean() - 14.2) < 4.5 * np.sqrt(56 / n)
    assert np.abs(S[:, 0, 1].mean()) < 4.5 * np.sqrt(28 / n)  # var S_12 = 7 * 2 * 2


@pytest.mark.parametrize("form", [2.0, [2.0, 2.0], 2 * np.eye(2), [2 * np.eye(2)] * 3], ids=["s", "d", "dd", "cdd"])
def test_covariances_in_each_of_their_forms(form):
    mixture = GaussianMixture([0.5, 0.25, 0.25], np.zeros((3, 2)), form)
    np.testing.assert_array_equal(mixture.covariances, [2 * np.eye(2)] * 3)


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "weights 2 means 1", ([0.5, 0.5], [[0.0]], 1.0)),
        (ValueError, "weights 1 1.1", ([0.5, 0.6], [[0.0], [1.0]], 1.0)),
        (ValueError, "weights negative", ([1.5, -0.5], [[0.0], [1.0]], 1.0)),
        (ValueError, "covariances -1", ([1.0], [[0.0]], -1.0)),
        (ValueError, "covariances (2, 1, 1) (1, 1, 1)", ([1.0], [[0.0]], np.ones((2, 1, 1)))),
        (ValueError, "covariances symmetric", ([1.0], [[0.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]])),
        (ValueError, "means 1 NaN", ([1.0], [[np.nan]], 1.0)),
        (TypeError, "weights", (["a"], [[0.0]], 1.0)),
    ],
)
def test_bad_arguments_of_a_law_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=naming(*said.split())):
        GaussianMixture(*arguments)


@pytest.mark.parametrize("act", [lambda: law().sample(-1), lambda: GaussianMixture.random(0)])
def test_counts_are_counts(act):
    with pytest.raises(ValueError, match="at least"):
        act()


def test_every_kernel_that_claims_a_closed_form_has_one():
    for name, row in CLOSED.items():
        assert type(row.kernel).expected is not Kernel.expected, name
