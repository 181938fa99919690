"""MedianOfMeans: blocks, the geometric median, outliers, leave-one-out scores, refusals.

The minmax one has its own file.
"""

import numpy as np
import pytest
from hard_samples import refits
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn, vectors
from scipy.optimize import minimize

from explorer import KME, Delta, Embedding, Gaussian, GaussianMixture, Linear, MedianOfMeans, Polynomial, Precomputed
from explorer.estimators.medianofmeans.median import _step, geometric_median

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
METHODS = ["minmax", "geometric"]
every_method = pytest.mark.parametrize("method", METHODS)
LAW = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))


def vector(estimate):
    """Return the vector that an embedding under Linear() is: its mean."""
    return estimate.weights @ estimate.points


# blocks
# ------------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["*-*-gaussian", "4-None-minmax-*"])
@every_kernel
@every_method
@pytest.mark.parametrize(("blocks", "rng"), [(4, None), (4, 3), (9, None)])
def test_weights_are_constant_on_blocks_and_sum_to_one(row, method, blocks, rng):
    k, X = drawn(row)
    estimator = MedianOfMeans(k, blocks, method)
    weights, parts = estimator.embed(X, rng).weights, estimator.partition(X, rng)
    assert [len(S) for S in parts] == [len(S) for S in np.array_split(np.arange(9), blocks)]
    assert sorted(np.concatenate(parts)) == list(range(9))
    for S in parts:
        assert np.ptp(weights[S]) == 0
    assert weights.sum() == pytest.approx(1, abs=1e-10)
    if rng is None:
        np.testing.assert_array_equal(np.concatenate(parts), np.arange(9))
    else:
        assert (estimator.embed(X, rng).weights == weights).all()


@every_method
def test_a_seed_shuffles_and_leaves_the_points_where_they_are(method):
    X = vectors(20)
    estimator = MedianOfMeans(Gaussian(1.0), 5, method)
    order = np.concatenate(estimator.partition(X, 4))
    shuffled, by_hand = estimator.embed(X, 4), estimator.embed(X[order])
    np.testing.assert_array_equal(shuffled.points, X)
    np.testing.assert_allclose(shuffled.weights[order], by_hand.weights, rtol=0, atol=1e-12)
    assert (estimator.embed(X, 4).weights != estimator.embed(X, 5).weights).any()


@every_kernel
@every_method
def test_one_block_is_the_mean(row, method):
    k, X = drawn(row)
    np.testing.assert_array_equal(MedianOfMeans(k, 1, method).embed(X).weights, KME(k).embed(X).weights)


@every_method
def test_blocks_of_equal_means_are_that_mean(method):
    """Q copies of one block, and constant data."""
    X = np.tile(vectors(4), (5, 1))
    k = Gaussian(1.0)
    assert MedianOfMeans(k, 5, method).embed(X).distance(KME(k).embed(X)) < 1e-7  # the root of rounding
    weights = MedianOfMeans(k, 3, method).embed(np.ones((7, 2))).weights
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()


# the geometric median
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [3, 5, 9])
def test_in_one_dimension_both_are_the_scalar_median_of_the_block_means(blocks):
    X = np.random.default_rng(blocks).standard_exponential((3 * blocks, 1))
    means = X.reshape(blocks, 3).mean(axis=1)
    for method in METHODS:
        found = vector(MedianOfMeans(Linear(), blocks, method).embed(X))
        # the level method stops where F is 1e-9 of a typical distance; the other is exact
        assert found == pytest.approx(np.median(means), abs=1e-8)


@pytest.mark.parametrize("blocks", [2, 4, 8])
def test_an_even_number_leaves_an_interval_and_both_lie_in_it(blocks):
    X = np.random.default_rng(blocks).standard_exponential((3 * blocks, 1))
    means = np.sort(X.reshape(blocks, 3).mean(axis=1))
    for method in METHODS:
        found = vector(MedianOfMeans(Linear(), blocks, method).embed(X))[0]
        assert means[blocks // 2 - 1] - 1e-9 <= found <= means[blocks // 2] + 1e-9


@pytest.mark.thorough(default=["3-0", "3-1", "3-2", "3-3", "4-0", "30-1"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [3, 4, 7, 30])
def test_the_geometric_median_of_points_by_another_minimiser(n, seed):
    """blocks = n: the points themselves.

    The gradient, a sum of unit vectors, vanishes unless a point is the median.
    """
    X = np.random.default_rng(seed).normal(size=(n, 2)) ** 3
    found = vector(MedianOfMeans(Linear(), n, "geometric").embed(X))

    def total(f):
        return np.linalg.norm(X - f, axis=1).sum()

    starts = [np.median(X, axis=0), *X]
    least = min(
        minimize(total, s, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14}).fun for s in starts[:4]
    )
    best = min(least, *(total(x) for x in X))
    assert total(found) <= best * (1 + 1e-12)
    away = np.linalg.norm(X - found, axis=1)
    here = away < 1e-9
    pull = np.sum((X - found)[~here] / away[~here, None], axis=0)
    assert np.linalg.norm(pull) <= here.sum() + 1e-6  # steps stop at 1e-13 of a weight


def test_a_point_that_is_the_median_is_found_exactly():
    """Three corners and the middle; an obtuse triangle; more than half at one place."""
    square = np.array([[1.0, 0.0], [-1.0, 0.1], [0.0, 1.0], [0.0, -1.0], [0.0, 0.0]])
    assert geometric_median(square @ square.T).tolist() == [0, 0, 0, 0, 1]
    obtuse = np.array([[-3.0, 0.0], [3.0, 0.5], [0.0, 0.1]])
    assert geometric_median(obtuse @ obtuse.T).tolist() == [0, 0, 1]
    crowd = np.array([[1.0, 1.0]] * 3 + [[5.0, -2.0], [9.0, 9.0]])
    np.testing.assert_allclose(geometric_median(crowd @ crowd.T), [1 / 3] * 3 + [0, 0], atol=1e-15)


def test_the_step_of_vardi_and_zhang_leaves_a_point_that_is_not_the_median():
    """The iteration begins at the mean, which is a point here, and not the median: the bare step would divide by 0."""
    Z = np.array([[0.0, 0.0], [4.0, 0.0], [-1.0, 0.5], [-1.0, -0.5], [-2.0, 0.0]])
    np.testing.assert_array_equal(Z.mean(axis=0), Z[0])
    Z = np.vstack([Z, Z[1:] * [1, -1]])
    np.testing.assert_array_equal(Z.mean(axis=0), Z[0])
    f = geometric_median(Z @ Z.T) @ Z
    step = np.array([1e-4, 0.0])
    total = [np.linalg.norm(Z - g, axis=1).sum() for g in (f, Z[0], f + step, f - step)]
    assert total[0] == min(total)
    assert total[0] < total[1] - 1e-3


def test_one_step_of_vardi_and_zhang_from_a_point():
    """(1 - 1/r) T + (1/r) x, r the length of the pull of the others: here T alone would lead uphill."""
    Z = np.array([[0.0, 0.0], [1.0, 0.2], [1.0, -0.2], [-1.0, 0.0], [0.3, 8.0], [0.3, -8.0]])
    G, size = Z @ Z.T, np.linalg.norm(Z, axis=1)
    pull = 1 / size[1:]
    T, r = pull @ Z[1:] / pull.sum(), np.linalg.norm(pull @ Z[1:])
    assert 1 < r < 1.1
    f = _step(G, size, np.eye(6)[0]) @ Z
    np.testing.assert_allclose(f, (1 - 1 / r) * T, atol=1e-12)
    total = [np.linalg.norm(Z - g, axis=1).sum() for g in (Z[0], f, T)]
    assert total[1] < total[0] < total[2]


@pytest.mark.thorough(
    default=["polynomial 2 + 0", "polynomial 4", "delta", "product, mixed", "subsequence", "precomputed"]
)
@every_kernel
def test_the_geometric_median_is_the_best_of_many(row):
    """Total RKHS distance against that of the mean, of each block mean, and of steps around it."""
    k, X = drawn(row)
    estimator = MedianOfMeans(k, 4, "geometric")
    means = [KME(k).embed(X[S]) for S in estimator.partition(X)]
    found = estimator.embed(X)

    def total(f):
        return sum(f.distance(m) for m in means)

    rivals = [KME(k).embed(X), *means, *(found + 0.05 * (m - found) for m in means)]
    assert total(found) <= min(total(f) for f in rivals) + 1e-6 * means[0].norm()  # four roots of rounding


# outliers
# ----------------------------------------------------------------------------------------------------------------


def spoilt(magnitude):
    X = LAW.sample(110, rng=2)
    X[:5] = magnitude
    return X[np.random.default_rng(0).permutation(110)]


@pytest.mark.thorough(
    default=["minmax-11-Polynomial()", "geometric-110-Linear()", "geometric-110-Gaussian(bandwidth=1.0)"]
)
@pytest.mark.parametrize("kernel", [Polynomial(2), Linear(), Gaussian(1.0)], ids=repr)
@pytest.mark.parametrize(("method", "blocks"), [("minmax", 11), ("geometric", 11), ("geometric", 110)])
def test_outliers_far_or_farther_leave_the_estimate_where_it_is(kernel, method, blocks):
    """Five outliers in eleven blocks, 2e3 or 2e7 away.

    In the first ten features, which see the clean law only near 0.
    """
    probes = LAW.sample(20, rng=9)
    near, far = (MedianOfMeans(kernel, blocks, method).embed(spoilt(m), rng=1)(probes) for m in (2e3, 2e7))
    size = np.sqrt(LAW.expected_diagonal(kernel)) * np.sqrt(kernel.diagonal(probes).max())
    # an outlier pulls by its direction alone, which at 2e3 is off its limit by 1e-3; the minmax search ends within 1e-3
    # The tolerance is that of F.
    np.testing.assert_allclose(near, far, rtol=0, atol=(1e-2 if method == "minmax" else 1e-3) * size)
    mu = LAW.embed(kernel)
    assert np.abs(far - mu(probes)).max() < 0.5 * size
    if kernel != Gaussian(1.0):
        assert np.abs(KME(kernel).embed(spoilt(2e7))(probes) - mu(probes)).max() > 1e3 * size


@pytest.mark.thorough
def test_what_robustness_costs_and_saves():
    """Mean RKHS losses over 20 samples.

    With outliers all medians of means beat the mean, on clean data the mean beats them.
    """
    kernel, losses = Polynomial(2), {}
    mu = LAW.embed(kernel)
    for outliers in (0, 5):
        for name, estimator in {"mean": KME(kernel), **{m: MedianOfMeans(kernel, 15, m) for m in METHODS}}.items():
            per_sample = []
            for seed in range(20):
                X = LAW.sample(150, rng=seed)
                X[:outliers] = 30.0
                X = X[np.random.default_rng(seed).permutation(150)]
                per_sample.append(estimator.embed(X).distance(mu) ** 2)
            losses[name, outliers] = np.mean(per_sample)
    for method in METHODS:
        assert losses[method, 5] < 0.02 * losses["mean", 5]
        assert losses["mean", 0] < losses[method, 0] < 2 * losses["mean", 0]


# scores
# ------------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(default=["gaussian-geometric", "precomputed-geometric"])
@every_method
@pytest.mark.parametrize("name", ["gaussian", "polynomial 2", "delta", "precomputed"])
def test_the_score_is_that_of_the_refits(method, name):
    k, X = drawn(KERNELS[name], 7)
    counts = [1, 2, 3, 6]
    scores = MedianOfMeans(k, 2, method).loocv(X, counts)
    expected = [refits(MedianOfMeans(k, Q, method), X) for Q in counts]
    # the same weights; the squares are differences of terms of this size
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9 * k.diagonal(X).max())
    assert scores[0] == pytest.approx(KME(k).loocv(X), rel=1e-9)


def test_the_score_prefers_the_mean_also_where_that_is_ruined():
    """Why it chooses no Q: five equal outliers predict one another."""
    X, k = spoilt(50.0)[:60], Polynomial(2)
    scores = MedianOfMeans(k, 1, "geometric").loocv(X, [1, 11])
    mu = LAW.embed(k)
    assert scores[0] < scores[1]
    assert MedianOfMeans(k, 11, "geometric").embed(X).distance(mu) < 0.1 * KME(k).embed(X).distance(mu)


def test_select_chooses_the_bandwidth_and_nothing_else():
    X = vectors(20)
    chosen = MedianOfMeans(None, 7, "geometric").select(X)
    assert chosen == MedianOfMeans(Gaussian().select(X), 7, "geometric")
    assert chosen.embed(X) == MedianOfMeans(None, 7, "geometric").embed(X)


# refusals
# ----------------------------------------------------------------------------------------------------------------


def test_more_blocks_than_points_is_a_sentence():
    with pytest.raises(ValueError, match=naming("11", "10 points", "blocks <= 10")):
        MedianOfMeans(Linear()).embed(vectors(10))
    with pytest.raises(ValueError, match=naming("11", "1")):
        MedianOfMeans(Linear()).embed([[1.0, 2.0]])
    assert MedianOfMeans(Linear(), 1).embed([[1.0, 2.0]]).weights == [1.0]


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, naming("MedianOfMeans.blocks", "1", "0"), {"blocks": 0}),
        (TypeError, naming("MedianOfMeans.blocks", "1", "2.5"), {"blocks": 2.5}),
        (ValueError, "method", {"method": "mean"}),
    ],
)
def test_bad_fields_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=said):
        MedianOfMeans(**arguments)


@pytest.mark.parametrize(
    ("error", "said", "values"),
    [
        (ValueError, naming("9", "8"), [9]),
        (ValueError, naming("blocks", "1", "0"), [0]),
        (TypeError, naming("blocks", "whole"), [1.5]),
        (ValueError, naming("blocks", "-1", "0"), [-1]),
    ],
)
def test_scores_of_impossible_blocks_get_a_sentence(error, said, values):
    with pytest.raises(error, match=said):
        MedianOfMeans(Linear()).loocv(vectors(9), values)


def test_categories_and_gram_matrices_too():
    letters = np.array(list("aabacabab"))
    e = MedianOfMeans(Delta(), 3, "geometric").embed(letters)
    table = {c: e.weights[letters == c].sum() for c in "abc"}
    assert isinstance(e, Embedding)
    assert table["a"] > table["b"] > table["c"] >= 0
    rows = np.arange(9.0)
    same = MedianOfMeans(Precomputed(Delta()(letters)), 3, "geometric").embed(rows)
    np.testing.assert_allclose(same.weights, e.weights, atol=1e-12)
