"""Weights that sum to one, and what holding weights to a constraint leaves of choices and risk, and is worth."""

import math

import numpy as np
import pytest
from hard_samples import CASES, X9, agree, score_or_nan
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn, law, target

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Embedding,
    Gaussian,
    GaussianMixture,
    Linear,
    SpectralKMSE,
    median_bandwidth,
    risk,
)

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_case = pytest.mark.parametrize(("kernel", "X"), CASES.values(), ids=CASES)

# that sum to one --------------------------------------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("lam", [0, 0.3, 7.0, 1e9])
def test_skmse_divided_by_its_sum_is_kme(row, lam):
    k, X = drawn(row)
    weights = SKMSE(k, lam, weights="sum-to-one").embed(X).weights
    np.testing.assert_allclose(weights, KME(k).embed(X).weights, rtol=1e-14)


@pytest.mark.thorough(
    default=[
        "linear + .7",
        "polynomial 2 + 0",
        "gaussian",
        "gaussian, automatic",
        "exponential",
        "energy",
        "product, mixed",
        "one direction",
        "far offset",
        "tiny bandwidth",
    ]
)
@every_case
def test_weights_are_divided_by_their_sum(kernel, X):
    K = kernel(X)
    lam = 0.1 * np.linalg.eigvalsh(K)[-1]
    for estimator in (
        FKMSE(kernel, lam),
        *(SpectralKMSE(kernel, f, lam) for f in ("tikhonov", "iterated-tikhonov", "tsvd")),
        *(SpectralKMSE(kernel, f, steps=9) for f in ("landweber", "nu")),
    ):
        free, held = estimator.embed(X).weights, estimator.replace(weights="sum-to-one").embed(X).weights
        assert held.sum() == pytest.approx(1, abs=1e-14)
        np.testing.assert_allclose(held * free.sum(), free, rtol=0, atol=1e-14)


@every_kernel
def test_a_target_counts_in_the_sum(row):
    k, X = drawn(row)
    f = target(k, X)  # its weights sum to .7
    free, held = (SKMSE(k, 0.5, f, weights).embed(X) for weights in ("free", "sum-to-one"))
    total = 1 / 1.5 + 0.7 * (1 - 1 / 1.5)
    assert held.weights.sum() == pytest.approx(1, abs=1e-14)
    assert held.distance((1 / total) * free) <= 1e-7 * free.norm()  # a norm is the root of a difference of eps
    # all the way to the target: its own multiple of mass 1
    assert SKMSE(k, math.inf, f, "sum-to-one").embed(X).distance((1 / 0.7) * f) <= 1e-7 * f.norm()


CENTRED = X9 - X9.mean(axis=0)


@pytest.mark.parametrize(
    ("estimator", "X"),
    [
        (SKMSE(Gaussian(1.0), math.inf, weights="sum-to-one"), X9),
        (SKMSE(Gaussian(1.0), 1, Embedding(Gaussian(1.0), X9[:1], [-1.0]), "sum-to-one"), X9),
        (FKMSE(Gaussian(1.0), math.inf, weights="sum-to-one"), X9),
        (FKMSE(Linear(), 0.5, weights="sum-to-one"), np.zeros((4, 2))),
        # the mean of centred points is 0 for a linear kernel: F-KMSE's weights are rounding
        (FKMSE(Linear(), 0.5, weights="sum-to-one"), CENTRED),
        (FKMSE(Linear(), 1e-14, weights="sum-to-one"), CENTRED),
        (SpectralKMSE(Linear(), "landweber", steps=10**6, weights="sum-to-one"), CENTRED),
        (SpectralKMSE(Linear(), "nu", steps=50, weights="sum-to-one"), CENTRED),
        (SpectralKMSE(Linear(), "tsvd", 0.1, weights="sum-to-one"), CENTRED),
        (SpectralKMSE(Linear(), "iterated-tikhonov", 0.1, 9, weights="sum-to-one"), CENTRED),
        (SpectralKMSE(Gaussian(1.0), "landweber", steps=0, weights="sum-to-one"), X9),
        (SpectralKMSE(Gaussian(1.0), "tsvd", 100.0, weights="sum-to-one"), X9),
    ],
)
def test_a_sum_of_zero_is_a_sentence(estimator, X):
    with pytest.raises(ValueError, match=naming("sum", "0", "weights='free'")):
        estimator.embed(X)


@pytest.mark.parametrize("factor", [1e-12, 1e-3, 1.0, 1e6, 1e15])
def test_weak_and_strong_shrinkage_keep_a_sum(factor):
    """However small the free weights are: towards K 1 / 1'K1 where λ is large."""
    K = Gaussian(1.3)(X9)
    weights = FKMSE(Gaussian(1.3), factor * 9, weights="sum-to-one").embed(X9).weights
    dense = np.linalg.solve(K + factor * 9 * np.eye(9), K.sum(axis=1))
    # the dense solution errs by eps times its condition number, at most 1e3 here
    np.testing.assert_allclose(weights, dense / dense.sum(), rtol=0, atol=1e-12)


def test_a_linear_mean_that_is_small_is_not_taken_for_zero():
    X = CENTRED + 1e-6
    weights = FKMSE(Linear(), 0.5, weights="sum-to-one").embed(X).weights
    assert weights.sum() == pytest.approx(1, abs=1e-9)  # large weights of both signs cancel


# choosing, scoring, risk ------------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=[
        "sum-to-one-linear",
        "sum-to-one-linear + .7",
        "sum-to-one-polynomial 3",
        "sum-to-one-gaussian, automatic",
        "sum-to-one-product",
        "simplex-gaussian, automatic",
        "simplex-laplacian, automatic",
        "simplex-precomputed",
    ]
)
@every_kernel
@pytest.mark.parametrize("weights", ["sum-to-one", "simplex"])
def test_lambda_is_chosen_for_the_free_weights_and_scored_for_those_that_are_held(row, weights):
    k, X = drawn(row)
    lams = [0.0, 0.1, 5.0]
    for estimator in (SKMSE(k), FKMSE(k), SpectralKMSE(k, "tsvd")):
        if weights == "simplex" and isinstance(estimator, SpectralKMSE):
            continue
        held = estimator.replace(weights=weights)
        assert held.select(X).lam == estimator.select(X).lam
        assert held.select(X).weights == weights
        if (weights, type(held)) == ("simplex", SKMSE):  # the one whose refits have no closed form
            np.testing.assert_array_equal(held.loocv(X, lams), estimator.loocv(X, lams))
        else:
            agree(held.loocv(X, lams), [score_or_nan(held.replace(lam=lam), X) for lam in lams], k(X), 1e-9)


def test_what_has_no_objective_has_no_simplex():
    f = Embedding(Gaussian(1.0), X9[:1], [1.0])
    with pytest.raises(ValueError, match=naming("SKMSE", "weights='simplex'", "target", "'free'", "'sum-to-one'")):
        SKMSE(Gaussian(1.0), 0.1, f, "simplex")
    with pytest.raises(ValueError, match=naming("SpectralKMSE", "weights='simplex'", "FKMSE")):
        SpectralKMSE(weights="simplex")


F = Embedding(Gaussian(1.3), [[0.5, 0.0, 0.0], [3.0, 0.0, 1.0]], [0.9, -0.2])  # sums to .7


@pytest.mark.parametrize("lam", [0.0, 0.4, 30.0])
def test_the_risk_of_weights_that_sum_to_one(lam):
    """The risk of a μ̂ + b f* is variance plus squared bias, a^2 Δ + |a μ + b f* - μ|^2."""
    k, n = Gaussian(1.3), 5
    mu, variance = law().embed(k), risk(KME(k), law(), n)
    assert risk(SKMSE(k, lam, weights="sum-to-one"), law(), n) == pytest.approx(variance, rel=1e-12)  # it is KME
    keep = 1 / (1 + lam)
    total = keep + 0.7 * (1 - keep)
    a, b = keep / total, (1 - keep) / total
    exact = a**2 * variance + (a * mu + b * F).distance(mu) ** 2
    assert risk(SKMSE(k, lam, F, "sum-to-one"), law(), n) == pytest.approx(exact, rel=1e-9)  # a norm of differences


@pytest.mark.thorough
def test_that_risk_is_the_mean_loss():
    k, n, N = Gaussian(1.3), 5, 400
    estimator, mu = SKMSE(k, 0.6, F, "sum-to-one"), law().embed(k)
    losses = np.array([estimator.embed(x).distance(mu) ** 2 for x in law().sample(N * n, rng=0).reshape(N, n, 3)])
    assert abs(losses.mean() - risk(estimator, law(), n)) < 4.5 * losses.std() / np.sqrt(N)  # z, seed fixed


def test_the_risk_on_the_simplex_is_refused():
    with pytest.raises(ValueError, match=naming("SKMSE(weights='simplex')", "risk", "losses")):
        risk(SKMSE(Gaussian(1.0), 0.1, weights="simplex"), law(), 5)
    with pytest.raises(ValueError, match=naming("sum", "0")):
        risk(SKMSE(Gaussian(1.0), math.inf, weights="sum-to-one"), law(), 5)


# what it is worth --------------------------------------------------------------------------------------------------


def losses_of(seed):
    """Return the losses of one sample of 20 from a random mixture in the plane; bandwidth^2 is median^2 / 10."""
    mixture = GaussianMixture.random(2, rng=seed)
    X = mixture.sample(20, rng=seed)
    k = Gaussian(np.sqrt(0.1) * median_bandwidth(X))
    mu = mixture.embed(k)
    estimators = (KME(k), SKMSE(k), FKMSE(k), FKMSE(k, weights="sum-to-one"), SKMSE(k, weights="simplex"))
    return [e.embed(X).distance(mu) ** 2 for e in estimators]


@pytest.mark.thorough
def test_the_gain_comes_from_the_missing_mass():
    """S .82, F .83, F that sums to one 1.18, S on the simplex about .93 of KME's mean loss."""
    N = 120
    losses = np.array([losses_of(seed) for seed in range(N)])
    mean = losses.mean(axis=0)
    ratio = mean / mean[0]
    error = (
        (losses - ratio * losses[:, :1]).std(axis=0) / mean[0] / np.sqrt(N)
    )  # the standard error of a ratio of means, to first order
    printed, of_the_printed = np.array([0.82, 0.83, 1.18, 0.93]), error[1:] * np.sqrt(N / 30)  # from 30 mixtures
    z = (ratio[1:] - printed) / np.hypot(np.hypot(error[1:], of_the_printed), 0.005)
    assert np.abs(z).max() < 4.5
    # sharper, on the same samples: free < simplex < KME < F that sums to one
    simple, flexible, divided, simplex = ratio[1:]
    for lesser, larger in ((losses[:, 1], losses[:, 4]), (losses[:, 4], losses[:, 0]), (losses[:, 0], losses[:, 3])):
        gap = larger - lesser
        assert gap.mean() > 4.5 * gap.std() / np.sqrt(N)
    assert max(simple, flexible) < simplex < 1 < divided
