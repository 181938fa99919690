"""The test of no effect: its statistic by hand, its level behind confounding, what it sees, and sentences."""

import itertools

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.optimize import minimize
from scipy.stats import binom

from explorer import ConditionalEmbedding, Delta, Gaussian, Linear, treatment_test
from explorer.checks import Refusal
from explorer.conditional.assignment import draw_labels
from explorer.conditional.propensity import RIDGES, propensity_of
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


def test_another_effect_is_refused():
    for act in (lambda: treated_groups("odd", 1.0, 3, 3), lambda: outcome_laws("odd", 1.0, 0.5)):
        with pytest.raises(Refusal, match=naming("'odd'", "mean", "spread", "none")):
            act()


# the test ------------------------------------------------------------------------------------------------------------


def by_descent(x, treated, ridge):
    """Return the probability of treatment (n,), from the penalised deviance and a descent of scipy's."""
    Z = (x - x.mean(axis=0)) / x.std(axis=0)
    Z = Z.reshape(len(x), -1)

    def deviance(b):
        eta = b[0] + Z @ b[1:]
        return np.logaddexp(0, eta).sum() - (treated * eta).sum() + ridge * b[1:] @ b[1:] / 2

    b = minimize(deviance, np.zeros(1 + Z.shape[1]), tol=1e-12).x
    return 1 / (1 + np.exp(-b[0] - Z @ b[1:]))


def test_the_statistic_is_that_of_residuals():
    x, y, treated = groups(40, effect="mean")
    kernel_x, kernel_y = Gaussian(0.9), Gaussian(1.1)
    found = treatment_test(x, y, treated, kernel_x, kernel_y, lam=0.3, n_resamples=19, rng=0)
    ridge = propensity_of(x[:, None], treated, 0).ridge
    p = by_descent(x, treated, ridge)
    left = np.eye(40) - ConditionalEmbedding(kernel_x, kernel_y, 0.3).fit(x, y).weights(x).T
    r = (treated - p) @ left
    assert found.statistic == pytest.approx(r @ kernel_y(y) @ r / 40**2, rel=1e-4)  # as far as minimize comes
    assert found.pvalue == (1 + (found.null_distribution >= found.statistic).sum()) / 20
    assert names_all(str(found), "draws", "treated")


@pytest.mark.parametrize(("effect", "n"), [("mean", 100), ("spread", 300)])
def test_it_sees_effects_on_the_mean_and_on_the_spread(effect, n):
    for seed in range(3):
        assert treatment_test(*groups(n, effect=effect, seed=seed), n_resamples=199, rng=0).pvalue <= 0.05


def test_it_is_blind_to_what_cancels_over_x():
    """The docstring claims it: an effect of the sign of x, and as many rows on either side."""
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


def test_the_ridge_is_that_of_least_deviance_on_rows_held_out():
    """If x decides nothing the slopes are shrunk to 0; if it decides much they are free."""
    rng = np.random.default_rng(0)
    X, treated = rng.normal(size=(60, 8)), rng.random(60) < 0.5
    assert propensity_of(X, treated, 0).ridge >= 10
    decided = X[:, 0] + 0.3 * rng.normal(size=60) > 0
    fitted = propensity_of(X, decided, 0)
    assert fitted.ridge <= 1
    np.testing.assert_allclose(
        fitted.chance, by_descent(X, decided, fitted.ridge), atol=1e-4
    )  # as far as minimize comes
    assert propensity_of(X, np.arange(60) == 3, 0).ridge == RIDGES[0]  # one treated row, which no fold can hold out


def test_draws_are_refitted_by_a_newton_step_that_is_near_a_full_refit():
    """The residuals of a draw after one step are near those of a new fit, for every ridge."""
    x, _, treated = groups(200, 1.0)
    fitted = propensity_of(x[:, None], treated, 0)
    for each in (fitted, fitted._replace(ridge=30.0)):
        D, p = each.design, each.chance
        smoother, pulled, freedom = each.refit()
        V, P = np.diag(p * (1 - p)), np.diag([0.0, each.ridge])
        assert freedom == pytest.approx(np.trace(np.linalg.solve(D.T @ V @ D + P, D.T @ V @ D)))
        for t in next(draw_labels(p, 4, rng=1))[:4]:
            step = (t - p) - (t - p) @ D @ smoother + pulled
            again = t - by_descent(x, t, each.ridge)
            # the step's error is of second order, and small next to the whole change, which is of first order
            assert np.linalg.norm(step - again) < 0.25 * np.linalg.norm(t - p - again)


def test_statistics_of_draws_are_of_refitted_residuals_and_wider_by_the_degrees_of_freedom():
    """The projection is weighted least squares; its eigenvalues count the degrees of freedom."""
    x, y, treated = groups(24, effect="mean")
    kernels = Gaussian(0.9), Gaussian(1.1)
    found = treatment_test(x, y, treated, *kernels, lam=0.3, n_resamples=6, rng=0)
    fitted = propensity_of(x[:, None], treated, 0)
    left = np.eye(24) - ConditionalEmbedding(*kernels, 0.3).fit(x, y).weights(x).T
    products = left @ kernels[1](y) @ left.T
    p, root = fitted.chance, np.sqrt(fitted.chance * (1 - fitted.chance))
    rows = np.vstack([root[:, None] * fitted.design, [0.0, np.sqrt(fitted.ridge)]])  # the ridge is a row more
    hat = rows[:24] @ np.linalg.pinv(rows)
    freedom = np.linalg.eigvals(hat[:, :24]).real.sum()
    assert 1 < freedom < 2  # the constant, and a slope that the ridge holds back
    expected = []
    for t in np.concatenate(list(draw_labels(p, 6, rng=0)))[:6]:
        working = np.append((t - p) / root, -np.sqrt(fitted.ridge) * fitted.slopes[1])
        r = root * (working[:24] - hat @ working)
        expected.append(24 / (24 - freedom) * r @ products @ r / 24**2)
    assert found.null_distribution == pytest.approx(expected, rel=1e-10)  # a linear system of two unknowns


def exact(x, y, treated, chance, kernels, lam, possible):
    """Return p over all assignments of `possible` (a, n); a row has the weight Π p_i^t_i (1 - p_i)^(1 - t_i)."""
    left = np.eye(len(x)) - ConditionalEmbedding(*kernels, lam).fit(x, y).weights(x).T
    products = left @ kernels[1](y) @ left.T
    weights = np.where(possible, chance, 1 - chance).prod(axis=1)
    T = np.einsum("ai,ij,aj->a", possible - chance, products, possible - chance)
    observed = (treated - chance) @ products @ (treated - chance)
    return weights[T >= observed * (1 - 1e-9)].sum() / weights.sum(), weights / weights.sum(), T


def test_with_a_known_propensity_p_is_that_of_all_assignments():
    """All 2^8 but the two that leave a group empty, by their probabilities; p of 10^4 draws within 4.5 deviations."""
    rng = np.random.default_rng(3)
    x, y, kernels = rng.normal(size=(8, 1)), rng.normal(size=(8, 1)), (Gaussian(1.0), Gaussian(1.0))
    chance = np.linspace(0.15, 0.7, 8)
    treated = np.array([1, 0, 0, 1, 0, 1, 1, 1], dtype=bool)
    possible = np.array([t for t in itertools.product([False, True], repeat=8) if 0 < sum(t) < 8])
    p, weights, T = exact(x, y, treated, chance, kernels, 0.5, possible)
    found = treatment_test(x, y, treated, *kernels, lam=0.5, propensity=chance, n_resamples=10_000, rng=0)
    assert found.pvalue == pytest.approx(p, abs=4.5 * (p * (1 - p) / 10_000) ** 0.5 + 1e-4)
    # exact: of all assignments those whose p is at most α have together a probability of at most α
    at = np.array([weights[T >= one * (1 - 1e-9)].sum() for one in T])
    for level in (0.05, 0.2, 0.5):
        assert weights[at <= level].sum() <= level + 1e-12


def test_draws_have_both_groups_and_their_probabilities():
    chance = np.array([0.9, 0.8, 0.95])  # all three treated in 68 % of the draws, were they let
    drawn = np.concatenate(list(draw_labels(chance, 20_000, rng=0)))[:20_000]
    possible = np.array([t for t in itertools.product([False, True], repeat=3) if 0 < sum(t) < 3])
    weights = np.where(possible, chance, 1 - chance).prod(axis=1)
    codes = drawn @ [4, 2, 1]
    assert set(codes) <= set(range(1, 7))
    for share, t in zip(weights / weights.sum(), possible, strict=True):
        times = (codes == t @ [4, 2, 1]).sum()
        assert abs(times - 20_000 * share) < 4.5 * (20_000 * share) ** 0.5 + 1
    rare = np.concatenate(list(draw_labels(np.full(5, 1e-12), 500, rng=0)))
    assert (rare.sum(axis=1) == 1).all()


@pytest.mark.parametrize("groups_", [np.zeros(8, dtype=int), np.array([0, 0, 0, 0, 1, 1, 1, 1])], ids=["one", "two"])
def test_with_groups_p_is_that_of_all_permutations_within_them(groups_):
    rng = np.random.default_rng(3)
    x, y, kernels = rng.normal(size=(8, 1)), rng.normal(size=(8, 1)), (Gaussian(1.0), Gaussian(1.0))
    treated = np.array([1, 0, 0, 1, 0, 0, 1, 0], dtype=bool)
    counts = np.bincount(groups_, treated)
    chance = (counts / np.bincount(groups_))[groups_]
    all_of = itertools.product([False, True], repeat=8)
    possible = np.array([t for t in all_of if (np.bincount(groups_, t) == counts).all()])
    p, *_ = exact(x, y, treated, chance, kernels, 0.5, possible)
    found = treatment_test(x, y, treated, *kernels, lam=0.5, groups=groups_, n_resamples=9_999, rng=0)
    assert found.pvalue == pytest.approx(p, abs=4.5 * (p * (1 - p) / 9_999) ** 0.5 + 1e-4)
    assert "permutations within" in str(found)


def test_known_assignments_ask_for_no_rows_and_no_numbers():
    """Twenty columns of six rows, words, and groups far apart: a propensity that is known needs no regression on X."""
    rng = np.random.default_rng(0)
    y, treated = rng.normal(size=6), [1, 0, 1, 0, 1, 0]
    for known in ({"propensity": 0.5}, {"groups": list("aabbcc")}):
        treatment_test(rng.normal(size=(6, 20)), y, treated, n_resamples=19, rng=0, **known)
        treatment_test(list("ababaa"), y, treated, Delta(), lam=0.1, n_resamples=19, rng=0, **known)
        treatment_test(50.0 * np.array(treated) + rng.normal(size=6), y, treated, n_resamples=19, rng=0, **known)


WAYS = {"fitted": {}, "known": {"propensity": 0.5}, "groups": {"groups": np.arange(80) % 2}}


@pytest.mark.parametrize("way", WAYS)
def test_what_must_not_matter(way):
    """Order of rows and exchange of the groups within Monte Carlo error of 999 draws; units and a constant column."""
    known = WAYS[way]
    x, y, treated = groups(80, 0.5, effect="none", seed=5)

    def p(x, y, treated, **changed):
        return treatment_test(x, y, treated, n_resamples=999, rng=0, **{**known, **changed}).pvalue

    one, order = p(x, y, treated), np.random.default_rng(1).permutation(80)
    near = pytest.approx(one, abs=4.5 * (2 * one * (1 - one) / 999) ** 0.5 + 0.01)  # the folds move p̂ a little
    moved = {"groups": known["groups"][order]} if way == "groups" else {}
    assert p(x[order], y[order], treated[order], **moved) == near
    assert p(x, y, ~treated) == near
    assert p(1024 * x, 0.25 * y, treated) == pytest.approx(one, abs=0.002)
    both = np.column_stack([x, np.full(80, 3.0)])
    assert p(both, y, treated) == pytest.approx(one, abs=0.002)


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


def many_columns(seed, n, d, confounded):
    """y and the odds of treatment by the first three of d columns, no effect; also the probabilities of treatment."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    score = X[:, :3] @ [1.0, -0.5, 0.5]
    chance = 1 / (1 + np.exp(-confounded * score))
    return X, 0.5 * score + rng.normal(size=n), rng.random(n) < chance, chance


@pytest.mark.slow
@pytest.mark.parametrize("way", ["fitted", "known", "groups"])
@pytest.mark.parametrize("confounded", [0.0, 1.0])
def test_it_has_its_level_with_as_many_columns_as_half_the_rows(way, confounded):
    """1,000 true nulls of 20 rows and 10 columns: a ridge of 1e-3 rejected a third. Estimated, p is about right."""
    tried = rejected = 0
    for seed in range(1000):
        X, y, treated, chance = many_columns(seed, 20, 10, confounded)
        labels = X[:, 0] > 0
        if way == "groups":  # a trial in two strata, each with half of its rows treated, up to an odd one
            order = np.random.default_rng(seed).permutation(20)
            treated = np.argsort(np.argsort(labels[order], kind="stable"))[np.argsort(order)] % 2 == 0
        known = {"fitted": {}, "known": {"propensity": chance}, "groups": {"groups": labels}}[way]
        try:
            result = treatment_test(X, y, treated, n_resamples=99, rng=seed, **known)
        except Refusal:
            continue
        tried, rejected = tried + 1, rejected + (result.pvalue <= 0.05)
    low, high = binom.interval(1 - 1e-3, tried, 0.05)
    assert tried > 950
    assert rejected <= high
    if way != "fitted":
        assert low <= rejected


@pytest.mark.parametrize(("way", "d"), [("known", 30), ("groups", 30), ("fitted", 6)])
def test_no_more_null_data_are_rejected_than_the_level_lets(way, d):
    """Forty true nulls of 12 rows: with p exact, more than 7 at level .05 have a chance of .1 %."""
    rejected = 0
    for seed in range(40):
        X, y, _, _ = many_columns(seed, 12, d, 0.0)
        treated = np.random.default_rng(seed).permutation(12) < 6
        known = {"fitted": {}, "known": {"propensity": 0.5}, "groups": {"groups": np.zeros(12)}}[way]
        rejected += treatment_test(X, y, treated, n_resamples=39, rng=seed, **known).pvalue <= 0.05
    assert rejected <= binom.isf(1e-3, 40, 0.05)


X, Y, TREATED = groups(30)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"X": X + 50.0 * TREATED}, ("overlap", "X")),
        ({"X": np.where(X > 0, "a", "b"), "kernel_x": Delta()}, ("X",)),
        ({"treated": np.ones(30)}, ("treated", "all", "30")),
        ({"y": Y[:9]}, ("X", "30", "y", "9")),
        ({"X": X[:5], "y": Y[:5], "treated": [0, 1, 0, 1, 0]}, ("X", "5 rows", "6 rows")),
        ({"X": np.random.default_rng(0).normal(size=(30, 16))}, ("X", "30 rows", "16 columns", "32 rows")),
        ({"propensity": 1.0}, ("propensity", "1")),
        ({"propensity": np.linspace(0, 0.9, 30)}, ("propensity", "0")),
        ({"propensity": np.full(29, 0.5)}, ("propensity", "(29,)", "30")),
        ({"propensity": np.where(TREATED, np.nan, 0.5)}, ("propensity", "NaN")),
        ({"propensity": "half"}, ("propensity",)),
        ({"propensity": 0.5, "groups": np.zeros(30)}, ("propensity", "groups")),
        ({"groups": np.zeros(29)}, ("groups", "(29,)", "30")),
        ({"groups": TREATED}, ("groups",)),
        ({"treated": np.zeros(30), "propensity": 0.5}, ("treated", "none", "30")),
        ({"y": np.where(TREATED, np.nan, Y)}, ("y", "NaN")),
        ({"lam": 0.0}, ("ConditionalEmbedding.lam", "0")),
        ({"n_resamples": 0}, ("n_resamples",)),
    ],
)
def test_what_is_refused(arguments, parts):
    with pytest.raises((ValueError, TypeError), match=naming(*parts)):
        treatment_test(**{"X": X, "y": Y, "treated": TREATED, "rng": 0, **arguments})


def test_a_constant_column_and_equal_outcomes_show_nothing():
    both = np.column_stack([X, np.ones(30)])
    one, other = (treatment_test(x, Y, TREATED, Gaussian(1.0), n_resamples=99, rng=0) for x in (X, both))
    assert one.pvalue == other.pvalue
    assert treatment_test(X, np.ones(30), TREATED, kernel_y=Gaussian(1.0), n_resamples=99, rng=0).pvalue == 1.0
