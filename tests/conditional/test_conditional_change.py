"""conditional_test: its statistic by hand and by brute force, its draws, its invariances, level and power."""

import itertools

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.optimize import minimize
from scipy.stats import binom, chisquare

from explorer import ConditionalEmbedding, Delta, Gaussian, conditional_test, mmd_test, treatment_test
from explorer.checks import ExplorerWarning, Refusal, WrongType
from explorer.conditional.assignment import draw_labels_by_odds, residual_products, squared_norms
from explorer.conditional.leave_one_out import Refits
from explorer.conditional.propensity import components_of, fitted_to

X, Y = np.array([0.0, 1.0, 2.0, 0.5, 1.5, 2.5]), np.array([0.0, 1.0, 0.5, 1.0, 2.0, 1.5])
ODDS, SECOND = np.exp(0.8 * X - 1), np.arange(6) >= 3
UNIT = Gaussian(1.0)


def sine(n, m, seed=0, change=None):
    """x ~ N(0, 1) and N(1, 1), y = sin 2x and noise of deviation 1/2; `change` adds to the second y."""
    rng = np.random.default_rng(seed)
    x, x2 = rng.normal(size=n), rng.normal(1.0, 1.0, m)
    y, y2 = np.sin(2 * x) + 0.5 * rng.normal(size=n), np.sin(2 * x2) + 0.5 * rng.normal(size=m)
    return x, y, x2, y2 if change is None else y2 + change(x2)


# the statistic -------------------------------------------------------------------------------------------------------


def test_the_example_by_hand():
    K, (F, _) = UNIT(X), residual_products(UNIT(X), UNIT(Y), 0.5)
    assert F[0, 1] == pytest.approx(-0.01532732565872371, abs=1e-9)
    assert (K * F)[0, 1] == pytest.approx(-0.009296492943416066, abs=1e-9)
    found = conditional_test(X[:3], Y[:3], X[3:], Y[3:], UNIT, UNIT, odds=ODDS, lam=0.5, n_resamples=19, rng=0)
    assert found.statistic == pytest.approx(0.0169877254954832, abs=1e-9)
    apart = SECOND - ODDS / (1 + ODDS)
    assert squared_norms(apart[None], F)[0] == pytest.approx(0.022082298583671462, abs=1e-9)  # k_x = 1
    assert (found.n, found.m, found.lam) == (3, 3, 0.5)
    np.testing.assert_allclose(found.odds, ODDS)


def label_sets():
    """Return all labels with three ones, and their probabilities Π o_i^(g_i)."""
    sets = np.array([np.isin(np.arange(6), some) for some in itertools.combinations(range(6), 3)])
    weights = np.array([np.prod(ODDS[each]) for each in sets])
    return sets, weights / weights.sum()


def test_the_exact_p_and_that_of_draws():
    sets, weights = label_sets()
    products = UNIT(X) * residual_products(UNIT(X), UNIT(Y), 0.5)[0]
    all_of = squared_norms(sets - ODDS / (1 + ODDS), products)
    exact = weights[all_of >= all_of[(sets == SECOND).all(axis=1)] - 1e-12].sum()
    assert exact == pytest.approx(0.14741748423472126, abs=1e-9)
    found = conditional_test(X[:3], Y[:3], X[3:], Y[3:], UNIT, UNIT, odds=ODDS, lam=0.5, n_resamples=9_999, rng=0)
    assert found.pvalue == pytest.approx(exact, abs=4.5 * (exact * (1 - exact) / 9_999) ** 0.5 + 1e-4)


def test_draws_by_odds_have_their_probabilities():
    sets, weights = label_sets()
    drawn = np.concatenate(list(draw_labels_by_odds(ODDS, SECOND, 12_000, rng=1)))
    assert (drawn.sum(axis=1) == 3).all()
    counts = [(drawn == each).all(axis=1).sum() for each in sets]
    assert chisquare(counts, weights * len(drawn)).pvalue > 1e-4


def test_the_statistic_by_brute_force():
    """Explicit sums over rows, with the weights of ConditionalEmbedding and a descent of scipy's for p."""
    x, y, x2, y2 = sine(25, 20)
    found = conditional_test(x, y, x2, y2, Gaussian(0.8), Gaussian(1.1), n_resamples=19, rng=3)
    points, outcomes, second = np.r_[x, x2], np.r_[y, y2], np.arange(45) >= 25
    regression = ConditionalEmbedding(Gaussian(0.8), Gaussian(1.1)).fit(points, outcomes)
    assert found.lam == pytest.approx(regression.lam_, rel=1e-6)
    design = components_of(Gaussian(0.8)(points))
    ridge = fitted_to(design, second, 3).ridge

    def deviance(b):
        scores = design @ b
        return np.logaddexp(0, scores).sum() - scores[second].sum() + ridge * b[1:] @ b[1:] / 2

    b = minimize(deviance, np.zeros(design.shape[1]), tol=1e-12).x
    r = second - 1 / (1 + np.exp(-design @ b))
    left = np.eye(45) - regression.weights(points).T
    K, F = Gaussian(0.8)(points), left @ Gaussian(1.1)(outcomes) @ left.T
    brute = sum(r[i] * r[j] * K[i, j] * F[i, j] for i in range(45) for j in range(45)) / 45**2
    assert found.statistic == pytest.approx(brute, rel=1e-4)  # as far as minimize comes


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("rank", [2, 40])
def test_what_a_regression_leaves_is_that_of_its_weights(ties, rank):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, 40) * 1.0 if ties else rng.normal(size=40)
    A = rng.normal(size=(40, rank))
    for lam in (1e-9, 0.1, 10.0) if ties else (1e-3, 0.1, 10.0):
        left = np.eye(40) - ConditionalEmbedding(UNIT, UNIT, lam).fit(x, x).weights(x).T
        np.testing.assert_allclose(Refits(UNIT(x), A @ A.T).residual_products(lam), left @ A @ A.T @ left.T, atol=1e-7)


def test_twenty_components_stand_for_a_kernel_and_fewer_for_few_rows():
    x = np.random.default_rng(0).normal(size=90)
    design = components_of(UNIT(x))
    assert design.shape == (90, 21)
    assert (design[:, 0] == 1).all()
    H = np.eye(90) - 1 / 90
    np.testing.assert_allclose(design[:, 1:] @ design[:, 1:].T, H @ UNIT(x) @ H, atol=1e-8)  # as 20 are nearly all
    assert components_of(UNIT(x[:12])).shape == (12, 4)


# invariances ---------------------------------------------------------------------------------------------------------


def test_neither_the_order_of_rows_nor_that_of_samples_nor_units_matter():
    x, y, x2, y2 = sine(20, 30)
    odds, how = np.exp(np.r_[x, x2]), {"lam": 0.1, "n_resamples": 19, "rng": 0}  # λ is sought to some digits
    one = conditional_test(x, y, x2, y2, odds=odds, **how)
    order = np.random.default_rng(1).permutation(20)
    other = conditional_test(x[order], y[order], x2, y2, odds=np.exp(np.r_[x[order], x2]), **how)
    swapped = conditional_test(x2, y2, x, y, odds=1 / np.exp(np.r_[x2, x]), **how)
    scaled = conditional_test(1024 * x - 5, 3 - 8 * y, 1024 * x2 - 5, 3 - 8 * y2, odds=7 * odds, **how)
    for each in (other, swapped, scaled):
        assert each.statistic == pytest.approx(one.statistic, rel=1e-9)
        assert each.overlap == pytest.approx(one.overlap, rel=1e-9)
    assert scaled.pvalue == one.pvalue
    np.testing.assert_allclose(np.r_[swapped.odds[30:], swapped.odds[:30]], 1 / one.odds, rtol=1e-8)


def test_units_of_one_column_of_several_do_not_matter():
    rng = np.random.default_rng(0)
    x, x2, y, y2 = rng.normal(size=(40, 3)), rng.normal(0.5, 1, (30, 3)), rng.normal(size=40), rng.normal(size=30)
    units = np.array([1.0, 1024.0, 2.0**-10])
    one = conditional_test(x, y, x2, y2, lam=0.1, n_resamples=99, rng=0)
    other = conditional_test(x * units, y, x2 * units, y2, lam=0.1, n_resamples=99, rng=0)
    assert (one.pvalue, one.statistic) == (other.pvalue, pytest.approx(other.statistic, rel=1e-9))
    constant = conditional_test(np.c_[x, np.ones(40)], y, np.c_[x2, np.ones(30)], y2, lam=0.1, n_resamples=99, rng=0)
    assert constant.statistic == pytest.approx(one.statistic, rel=1e-9)


def test_a_seed_repeats_it_and_more_draws_only_append():
    given = sine(20, 20)
    for how in ({}, {"odds": np.ones(40)}):
        few, many = (conditional_test(*given, n_resamples=B, rng=5, **how) for B in (19, 199))
        np.testing.assert_array_equal(few.null_distribution, many.null_distribution[:19])


# x of few values -----------------------------------------------------------------------------------------------------


def test_labels_are_permuted_among_rows_of_equal_x():
    """p against all 6 * 4 = 24 assignments, whatever else is known of words."""
    words, y = np.array(list("aabbb") + list("aabbb")), np.random.default_rng(0).normal(size=10)
    second = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], dtype=bool)
    found = conditional_test(words[:5], y[:5], words[5:], y[5:], Delta(), UNIT, lam=0.3, n_resamples=9_999, rng=0)
    products = Delta()(words[:, None]) * residual_products(Delta()(words[:, None]), UNIT(y), 0.3)[0]
    sets = [np.isin(np.arange(10), some) for some in itertools.combinations(range(10), 5)]
    sets = np.array([each for each in sets if each[words == "a"].sum() == 2])
    assert len(sets) == 6 * 20
    all_of = squared_norms(sets - 0.5, products)
    exact = np.mean(all_of >= squared_norms(second[None] - 0.5, products) - 1e-12)
    assert found.statistic == pytest.approx(float(squared_norms(second[None] - 0.5, products)[0]))
    assert found.pvalue == pytest.approx(exact, abs=4.5 * (exact * (1 - exact) / 9_999) ** 0.5 + 1e-4)
    assert found.overlap == pytest.approx(1.0)
    assert "groups of equal x" in found.resamples


def test_without_overlap_a_warning_says_so():
    rng = np.random.default_rng(0)
    y, y2 = rng.normal(size=(2, 30))
    with pytest.warns(ExplorerWarning, match="overlap"):
        none = conditional_test(np.zeros(30), y, np.ones(30), y2 + 5, n_resamples=19, rng=0)
    assert (none.pvalue, none.overlap) == (1.0, 0.0)
    with pytest.warns(ExplorerWarning, match="overlap"):
        found = conditional_test(rng.normal(size=30), y, rng.normal(50.0, 1.0, 30), y2, n_resamples=19, rng=0)
    assert found.overlap < 0.1


# tables --------------------------------------------------------------------------------------------------------------


def tables(seed=0):
    rng = np.random.default_rng(seed)
    found = []
    for n, shift in ((40, 0.0), (50, 1.0)):
        age = rng.normal(shift, 1.0, n)
        frame = {"age": age, "ward": rng.choice(["n", "s"], n), "price": age + rng.normal(size=n)}
        found.append(pd.DataFrame(frame))
    return found


def test_columns_of_tables_meet_by_name():
    a, b = tables()
    by_name = conditional_test(a, b[["price", "ward", "age"]], y="price", n_resamples=99, rng=0)
    again = conditional_test(a, b, y=["price"], n_resamples=99, rng=0)
    apart = conditional_test(a[["age", "ward"]], a.price, b[["age", "ward"]], b.price, n_resamples=99, rng=0)
    assert by_name.pvalue == again.pvalue == apart.pvalue
    assert by_name.columns == (("age", "ward"), ("price",))
    numbers = conditional_test(a[["age", "price"]], b[["age", "price"]], y="price", n_resamples=99, rng=0)
    arrays = conditional_test(a.age.to_numpy(), a.price.to_numpy(), b.age, b.price, n_resamples=99, rng=0)
    assert (numbers.pvalue, numbers.statistic) == (arrays.pvalue, arrays.statistic)
    assert len(numbers.to_dict()["odds"]) == 90
    assert "held" not in numbers.to_dict()
    assert str(numbers).count("overlap") == 1


def test_each_side_has_its_conditional_embedding():
    x, y, x2, y2 = sine(60, 60, change=lambda x: 2.0)
    found = conditional_test(x, y, x2, y2, n_resamples=19, rng=0)
    first, second = found.witness(0.5)
    by_hand = ConditionalEmbedding(found.kernel[0], found.kernel[1]).fit(x2, y2).predict(0.5)
    assert second.mean()[0] == pytest.approx(by_hand[0])
    assert second.mean()[0] - first.mean()[0] == pytest.approx(2.0, abs=0.5)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ((X, Y), ("X", "Y", "X2", "Y2")),
        ((X, Y, X, Y[:5]), ("X2", "6", "Y2", "5")),
        ((X[:2], Y[:2], X[:2], Y[:2]), ("2", "6")),
        ((np.zeros(6001), np.zeros(6001), X, Y), ("6000",)),
        ((np.c_[X, X], Y, X, Y), ("X2",)),
    ],
)
def test_what_is_refused(arguments, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        conditional_test(*arguments)


def test_as_many_rows_as_stored_gram_matrices_may_have(monkeypatch):
    sides = X[:3], Y[:3], X[3:], Y[3:]
    monkeypatch.setattr("explorer.conditional.change.LARGE", 6)
    assert (found := conditional_test(*sides, UNIT, UNIT, odds=ODDS, n_resamples=1, rng=0)).n + found.m == 6
    monkeypatch.setattr("explorer.conditional.change.LARGE", 5)
    with pytest.raises(Refusal, match=naming("6", "5")):
        conditional_test(*sides, UNIT, UNIT, odds=ODDS)


def test_many_columns_need_many_rows_and_are_columns_of_the_regression_too():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 40)), rng.normal(size=60)
    with pytest.raises(Refusal, match=naming("40", "60", "odds")):
        conditional_test(x[:30], y[:30], x[30:], y[30:], rng=0)
    conditional_test(x[:30], y[:30], x[30:], y[30:], odds=np.ones(60), n_resamples=19, rng=0)
    x, y = rng.normal(size=(200, 20)), rng.normal(size=200)
    second = x[:, 0] + 0.1 * rng.normal(size=200) > 0  # a line that few components of a kernel have
    found = conditional_test(x[~second], y[~second], x[second], y[second], n_resamples=19, rng=0)
    order = np.r_[x[~second, 0], x[second, 0]]
    assert np.corrcoef(np.log(found.odds), order)[0, 1] > 0.9


def test_options_that_are_refused():
    a, b = tables()
    for odds, parts in (
        (np.ones(5), ("odds", "(5,)", "12")),
        (np.zeros(12), ("odds", "0")),
        (np.full(12, np.nan), ("odds", "NaN")),
    ):
        with pytest.raises(Refusal, match=naming(*parts)):
            conditional_test(X, Y, X, Y, odds=odds)
    for arguments, name, parts in (
        ((a, b), "prize", ("'prize'",)),
        ((a, b), ["age", "ward", "price"], ("y", "x")),
        ((a, b), [], ("y", "empty")),
        ((X, Y), "price", ("y", "DataFrames")),
        ((a, b, a, b), "price", ("X2", "Y2")),
    ):
        with pytest.raises(Refusal, match=naming(*parts)):
            conditional_test(*arguments, y=name)
    with pytest.raises(Refusal, match="lam"):
        conditional_test(X, Y, X, Y, lam=0.0)
    with pytest.raises(WrongType, match="rng"):
        conditional_test(*sine(20, 20), rng="seed")


# level and power -----------------------------------------------------------------------------------------------------


def rejections(count, test):
    return sum(test(seed).pvalue <= 0.05 for seed in range(count))


def test_it_sees_what_cancels_over_x_and_not_a_change_of_x():
    half = sine(100, 100, seed=4, change=lambda x: 0.5 * np.sign(x - 0.5))
    assert conditional_test(*half, n_resamples=99, rng=0).pvalue <= 0.05
    same = sine(100, 100, seed=4)
    assert conditional_test(*same, n_resamples=99, rng=0).pvalue > 0.05
    assert mmd_test(np.column_stack(same[:2]), np.column_stack(same[2:]), n_resamples=99, rng=0).pvalue <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fitted", "odds"])
def test_the_level(how):
    """400 samples of 50 + 50: rejections within the binomial limits of .05 at 1 in 1,000."""

    def test(seed):
        x, y, x2, y2 = sine(50, 50, seed)
        known = {"odds": np.exp(np.r_[x, x2])} if how == "odds" else {}
        return conditional_test(x, y, x2, y2, n_resamples=39, rng=seed, **known)

    assert binom.ppf(0.001, 400, 0.05) <= rejections(400, test) <= binom.isf(0.001, 400, 0.05)


@pytest.mark.slow
def test_it_has_the_power_of_a_treatment_test_and_more_if_effects_cancel():
    """100 samples of 100 + 100. Measured of 200: .98 where treatment_test has about .5."""

    def of_both(seed):
        x, y, x2, y2 = sine(100, 100, seed, lambda x: 0.5 * np.sign(x - 0.5))
        ours = conditional_test(x, y, x2, y2, n_resamples=39, rng=seed).pvalue
        points, outcomes = np.r_[x, x2], np.r_[y, y2]
        return ours, treatment_test(points, outcomes, np.arange(200) >= 100, n_resamples=39, rng=seed).pvalue

    ours, theirs = np.array([of_both(seed) for seed in range(100)]).T
    assert np.mean(ours <= 0.05) >= 0.85
    assert np.mean(ours <= 0.05) > np.mean(theirs <= 0.05) + 0.2
