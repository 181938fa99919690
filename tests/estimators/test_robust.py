"""RobustKME: the fixed point, the minimum, thresholds, outliers, leave-one-out."""

import numpy as np
import pytest
from hard_samples import refits
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn, vectors
from scipy.optimize import minimize

from explorer import KME, Gaussian, GaussianMixture, Linear, MedianOfMeans, Polynomial, Precomputed, RobustKME
from explorer.estimators.robust import hampel, huber

every_loss = pytest.mark.parametrize("loss", ["huber", "hampel"])
LAW = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))


def distances_to(e, X):
    """|k(x_i, .) - e|, (n,), by embeddings."""
    square = e.kernel.diagonal(X) - 2 * e(X) + e.inner(e)
    return np.sqrt(np.maximum(square, 0))


def thresholds(k, X):
    """a, b and c: quantiles of the distances to the geometric median of the points."""
    return np.percentile(distances_to(MedianOfMeans(k, len(X), "geometric").embed(X), X), [50, 75, 95])


def rho(d, loss, a, b, c):
    """Return the two losses, written out."""
    if loss == "huber":
        return np.where(d <= a, d**2 / 2, a * d - a**2 / 2)
    flat = a * (b + c - a) / 2
    third = a * (d - c) ** 2 / (2 * (b - c)) + flat
    return np.select([d <= a, d <= b, d <= c], [d**2 / 2, a * d - a**2 / 2, third], flat)


@pytest.mark.parametrize("name", [n for n, r in KERNELS.items() if r.data is vectors])
@every_loss
def test_weights_are_in_proportion_to_the_pull_at_their_own_distances(name, loss):
    k, X = drawn(KERNELS[name], 12)
    e = RobustKME(k, loss).embed(X)
    a, b, c = thresholds(k, X)
    d = distances_to(e, X)
    pull = huber(d, a) if loss == "huber" else hampel(d, a, b, c)
    # distances are roots of differences of k(x, x); steps end at 1e-13 of a weight or after a thousand
    np.testing.assert_allclose(e.weights, pull / pull.sum(), rtol=0, atol=1e-7)
    assert (e.weights >= 0).all()
    assert e.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("loss", ["huber", "hampel"])
def test_the_pull_is_the_slope_of_the_loss(loss):
    """ρ'(d) / d by central differences, away from the corners; the third part of Hampel's falls to 0."""
    a, b, c = 0.7, 1.1, 2.0
    d = np.array([0.2, 0.6, 0.8, 1.0, 1.3, 1.9, 2.1, 9.0])
    slope = (rho(d + 1e-6, loss, a, b, c) - rho(d - 1e-6, loss, a, b, c)) / 2e-6
    pull = huber(d, a) if loss == "huber" else hampel(d, a, b, c)
    np.testing.assert_allclose(pull * d, slope, atol=1e-9)
    np.testing.assert_allclose(hampel(d, a, b, b), np.where(d <= b, huber(d, a), 0))  # c = b falls at once


@every_loss
@pytest.mark.parametrize("seed", range(3))
def test_it_is_a_minimum_in_the_plane(loss, seed):
    """Under the linear kernel an embedding is a vector: BFGS finds the same minimum from the same start."""
    X = np.random.default_rng(seed).standard_t(2, size=(25, 2))
    a, b, c = thresholds(Linear(), X)

    def total(f):
        return rho(np.linalg.norm(X - f, axis=1), loss, a, b, c).sum()

    f = RobustKME(Linear(), loss).embed(X).weights @ X
    start = MedianOfMeans(Linear(), 25, "geometric").embed(X).weights @ X
    other = minimize(total, start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14})
    assert total(f) <= other.fun * (1 + 1e-10)
    np.testing.assert_allclose(f, other.x, atol=1e-5)  # a minimum is flat


def test_points_that_are_all_alike_weigh_alike():
    """A Gram matrix that treats all points the same, and two points."""
    for loss in ("huber", "hampel"):
        np.testing.assert_allclose(
            RobustKME(Precomputed(np.eye(7) + 0.2), loss).embed(np.arange(7.0)).weights, 1 / 7, rtol=1e-12
        )
        np.testing.assert_allclose(RobustKME(Gaussian(1.0), loss).embed([[0.0], [2.0]]).weights, 0.5, rtol=1e-12)
        np.testing.assert_array_equal(RobustKME(Linear(), loss).embed([[3.0, 1.0]]).weights, [1.0])


@every_loss
def test_where_most_points_coincide_it_is_their_value(loss):
    X = np.array([[1.0, 1.0]] * 5 + [[4.0, 0.0], [0.0, 9.0]])
    weights = RobustKME(Gaussian(1.0), loss).embed(X).weights
    np.testing.assert_allclose(weights, [0.2] * 5 + [0, 0], atol=1e-12)


@every_loss
@pytest.mark.parametrize("kernel", [Polynomial(2), Linear(), Gaussian(1.0)], ids=repr)
def test_outliers_far_or_farther_leave_the_estimate_where_it_is(loss, kernel):
    X, probes, found = LAW.sample(60, rng=2), LAW.sample(20, rng=9), []
    for magnitude in (2e3, 2e7):
        X[[3, 30, 50]] = magnitude
        found.append(RobustKME(kernel, loss).embed(X)(probes))
    size = np.sqrt(LAW.expected_diagonal(kernel) * kernel.diagonal(probes).max())
    # an outlier pulls by its direction, off its limit by 1e-3 at 2e3; Hampel's threshold c is among the outliers here
    np.testing.assert_allclose(*found, rtol=0, atol=2e-3 * size)
    assert np.abs(found[1] - LAW.embed(kernel)(probes)).max() < 0.5 * size


def test_hampel_forgets_what_lies_beyond_its_last_threshold():
    X = np.vstack([LAW.sample(99, rng=1), [[50.0, 0.0]]])
    weights = RobustKME(Gaussian(1.0), "hampel").embed(X).weights
    assert weights[-1] == 0
    assert RobustKME(Gaussian(1.0)).embed(X).weights[-1] > 0
    d = distances_to(RobustKME(Gaussian(1.0), "hampel").embed(X), X)
    assert (weights[d > thresholds(Gaussian(1.0), X)[2]] == 0).all()


def test_it_is_the_rival_of_the_median_of_means():
    """With outliers both beat the mean by far; on clean skewed data both are biased, this one more."""
    k, mu = Polynomial(2), LAW.embed(Polynomial(2))
    estimators = {"mean": KME(k), "robust": RobustKME(k), "blocks": MedianOfMeans(k, 15, "geometric")}
    for outliers in (0, 5):
        losses = dict.fromkeys(estimators, 0.0)
        for seed in range(15):
            X = LAW.sample(150, rng=seed)
            X[:outliers] = 30.0
            X = X[np.random.default_rng(seed).permutation(150)]
            for name, estimator in estimators.items():
                losses[name] += estimator.embed(X).distance(mu) ** 2
        if outliers:
            assert max(losses["robust"], losses["blocks"]) < 0.02 * losses["mean"]
        else:
            assert losses["mean"] < losses["blocks"] < losses["robust"]


@every_loss
@pytest.mark.parametrize("name", ["gaussian", "polynomial 2", "delta"])
def test_its_score_is_that_of_the_refits(loss, name):
    k, X = drawn(KERNELS[name], 7)
    estimator = RobustKME(k, loss)
    score = estimator.loocv(X)
    assert isinstance(score, float)
    assert score == pytest.approx(refits(estimator, X), abs=1e-9 * k.diagonal(X).max())
    with pytest.raises(ValueError, match=naming("2")):
        estimator.loocv(X[:1])


def test_select_chooses_the_bandwidth():
    X = vectors(20)
    assert RobustKME(loss="hampel").select(X) == RobustKME(Gaussian().select(X), "hampel")


def test_an_unknown_loss_is_a_sentence():
    with pytest.raises(ValueError, match="loss"):
        RobustKME(loss="square")
