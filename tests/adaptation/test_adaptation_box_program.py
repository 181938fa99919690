"""The quadratic programme of weights: its conditions of optimality, other solvers, and programmes solved by hand."""

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize, nnls

from explorer import Gaussian, Laplacian, Linear
from explorer.adaptation.box_program import BoxProgram

KERNELS = {"gaussian": Gaussian(0.7), "wide": Gaussian(5.0), "narrow": Gaussian(0.05), "rank 2": Linear(),
           "laplacian": Laplacian(1.0)}  # fmt: skip
BOUNDS = {
    "slack": (1000.0, 0.95),
    "box": (2.0, 0.95),
    "sum": (1000.0, 0.01),
    "equation": (1000.0, 0.0),
    "both": (1.5, 0.0),
    "low": (0.8, 0.5),
    "hardly room": (1.0 + 1e-6, 0.0),
}


def programme(kernel, bound, tolerance, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X, Z = rng.normal(size=(n, 2)), np.array([0.8, -0.3]) + 0.5 * rng.normal(size=(n // 2, 2))
    return BoxProgram(
        kernel(X), n * kernel(X, Z).mean(axis=1), np.ones(n), bound, n * (1 - tolerance), n * (1 + tolerance)
    )


def violation(p, b):
    """Return how far b is from the Karush-Kuhn-Tucker conditions, for a gradient of size one.

    The multiplier of the sum is the one that fits the entries between their bounds best.
    """
    g = p.H @ b - p.c
    size = max(np.abs(p.c).max(), np.abs(p.H @ b).max())
    free = (b > 1e-7) & (b < p.upper - 1e-7)
    total, spread = p.a @ b, p.a.sum()
    slack = 1e-9 * spread
    y = 0.0
    if total <= p.low + slack or total >= p.high - slack:
        ratio = g / p.a
        low, high = (ratio[b >= p.upper - 1e-7].max(initial=-np.inf), ratio[b <= 1e-7].min(initial=np.inf))
        y = np.median(ratio[free]) if free.any() else np.clip(0.0, low, high) if low <= high else (low + high) / 2
        if total > p.low + slack:
            y = min(y, 0.0)
        elif total < p.high - slack:
            y = max(y, 0.0)
    left = (g - y * p.a) / size
    stationary = np.abs(b - np.clip(b - left, 0, p.upper)).max()
    feasible = max(-b.min(), b.max() - p.upper, (p.low - total) / spread, (total - p.high) / spread)
    return max(stationary, feasible)


@pytest.mark.parametrize("bounds", BOUNDS.values(), ids=BOUNDS)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_it_meets_the_conditions_of_optimality(kernel, bounds):
    """They agree to 1e-8 of the gradient's size: the effect of the ridge of 1e-9, times weights up to some tens."""
    p = programme(kernel, *bounds)
    assert violation(p, p.solve()) < 1e-8


@pytest.mark.parametrize("bounds", [(1000.0, 0.95), (2.0, 0.95), (1000.0, 0.01), (3.0, 0.0)])
def test_a_general_solver_finds_nothing_lower(bounds):
    """SLSQP from our answer and from equal weights; its own precision is some 1e-9 of the objective."""
    p = programme(KERNELS["gaussian"], *bounds, n=40)

    def value(b):
        return 0.5 * b @ p.H @ b - p.c @ b

    b = p.solve()
    for start in (b, np.ones(40)):
        other = minimize(value, start, jac=lambda b: p.H @ b - p.c, method="SLSQP", bounds=[(0, p.upper)] * 40,
                         constraints=[{"type": "ineq", "fun": lambda b: b.sum() - p.low},
                                      {"type": "ineq", "fun": lambda b: p.high - b.sum()}],
                         options={"maxiter": 500, "ftol": 1e-14})  # fmt: skip
        assert value(b) <= other.fun + 1e-9 * abs(other.fun)


def test_a_regular_programme_has_the_weights_of_another_solver():
    """A narrow kernel, so that the weights are unique: trust-constr with tight tolerances."""
    p = programme(Gaussian(0.2), 2.0, 0.5, n=25)
    other = minimize(lambda b: 0.5 * b @ p.H @ b - p.c @ b, np.ones(25), jac=lambda b: p.H @ b - p.c,
                     hess=lambda b: p.H, method="trust-constr", bounds=[(0, 2)] * 25,
                     constraints=[LinearConstraint(np.ones(25), p.low, p.high)],
                     options={"gtol": 1e-12, "xtol": 1e-12, "barrier_tol": 1e-12, "maxiter": 3000})  # fmt: skip
    np.testing.assert_allclose(p.solve(), other.x, atol=1e-6)


def test_without_bounds_it_is_least_squares_with_weights_of_at_least_0():
    rng = np.random.default_rng(1)
    A, d = rng.normal(size=(30, 12)), rng.normal(size=30)
    b = BoxProgram(A.T @ A, A.T @ d, np.ones(12), 1e6, 0.0, 1e6).solve()
    np.testing.assert_allclose(b, nnls(A, d)[0], atol=1e-8)


def test_two_weights_by_hand():
    """min (b1² + b2²)/2 - 2 b1 with mean one: b = (2, 0), where the second is at its bound; at most 1.5, (1.5, 0.5)."""
    H, c, ones = np.eye(2), np.array([2.0, 0.0]), np.ones(2)
    np.testing.assert_allclose(BoxProgram(H, c, ones, 9.0, 2.0, 2.0).solve(), [2.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(BoxProgram(H, c, ones, 1.5, 2.0, 2.0).solve(), [1.5, 0.5], atol=1e-9)
    np.testing.assert_allclose(BoxProgram(H, c, ones, 9.0, 0.0, 1.0).solve(), [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(BoxProgram(H, c, ones, 9.0, 3.0, 4.0).solve(), [2.5, 0.5], atol=1e-9)


def test_of_several_minimisers_it_takes_the_one_nearest_to_equal_weights():
    """Equal points share their weight, and all weights are one if the objective is constant."""
    X = np.array([[0.0], [0.0], [0.0], [3.0]])
    K = Gaussian(1.0)(X)
    b = BoxProgram(K, 4 * Gaussian(1.0)(X, [[0.0]])[:, 0], np.ones(4), 1000.0, 4.0, 4.0).solve()
    np.testing.assert_allclose(b[:3], b[0], rtol=1e-9)
    np.testing.assert_array_equal(BoxProgram(np.zeros((3, 3)), np.zeros(3), np.ones(3), 5.0, 0.1, 5.0).solve(), 1.0)


def test_one_feasible_point_is_the_answer():
    p = programme(KERNELS["gaussian"], 0.25, 0.75)
    np.testing.assert_array_equal(p.solve(), 0.25)


@pytest.mark.parametrize("scale", [1e-280, 1e-150, 1e150, 1e280])
def test_the_size_of_the_kernel_does_not_matter(scale):
    p = programme(KERNELS["gaussian"], 3.0, 0.5)
    there = p._replace(H=p.H * scale, c=p.c * scale)
    np.testing.assert_allclose(there.solve(), p.solve(), rtol=1e-5, atol=1e-7)  # by other roundings


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(40))
def test_any_programme_meets_the_conditions_of_optimality(seed):
    rng = np.random.default_rng(seed)
    q, r = int(rng.integers(1, 60)), int(rng.integers(1, 60))
    F = rng.normal(size=(q, r)) * 10 ** rng.uniform(-2, 2)
    c, a, upper = F @ rng.normal(size=r) * q, rng.integers(1, 9, size=q).astype(float), 10 ** rng.uniform(-1, 3)
    total = a.sum() * upper
    low, high = np.sort(rng.uniform(0, total, size=2)) * rng.choice([1.0, 0.01])
    p = BoxProgram(F @ F.T, c, a, upper, low, low if rng.random() < 0.3 else high)
    assert violation(p, p.solve()) < 1e-6  # the ridge of 1e-9 times weights of hundreds
