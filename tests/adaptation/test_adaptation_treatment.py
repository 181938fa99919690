"""The test of no effect: its statistic by hand, its level behind confounding, what it sees, and sentences."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

from explorer import ConditionalEmbedding, Delta, Gaussian, Linear, treatment_test
from explorer.adaptation.treatment import RIDGE
from explorer.checks import Refusal
from explorer.datasets import EFFECTS, outcome_laws, outcome_means, treated_groups


def groups(n, shift=1.5, effect="none", seed=0):
    X, y, treated = treated_groups(effect, shift, n // 2, n - n // 2, rng=seed)
    return X[:, 0], y, treated


# the toy -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("effect", EFFECTS)
def test_groups_grow_by_appending_and_have_the_moments_of_their_laws(effect):
    """Everybody with the treatment, and without it: what the rows of both would be by their own noise."""
    few, many = (treated_groups(effect, 1.0, n, m, 0.4, rng=7) for n, m in ((5, 4), (40_000, 20_000)))
    for arm in (False, True):
        for a, b in zip(few[:2], many[:2], strict=True):
            np.testing.assert_array_equal(a[few.treated == arm], b[many.treated == arm][: (few.treated == arm).sum()])
    side = np.where(many.treated, 0.5, -0.5)
    noise = np.random.default_rng(0).normal(size=60_000)
    with_it, without = outcome_laws(effect, 1.0, 1 / 3, 0.4)
    for law, adds, scale in ((with_it, 1.0 * (effect == "mean"), 3.0 if effect == "spread" else 1.0), (without, 0, 1)):
        everybody = adds - many.X[:, 0] - 0.4 * side - 0.5 * scale * noise
        # five standard errors of means and variances of 60,000
        assert everybody.mean() == pytest.approx(law.mean[0], abs=5 * everybody.std() / 60_000**0.5)
        assert everybody.var() == pytest.approx(law.variances[0], rel=5 * (2 / 60_000) ** 0.5)


def test_a_group_s_mean_outcome_over_x_is_that_of_the_formula():
    X, y, treated = treated_groups("mean", 1.0, 40_000, 40_000, 0.8, rng=1)
    near = np.abs(X[:, 0] - 0.3) < 0.05
    for found, arm in zip(outcome_means("mean", [0.3], 0.8)[:, 0], (treated, ~treated), strict=True):
        assert y[near & arm].mean() == pytest.approx(found, abs=0.05)


def test_the_odds_of_treatment_are_those_of_a_logistic_regression():
    X, _, treated = treated_groups("none", 1.5, 100_000, 50_000, rng=2)
    for place in (-1.0, 0.0, 1.0):
        near = np.abs(X[:, 0] - place) < 0.05
        odds = treated[near].sum() / (~treated[near]).sum()
        assert odds == pytest.approx(0.5 * np.exp(1.5 * place), rel=0.15)  # counts of hundreds and thousands


def test_another_effect_is_a_sentence():
    for act in (lambda: treated_groups("odd", 1.0, 3, 3), lambda: outcome_laws("odd", 1.0, 0.5)):
        with pytest.raises(Refusal, match="There is no effect 'odd'; the effects are mean, spread, none"):
            act()


# the test ------------------------------------------------------------------------------------------------------------


def test_the_statistic_is_that_of_residuals():
    x, y, treated = groups(40, effect="mean")
    kernel_x, kernel_y = Gaussian(0.9), Gaussian(1.1)
    found = treatment_test(x, y, treated, kernel_x, kernel_y, lam=0.3, n_resamples=19, rng=0)
    z = (x - x.mean()) / x.std()

    def deviance(b):
        eta = b[0] + b[1] * z
        return np.logaddexp(0, eta).sum() - (treated * eta).sum() + RIDGE * b[1] ** 2 / 2

    b = minimize(deviance, [0.0, 0.0], tol=1e-12).x
    p = 1 / (1 + np.exp(-b[0] - b[1] * z))
    left = np.eye(40) - ConditionalEmbedding(kernel_x, kernel_y, 0.3).fit(x, y).weights(x).T
    r = (treated - p) @ left
    assert found.statistic == pytest.approx(r @ kernel_y(y) @ r / 40**2, rel=1e-4)  # as far as minimize comes
    assert found.pvalue == (1 + (found.null_distribution >= found.statistic).sum()) / 20
    assert "draws of who is treated" in str(found)


@pytest.mark.parametrize(("effect", "n"), [("mean", 100), ("spread", 300)])
def test_it_sees_effects_on_the_mean_and_on_the_spread(effect, n):
    for seed in range(3):
        assert treatment_test(*groups(n, effect=effect, seed=seed), n_resamples=199, rng=0).pvalue <= 0.05


def test_it_is_blind_to_what_cancels_over_x():
    """As its docstring says: an effect of the sign of x, and as many rows on either side."""
    rng = np.random.default_rng(0)
    x, treated = np.repeat([-1.0, 1.0], 100), np.tile([True, False], 100)
    y = x * treated + 0.3 * rng.normal(size=200)
    assert treatment_test(x, y, treated, Delta(), Linear(), n_resamples=199, rng=0).pvalue > 0.05
    assert treatment_test(x[100:], y[100:], treated[100:], Delta(), Linear(), n_resamples=199, rng=0).pvalue <= 0.05


def test_scales_places_and_names_of_groups_do_not_matter():
    x, y, treated = groups(60, effect="mean")
    one = treatment_test(x, y, treated, n_resamples=99, rng=0)
    other = treatment_test(5 + 10 * x, y - 3, treated.astype(int).tolist(), n_resamples=99, rng=0)
    assert other.statistic == pytest.approx(one.statistic, rel=1e-6)
    assert other.pvalue == one.pvalue
    swapped = treatment_test(x, y, ~treated, n_resamples=99, rng=0)
    assert swapped.statistic == pytest.approx(one.statistic, rel=1e-6)
    more = treatment_test(x, y, treated, n_resamples=199, rng=0)
    np.testing.assert_array_equal(more.null_distribution[:99], one.null_distribution)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.0, 1.5])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_it_has_its_level_behind_confounding(n, shift):
    """1,000 true nulls, those without overlap left out; a permutation of labels rejects 1 in 5 of such."""
    tried = rejected = 0
    for seed in range(1000):
        try:
            result = treatment_test(*groups(n, shift, seed=seed), n_resamples=99, rng=seed)
        except Refusal:
            continue
        tried, rejected = tried + 1, rejected + (result.pvalue <= 0.05)
    low, high = binom.interval(1 - 1e-3, tried, 0.05)
    assert low <= rejected <= high
    assert tried > 950


X, Y, TREATED = groups(30)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"X": X + 50.0 * TREATED}, "the groups do not overlap: no row of the controls"),
        ({"X": np.where(X > 0, "a", "b"), "kernel_x": Delta()}, "X"),
        ({"treated": np.ones(30)}, "treated marks all of the 30 rows"),
        ({"y": Y[:9]}, "X has 30 rows and y has 9; give the outcome of each row"),
        ({"X": X[:5], "y": Y[:5], "treated": [0, 1, 0, 1, 0]}, "X has 5 rows of 1 columns, which need 6 rows"),
        ({"y": np.where(TREATED, np.nan, Y)}, "y has .* values that are NaN or infinite"),
        ({"lam": 0.0}, "lam must be a number above 0"),
        ({"n_resamples": 0}, "n_resamples"),
    ],
)
def test_what_is_refused(arguments, said):
    with pytest.raises((ValueError, TypeError), match=said):
        treatment_test(**{"X": X, "y": Y, "treated": TREATED, "rng": 0, **arguments})


def test_a_constant_column_and_equal_outcomes_show_nothing():
    both = np.column_stack([X, np.ones(30)])
    one, other = (treatment_test(x, Y, TREATED, Gaussian(1.0), n_resamples=99, rng=0) for x in (X, both))
    assert one.pvalue == other.pvalue
    assert treatment_test(X, np.ones(30), TREATED, kernel_y=Gaussian(1.0), n_resamples=99, rng=0).pvalue == 1.0
