"""Counterfactual means: standardisation by hand, the sum rule, a known effect behind confounding, sentences."""

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer import (
    KME,
    ConditionalEmbedding,
    Delta,
    Gaussian,
    GaussianMixture,
    Linear,
    counterfactual_mean,
    sum_rule,
)
from explorer.checks import WrongType


def confounded(n, seed=0, spread=1.0):
    """x, the outcome and who was treated: the larger x, the likelier the treatment and the larger y.

    Under control y is N(x, 1/4), under treatment N(x + 1, spread²/4), so over all x ~ N(0, 1) N(0, 5/4) and
    N(1, 1 + spread²/4).
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    treated = rng.random(n) < 1 / (1 + np.exp(-1.5 * x))
    return x, x + treated + 0.5 * np.where(treated, spread, 1.0) * rng.normal(size=n), treated


def normal(mean, variance):
    return GaussianMixture([1.0], [[mean]], variance)


def test_with_categories_it_is_direct_standardisation():
    """Σ_c (share of c among all) (distribution of y among the group's rows in c), as λ falls to 0."""
    rng = np.random.default_rng(0)
    strata, y = rng.integers(3, size=60), rng.normal(size=60)
    treated = rng.random(60) < 0.2 + 0.3 * strata
    found = counterfactual_mean(strata, y, treated, Delta(), Gaussian(1.0), lam=1e-10)
    for e, group in zip(found, (treated, ~treated), strict=True):
        share = np.bincount(strata) / 60 / np.bincount(strata[group])
        # a ridge of λ over counts of some rows
        np.testing.assert_allclose(e.weights, share[strata[group]], rtol=1e-9)
        np.testing.assert_array_equal(e.points[:, 0], y[group])


@pytest.mark.parametrize("lam", [0.02, 3.0])
def test_it_is_a_system_of_equations_and_the_sum_rule(lam):
    x, y, treated = confounded(40)
    kernel_x, kernel_y = Gaussian(0.9), Gaussian(1.1)
    for e, group in zip(
        counterfactual_mean(x, y, treated, kernel_x, kernel_y, lam=lam), (treated, ~treated), strict=True
    ):
        system = kernel_x(x[group]) + lam * np.eye(group.sum())
        beta = np.linalg.solve(system, kernel_x(x[group], x).mean(axis=1))
        np.testing.assert_allclose(e.weights, beta, rtol=0, atol=1e-12 / lam)  # the condition number is n/λ
        rule = sum_rule(y[group], x[group], KME(kernel_x).embed(x), kernel_y, kernel_x, lam)
        assert e.distance(rule) <= 1e-9
        # the group's regression of y's feature, averaged over everybody
        regression = ConditionalEmbedding(kernel_x, kernel_y, lam).fit(x[group], y[group])
        np.testing.assert_allclose(e.weights, regression.weights(x).mean(axis=1), rtol=0, atol=1e-12 / lam)


def test_what_is_open_is_chosen_on_all_rows_and_lambda_on_each_group():
    x, y, treated = confounded(60)
    kernel_x, kernel_y = Gaussian().select(x[:, None]), Gaussian().select(y[:, None])
    found = counterfactual_mean(x, y, treated)
    assert found[0].kernel == found[1].kernel == kernel_y
    for e, group in zip(found, (treated, ~treated), strict=True):
        lam = ConditionalEmbedding(kernel_x, kernel_y).fit(x[group], y[group]).lam_
        other = counterfactual_mean(x, y, treated, kernel_x, kernel_y, lam=lam)
        assert e in other


def test_groups_that_change_places_change_places_and_the_order_of_rows_does_not_matter():
    x, y, treated = confounded(40)
    one, other = counterfactual_mean(x, y, treated, lam=0.1)
    assert counterfactual_mean(x, y, ~treated, lam=0.1) == (other, one)
    assert counterfactual_mean(x, y, treated.astype(int).tolist(), lam=0.1) == (one, other)
    order = np.random.default_rng(1).permutation(40)
    again = counterfactual_mean(x[order], y[order], treated[order], lam=0.1)
    assert again[0].distance(one) <= 1e-8
    np.testing.assert_allclose(again[1].mean(), other.mean(), rtol=1e-10)


def test_it_finds_the_effect_that_confounding_hides():
    """The plain groups differ by 2.1 in the mean; 1 of this is the effect."""
    plain, found, far, near = [], [], [], []
    law = normal(1.0, 1.25)
    for seed in range(20):
        x, y, treated = confounded(150, seed)
        one, other = counterfactual_mean(x, y, treated)
        plain.append(y[treated].mean() - y[~treated].mean())
        found.append((one.mean() - other.mean())[0])
        truth = law.embed(one.kernel)
        near.append(one.distance(truth) ** 2)
        far.append(KME(one.kernel).embed(y[treated]).distance(truth) ** 2)
    assert np.mean(plain) > 1.9
    assert np.mean(found) == pytest.approx(1.0, abs=0.15)  # three standard errors, and some bias of the ridge
    assert np.mean(near) < 0.2 * np.mean(far)


def test_an_effect_on_the_spread_alone_is_an_effect():
    """Treated and controls have one mean at every x here, and outcomes of three times the deviation."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    treated = rng.random(300) < 1 / (1 + np.exp(-x))
    y = x + np.where(treated, 1.5, 0.5) * rng.normal(size=300)
    one, other = counterfactual_mean(x, y, treated)
    # 1.5 / sqrt(90) where 150 weights of mean one vary: three standard errors, where the plain groups are 0.8 apart
    assert abs(one.mean() - other.mean())[0] < 0.5
    truth = normal(0.0, 3.25).embed(one.kernel).distance(normal(0.0, 1.25).embed(one.kernel))
    assert one.distance(other) == pytest.approx(truth, abs=0.1)


@pytest.mark.thorough
def test_the_error_falls_as_samples_grow():
    """Means over 20 samples: at least halved from n = 50 to n = 400."""
    losses = []
    for n in (50, 400):
        pairs = (counterfactual_mean(*confounded(n, seed)) for seed in range(20))
        losses.append(np.mean([one.distance(normal(1.0, 1.25).embed(one.kernel)) ** 2 for one, _ in pairs]))
    assert losses[1] < losses[0] / 2


@pytest.mark.slow
def test_permuting_who_was_treated_is_no_test():
    """The docstring claims it: with no effect, more than one in ten is rejected at level 5 %; 1 in 5 here."""
    rejected = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x, y, treated = confounded(50, seed)
        y = y - treated
        chosen = Gaussian(1.0), Gaussian(1.0)
        one, other = counterfactual_mean(x, y, treated, *chosen, lam=0.1)
        null = [counterfactual_mean(x, y, rng.permutation(treated), *chosen, lam=0.1) for _ in range(39)]
        rejected += 1 + sum(a.distance(b) >= one.distance(other) for a, b in null) <= 2
    assert binom.interval(1 - 1e-6, 100, 0.2)[0] <= rejected <= binom.interval(1 - 1e-6, 100, 0.2)[1]
    assert rejected > binom.interval(1 - 1e-3, 100, 0.05)[1]


def test_two_groups_of_one_distribution_overlap_but_by_chance():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        counterfactual_mean(rng.normal(size=(12, 3)), rng.normal(size=12), np.arange(12) % 2, lam=0.1)


X, Y, TREATED = confounded(30)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"X": X + 50.0 * TREATED}, ("overlap", "X")),
        ({"X": np.where(TREATED, "a", "b"), "kernel_x": Delta()}, ("overlap", "X")),
        ({"treated": np.ones(30)}, ("treated", "all", "30")),
        ({"treated": [False] * 30}, ("treated", "none", "30")),
        ({"treated": np.arange(30) == 3}, ("treated", "1", "λ")),
        ({"treated": TREATED[:9]}, ("treated", "(9,)", "30", "X", "(30,)")),
        ({"treated": np.ones((30, 2))}, ("treated", "(30, 2)", "30")),
        ({"treated": TREATED + 1}, ("treated", "2", "True", "1")),
        ({"treated": np.where(TREATED, "drug", "placebo")}, ("treated", "True", "1")),
        ({"treated": np.where(TREATED, np.nan, 0.0)}, ("treated", "nan", "True", "1")),
        ({"y": Y[:9]}, ("X", "30", "y", "9")),
        ({"y": np.where(TREATED, np.nan, Y)}, ("y", "NaN")),
        ({"X": np.where(TREATED, np.nan, X)}, ("X", "NaN")),
        ({"lam": 0.0}, ("ConditionalEmbedding.lam", "0")),
    ],
)
def test_what_is_refused(arguments, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        counterfactual_mean(**{"X": X, "y": Y, "treated": TREATED, **arguments})


def test_a_lone_row_is_enough_where_lambda_is_given():
    one, _ = counterfactual_mean(X, Y, np.arange(30) == 3, lam=0.1)
    assert one.weights.shape == (1,)


def test_a_missing_argument_is_refused():
    with pytest.raises(WrongType, match=naming("treated", "None", "list")):
        counterfactual_mean(X, Y, None)
    with pytest.raises(TypeError, match="kernel"):
        counterfactual_mean(X, Y, TREATED, kernel_x=3.0)


def test_a_table_s_outcomes_keep_their_name_and_linear_kernels_their_means():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"x": X, "days": Y, "drug": TREATED})
    one, _ = counterfactual_mean(table[["x"]], table[["days"]], table["drug"], kernel_y=Linear())
    assert one.columns == ("days",)
    assert counterfactual_mean(table[["x"]], table[["days"]], table[["drug"]], kernel_y=Linear())[0] == one
    np.testing.assert_allclose(one([[1.0]]), one.mean())
