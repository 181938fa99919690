"""Closed leave-one-out scores against n refits, and what Theorem 4's score really is."""

import math

import numpy as np
import pytest
from hard_samples import CASES, X9, close, refits
from helpers.naming import naming
from kernels_and_estimators import target

from explorer import FKMSE, KME, SKMSE, Gaussian, Linear
from explorer.estimators.spectrum import Spectrum

every_case = pytest.mark.parametrize(("kernel", "X"), CASES.values(), ids=CASES)


def ridge_refits(K, lam):
    """Return the score of F-KMSE's refits by n dense solutions; K_-i + λ is regular for λ > 0."""
    n, scores = len(K), []
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        inner = K[np.ix_(rest, rest)]
        beta = np.linalg.solve(inner + lam * np.eye(n - 1), inner @ np.full(n - 1, 1 / (n - 1)))
        scores.append(K[i, i] - 2 * K[i, rest] @ beta + beta @ inner @ beta)
    return np.mean(scores)


@every_case
def test_kme(kernel, X):
    assert close(KME(kernel).loocv(X), refits(KME(kernel), X), kernel(X))


@pytest.mark.thorough(
    default=[
        "zero-polynomial 2",
        "zero-polynomial 3",
        "zero-gaussian",
        "zero-gaussian, automatic",
        "zero-laplacian, automatic",
        "zero-exponential",
        "zero-product",
        "zero-one direction",
        "zero-huge bandwidth",
        "target-polynomial 3",
        "target-subsequence",
        "target-tiny bandwidth",
    ]
)
@every_case
@pytest.mark.parametrize("with_target", [False, True], ids=["zero", "target"])
def test_skmse(kernel, X, with_target):
    f = target(kernel, kernel.points(X)) if with_target and len(X) > 2 else None
    lams = [0.0, 1e-3, 0.3, 1.0, 1e6, math.inf]
    scores = SKMSE(kernel, target=f).loocv(X, lams)
    for lam, score in zip(lams, scores, strict=True):
        assert close(score, refits(SKMSE(kernel, lam, f), X), kernel(X), 1e-10)


@pytest.mark.few(150)
@pytest.mark.thorough(default=["1e-06-*", "*-gaussian", "0.0001-*"])
@every_case
@pytest.mark.parametrize("factor", [1e-6, 1e-4, 1e-2, 0.3, 0.999, 1.001, 30.0, 1e4, 1e8, 1e12])
def test_fkmse_by_dense_solutions(kernel, X, factor):
    K = kernel(X)
    lam = factor * np.linalg.eigvalsh(K)[-1]
    # the dense solution's condition number is 1 / factor: up to 1e6 eps = 2e-10 of the reference
    assert close(FKMSE(kernel).loocv(X, [lam])[0], ridge_refits(K, lam), K, 1e-9)


@pytest.mark.thorough(
    default=[
        "polynomial 2 + 0",
        "gaussian",
        "product, mixed",
        "subsequence",
        "precomputed",
        "one direction",
        "a point at zero",
        "tiny bandwidth",
    ]
)
@every_case
def test_fkmse_by_its_own_refits(kernel, X):
    K = kernel(X)
    lams = np.array([0.0, 1e-6, 1e-2, 1.0, 100.0, math.inf]) * np.linalg.eigvalsh(K)[-1]
    for lam, score in zip(lams, FKMSE(kernel).loocv(X, lams), strict=True):
        assert close(score, refits(FKMSE(kernel, lam), X), K, 1e-9)


@pytest.mark.parametrize("factor", [1e2, 1e5, 1e8, 1e12])
def test_a_large_lambda_keeps_the_digits_of_what_is_left(factor):
    """ϱ - score = (2/n) sum_i k_i' K_-i 1 / ((n - 1) λ) to first order: the small difference itself is right."""
    K = Gaussian(1.3)(X9)
    lam = factor * np.linalg.eigvalsh(K)[-1]
    # β^(-i) = K_-i 1 / ((n - 1) λ) + O(λ^-2)
    slope = np.mean([2 * np.delete(K[i], i) @ np.delete(np.delete(K, i, 0), i, 1).sum(1) / 8 for i in range(9)])
    given_up = 1 - FKMSE(Gaussian(1.3)).loocv(X9, [lam])[0]
    # the next order is a factor γ_max / λ smaller; 1 - score has eps absolute
    assert given_up == pytest.approx(slope / lam, rel=3 / factor, abs=1e-15)


@every_case
def test_three_estimators_agree_where_nothing_is_shrunk_and_where_all_is(kernel, X):
    K = kernel(X)
    plain = KME(kernel).loocv(X)
    theorem_4 = FKMSE(kernel, selection="theorem-4")
    for estimator in (SKMSE(kernel), FKMSE(kernel), theorem_4):
        nothing, everything = estimator.loocv(X, [0.0, math.inf])
        assert close(nothing, plain, K)
        assert close(everything, np.mean(np.diag(K)), K)


# Theorem 4 ------------------------------------------------------------------------------------------------------


def full_span_refits(K, lam):
    """b minimises (1/n) sum_{j != i} |φ_j - g|^2 + λ |b|^2, g = sum_l b_l φ_l over ALL l: least squares on features."""
    n = len(K)
    gamma, U = np.linalg.eigh(K)
    features = U * np.sqrt(gamma.clip(0))  # rows φ_l
    scores = []
    for i in range(n):
        others = np.delete(features, i, axis=0)
        A = np.vstack([features.T / np.sqrt(n)] * (n - 1) + [np.sqrt(lam) * np.eye(n)])
        y = np.concatenate([phi / np.sqrt(n) for phi in others] + [np.zeros(n)])
        b = np.linalg.lstsq(A, y, rcond=None)[0]
        scores.append(np.sum((features[i] - b @ features) ** 2))
    return np.mean(scores)


def natural_weight(K, lam):
    """Return the score with weight 1/(n - 1) at λ' = n λ / (n - 1)."""
    n = len(K)
    lam = n * lam / (n - 1)
    scores = []
    for i in range(n):
        ones = 1 - np.eye(n)[i]
        b = np.linalg.solve(K + lam * np.eye(n), K @ ones / (n - 1))
        scores.append(K[i, i] - 2 * K[i] @ b + b @ K @ b)
    return np.mean(scores)


@pytest.mark.thorough(default=["0.001-*", "*-gaussian"])
@every_case
@pytest.mark.parametrize("factor", [1e-3, 0.1, 1.0, 100.0])
def test_theorem_4_is_the_refit_over_the_full_span(kernel, X, factor):
    """Erratum 24: the left-out point still lends its direction to the fit."""
    K = kernel(X)
    lam = factor * np.linalg.eigvalsh(K)[-1]
    score = FKMSE(kernel, selection="theorem-4").loocv(X, [lam])[0]
    assert close(score, full_span_refits(K, lam), K, 1e-9)  # features square the condition number 1/factor
    assert close(score, natural_weight(K, lam), K, 1e-10)


@pytest.mark.parametrize("factor", [0.01, 0.1, 1.0])
def test_theorem_4_is_no_genuine_refit(factor):
    K = Gaussian(1.3)(X9)
    lam = factor * np.linalg.eigvalsh(K)[-1]
    score = FKMSE(Gaussian(1.3), selection="theorem-4").loocv(X9, [lam])[0]
    for other in (lam, lam * 9 / 8, lam * 8 / 9):
        assert abs(score - ridge_refits(K, other)) > 1e-4


def test_a_batch_of_lambdas_is_one_after_the_other():
    spectrum = Spectrum(Gaussian(1.3)(X9))
    lams = np.array([0.0, 1e-3, 0.5, 7.0, 1e5, math.inf, 0.5])
    for score in (spectrum.leave_one_out, spectrum.theorem_4):
        one_by_one = [score(lams[i : i + 1])[0] for i in range(len(lams))]
        np.testing.assert_allclose(score(lams), one_by_one, rtol=1e-13)  # products of different shapes


# the score's meaning --------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_expected_score_is_the_risk_of_one_point_less():
    """E LOOCV(KME) = R_{n-1} + E k(x, x) - |μ|^2."""
    from kernels_and_estimators import law

    from explorer import risk

    k, n = Gaussian(1.3), 5
    X = law().sample(4000 * n, rng=0).reshape(4000, n, 3)
    scores = np.array([KME(k).loocv(x) for x in X])
    exact = risk(KME(k), law(), n - 1) + law().expected_diagonal(k) - law().embed(k).norm() ** 2
    assert abs(scores.mean() - exact) < 4.5 * scores.std() / np.sqrt(4000)  # z, seed fixed


@pytest.mark.parametrize(
    "ask",
    [lambda X: KME().loocv(X), lambda X: FKMSE(Linear()).loocv(X, [1.0]), lambda X: SKMSE(Linear()).loocv(X, [1.0])],
)
def test_one_point_leaves_nothing_to_learn_from(ask):
    with pytest.raises(ValueError, match=naming("1", "2")):
        ask([[1.0, 2.0]])


@pytest.mark.parametrize("estimator", [SKMSE(Linear()), FKMSE(Linear())], ids=repr)
@pytest.mark.parametrize(
    ("error", "bad"), [(ValueError, [-1.0]), (ValueError, [math.nan]), (ValueError, [-math.inf]), (TypeError, ["a"])]
)
def test_lambdas_are_numbers_of_at_least_zero(estimator, error, bad):
    with pytest.raises(error, match=naming("values")):
        estimator.loocv(X9, bad)
