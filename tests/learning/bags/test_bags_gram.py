"""The Gram matrix between bags: embeddings one by one, closed forms, Monte Carlo, tiles, and what changes nothing."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    Delta,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    MedianOfMeans,
    Polynomial,
    RobustKME,
    SpectralKMSE,
    StudentT,
    Subsequence,
    bag_gram,
    bags_of,
    low_rank,
)
from explorer.learning.bags import inner_products as module
from explorer.learning.bags.inner_products import Distances
from explorer.learning.bags.means import means_of

RNG = np.random.default_rng(0)
SIZES = (1, 7, 30, 4, 12)


def bags(sizes=SIZES, d=2, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    return [scale * (rng.normal(size=(n, d)) * (1 + i / 3) + i / 2) for i, n in enumerate(sizes)]


def one_by_one(samples, others, embed):
    return np.array([[embed(a).inner(embed(b)) for b in others] for a in samples])


KERNELS = [Gaussian(1.3), Laplacian(2.0), Linear(0.5), Polynomial(3), Energy(), Exponential(50.0)]
ESTIMATORS = [
    KME(),
    SKMSE(lam=0.3),
    SKMSE(),
    FKMSE(lam=0.1),
    FKMSE(),
    SpectralKMSE(filter="landweber", steps=5),
    MKME(sigma=0.4),
    MKME(),
    MMKME(sigma=[0.3, 0.7]),
    MedianOfMeans(blocks=3, method="geometric"),
    RobustKME(),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_is_the_inner_products_of_embeddings(kernel):
    samples, others = bags(), bags((3, 9), seed=1)
    expected = one_by_one(samples, others, KME(kernel).embed)
    np.testing.assert_allclose(bag_gram(samples, kernel, others), expected, rtol=1e-11)
    own = bag_gram(samples, kernel)
    np.testing.assert_allclose(own, one_by_one(samples, samples, KME(kernel).embed), rtol=1e-11)
    np.testing.assert_array_equal(own, own.T)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_any_estimator_chooses_on_each_bag(estimator):
    kernel, samples, others = Gaussian(1.1), bags((6, 9, 15)), bags((8, 11), seed=1)
    embed = estimator.replace(kernel=kernel).embed
    np.testing.assert_allclose(
        bag_gram(samples, kernel, estimator=estimator), one_by_one(samples, samples, embed), rtol=1e-10, atol=1e-14
    )
    np.testing.assert_allclose(
        bag_gram(samples, kernel, others, estimator), one_by_one(samples, others, embed), rtol=1e-10, atol=1e-14
    )


def test_an_estimator_with_a_target_and_its_own_kernel():
    kernel = Gaussian(1.0)
    target = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2)).embed(kernel)
    estimator, samples = SKMSE(kernel, 0.5, target), bags((5, 8))
    expected = one_by_one(samples, samples, estimator.embed)
    np.testing.assert_allclose(bag_gram(samples, None, estimator=estimator), expected, rtol=1e-12)


def test_two_loops_over_points():
    """The definition, (1 / n m) Σ_pq exp(-|x_p - y_q|² / (2θ²))."""
    samples = bags((3, 5))
    a, b = samples
    by_hand = sum(np.exp(-((x - y) ** 2).sum() / (2 * 1.7**2)) for x in a for y in b) / 15
    assert bag_gram(samples, Gaussian(1.7))[0, 1] == pytest.approx(by_hand, rel=1e-13)


LAWS = [
    GaussianMixture([1.0], [[0.3, -0.2]], [[0.5, 0.2], [0.2, 0.4]]),
    GaussianMixture([1.0], [[1.0, 0.4]], [[0.1, 0.0], [0.0, 0.9]]),
    GaussianMixture([1.0], [[0.0, 0.0]], np.zeros((2, 2))),
    GaussianMixture([0.4, 0.6], [[0.0, 1.0], [2.0, 0.0]], np.stack([np.eye(2), 0.3 * np.eye(2)])),
    StudentT(5.0, [0.0, 0.0], np.eye(2)),
]


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Linear(), Polynomial(2)], ids=str)
def test_distributions_as_bags_are_exact(kernel):
    """The embeddings' geometry agrees, and for one pair the formula of the encyclopedia's closed form."""
    G = bag_gram(LAWS, kernel)
    np.testing.assert_allclose(G, one_by_one(LAWS, LAWS, lambda law: law.embed(kernel)), rtol=1e-11)
    if isinstance(kernel, Gaussian):
        S, gap = LAWS[0].covariances[0] + LAWS[1].covariances[0] + 1.3**2 * np.eye(2), np.array([0.7, 0.6])
        closed = 1.3**2 / np.sqrt(np.linalg.det(S)) * np.exp(-0.5 * gap @ np.linalg.solve(S, gap))
        assert G[0, 1] == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Polynomial(2)], ids=str)
def test_distributions_as_bags_are_what_large_samples_tend_to(kernel):
    """Means of 400 samples of 60 points: within 4.5 standard errors, entry by entry, the bias of G_ii left out."""
    laws, draws = LAWS[:2], 400
    found = np.array([bag_gram([law.sample(60, 10 * i + j) for j, law in enumerate(laws)], kernel)[0, 1]
                      for i in range(draws)])  # fmt: skip
    exact = bag_gram(laws, kernel)[0, 1]
    assert abs(found.mean() - exact) < 4.5 * found.std(ddof=1) / np.sqrt(draws)


def test_a_sample_beside_a_distribution_and_an_embedding():
    kernel, law = Gaussian(1.0), LAWS[0]
    X = law.sample(20, 0)
    mixed = [X, law, Embedding(kernel, X, np.full(20, 0.05), 0.1)]
    embeddings = [KME(kernel).embed(X), law.embed(kernel), mixed[2]]
    np.testing.assert_allclose(bag_gram(mixed, kernel), one_by_one(embeddings, embeddings, lambda e: e), rtol=1e-12)


def test_gaussians_of_one_covariance_under_a_gaussian_kernel():
    """(θ / sqrt(θ² + 2t))^d times a Gaussian kernel of bandwidth sqrt(θ² + 2t), of the means."""
    means, t, theta = RNG.normal(size=(6, 3)), 0.4, 1.2
    laws = [GaussianMixture([1.0], m[None], t * np.eye(3)) for m in means]
    wide = np.sqrt(theta**2 + 2 * t)
    np.testing.assert_allclose(bag_gram(laws, Gaussian(theta)), (theta / wide) ** 3 * Gaussian(wide)(means), rtol=1e-12)
    noisy = bag_gram([m[None] for m in means], Gaussian(theta), estimator=MKME(sigma=np.sqrt(t)))
    np.testing.assert_allclose(noisy, bag_gram(laws, Gaussian(theta)), rtol=1e-12)


@pytest.mark.parametrize("tile", [1, 3, 10, 54, 100])
@pytest.mark.parametrize("estimator", [None, FKMSE(lam=0.1), MKME(sigma=0.3)], ids=str)
def test_tiles_change_nothing(monkeypatch, tile, estimator):
    samples, others = bags(), bags((3, 9), seed=1)
    whole = bag_gram(samples, Gaussian(1.0), estimator=estimator), bag_gram(samples, Gaussian(1.0), others, estimator)
    monkeypatch.setattr(module, "TILE", tile)
    np.testing.assert_allclose(bag_gram(samples, Gaussian(1.0), estimator=estimator), whole[0], rtol=1e-12)
    np.testing.assert_allclose(bag_gram(samples, Gaussian(1.0), others, estimator), whole[1], rtol=1e-12)


def test_no_large_matrix_is_held():
    """The kernel's values of 5000 points are 200 MB."""
    samples = RNG.normal(size=(100, 50, 2))
    tracemalloc.start()
    bag_gram(samples, Gaussian(1.0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6


def test_one_point_a_bag_is_the_kernel():
    X = RNG.normal(size=(2100, 2))  # more than two tiles
    np.testing.assert_allclose(bag_gram(X[:, None, :], Gaussian(0.8)), Gaussian(0.8)(X), rtol=1e-12, atol=1e-15)


def test_words_and_row_numbers():
    words = [["ACGT", "AC"], ["AAGT"], ["ACGT", "ACG", "TT"]]
    expected = one_by_one(words, words, KME(Subsequence(2)).embed)
    np.testing.assert_allclose(bag_gram(words, Subsequence(2)), expected, rtol=1e-12)
    labels = [["a", "b"], ["a", "a", "c"]]
    np.testing.assert_allclose(bag_gram(labels, Delta()), [[0.5, 1 / 3], [1 / 3, 5 / 9]], rtol=1e-15)


def test_a_kernel_of_finite_rank_takes_features():
    samples = bags((50, 80, 20))
    low = low_rank(Gaussian(1.0), np.concatenate(samples), "nystrom", rank=20, rng=0)
    expected = one_by_one(samples, samples, KME(low).embed)
    np.testing.assert_allclose(bag_gram(samples, low), expected, rtol=1e-9)
    D2 = Distances(means_of([np.asarray(b) for b in samples], low, None))
    exact = expected.diagonal()[:, None] + expected.diagonal() - 2 * expected
    np.testing.assert_allclose(D2.among(), exact, atol=1e-12)
    np.testing.assert_allclose(D2.to(means_of(samples[:2], low, None)), exact[:2], atol=1e-12)


def test_an_automatic_bandwidth_is_the_median_of_all_points():
    samples, others = bags(), bags((3,), seed=1)
    pooled = np.concatenate([*samples, *others])
    expected = bag_gram(samples, Gaussian().select(pooled), others)
    np.testing.assert_array_equal(bag_gram(samples, Gaussian(), others), expected)
    np.testing.assert_array_equal(bag_gram(samples, None, others), expected)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(0, 100), st.randoms())
def test_the_order_of_bags_and_of_rows_changes_nothing(sizes, seed, random):
    samples = bags(sizes, seed=seed)
    order = list(range(len(sizes)))
    random.shuffle(order)
    moved = [samples[i][::-1] for i in order]
    G = bag_gram(samples, Gaussian(1.0))
    np.testing.assert_allclose(bag_gram(moved, Gaussian(1.0)), G[np.ix_(order, order)], rtol=1e-13)
    assert np.linalg.eigvalsh(G)[0] > -1e-14 * len(G)


# distances ---------------------------------------------------------------------------------------------------------


def distances(samples, kernel, estimator=None, others=None):
    found = Distances(means_of(samples, kernel, estimator))
    return found.among() if others is None else found.to(means_of(others, kernel, estimator))


@pytest.mark.parametrize("estimator", [None, SKMSE(lam=0.3), FKMSE(), MKME()], ids=str)
@pytest.mark.parametrize("theta", [0.3, 1.0, 1e2, 1e6])
def test_distances_are_those_of_embeddings_at_every_bandwidth(theta, estimator):
    """At 1e6 the kernel is 1 - 1e-12, and the inner products alone would leave two digits of a distance."""
    samples, others = bags((6, 9, 15)), bags((8, 7), seed=1)
    embed = (estimator or KME()).replace(kernel=Gaussian(theta)).embed
    for found, left in (
        (distances(samples, Gaussian(theta), estimator), samples),
        (distances(samples, Gaussian(theta), estimator, others), others),
    ):
        expected = np.array([[embed(a).distance(embed(b)) for b in samples] for a in left])
        np.testing.assert_allclose(np.sqrt(found), expected, rtol=1e-7, atol=1e-8 * min(1, 1 / theta))


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), Polynomial(2), Energy()], ids=str)
def test_a_place_far_away_changes_no_distance(kernel):
    """Multiples of 2^-20 moved by 2^27 keep all their digits; a polynomial's distances do depend on the place."""
    samples = [np.round(np.ldexp(b, 20)) / 2**20 for b in bags((6, 9, 15))]
    moved = [b + 2.0**27 for b in samples]
    if isinstance(kernel, Polynomial):
        embed = KME(kernel).embed
        expected = np.array([[embed(a).distance(embed(b)) for b in moved] for a in moved]) ** 2
    else:
        expected = distances(samples, kernel)
    np.testing.assert_allclose(distances(moved, kernel), expected, rtol=1e-6)


@pytest.mark.parametrize("exponent", [-490, 490])
def test_a_unit_changes_nothing(exponent):
    """A power of two rounds nothing: 2^490 is 3e147."""
    a, samples = 2.0**exponent, bags((6, 9))
    np.testing.assert_allclose(
        bag_gram([a * b for b in samples], Gaussian(1.3 * a)), bag_gram(samples, Gaussian(1.3)), rtol=1e-12
    )
    np.testing.assert_allclose(
        distances([a * b for b in samples], Gaussian(1.3 * a)), distances(samples, Gaussian(1.3)), rtol=1e-9
    )


def test_equal_bags_are_no_distance_apart():
    X = RNG.normal(size=(40, 2))
    np.testing.assert_array_equal(distances([X, X[::-1], X], Gaussian(1.0)), np.zeros((3, 3)))
    np.testing.assert_array_equal(distances([X, X + 1], Gaussian(1.0), None, [X])[0, 0], 0.0)


# a table with a column of bags -------------------------------------------------------------------------------------


def test_a_column_of_bags():
    X, labels = np.arange(12.0).reshape(6, 2), np.array(["b", "a", "b", "c", "a", "b"])
    found = bags_of(X, labels)
    assert [bag.tolist() for bag in found] == [X[labels == name].tolist() for name in np.unique(labels)]
    numbers = bags_of(X[:, 0], [3, 1, 3, 2, 1, 3])
    assert [bag.ravel().tolist() for bag in numbers] == [[2.0, 8.0], [6.0], [0.0, 4.0, 10.0]]
    words = bags_of(["x", "y", "x"], [0, 0, 1])
    np.testing.assert_allclose(bag_gram(words, Delta()), [[0.5, 0.5], [0.5, 1.0]])
