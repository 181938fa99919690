"""Weights that sum to one, and weights on the simplex: what they are, where they are KME, where they are refused."""

import math

import numpy as np
import pytest
from catalogue import KERNELS, drawn, law, target, vectors
from hard_samples import CASES, X9

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    Linear,
    Polynomial,
    SpectralKMSE,
    median_bandwidth,
    risk,
)
from explorer.estimators.constraints import on_simplex

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_case = pytest.mark.parametrize(("kernel", "X"), CASES.values(), ids=CASES)
KEEPS = [0.0, 1e-6, 0.1, 0.5, 0.9, 1 - 1e-6, 1.0]


# on the simplex ---------------------------------------------------------------------------------------------------


def kkt(K, keep, beta):
    """How far β >= 0 with sum 1 is from least β'Kβ - 2 keep β'K 1/n: its own pull above the least pull, over max k(x, x).

    With g = K (β - keep/n), half the gradient: β is a minimiser if and only if g_i is least wherever β_i > 0, and then
    β'g = min g. For any β the objective is within 2 (β'g - min g) of its least value.
    """
    g = K @ (beta - keep / len(K))
    return (beta @ g - g.min()) / K.diagonal().max()


@every_case
@pytest.mark.parametrize("keep", KEEPS)
def test_simplex_weights_satisfy_the_conditions_of_a_minimum(kernel, X, keep):
    K = kernel(X)
    beta = on_simplex(K, keep)
    assert beta.min() >= 0
    assert beta.sum() == pytest.approx(1, abs=1e-14)  # a sum of at most 15
    # features are square roots of eigenvalues, cut at 1e3 n eps of the largest: 4e-12 of it, and the largest is at most n k(x, x)
    assert kkt(K, keep, beta) <= 1e-10


@pytest.mark.parametrize("seed", range(40))
def test_simplex_weights_of_random_samples_of_every_size(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    X = np.round(rng.normal(size=(n, 2)) * 3) / 3  # some points coincide
    for kernel in (Gaussian(0.3), Gaussian(2.0), Linear(), Linear(1.0), Polynomial(2), Delta()):
        K = kernel(X)
        for keep in KEEPS:
            beta = on_simplex(K, keep)
            assert beta.min() >= 0
            assert kkt(K, keep, beta) <= 1e-10 if K.any() else beta.tolist() == [1 / n] * n


def test_no_mixture_of_the_points_is_nearer():
    """The same by trying: the simplex estimate is the mixture nearest to the free one."""
    k, lam = Gaussian(1.3), 0.8
    free, held = (SKMSE(k, lam, weights=w).embed(X9) for w in ("free", "simplex"))
    rng = np.random.default_rng(0)
    tried = [Embedding(k, X9, b).distance(free) for b in rng.dirichlet(np.full(9, 0.5), 300)]
    near = [Embedding(k, X9, 0.99 * held.weights + 0.01 * b).distance(free) for b in rng.dirichlet(np.full(9, 0.2), 300)]
    assert held.distance(free) <= min(tried + near) + 1e-12
    assert min(near) < held.distance(free) * 1.01  # the trials are no straw men
    assert (held.weights == 0).any()  # the papers' sparsity is there
    assert held != KME(k).embed(X9)


def test_the_objective_is_that_of_the_paper():
    """(1 + λ) β'Kβ - 2 β'K 1/n by a general solver."""
    from scipy.optimize import minimize

    K, lam = Gaussian(0.6)(X9), 0.8
    found = minimize(
        lambda b: (1 + lam) * b @ K @ b - 2 * b @ K.mean(axis=1), np.full(9, 1 / 9),
        jac=lambda b: 2 * (1 + lam) * K @ b - 2 * K.mean(axis=1), bounds=[(0, None)] * 9, method="SLSQP",
        constraints={"type": "eq", "fun": lambda b: b.sum() - 1}, options={"ftol": 1e-15, "maxiter": 500},
    )  # fmt: skip
    # ftol bounds the objective; its curvature is at least .5, so weights are within sqrt(1e-15 / .5) or so
    np.testing.assert_allclose(SKMSE(Gaussian(0.6), lam, weights="simplex").embed(X9).weights, found.x, rtol=0, atol=1e-6)


def test_on_the_simplex_a_dense_crowd_gives_way_to_lone_points():
    """λ -> inf is the mixture of least norm: for two points of which one is there three times, half and half."""
    X = np.array([[0.0], [0.0], [0.0], [50.0]])
    weights = SKMSE(Gaussian(1.0), math.inf, weights="simplex").embed(X).weights
    np.testing.assert_allclose(weights, [1 / 6, 1 / 6, 1 / 6, 1 / 2], rtol=0, atol=1e-14)
    # λ between: 3p + q = 1 with p = keep/4 + m, q = keep/4 + 3m: minimises (3p)^2 + q^2 - keep (9p + q)/2 over p
    keep = 1 / 1.5
    p = (1 + keep / 2) / 6
    np.testing.assert_allclose(SKMSE(Gaussian(1.0), 0.5, weights="simplex").embed(X).weights, [p, p, p, 1 - 3 * p], atol=1e-14)


@every_kernel
def test_simplex_weights_at_both_ends(row):
    k, X = drawn(row)
    # where the mean is a mixture already, the weights of least norm are its own
    np.testing.assert_allclose(SKMSE(k, 0, weights="simplex").embed(X).weights, 1 / 9, rtol=0, atol=1e-9)
    least = SKMSE(k, math.inf, weights="simplex").embed(X).norm()
    for lam in (0.0, 0.1, 1.0, 10.0):
        assert SKMSE(k, lam, weights="simplex").embed(X).norm() >= least - 1e-9


@pytest.mark.parametrize(
    "X",
    [np.repeat(vectors(5), 2, axis=0), np.array([[-1.0], [1.0], [2.0], [3.0], [10.0]]), vectors(12)[:, :2] + 0.5, np.eye(4)],
    ids=["pairs", "a line", "a plane", "corners"],
)
@pytest.mark.parametrize("keep", [0.0, 0.2, 0.6, 0.95])
def test_where_several_weights_give_the_nearest_mixture_those_of_least_norm_are_taken(X, keep):
    """By non-negative least squares with the mixture and the sum as heavy rows; nothing is enforced by the null space."""
    from scipy.optimize import nnls

    beta = on_simplex(X @ X.T, keep)
    rows, heavy = np.vstack([X.T, np.ones(len(X))]), 1e5
    found = nnls(np.vstack([heavy * rows, np.eye(len(X))]), np.concatenate([heavy * rows @ beta, np.zeros(len(X))]))[0]
    # the rows give by 1 / heavy^2 of their size; the solver works on a matrix of condition 1e6
    np.testing.assert_allclose(beta, found, rtol=0, atol=1e-7)


def test_the_least_norm_may_leave_points_out():
    """On a line towards its far end the plain least norm would be negative there."""
    X = np.array([[-1.0], [1.0], [2.0], [3.0], [10.0]])
    beta = on_simplex(X @ X.T, 0.0)
    assert beta @ X[:, 0] == pytest.approx(0, abs=1e-8)  # 0 is among the mixtures
    assert beta[-1] == pytest.approx(0, abs=1e-12)
    # on the first three, weights a + b x with sum 1 and mean 0; that of 3 would be negative
    np.testing.assert_allclose(beta[:3], [8 / 14, 4 / 14, 2 / 14], rtol=0, atol=1e-8)


@every_kernel
@pytest.mark.parametrize("lam", [0, 0.01, 1.0, 50.0, math.inf])
def test_fkmse_on_the_simplex_is_kme(row, lam):
    """The gradient of |μ̂ - μ_β|^2 + λ |β|^2 at 1/n is 2 λ / n for every weight: no move within the simplex gains."""
    k, X = drawn(row)
    assert FKMSE(k, lam, weights="simplex").embed(X) == KME(k).embed(X)
    if lam < math.inf:
        K, mean = k(X), np.full(9, 1 / 9)
        gradient = 2 * K @ (mean - 1 / 9) + 2 * lam * mean
        np.testing.assert_allclose(gradient, 2 * lam / 9, rtol=1e-15)
        rng = np.random.default_rng(0)
        at = lam / 9
        for b in rng.dirichlet(np.full(9, 20.0), 100):
            assert (b - mean) @ K @ (b - mean) + lam * b @ b >= at * (1 - 1e-12)
        # the same quadratic program by the solver: on the simplex K + λ has the objective of K but for a constant
        np.testing.assert_allclose(on_simplex(K + lam * np.eye(9), 1.0), 1 / 9, rtol=0, atol=1e-9)


# that sum to one --------------------------------------------------------------------------------------------------


@every_kernel
@pytest.mark.parametrize("lam", [0, 0.3, 7.0, 1e9])
def test_skmse_divided_by_its_sum_is_kme(row, lam):
    k, X = drawn(row)
    weights = SKMSE(k, lam, weights="sum-to-one").embed(X).weights
    np.testing.assert_allclose(weights, KME(k).embed(X).weights, rtol=1e-14)


@every_case
def test_weights_are_divided_by_their_sum(kernel, X):
    K = kernel(X)
    lam = 0.1 * np.linalg.eigvalsh(K)[-1]
    for estimator in (FKMSE(kernel, lam), *(SpectralKMSE(kernel, f, lam) for f in ("tikhonov", "iterated-tikhonov", "tsvd")),
                      *(SpectralKMSE(kernel, f, steps=9) for f in ("landweber", "nu"))):  # fmt: skip
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
    with pytest.raises(ValueError, match=r"gives weights that sum to 0 on this sample.*shrink less or take weights='free'"):
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


@every_kernel
@pytest.mark.parametrize("weights", ["sum-to-one", "simplex"])
def test_lambda_is_chosen_and_scored_on_the_free_weights(row, weights):
    k, X = drawn(row)
    for estimator in (SKMSE(k), FKMSE(k), SpectralKMSE(k, "tsvd")):
        if weights == "simplex" and isinstance(estimator, SpectralKMSE):
            continue
        held = estimator.replace(weights=weights)
        assert held.select(X).lam == estimator.select(X).lam
        assert held.select(X).weights == weights
        np.testing.assert_array_equal(held.loocv(X, [0.0, 0.1, 5.0]), estimator.loocv(X, [0.0, 0.1, 5.0]))


def test_what_has_no_objective_has_no_simplex():
    f = Embedding(Gaussian(1.0), X9[:1], [1.0])
    with pytest.raises(ValueError, match=r"SKMSE has no weights='simplex': with a target .* Take 'free' or 'sum-to-one'\."):
        SKMSE(Gaussian(1.0), 0.1, f, "simplex")
    with pytest.raises(ValueError, match="SpectralKMSE has no weights='simplex': a filter minimises no objective"):
        SpectralKMSE(weights="simplex")


F = Embedding(Gaussian(1.3), [[0.5, 0.0, 0.0], [3.0, 0.0, 1.0]], [0.9, -0.2])  # sums to .7


@pytest.mark.parametrize("lam", [0.0, 0.4, 30.0])
def test_the_risk_of_weights_that_sum_to_one(lam):
    """Of a μ̂ + b f*: variance and squared bias, a^2 Δ + |a μ + b f* - μ|^2."""
    k, n = Gaussian(1.3), 5
    mu, variance = law().embed(k), risk(KME(k), law(), n)
    assert risk(SKMSE(k, lam, weights="sum-to-one"), law(), n) == pytest.approx(variance, rel=1e-12)  # it is KME
    keep = 1 / (1 + lam)
    total = keep + 0.7 * (1 - keep)
    a, b = keep / total, (1 - keep) / total
    exact = a**2 * variance + (a * mu + b * F).distance(mu) ** 2
    assert risk(SKMSE(k, lam, F, "sum-to-one"), law(), n) == pytest.approx(exact, rel=1e-9)  # a norm of differences


def test_that_risk_is_the_mean_loss():
    k, n, N = Gaussian(1.3), 5, 400
    estimator, mu = SKMSE(k, 0.6, F, "sum-to-one"), law().embed(k)
    losses = np.array([estimator.embed(x).distance(mu) ** 2 for x in law().sample(N * n, rng=0).reshape(N, n, 3)])
    assert abs(losses.mean() - risk(estimator, law(), n)) < 4.5 * losses.std() / np.sqrt(N)  # z, seed fixed


def test_the_risk_on_the_simplex_is_refused():
    with pytest.raises(ValueError, match=r"SKMSE\(weights='simplex'\) has no exact risk; average its losses"):
        risk(SKMSE(Gaussian(1.0), 0.1, weights="simplex"), law(), 5)
    with pytest.raises(ValueError, match="sum to 0"):
        risk(SKMSE(Gaussian(1.0), math.inf, weights="sum-to-one"), law(), 5)


# what it is worth --------------------------------------------------------------------------------------------------


def losses_of(seed):
    """Of one sample of 20 from one random mixture of four in the plane, bandwidth^2 a tenth of the median's."""
    mixture = GaussianMixture.random(2, rng=seed)
    X = mixture.sample(20, rng=seed)
    k = Gaussian(np.sqrt(0.1) * median_bandwidth(X))
    mu = mixture.embed(k)
    estimators = (KME(k), SKMSE(k), FKMSE(k), FKMSE(k, weights="sum-to-one"), SKMSE(k, weights="simplex"))
    return [e.embed(X).distance(mu) ** 2 for e in estimators]


def test_the_gain_comes_from_the_missing_mass():
    """S .82, F .83, F that sums to one 1.18, S on the simplex about .93 of KME's mean loss."""
    N = 120
    losses = np.array([losses_of(seed) for seed in range(N)])
    mean = losses.mean(axis=0)
    ratio = mean / mean[0]
    error = (losses - ratio * losses[:, :1]).std(axis=0) / mean[0] / np.sqrt(N)  # of a ratio of means, to first order
    printed, of_the_printed = np.array([0.82, 0.83, 1.18, 0.93]), error[1:] * np.sqrt(N / 30)  # from 30 mixtures
    z = (ratio[1:] - printed) / np.hypot(np.hypot(error[1:], of_the_printed), 0.005)
    assert np.abs(z).max() < 4.5
    # sharper, on the same samples: free < simplex < KME < F that sums to one
    simple, flexible, divided, simplex = ratio[1:]
    for lesser, larger in ((losses[:, 1], losses[:, 4]), (losses[:, 4], losses[:, 0]), (losses[:, 0], losses[:, 3])):
        gap = larger - lesser
        assert gap.mean() > 4.5 * gap.std() / np.sqrt(N)
    assert max(simple, flexible) < simplex < 1 < divided
