"""Exact risk against averaged losses, and Theorem 1 of the shrinkage papers."""

import math
from functools import cache

import pytest
from helpers.naming import naming
from kernels_and_estimators import CLOSED, law

from explorer import FKMSE, KME, SKMSE, Embedding, Gaussian, GaussianMixture, Linear, oracle_alpha, risk
from explorer.embeddings import Law

every_closed_form = pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)
N = 6


def fixed(row):
    return row.kernel.select(law().sample(50, rng=5))


@cache
def samples(row):
    """Return samples of N points, (draws, N, d), and of each its |μ̂|^2, by the kernel's definition, and <μ̂, μ>."""
    k, draws = fixed(row), min(row.draws, 8_000)
    X = law().sample(N * draws, rng=0)
    S = X.reshape(draws, N, -1)
    inside = row.definition(k, S[:, :, None], S[:, None]).mean(axis=(1, 2))
    return S, inside, law().embed(k)(X).reshape(draws, N).mean(1)


def losses(row, keep, target):
    """|keep μ̂ + (1 - keep) f* - μ|^2 of each sample."""
    S, inside, z = samples(row)
    mu, f, away = law().embed(fixed(row)), target, 1 - keep
    loss = keep**2 * inside - 2 * keep * z + mu.inner(mu)
    if f is not None:
        g = f(S.reshape(-1, S.shape[-1])).reshape(S.shape[:2]).mean(1)
        loss += 2 * keep * away * g + away**2 * f.inner(f) - 2 * away * f.inner(mu)
    return loss


def agrees(draws, exact):
    return abs(draws.mean() - exact) < 4.5 * draws.std() / math.sqrt(len(draws))


@pytest.mark.thorough(default=["linear + .7", "polynomial 2 + 0", "laplacian"])
@every_closed_form
def test_the_risk_of_the_empirical_mean(row):
    assert agrees(losses(row, 1.0, None), risk(KME(fixed(row)), law(), N))


@pytest.mark.thorough(
    default=[
        "zero-linear",
        "zero-linear + .7",
        "zero-gaussian, automatic",
        "target-linear + .7",
        "target-polynomial 2 + 0",
        "target-energy",
    ]
)
@every_closed_form
@pytest.mark.parametrize("with_target", [False, True], ids=["zero", "target"])
def test_the_risk_of_shrinkage(row, with_target):
    k = fixed(row)
    target = Embedding(k, [[0.5, 0.0, -0.5]], [0.8], 0.3) if with_target else None
    exact = risk(SKMSE(k, 0.5, target), law(), N)
    assert agrees(losses(row, 1 / 1.5, target), exact)


@pytest.mark.thorough(
    default=[
        "zero-linear",
        "zero-polynomial 2",
        "zero-polynomial 3",
        "zero-exponential",
        "zero-product",
        "target-energy",
    ]
)
@every_closed_form
@pytest.mark.parametrize("with_target", [False, True], ids=["zero", "target"])
def test_theorem_one(row, with_target, monkeypatch):
    """At α* the relative gain is α*; α helps exactly on the open interval (0, 2 α*)."""
    for owner, name in ((Law, "embed"), (Law, "variance"), (Embedding, "norm"), (Embedding, "distance")):
        monkeypatch.setattr(owner, name, cache(getattr(owner, name)))  # the same at every α
    k, n = fixed(row), 10 * N
    target = Embedding(k, [[0.5, 0.0, -0.5]], [0.8], 0.3) if with_target else None
    alpha, plain = oracle_alpha(law(), k, n, target), risk(KME(k), law(), n)

    def at(a):
        return risk(SKMSE(k, a / (1 - a), target), law(), n)

    assert 0 < alpha < 0.5
    assert 1 - at(alpha) / plain == pytest.approx(alpha, rel=1e-9)
    assert at(2 * alpha) == pytest.approx(plain, rel=1e-9)
    assert at(0.999 * alpha) > at(alpha) < at(1.001 * alpha)
    assert at(0.01 * alpha) < plain
    assert at(1.99 * alpha) < plain < at(2.01 * alpha)


@pytest.mark.parametrize("theta", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_the_closed_form_of_the_gaussian_kernel(theta, n):
    """α* = (1 - C) / (1 + (n - 1) C) with C = |μ|^2: bandwidth and n are the whole story."""
    k = Gaussian(theta)
    C = law().embed(k).norm() ** 2
    assert oracle_alpha(law(), k, n) == pytest.approx((1 - C) / (1 + (n - 1) * C), rel=1e-9)  # 1 - C cancels


def test_the_risk_of_the_mean_of_a_normal_law():
    """Linear kernel: trace of the covariance over n, and the James-Stein oracle."""
    normal = GaussianMixture([1.0], [[3.0, 4.0]], [1.0, 2.0])
    assert risk(KME(Linear()), normal, 5) == pytest.approx(3 / 5, rel=1e-12)
    assert oracle_alpha(normal, Linear(), 5) == pytest.approx(0.6 / 25.6, rel=1e-12)
    assert risk(SKMSE(Linear(), math.inf), normal, 5) == pytest.approx(25, rel=1e-12)


def test_risk_falls_as_one_over_n():
    k = Gaussian(1.3)
    assert risk(KME(k), law(), 100) == pytest.approx(risk(KME(k), law(), 1) / 100, rel=1e-13)


def test_at_lambda_zero_and_infinity_the_risk_has_its_parts():
    k = Gaussian(1.3)
    target = Embedding(k, [[0.5, 0.0, -0.5]], [0.8])
    assert risk(SKMSE(k, 0, target), law(), 7) == risk(KME(k), law(), 7)
    assert risk(SKMSE(k, math.inf, target), law(), 7) == law().embed(k).distance(target) ** 2


def test_a_law_that_is_a_point_leaves_nothing_to_gain():
    point = GaussianMixture([1.0], [[1.0, 2.0]], 0.0)
    assert oracle_alpha(point, Gaussian(1.0), 5) == 0
    assert risk(KME(Gaussian(1.0)), point, 5) == 0


def test_the_law_itself_is_the_best_target():
    k = Gaussian(1.3)
    assert oracle_alpha(law(), k, 5, law().embed(k)) == 1


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (FKMSE(Gaussian(1.0), 0.1), "FKMSE"),
        (SKMSE(Gaussian(1.0)), "lam"),
        (KME(Gaussian()), "bandwidth"),
        (KME(), "bandwidth"),
    ],
)
def test_no_exact_risk_without_a_fixed_estimator(estimator, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        risk(estimator, law(), 5)


@pytest.mark.parametrize("n", [0, -3])
def test_a_sample_has_points(n):
    with pytest.raises(ValueError, match=naming("n", "1")):
        oracle_alpha(law(), Gaussian(1.0), n)
