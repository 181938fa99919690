"""James and Stein: the formula, its exact risk by two roads, and S-KMSE with a linear kernel as its kin."""

import math

import numpy as np
import pytest
from scipy.special import gammaincc, gammaln

from explorer import SKMSE, Linear, james_stein

D, SQUARE = 5, 1.38  # the spec's example: d and |θ|^2
THETA = np.array([1.0, 0.5, -0.3, 0.2, 0.0])


def test_the_formula():
    x = np.array([3.0, 0.0, 4.0, 0.0])
    np.testing.assert_allclose(james_stein(x), x * (1 - 2 / 25), rtol=1e-15)
    np.testing.assert_allclose(james_stein(x, 5.0), x * (1 - 2 * 5 / 25), rtol=1e-15)
    np.testing.assert_allclose(james_stein(x, variance=20.0), x * -0.6, rtol=1e-14)  # the plain form turns x around
    np.testing.assert_array_equal(james_stein(x, 20.0, positive=True), 0.0)
    np.testing.assert_array_equal(james_stein(x, 5.0, positive=True), james_stein(x, 5.0))


def test_each_row_is_an_observation_of_its_own():
    X = np.random.default_rng(0).normal(size=(6, 4))
    for positive in (False, True):
        rows = np.array([james_stein(x, 0.7, positive) for x in X])
        np.testing.assert_allclose(james_stein(X, 0.7, positive), rows, rtol=1e-14)


@pytest.mark.parametrize("d", [1, 2])
def test_below_three_dimensions_nothing_happens(d):
    X = np.random.default_rng(0).normal(size=(6, d))
    for x in (X, X[0], np.zeros(d)):
        same = james_stein(x, 9.0)
        np.testing.assert_array_equal(same, x)
        assert not np.shares_memory(same, x)


def test_the_unit_is_free_and_directions_are_alike():
    x = np.array([0.3, -2.0, 1.0])
    np.testing.assert_allclose(james_stein(1e5 * x, 1e10 * 0.4), 1e5 * james_stein(x, 0.4), rtol=1e-13)
    turn = np.linalg.qr(np.random.default_rng(8).normal(size=(3, 3)))[0]
    np.testing.assert_allclose(james_stein(turn @ x, 0.4), turn @ james_stein(x, 0.4), rtol=0, atol=1e-15)


def test_a_length_of_zero():
    with pytest.raises(ValueError, match="length 0, where the plain form has no value; positive=True gives 0 there"):
        james_stein([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    np.testing.assert_array_equal(james_stein(np.zeros(3), positive=True), 0.0)


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (ValueError, {"x": 3.0}),
        (ValueError, {"x": np.zeros((2, 2, 2))}),
        (ValueError, {"x": []}),
        (ValueError, {"x": [1.0, np.nan, 2.0]}),
        (TypeError, {"x": ["a", "b", "c"]}),
        (ValueError, {"variance": 0.0}),
        (ValueError, {"variance": -1.0}),
        (ValueError, {"variance": math.inf}),
        (ValueError, {"variance": math.nan}),
        (TypeError, {"variance": [1.0, 2.0, 3.0]}),
        (TypeError, {"variance": True}),
        (TypeError, {"positive": "yes"}),
    ],
)
def test_what_makes_no_sense_is_refused(error, given):
    with pytest.raises(error, match=next(iter(given))):
        james_stein(**{"x": [1.0, 2.0, 3.0], **given})


# risk ---------------------------------------------------------------------------------------------------------------


def upper(m, a):
    """P(W > a) for W ~ chi-square with m degrees of freedom."""
    return gammaincc(m / 2, a / 2)


def exact_risk(d, square, positive):
    """E |estimate - θ|^2 at σ = 1 as a Poisson(|θ|^2 / 2) mixture of central chi-squares W with d + 2k degrees of freedom.

    Plain: d - (d - 2)^2 E 1/W. Positive part, s = (1 - a/W)_+ with a = d - 2: E s^2 W - 2 |θ|^2 E_(d+2) s + |θ|^2, where
    E <x, θ> s(|x|^2) = |θ|^2 E s(W) with two degrees more.
    """
    k = np.arange(200)
    poisson = np.exp(-square / 2 + k * np.log(square / 2) - gammaln(k + 1))
    m, a = d + 2 * k, d - 2
    if not positive:
        return d - a**2 * poisson @ (1 / (m - 2))
    # E W; W > a = m P_(m+2), E 1/W; W > a = P_(m-2) / (m - 2)
    size = m * upper(m + 2, a) - 2 * a * upper(m, a) + a**2 * upper(m - 2, a) / (m - 2)
    along = upper(m + 2, a) - a * upper(m, a) / m
    return poisson @ size - 2 * square * poisson @ along + square


@pytest.mark.parametrize(("positive", "printed"), [(False, 2.70), (True, 2.25)])
def test_the_risk_in_five_dimensions(positive, printed):
    """About 2.70 and 2.25, where x itself has 5."""
    assert THETA @ THETA == pytest.approx(SQUARE)
    exact = exact_risk(D, SQUARE, positive)
    assert exact == pytest.approx(printed, abs=0.02)  # those were simulated, with 5.01 for 5; exactly 2.687 and 2.245
    N = 200_000
    X = THETA + np.random.default_rng(0).standard_normal((N, D))
    losses = ((james_stein(X, positive=positive) - THETA) ** 2).sum(axis=1)
    assert abs(losses.mean() - exact) < 4.5 * losses.std() / np.sqrt(N)  # z, seed fixed
    assert losses.mean() < ((X - THETA) ** 2).sum(axis=1).mean()


@pytest.mark.parametrize("d", [3, 4, 10])
def test_the_risk_is_below_that_of_x_everywhere(d):
    for square in (1e-6, 0.5, 3.0, 40.0):
        assert exact_risk(d, square, True) < exact_risk(d, square, False) < d
    assert exact_risk(d, 1e-6, False) == pytest.approx(2, abs=1e-5)  # at θ = 0, d - (d - 2) = 2


# its kin ------------------------------------------------------------------------------------------------------------


def sample(n=40, d=6):
    return np.linspace(0.1, 0.6, d) + np.random.default_rng(3).standard_normal((n, d))


def test_skmse_with_a_linear_kernel_is_james_stein_at_one_lambda():
    """1/(1 + λ) = 1 - a/|x̄|^2 at λ = a / (|x̄|^2 - a), a = (d - 2) σ^2 / n: the mean of n points is N(θ, σ^2 I / n)."""
    X = sample()
    n, d = X.shape
    mean = X.mean(axis=0)
    a = (d - 2) / n
    shrunk = SKMSE(Linear(), a / (mean @ mean - a)).embed(X)
    np.testing.assert_allclose(shrunk.weights @ X, james_stein(mean, variance=1 / n), rtol=1e-12)
    # and as functions: the embedding of a linear kernel is y -> <mean, y>
    np.testing.assert_allclose(shrunk(X), X @ james_stein(mean, variance=1 / n), rtol=0, atol=1e-12)


def test_the_leave_one_out_choice_shrinks_like_james_stein_with_d_for_d_minus_2():
    """α = v / (v / n + (1 - 1/n) |x̄|^2) with v = (sum of the sample variances) / n, the estimate of d σ^2 / n."""
    for n in (40, 1000):
        X = sample(n)
        mean, v = X.mean(axis=0), X.var(axis=0, ddof=1).sum() / n
        keep = 1 / (1 + SKMSE(Linear()).select(X).lam)
        assert 1 - keep == pytest.approx(v / (v / n + (1 - 1 / n) * mean @ mean), rel=1e-9)  # sums of n^2 terms
    # in the limit v / |x̄|^2, where James and Stein have (d - 2)/d of it
    assert 1 - keep == pytest.approx(v / (mean @ mean), rel=2 / 1000)
