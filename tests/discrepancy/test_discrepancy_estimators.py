"""Tests that compare other estimates than plain means.

What is chosen where, equal weights, and every split by itself.
"""

import math

import numpy as np
import param
import pytest
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS
from two_samples import M, N, pooled

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Embedding,
    Gaussian,
    Laplacian,
    Linear,
    MedianOfMeans,
    SpectralKMSE,
    hsic_test,
    mmd2,
    mmd_test,
)
from explorer.checks import ExplorerWarning
from explorer.discrepancy.mmd import mean_estimators
from explorer.discrepancy.mmd.mean_estimators import Weighted
from explorer.discrepancy.resampling.permutation import permutations
from explorer.estimators.base import Estimator

KERNELS = ["gaussian", "polynomial 2", "delta, strings", "precomputed"]
every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


def estimator_of(name, kernel, P):
    """Return the catalogue's estimator for the kernel, with a target at three of the points."""
    return ESTIMATORS[name](kernel, Embedding(kernel, P[:3], [0.5, 0.3, -0.1]))


def by_embedding(chosen, X, Y):
    """Return |estimate of X - estimate of Y|^2 with the chosen estimator."""
    return chosen.embed(X).distance(chosen.embed(Y)) ** 2


@pytest.mark.thorough(default=["gaussian-*", "*-KME"])
@every_estimator
@pytest.mark.parametrize("case", KERNELS)
def test_the_value_is_the_squared_distance_of_estimates_chosen_on_the_pooled_sample(case, name):
    kernel, P, _ = pooled(case)
    estimator = estimator_of(name, kernel, P)
    chosen = estimator.select(P)
    size = np.abs(kernel(P)).max()
    # estimators solve to about 1e-10 of |K| if it is singular, as polynomial and precomputed are
    assert mmd2(P[:N], P[N:], kernel, "biased", estimator) == pytest.approx(
        by_embedding(chosen, P[:N], P[N:]), abs=1e-9 * size
    )
    assert mmd2(P[:N], P[N:], None, "biased", estimator) == mmd2(P[:N], P[N:], kernel, "biased", estimator)


@pytest.mark.thorough(
    default=[
        "SKMSE, target",
        "SKMSE .3",
        "SKMSE .3, target",
        "SKMSE .3, simplex",
        "FKMSE inf",
        "MMKME",
        "MMKME .3 to .15",
        "MedianOfMeans 1",
        "MedianOfMeans 2",
    ]
)
@every_estimator
def test_every_split_is_estimated_anew_with_what_was_chosen_on_the_pooled_sample(name):
    kernel, P, _ = pooled("gaussian")
    estimator = estimator_of(name, kernel, P)
    chosen = estimator.select(P)
    result = mmd_test(P[:N], P[N:], kernel, "biased", estimator, n_resamples=12, rng=4)
    orders = np.concatenate(list(permutations(N + M, 12, rng=4)))
    expected = [by_embedding(chosen, P[order[:N]], P[order[N:]]) for order in orders]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=0, atol=1e-10)
    assert result.statistic == mmd2(P[:N], P[N:], kernel, "biased", estimator)


@pytest.mark.parametrize("name", ["SKMSE", "SKMSE, simplex", "FKMSE", "landweber 7"])
def test_more_resamples_only_append_to_the_null(name):
    kernel, P, _ = pooled("gaussian")
    estimator = estimator_of(name, kernel, P)
    few, more = (
        mmd_test(P[:N], P[N:], kernel, "biased", estimator, n_resamples=B, rng=4).null_distribution for B in (3, 9)
    )
    np.testing.assert_allclose(few, more[:3], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["KME", "FKMSE .3", "landweber 7", "SKMSE .3, simplex"])
def test_equal_splits_are_ties_for_every_estimator(name):
    """Six points of three kinds, three against three.

    Of 200 splits many are the observed one again, in another order.
    """
    P = np.array([0.0, 0.0, 1.0, 1.0, 2.5, 2.5])[:, None]
    kernel = Gaussian(1.0)
    result = mmd_test(P[:3], P[3:], kernel, "biased", ESTIMATORS[name](kernel, None), n_resamples=200, rng=0)
    orders = np.concatenate(list(permutations(6, 200, rng=0)))
    observed = {tuple(P[:3, 0]), tuple(P[3:, 0])}
    same = [tuple(np.sort(P[order[:3], 0])) in observed for order in orders]
    assert sum(same) > 20
    assert (np.abs(result.null_distribution[same] - result.statistic) <= result.tolerance).all()
    # values of other splits are 1e-3 apart and more
    assert result.pvalue == (1 + (result.null_distribution >= result.statistic - 1e-6).sum()) / 201


def test_flexible_shrinkage_solves_many_splits_at_once():
    """130 splits in batches of several, against one embedding after another."""
    rng = np.random.default_rng(0)
    P, kernel = rng.normal(size=(21, 2)), Gaussian(1.0)
    for weights in ("free", "sum-to-one"):
        estimator = FKMSE(kernel, 0.2, weights=weights)
        weighing = Weighted(estimator, kernel(P))
        assert weighing.lam == 0.2
        null = weighing.null(8, 130, rng=0)
        orders = np.concatenate(list(permutations(21, 130, rng=0)))
        expected = [by_embedding(estimator, P[order[:8]], P[order[8:]]) for order in orders]
        np.testing.assert_allclose(null, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("lam", [1e-2, 1e-6, 1e-9])
def test_the_batched_solve_and_the_eigendecomposition_agree(lam):
    """On a singular Gram matrix of many equal points, with λ down to where the solve is left for the
    eigendecomposition.
    """
    rng = np.random.default_rng(0)
    P, kernel = rng.integers(0, 3, size=(30, 1)).astype(float), Gaussian(2.0)
    estimator = FKMSE(kernel, lam)
    weighing = Weighted(estimator, kernel(P))
    assert (weighing.lam is None) == (lam < 30e-10)
    null = weighing.null(12, 20, rng=0)
    orders = np.concatenate(list(permutations(30, 20, rng=0)))
    expected = [by_embedding(estimator, P[order[:12]], P[order[12:]]) for order in orders]
    # |K| |β| eps / (2 sqrt(λ)) = 1e-15 / sqrt(λ), relative to |μ| = 1
    np.testing.assert_allclose(null, expected, rtol=0, atol=1e-14 / math.sqrt(lam))


def test_simple_shrinkage_is_a_factor_and_its_target_cancels():
    kernel, P, _ = pooled("gaussian")
    X, Y = P[:N], P[N:]
    f = Embedding(kernel, P[:3], [0.5, 0.3, -0.1])
    for statistic in ("unbiased", "biased"):
        plain = mmd2(X, Y, kernel, statistic)
        for target in (None, f):
            assert mmd2(X, Y, kernel, statistic, SKMSE(kernel, 0.25, target)) == pytest.approx(
                plain / 1.25**2, rel=1e-14
            )
        # (0.8 μ̂ + 0.2 f) / (0.8 + 0.2 * 0.7)
        summed = mmd2(X, Y, kernel, statistic, SKMSE(kernel, 0.25, f, "sum-to-one"))
        assert summed == pytest.approx(plain * (0.8 / 0.94) ** 2, rel=1e-14)
        assert mmd2(X, Y, kernel, statistic, SKMSE(kernel, math.inf)) == 0
    plain, shrunk = (mmd_test(X, Y, kernel, estimator=e, n_resamples=99, rng=0) for e in (None, SKMSE()))
    assert plain.pvalue == shrunk.pvalue
    assert mmd_test(X, Y, kernel, estimator=SKMSE(lam=math.inf), n_resamples=19, rng=0).pvalue == 1


def test_what_is_chosen_is_the_pooled_samples_choice():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(9, 2)), rng.normal(size=(14, 2)) + 1
    P = np.vstack([X, Y])
    for estimator in (SKMSE(), FKMSE(), SpectralKMSE(filter="landweber")):
        chosen = estimator.select(P)
        assert mmd2(X, Y, None, "biased", estimator) == mmd2(X, Y, chosen.kernel, "biased", chosen)
        assert mmd2(X, Y, None, "biased", estimator) != pytest.approx(by_embedding(estimator.select(X), X, Y), rel=1e-6)
    lam = FKMSE().select(P).lam
    assert f"of FKMSE(lam={lam:.4g}) is" in str(mmd_test(X, Y, None, "biased", FKMSE(), n_resamples=9, rng=0))


def test_the_estimators_kernel_is_none_or_the_functions():
    kernel, P, _ = pooled("gaussian")
    X, Y = P[:N], P[N:]
    values = {mmd2(X, Y, k, "biased", FKMSE(e, 0.3)) for k, e in ((kernel, None), (None, kernel), (kernel, kernel))}
    assert len(values) == 1
    with pytest.raises(ValueError, match=naming("estimator", "kernel", "Laplacian(bandwidth=1.0)", "Gaussian")):
        mmd2(X, Y, kernel, "biased", FKMSE(Laplacian(1.0), 0.3))
    with pytest.raises(ValueError, match=naming("estimator")):
        mmd2(X, Y, kernel, estimator=KME(Gaussian()))
    with pytest.raises(ValueError, match=naming("kernels")):
        mmd2(X, Y, kernel, "biased", SKMSE(None, 0.3, Embedding(Gaussian(9.0), [[0.0, 0.0, 0.0]], [1.0])))


EQUAL = {"KME", "SKMSE", "SKMSE, target", "SKMSE .3", "SKMSE .3, target", "SKMSE inf", "SKMSE .3, sum to one",
         "SKMSE .3, target, sum to one", "FKMSE 0", "FKMSE, simplex", "FKMSE 0, sum to one", "tsvd 0, sum to one",
         "MKME", "MKME .3", "MMKME", "MMKME .3 to .15", "BayesianKME 0"}  # fmt: skip


@every_estimator
def test_the_unbiased_statistic_is_for_equal_weights(name):
    kernel, P, _ = pooled("gaussian")
    estimator = estimator_of(name, kernel, P)
    assert estimator.equal_weights == (name in EQUAL)
    if name in EQUAL:
        assert isinstance(mmd2(P[:N], P[N:], kernel, estimator=estimator), float)
        return
    for call in (mmd2, mmd_test):
        with pytest.raises(ValueError, match=naming("'unbiased'", "statistic", "'biased'")):
            call(P[:N], P[N:], kernel, estimator=estimator)


@pytest.mark.parametrize("name", sorted(n for n in EQUAL if "target" not in n))
def test_what_is_said_to_weigh_points_alike_does(name):
    kernel, P, _ = pooled("gaussian")
    weights = estimator_of(name, kernel, P).embed(P).weights
    assert np.ptp(weights) <= 1e-16


def test_an_estimator_is_no_word():
    with pytest.raises(TypeError, match=naming("estimator", "kernel", "SKMSE()", "'FKMSE'")):
        mmd2([0.0, 1.0], [1.0, 2.0], estimator="FKMSE")


class Smoothed(Estimator):
    """A minimal marginalised estimator: every point carries N(0, σ^2), and σ = None takes it from the sample."""

    free, equal_weights, noisy = "sigma", True, True
    sigma = param.Parameter(default=None, doc="σ, a number, or one for each coordinate")

    @property
    def point_noise(self):
        return self.sigma

    def embed(self, X):
        chosen = self.select(X)
        kernel, X = chosen._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)), np.square(chosen.sigma))

    def select(self, X):
        kernel, X = self._kernel(X)
        return self.replace(kernel=kernel, sigma=0.3 * float(X.std()) if self.sigma is None else self.sigma)


@pytest.mark.parametrize("sigma", [None, 0.4, (0.1, 0.5, 0.0)])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), None], ids=repr)
def test_a_marginalised_estimator_lends_its_sigma_to_both_samples(kernel, sigma):
    rng = np.random.default_rng(0)
    P = rng.normal(size=(N + M, 3)) + np.arange(N + M)[:, None] / 20
    estimator = Smoothed(kernel, sigma)
    chosen = estimator.select(P)
    result = mmd_test(P[:N], P[N:], kernel, "biased", estimator, n_resamples=6, rng=0)
    assert result.statistic == pytest.approx(by_embedding(chosen, P[:N], P[N:]), rel=1e-10)
    orders = np.concatenate(list(permutations(N + M, 6, rng=0)))
    expected = [by_embedding(chosen, P[order[:N]], P[order[N:]]) for order in orders]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=1e-9)
    # U leaves out the pairs of a point with itself, each with two independent noises
    e, f = chosen.embed(P[:N]), chosen.embed(P[N:])
    C = e.blocks[0].covariance
    own = [np.trace(e.kernel.expected(Z, C, Z, C)) / len(Z) ** 2 for Z in (P[:N], P[N:])]
    unbiased = sum((g.inner(g) - t) * len(Z) / (len(Z) - 1) for g, t, Z in ((e, own[0], P[:N]), (f, own[1], P[N:])))
    assert mmd2(P[:N], P[N:], kernel, estimator=estimator) == pytest.approx(unbiased - 2 * e.inner(f), rel=1e-9)


def test_as_many_points_as_a_stored_gram_matrix_may_have(monkeypatch):
    X, Y = np.random.default_rng(0).normal(size=(2, 8, 1))
    monkeypatch.setattr(mean_estimators, "LARGE", 16)
    assert mmd_test(X, Y, None, "biased", FKMSE(), 1, 0).n == 8
    with pytest.raises(ValueError, match=naming("FKMSE", 17, 16)):
        mmd_test(X, np.r_[Y, Y[:1]], None, "biased", FKMSE(), 1, 0)


def test_what_takes_long_is_said_in_advance(monkeypatch):
    """Estimators that are fitted split by split warn, for two samples and for pairs; weights solved at once do not."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 8, 1))
    monkeypatch.setattr(mean_estimators, "LONG", 0.0)
    with pytest.warns(ExplorerWarning, match=naming("MedianOfMeans", "50")):
        mmd_test(X, Y, None, "biased", MedianOfMeans(blocks=3), 50, 0)
    with pytest.warns(ExplorerWarning, match=naming("FKMSE", "50")):
        hsic_test(X, Y, None, None, "biased", FKMSE(), 50, 0)
    mmd_test(X, Y, None, "biased", MedianOfMeans(blocks=3), 10, 0)
    mmd_test(X, Y, None, "biased", FKMSE(), 50, 0)
