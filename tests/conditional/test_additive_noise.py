"""Tests of the direction of an additive-noise pair: by refits, invariances, level and power, bad input."""

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer import ConditionalEmbedding, Gaussian, Linear, additive_noise, hsic_test
from explorer.conditional.additive_noise import residuals
from explorer.datasets import causal


def pair(n=60, seed=0, **how):
    """x and y of an arrow from x to y."""
    return causal("arrow", n, rng=seed, **how)[:, :2].T


def test_residuals_are_those_of_n_refits():
    x, y = pair(25)
    kernel = Gaussian(0.8)
    left, lam = residuals(x[:, None], y[:, None], kernel, 0.3)
    assert lam == 0.3
    scaled = (y - y.mean()) / y.std()
    for i in range(25):
        rest = np.delete(np.arange(25), i)
        refit = ConditionalEmbedding(kernel, Linear(), 0.3).fit(x[rest], scaled[rest])
        assert left[i, 0] == pytest.approx(scaled[i] - refit.predict(x[[i]])[0], rel=1e-9)


def test_each_direction_is_a_test_of_its_cause_and_what_is_left():
    x, y = pair(60)
    result = additive_noise(x, y, n_resamples=99, rng=3)
    for cause, effect, test, lam in ((x, y, result.forward, result.lam[0]), (y, x, result.backward, result.lam[1])):
        left, chosen = residuals(cause[:, None], effect[:, None])
        again = hsic_test(cause, left, n_resamples=99, rng=3)
        assert (again.pvalue, again.statistic, chosen) == (test.pvalue, test.statistic, lam)


def test_sides_swapped_are_directions_swapped():
    x, y = pair(60)
    one, other = (additive_noise(*sides, n_resamples=99, rng=0) for sides in ((x, y), (y, x)))
    assert (one.forward.pvalue, one.backward.pvalue) == (other.backward.pvalue, other.forward.pvalue)
    np.testing.assert_array_equal(one.lam, other.lam[::-1])


def test_units_change_nothing():
    x, y = pair(60)
    one, other = (
        additive_noise(x, y, n_resamples=99, rng=0),
        additive_noise(100 * x + 3, 0.01 * y, n_resamples=99, rng=0),
    )
    assert one.forward.statistic == pytest.approx(other.forward.statistic, rel=1e-6)  # the chosen λ differs by rounding
    assert one.direction() == other.direction()


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"effect": "bend"}, "X -> Y"),
        ({"effect": "square"}, "X -> Y"),
        ({"effect": "line", "law": "uniform", "noise": 1.0}, "X -> Y"),
        ({"effect": "line", "noise": 1.0}, "both"),
    ],
)
def test_directions(how, expected):
    """Linear and Gaussian pairs have none to find."""
    x, y = pair(200, **how)
    assert additive_noise(x, y, n_resamples=199, rng=0).direction() == expected
    swapped = {"X -> Y": "Y -> X"}.get(expected, expected)
    assert additive_noise(y, x, n_resamples=199, rng=0).direction() == swapped


def test_decisions_by_level_and_in_words():
    x, y = pair(200)
    result = additive_noise(x, y, n_resamples=199, rng=0)
    assert result.direction(0.001) == "both"  # no p of 199 resamples is so small
    assert result.direction(0.999999) == "neither"
    assert f"p = {result.backward.pvalue:.3g}" in str(result)
    assert "allows X -> Y." in str(result)
    assert result.to_dict()["forward"]["pvalue"] == result.forward.pvalue
    with pytest.raises(ValueError, match="level"):
        result.direction(2.0)


def test_several_columns_and_frames():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    Y = np.column_stack([np.tanh(2 * X[:, 0]), X[:, 1] ** 2]) + 0.3 * rng.normal(size=(80, 2))
    plain = additive_noise(X, Y, n_resamples=19, rng=0)
    framed = additive_noise(pd.DataFrame(X), pd.DataFrame(Y), n_resamples=19, rng=0)
    assert plain.forward.statistic == framed.forward.statistic


@pytest.mark.slow
@pytest.mark.parametrize(("n", "power"), [(50, 0.1), (100, 0.6), (200, 0.95)])
def test_the_level_is_kept_and_the_wrong_direction_found(n, power):
    """The true direction is rejected no more often than the level says, and the other one mostly."""
    count, forward, backward = 400, 0, 0
    for i in range(count):
        result = additive_noise(*pair(n, seed=i), n_resamples=99, rng=i)
        forward += result.forward.rejected()
        backward += result.backward.rejected()
    assert forward <= binom.ppf(1 - 1e-6, count, 0.05)
    assert backward / count > power


X, Y = pair(20)


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda: additive_noise(X, Y[:-1]), ("X", "20", "Y", "19")),
        (lambda: additive_noise(X[:5], Y[:5]), ("X", "5", "6")),
        (lambda: additive_noise(X, np.ones(20)), ("Y", "equal")),
        (lambda: additive_noise(np.zeros(7000), np.arange(7000.0)), ("X", "equal")),
        (lambda: additive_noise(np.arange(7000.0), np.arange(7000.0)), ("7000", "6000")),
        (lambda: additive_noise([*X[:-1], np.nan], Y), ("X", "NaN")),
        (lambda: additive_noise(X, Y, lam=-1.0), ("ConditionalEmbedding.lam",)),
        (lambda: additive_noise(X, Y, n_resamples=0), ("n_resamples",)),
    ],
)
def test_bad_input_is_refused(call, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        call()


def test_words_are_refused():
    with pytest.raises(TypeError, match="Y"):
        additive_noise(X, ["a", "b"] * 10)
