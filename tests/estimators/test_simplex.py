"""Weights on the simplex: minima of the papers' objectives, the limits, and the cases that equal KME."""

import math

import numpy as np
import pytest
from hard_samples import CASES, X9
from kernels_and_estimators import KERNELS, drawn, vectors

from explorer import FKMSE, KME, SKMSE, Delta, Embedding, Gaussian, Linear, Polynomial
from explorer.estimators.constraints import on_simplex

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_case = pytest.mark.parametrize(("kernel", "X"), CASES.values(), ids=CASES)
KEEPS = [0.0, 1e-6, 0.1, 0.5, 0.9, 1 - 1e-6, 1.0]


def kkt(K, keep, beta):
    """Return the distance of β >= 0 with sum 1 from the minimum of β'Kβ - 2 keep β'K 1/n.

    It is the excess of its own pull over the least pull, over max k(x, x).

    With g = K (β - keep/n), half the gradient: β is a minimiser if and only if g_i is least wherever β_i > 0, and then
    β'g = min g. For any β the objective is within 2 (β'g - min g) of its least value.
    """
    g = K @ (beta - keep / len(K))
    return (beta @ g - g.min()) / K.diagonal().max()


@pytest.mark.thorough(default=["0.0-*", "*-gaussian", "1e-06-*"])
@every_case
@pytest.mark.parametrize("keep", KEEPS)
def test_simplex_weights_satisfy_the_conditions_of_a_minimum(kernel, X, keep):
    K = kernel(X)
    beta = on_simplex(K, keep)
    assert beta.min() >= 0
    assert beta.sum() == pytest.approx(1, abs=1e-14)  # a sum of at most 15
    # features are square roots of eigenvalues, cut at 1e3 n eps of the largest: 4e-12 of it, and the largest is at most
    # n k(x, x)
    assert kkt(K, keep, beta) <= 1e-10


@pytest.mark.thorough(default=["1", "2", "3", "4", "5", "6", "7", "19", "29", "39"])
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
    """Trials agree: the simplex estimate is the mixture nearest to the free one."""
    k, lam = Gaussian(1.3), 0.8
    free, held = (SKMSE(k, lam, weights=w).embed(X9) for w in ("free", "simplex"))
    rng = np.random.default_rng(0)
    tried = [Embedding(k, X9, b).distance(free) for b in rng.dirichlet(np.full(9, 0.5), 300)]
    near = [
        Embedding(k, X9, 0.99 * held.weights + 0.01 * b).distance(free) for b in rng.dirichlet(np.full(9, 0.2), 300)
    ]
    assert held.distance(free) <= min(tried + near) + 1e-12
    assert min(near) < held.distance(free) * 1.01  # some of the trials are close
    assert (held.weights == 0).any()  # the papers' sparsity is there
    assert held != KME(k).embed(X9)


def test_the_objective_is_that_of_the_paper():
    """(1 + λ) β'Kβ - 2 β'K 1/n by a general solver."""
    from scipy.optimize import minimize

    K, lam = Gaussian(0.6)(X9), 0.8
    found = minimize(
        lambda b: (1 + lam) * b @ K @ b - 2 * b @ K.mean(axis=1),
        np.full(9, 1 / 9),
        jac=lambda b: 2 * (1 + lam) * K @ b - 2 * K.mean(axis=1),
        bounds=[(0, None)] * 9,
        method="SLSQP",
        constraints={"type": "eq", "fun": lambda b: b.sum() - 1},
        options={"ftol": 1e-15, "maxiter": 500},
    )
    # ftol bounds the objective; its curvature is at least .5, so weights are within sqrt(1e-15 / .5) or so
    np.testing.assert_allclose(
        SKMSE(Gaussian(0.6), lam, weights="simplex").embed(X9).weights, found.x, rtol=0, atol=1e-6
    )


def test_on_the_simplex_a_dense_crowd_gives_way_to_lone_points():
    """λ -> inf is the mixture of least norm: for two points, one of them three times, half and half."""
    X = np.array([[0.0], [0.0], [0.0], [50.0]])
    weights = SKMSE(Gaussian(1.0), math.inf, weights="simplex").embed(X).weights
    np.testing.assert_allclose(weights, [1 / 6, 1 / 6, 1 / 6, 1 / 2], rtol=0, atol=1e-14)
    # λ between: 3p + q = 1 with p = keep/4 + m, q = keep/4 + 3m: minimises (3p)^2 + q^2 - keep (9p + q)/2 over p
    keep = 1 / 1.5
    p = (1 + keep / 2) / 6
    np.testing.assert_allclose(
        SKMSE(Gaussian(1.0), 0.5, weights="simplex").embed(X).weights, [p, p, p, 1 - 3 * p], atol=1e-14
    )


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
    [
        np.repeat(vectors(5), 2, axis=0),
        np.array([[-1.0], [1.0], [2.0], [3.0], [10.0]]),
        vectors(12)[:, :2] + 0.5,
        np.eye(4),
    ],
    ids=["pairs", "a line", "a plane", "corners"],
)
@pytest.mark.parametrize("keep", [0.0, 0.2, 0.6, 0.95])
def test_where_several_weights_give_the_nearest_mixture_those_of_least_norm_are_taken(X, keep):
    """The reference is non-negative least squares with the mixture and the sum as heavy rows.

    It does not use the null space.
    """
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
        # the same quadratic program by the solver: on the simplex K + λ has the objective of K up to a constant
        np.testing.assert_allclose(on_simplex(K + lam * np.eye(9), 1.0), 1 / 9, rtol=0, atol=1e-9)


@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
def test_where_all_weights_give_one_point_they_are_even(keep):
    for n in (1, 2, 5):
        assert on_simplex(np.zeros((n, n)), keep) == pytest.approx(np.full(n, 1 / n))  # φ_i = 0
    assert on_simplex(np.ones((1, 1)), keep) == pytest.approx([1.0])
