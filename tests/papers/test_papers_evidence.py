"""Effects and their intervals: by second methods, and how often they hold the truth."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from helpers.naming import naming
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, quantile_test, t, ttest_1samp

from explorer.papers.catalogue import ENTRIES
from explorer.papers.effect import Case, Effect, averaged, in_each, strongest
from explorer.papers.entry import Cell
from explorer.papers.evidence import (
    gain_along,
    loss,
    mean,
    median,
    median_error,
    orders,
    paired_rates,
    rejections,
    relative_loss,
    share,
    skew_reaches,
    student,
)
from explorer.papers.monk.claims import spread_along_n


def covers(intervals, truth, least=0.95):
    """Return whether a share `least` or more of intervals (count, 2) hold the truth, up to chance (one in 10 000)."""
    low, high = np.array(intervals).T
    inside = int(((low <= truth) & (truth <= high)).sum())
    return inside >= binom.ppf(1e-4, len(low), least)


# losses ---------------------------------------------------------------------------------------------------------------


def test_the_relative_loss_is_a_ratio_of_means_by_the_delta_method():
    rng = np.random.default_rng(1)
    K = 1 + rng.exponential(size=30)
    L = 0.9 * K + 0.1 * rng.normal(size=30)
    found = relative_loss({"ours": L, "KME": K}, "ours", "KME")
    ratio = L.mean() / K.mean()
    # the gradient of a ratio of means: (1/m_K, -r/m_K); its variance by the covariance matrix
    gradient = np.array([1, -ratio]) / K.mean()
    error = math.sqrt(gradient @ np.cov(L, K) @ gradient / 30)
    below, above = error * np.maximum(hall_s_ends(L - ratio * K, 0.975), t.ppf(0.975, 29))
    assert found[:3] == pytest.approx((ratio - 1, ratio - 1 - below, ratio - 1 + above + above**2 / (2 * ratio)))
    assert (found.wins, found.samples) == ((L < K).sum(), 30)
    assert found.majority == (binomtest(found.wins, 30).pvalue <= 0.05 and found.wins > 15)


def hall_s_ends(d, q):
    """Return the number of standard errors of Hall's interval down and up: his cube of t, solved by bisection."""
    n, root = len(d), math.sqrt(len(d))
    g = n**2 / ((n - 1) * (n - 2)) * np.mean((d - d.mean()) ** 3) / d.std(ddof=1) ** 3

    def cube(x):
        return x + g * x**2 / (3 * root) + g**2 * x**3 / (27 * n) + g / (6 * root)

    low, high = (brentq(lambda x, end=end: cube(x) - end, -1e3, 1e3) for end in t.ppf([1 - q, q], n - 1))
    return high, -low  # t is too large where the mean is, so that its high end is how far down the truth may be


@pytest.mark.parametrize("n", [3, 10, 40])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.9995])
def test_the_reach_of_skew_numbers_is_hall_s_or_student_s(n, confidence):
    q = (1 + confidence) / 2
    for seed in range(20):
        d = np.random.default_rng(seed).exponential(size=n)
        d -= d.mean()
        expected = np.maximum(hall_s_ends(d, q), t.ppf(q, n - 1)) * d.std(ddof=1) / math.sqrt(n)
        assert skew_reaches(d, confidence) == pytest.approx(expected)
        assert skew_reaches(-d, confidence) == pytest.approx(expected[::-1])
    symmetric = np.concatenate([d, -d])
    reach = t.ppf(0.975, 2 * n - 1) * symmetric.std(ddof=1) / math.sqrt(2 * n)
    assert skew_reaches(symmetric) == pytest.approx((reach, reach))
    assert skew_reaches(np.zeros(n)) == (0, 0)


LOSSES = {  # a study, a cell, and whose losses are compared
    "linear kernel": ("shrinkage-figure-1", {"kernel": "LIN", "c": 0.1, "n": 10, "d": 30}, "F-KMSE", "KME"),
    "cubic kernel": ("shrinkage-figure-1", {"kernel": "POLY3", "c": 1.0, "n": 10, "d": 30}, "S-KMSE", "KME"),
    "rules": ("article-rules", {"n": 50}, "Bayes' rule, printed", "Bayes' rule"),
    "trees": ("article-propagation", {"n": 50}, "belief propagation", "rows that agree"),
    "conditional": ("article-conditional", {"n": 50}, "the matrix's n^(-1/2)", "the operator's n^(-1/2)"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if case in ("rules", "conditional") else ()) for case in LOSSES]
)
def test_its_interval_holds_the_ratio_of_the_papers_own_losses(case):
    """2,000 draws of 10, 20 and 40 replicates out of 1,500, whose own ratio is the true one."""
    name, cell, ours, rival = LOSSES[case]
    many = [ENTRIES[name].study(**cell, seed=seed) for seed in range(1, 1501)]
    L, K = (np.array([each[who] for each in many]) for who in (ours, rival))
    rng = np.random.default_rng(0)
    for n in (10, 20, 40):
        draws = (rng.integers(len(L), size=n) for _ in range(2000))
        intervals = [relative_loss({"a": L[i], "b": K[i]}, "a", "b")[1:3] for i in draws]
        assert covers(intervals, L.mean() / K.mean() - 1, 0.95), n


PAIRS = {  # samplers of losses with equal means: a generator -> (K, a factor) and how many
    "squares of five numbers": lambda rng, n: (rng.chisquare(5, n) / 5, 0.5 + 0.5 * rng.chisquare(5, n) / 5),
    "exponential, of other samples": lambda rng, n: rng.exponential(size=(2, n)),
    "squares, of other samples": lambda rng, n: rng.chisquare(1, (2, n)),
    "log-normal": lambda rng, n: np.exp(
        0.5 * rng.normal(size=n) * np.ones((2, 1)) + [[0.0], [1.0]] * rng.normal(0, 0.3, n)
    ),
}


@pytest.mark.parametrize("n", [10, 20, 40])
@pytest.mark.parametrize("kind", PAIRS)
def test_its_interval_holds_the_true_ratio_of_skew_losses(kind, n):
    """Student's holds it in 88 to 93 % of draws of 10."""
    rng, intervals = np.random.default_rng(n), []
    factor = math.exp(0.045) if kind == "log-normal" else 1.0
    for _ in range(2000):
        K, L = PAIRS[kind](rng, n)
        intervals.append(relative_loss({"KME": K, "ours": 0.8 * L / factor}, "ours", "KME")[1:3])
    assert covers(intervals, -0.2, 0.94)  # with an error of one in 10 000, 0.925


def test_its_interval_holds_the_true_ratio():
    rng = np.random.default_rng(0)
    intervals = []
    for _ in range(1000):
        K = 1 + rng.exponential(size=30)
        found = relative_loss({"KME": K, "ours": 0.9 * K + 0.2 * rng.normal(size=30)}, "ours", "KME")
        intervals.append(found[1:3])
    assert covers(intervals, -0.1)


def test_equal_losses_are_a_tie_without_a_majority():
    K = np.arange(1.0, 9.0)
    assert relative_loss({"a": K, "b": K}, "a", "b") == Effect(0.0, 0.0, 0.0, "b", 0, 8, False)


def test_the_strongest_of_rivals_is_judged_as_one_and_the_interval_holds():
    """Three rivals that are alike: the largest of three numbers has three chances to be large."""
    rng, intervals = np.random.default_rng(2), []
    measure = loss("ours", "a", "b", "c")
    for _ in range(500):
        K = 1 + rng.random((4, 40))
        (found,) = measure.cases([Cell({}, dict(zip(("ours", "a", "b", "c"), K, strict=True)))])
        intervals.append(found.effect(0.95)[1:3])
    assert covers(intervals, 0.0)
    effects = [lambda c: Effect(1.0, 0.9, 1.1, "a"), lambda c: Effect(2.0, 2 - c, 2 + c, "b")]
    assert strongest(effects, 0.9) == Effect(2.0, 2 - 0.95, 2 + 0.9, "b")
    assert strongest(effects[:1], 0.9) == Effect(1.0, 0.9, 1.1, "a")


def test_an_average_holds_the_truth_however_its_cases_depend():
    """Means of 12 normal numbers: the same ones in every cell, or others."""
    rng = np.random.default_rng(3)
    for alike in (True, False):
        intervals = []
        for _ in range(400):
            x = rng.normal(size=(1 if alike else 5, 12))
            intervals.append(averaged([student(x[i % len(x)]) for i in range(5)])[1:3])
        assert covers(intervals, 0.0)


# rejections -----------------------------------------------------------------------------------------------------------


def test_paired_rates_by_hand():
    first = np.array([True] * 6 + [False] * 14)
    second = np.array([False] * 5 + [True] * 3 + [False] * 12)  # 5 first alone, 1 both, 2 second alone
    found = paired_rates(first, second)
    p, q = 6 / 22, 3 / 22
    assert found.value == pytest.approx((2 - 5) / 20)
    assert (found.low + found.high) / 2 == pytest.approx(q - p)
    assert (found.high - found.low) / 2 == pytest.approx(1.959964 * math.sqrt((p + q - (p - q) ** 2) / 22))
    assert (found.wins, found.samples) == (5, 20)


@pytest.mark.parametrize(("p", "q"), [(0.0, 0.0), (0.05, 0.05), (0.3, 0.1), (0.5, 0.02), (0.02, 0.0)])
@pytest.mark.parametrize("count", [20, 100])
def test_paired_rates_hold_the_true_difference(p, q, count):
    """The first alone rejects with probability p, the second alone with q; the coverage is near 95 %, rarely below."""
    rng, intervals = np.random.default_rng(4), []
    for u in rng.random((1500, count)):
        intervals.append(paired_rates(u < p, u > 1 - q)[1:3])
    assert covers(intervals, q - p, 0.94)


def test_rejections_at_several_levels_are_cases_of_their_own():
    table = {"MKME": np.array([0.01, 0.08, 0.2]), "KME": np.array([0.2, 0.12, 0.01])}
    measure = rejections("MKME", "KME", "F-KMSE", levels=(0.05, 0.10))  # a rival that was not computed is left out
    found = measure.cases([Cell({"eta": 0.1}, table), Cell({"eta": 0.2}, table)])
    assert [case.where for case in found] == [
        "eta = 0.1, α = 0.05",
        "eta = 0.1, α = 0.1",
        "eta = 0.2, α = 0.05",
        "eta = 0.2, α = 0.1",
    ]
    assert found[0].effect(0.95) == paired_rates([True, False, False], [False, False, True])._replace(rival="KME")
    assert found[1].effect(0.95) == paired_rates([True, True, False], [False, False, True])._replace(rival="KME")
    assert re.search(naming("MKME", "more often", "KME", 33.3), measure.tell(found[1].effect(0.95)))
    assert measure.below(0.0) == "above 0"  # more rejections are better, and counted below zero


def test_shares_are_clopper_and_pearsons():
    measure = share("it rejected", lambda cell, name: cell.table[name] <= 0.05, ("a", "b"))
    first, second = measure.cases([Cell({}, {"a": np.array([0.01] * 3 + [0.5] * 17), "b": np.ones(20)})])
    expected = binomtest(3, 20).proportion_ci(0.9)
    assert first.effect(0.9)[:3] == pytest.approx((0.15, expected.low, expected.high))
    assert second.effect(0.95)[:2] == (0.0, 0.0)
    assert re.search(naming("3 of 20"), measure.sentence(first.effect(0.9)))


# medians and means ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3, 8, 20, 41])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_interval_of_a_median_is_scipys(count, confidence):
    x = np.random.default_rng(count).exponential(size=count)
    expected = quantile_test(x, q=0, p=0.5).confidence_interval(confidence)
    found = median(x, confidence)
    assert found.value == np.median(x)
    assert found.low == (expected.low if np.isfinite(expected.low) else 0.0)
    assert found.high == (expected.high if np.isfinite(expected.high) else math.inf)


def test_orders_hold_the_ratio_of_the_medians():
    rng, intervals = np.random.default_rng(5), []
    for _ in range(500):
        x = rng.exponential(size=25)
        intervals.append(orders(x, 3 * x * np.exp(0.3 * rng.normal(size=25)))[1:3])
    assert covers(intervals, -math.log10(3))
    assert orders(np.full(9, 50.0), 5.0)[:3] == pytest.approx((1.0, 1.0, 1.0))


def test_a_median_of_zero_is_infinitely_many_orders_below():
    found = orders(np.full(30, 2.0), np.zeros(30))
    assert found[:3] == (math.inf, math.inf, math.inf)
    measure = median_error(("U",), "zero", "that of 0")
    assert re.search(naming("median error", "above 0"), measure.sentence(found._replace(rival="that of 0")))


def test_means_are_students():
    x = np.random.default_rng(6).normal(size=12)
    expected = ttest_1samp(x, 0).confidence_interval(0.99)
    measure = mean("the gap", lambda cell, label: cell.table["x"])
    (found,) = measure.cases([Cell({}, {"x": x})])
    assert found.effect(0.99)[:3] == pytest.approx((x.mean(), expected.low, expected.high))
    assert measure.sentence(found.effect(0.99)) == f"The gap is {x.mean():+.3g}"


def test_cases_are_named_by_what_differs():
    cells = [Cell({"n": n, "d": 2}, {"a": n}) for n in (1, 2)]
    found = in_each(cells, lambda cell, label, confidence: (cell.table["a"], label, confidence), ("x", "y"))
    assert [case.where for case in found] == ["n = 1, x", "n = 1, y", "n = 2, x", "n = 2, y"]
    assert [case.effect(0.5) for case in found] == [(1, "x", 0.5), (1, "y", 0.5), (2, "x", 0.5), (2, "y", 0.5)]
    assert in_each([], None) == []


# along an axis --------------------------------------------------------------------------------------------------------


def along(axis, tables):
    return [Cell({axis: value, "k": "RBF"}, table) for value, table in tables.items()]


def test_a_gain_that_grows_is_found_at_the_right_end():
    K = np.linspace(1, 2, 20)
    cells = along("n", {100: {"KME": K, "S": 0.99 * K}, 10: {"KME": K, "S": 0.8 * K}, 50: {"KME": K, "S": 0.9 * K}})
    (small,) = gain_along("S", "KME", "n", ascending=False).cases(cells)
    (large,) = gain_along("S", "KME", "n", ascending=True).cases(cells)
    assert small.effect(0.95)[:3] == pytest.approx((-0.19, -0.19, -0.19))
    assert large.effect(0.95).value == pytest.approx(0.19)
    assert small.where == "k = RBF, n = 10 and 100"
    assert gain_along("S", "KME", "n", True).cases(cells[:1]) == []  # one value is not an axis


def test_the_interval_of_a_difference_of_gains_holds_with_common_and_other_samples():
    rng = np.random.default_rng(8)
    for common in (True, False):
        intervals = []
        for _ in range(300):
            K, M = 1 + rng.random((2, 30))
            first = {"KME": K, "S": 0.8 * K + 0.1 * rng.normal(size=30)}
            M = K if common else M
            cells = along("n", {1: first, 2: {"KME": M, "S": 0.9 * M + 0.1 * rng.normal(size=30)}})
            (case,) = gain_along("S", "KME", "n", ascending=False).cases(cells)
            intervals.append(case.effect(0.95)[1:3])
        assert covers(intervals, -0.1)


def test_spreads_are_compared_by_f():
    rng, intervals = np.random.default_rng(9), []
    for _ in range(500):
        cells = [Cell({"panel": "EI-IE", "n": n}, {"U": sd * rng.normal(size=12)}) for n, sd in ((60, 1.0), (20, 2.0))]
        (case,) = spread_along_n("U").cases(cells)
        intervals.append(case.effect(0.95)[1:3])
    assert isinstance(case, Case)
    assert covers(intervals, -math.log10(2))
