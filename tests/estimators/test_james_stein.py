"""James and Stein: the formula, and S-KMSE with a linear kernel as its kin."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import SKMSE, Linear, james_stein
from explorer.checks import Refusal


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
    with pytest.raises(ValueError, match=naming("0", "positive=True")):
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


# its kin ------------------------------------------------------------------------------------------------------------


def sample(n=40, d=6):
    return np.linspace(0.1, 0.6, d) + np.random.default_rng(3).standard_normal((n, d))


def test_skmse_with_a_linear_kernel_is_james_stein_at_one_lambda():
    """1/(1 + λ) = 1 - a/|x̄|^2 at λ = a / (|x̄|^2 - a), a = (d - 2) σ^2 / n.

    The mean of n points is N(θ, σ^2 I / n).
    """
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


def test_a_scale_that_is_open_asks_for_a_choice():
    with pytest.raises(Refusal, match=naming("lam")):
        SKMSE().scale()
    assert SKMSE(lam=1.0).scale() == 0.5
