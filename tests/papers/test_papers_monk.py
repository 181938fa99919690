"""Figure 1 of paper 004: one replicate by the public API, what is true of its claims, and another reproduction."""

import pickle
from functools import cache

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, Polynomial, mmd2, monk_mmd
from explorer.papers.monk.errors import FIGURE_1, PANELS, draw, figure_1, laws, truth, u_mmd

pytestmark = pytest.mark.thorough


@cache
def losses(panel, n, replicates):
    """Return {estimator: |errors| (replicates,)}."""
    rows = [figure_1(panel, n, seed) for seed in range(replicates)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def median(panel, n, replicates, name):
    return float(np.median(losses(panel, n, replicates)[name]))


# one replicate
# -----------------------------------------------------------------------------------------------------------


def test_the_true_mmds():
    """1.114 and .317 as in another reproduction.

    The first by the moments, 2c (μ - μ')^2 + (μ^2 + σ^2 - μ'^2 - σ'^2)^2, c = 1.
    """
    by_moments = np.sqrt(2 * 0.4**2 + (0.35**2 + 0.45**2 - 0.75**2 - 0.85**2) ** 2)
    assert truth("a") == truth("b") == pytest.approx(by_moments, rel=1e-12)
    assert round(truth("a"), 3) == 1.114
    assert truth("d") == truth("e")
    assert round(truth("d"), 3) == 0.317
    assert truth("c") == truth("f") == 0


@pytest.mark.parametrize("panel", PANELS)
def test_a_replicate_is_the_error_of_the_front_door(panel):
    X, Y = draw(panel, 60, 3)
    k = Polynomial(2) if panel in "abc" else Gaussian(1.0)
    row = figure_1(panel, 60, 3)
    U = mmd2(X, Y, k)
    expected = {"U": abs(U) ** 0.5, "U, clipped": max(U, 0) ** 0.5, "U, printed": U}
    for Q in (5, 11, 21):
        for name, method in (("BCD", "bcd"), ("Fast", "bcd-fast")):
            result = monk_mmd(X, Y, k, Q, method, rng=3)
            expected |= {f"{name} {Q}": result.value, f"{name} {Q}, last": result.history[-1]}
        kept = monk_mmd(X, Y, k, Q, "bcd-fast", rng=3, printed="kept")
        expected |= {
            f"Fast {Q}, kept": kept.history[-1],
            f"direction {Q}": monk_mmd(X, Y, k, Q, "direction", rng=3).value,
        }
    assert row == {name: abs(value - truth(panel)) for name, value in expected.items()}
    assert all(type(value) is float for value in row.values())


def test_the_samples_are_those_of_the_paper():
    for panel, (experiment, _) in PANELS.items():
        X, Y = draw(panel, 2000, 0)
        assert X.shape == Y.shape == (2000, 1)
        if experiment == "pareto":
            assert min(X.min(), Y.min()) >= 1
            continue
        spoilt = 5 if experiment == "outliers" else 0
        assert (X > 100).sum() == (Y > 100).sum() == spoilt
        if spoilt:
            np.testing.assert_array_equal(X[-5:], 2000)
            np.testing.assert_array_equal(Y[-5:], 4000)
        for z, mean, sd in ((X[:1995], 0.35, 0.45), (Y[:1995], 0.75, 0.85)):
            assert abs(z.mean() - mean) < 4.5 * sd / np.sqrt(1995)
            assert abs(z.std() / sd - 1) < 4.5 / np.sqrt(2 * 1995)
    P, Q = laws("clean")
    assert P != Q
    assert laws("pareto")[0] == laws("pareto")[1]


def test_panels_share_their_samples_and_seeds_do_not():
    np.testing.assert_array_equal(draw("a", 30, 1), draw("d", 30, 1))
    np.testing.assert_array_equal(draw("a", 30, 1)[0][:25], draw("b", 30, 1)[0][:25])
    assert (draw("a", 30, 1)[0] != draw("a", 30, 2)[0]).all()
    assert (draw("c", 30, 1)[0] != draw("c", 30, 1)[1]).all()
    assert figure_1("a", 30, 1) == figure_1("a", 30, np.int64(1))


def test_a_study_can_be_sent_to_a_worker_and_its_losses_back():
    assert pickle.loads(pickle.dumps(figure_1)) is figure_1
    row = figure_1("f", 21, 0)
    assert pickle.loads(pickle.dumps(row)) == row


def test_the_grids_are_cells_of_the_study():
    (fast,), (full,) = FIGURE_1["fast"], FIGURE_1["full"]
    assert fast.axes["panel"] == full.axes["panel"] == tuple("abcdef")
    assert set(fast.axes["n"]) < set(full.axes["n"]) == set(range(200, 2001, 200))
    assert fast.replicates < full.replicates == 100


def test_equation_8_as_printed_is_a_square_that_may_be_negative():
    """Erratum E-16."""
    assert u_mmd(-0.25) == u_mmd(0.25) == 0.5
    assert u_mmd(-0.25, "clipped") == 0
    assert u_mmd(-0.25, printed=True) == -0.25
    negative = [mmd2(*draw("f", 40, seed), Gaussian(1.0)) < 0 for seed in range(20)]
    assert 4 <= sum(negative) <= 18  # half or more of the samples of two equal laws


@pytest.mark.parametrize(
    ("error", "parts", "arguments"),
    [
        (ValueError, ("panel", "a", "b", "c", "d", "e", "f", "'g'"), {"panel": "g"}),
        (ValueError, ("panel",), {"panel": ["a"]}),
        (ValueError, ("n", "21", "20"), {"n": 20}),
        (TypeError, ("n", "whole number"), {"n": 200.0}),
        (ValueError, ("seed", "0"), {"seed": -1}),
        (TypeError, ("seed", "whole number", "None"), {"seed": None}),
    ],
)
def test_bad_arguments_get_a_sentence(error, parts, arguments):
    with pytest.raises(error, match=naming(*parts)):
        figure_1(**{"panel": "a", **arguments})
    with pytest.raises(ValueError, match=naming("rule", "'magnitude'", "'clipped'", "'root'")):
        u_mmd(1.0, "root")


# verdicts
# ----------------------------------------------------------------------------------------------------------------


def check_claim_1(panel, ns, replicates, close):
    """Check that the accuracy is "of the same order" as U's on clean data.

    It is for BCD, at the rate N^(-1/2), and not for BCD-Fast with Q >= 11.
    """
    for n in ns:
        U = median(panel, n, replicates, "U")
        for Q in (5, 11, 21):
            assert U / close < median(panel, n, replicates, f"BCD {Q}") < close * U, (n, Q)
        assert median(panel, n, replicates, "Fast 11") > 2 * U
        assert median(panel, n, replicates, "Fast 21") > median(panel, n, replicates, "Fast 11")
    fall = np.log(median(panel, ns[-1], replicates, "BCD 11") / median(panel, ns[0], replicates, "BCD 11"))
    # the logarithm of a median |error| has a standard error of 1.2 / sqrt(replicates), about
    assert abs(fall + np.log(ns[-1] / ns[0]) / 2) < 4.5 * np.sqrt(2) * 1.2 / np.sqrt(replicates)


def check_claim_2(n, replicates):
    """Check "Even a small number of outliers can completely ruin traditional MMD estimators": true, and also for Q = 5.

    Q = 11 and 21 hold.

    The outliers' features differ by 2 · 2000 · sqrt(2) and 1.2e7. U sees 5 / n of this difference.
    """
    exact = np.hypot(np.sqrt(2) * 2000, 4000**2 - 2000**2) * 5 / n
    for name in ("U", "BCD 5"):
        assert 0.75 * exact < median("b", n, replicates, name) < 1.5 * exact
    # five blocks fall, of eleven: the median of the rest is nearly their maximum (E-21); 21 leave it room
    values = losses("b", n, replicates)
    assert values["BCD 11"].max() < 3
    assert median("b", n, replicates, "BCD 21") < median("b", n, replicates, "BCD 11") < 0.7
    for Q in (11, 21):
        assert (values[f"direction {Q}"] < 3).all()
        assert (values[f"Fast {Q}"] < 1.2).all()


def check_claim_3(n, replicates):
    """Check "Resistant by construction" for a bounded kernel: true of U. BCD-Fast is "comparable" for Q = 5 at most."""
    for name in ("U", "BCD 5", "BCD 11", "BCD 21"):
        assert median("e", n, replicates, name) < 2 * median("d", n, replicates, "U") + 5 / n
    U = median("e", n, replicates, "U")
    assert median("e", n, replicates, "Fast 5") < 3 * U
    assert median("e", n, replicates, "Fast 11") > 2 * U
    assert median("e", n, replicates, "Fast 21") > 3.5 * U


def check_claim_4(n, replicates):
    """Check "MONK more robust than U" on Pareto, quadratic: true of sqrt|U|, and not of sqrt(max(U, 0)).

    The latter is often 0. BCD-Fast looks best because it is biased towards 0, which is the truth.
    """
    row = losses("c", n, replicates)
    assert np.median(row["BCD 21"]) < 0.9 * np.median(row["U"])
    assert np.mean(row["BCD 21"] < row["U"]) > 0.6
    assert np.mean(row["U, clipped"] == 0) > 0.25
    assert np.median(row["U, clipped"]) < np.median(row["BCD 21"])
    assert np.median(row["Fast 21, last"]) < np.median(row["BCD 21"])


def test_claim_1_clean_data_bcd_is_as_good_and_fast_is_not():
    check_claim_1("a", (200, 600), 10, close=1.6)
    check_claim_1("d", (200,), 10, close=1.6)


def test_claim_2_outliers_ruin_u_and_too_few_blocks():
    check_claim_2(200, 6)


def test_claim_3_a_bounded_kernel_needs_no_blocks():
    check_claim_3(200, 10)


def test_claim_4_pareto_depends_on_the_root_of_a_negative_number():
    check_claim_4(600, 12)


# another reproduction
# ---------------------------------------------------------------------------------------------------- ln of the median
# |error| as other code gave it, 30 runs, other random numbers, at N = 200, 600, 1000, 2000

PRINTED = {
    ("a", "U"): "-2.5 -3.0 -3.3 -3.8",
    ("a", "BCD 5, last"): "-2.4 -2.9 -3.0 -3.8",
    ("a", "BCD 11, last"): "-2.3 -2.8 -2.7 -4.0",
    ("a", "BCD 11"): "-2.5 -3.0 -3.3 -3.7",
    ("a", "BCD 21, last"): "-2.2 -2.4 -2.8 -3.7",
    ("a", "BCD 21"): "-2.3 -2.9 -3.3 -4.0",
    ("a", "Fast 5, last"): "-1.4 -1.8 -2.1 -2.6",
    ("a", "Fast 21, kept"): "-0.3 -0.8 -0.8 -1.1",
    ("b", "U"): "12.4 11.3 10.8 10.1",
    ("b", "BCD 5, last"): "12.6 11.5 11.0 10.3",
    ("b", "BCD 11, last"): "-0.9 -1.5 -1.7 -2.2",
    ("b", "BCD 11"): "-0.9 -1.3 -1.6 -2.1",
    ("b", "BCD 21, last"): "-2.0 -2.4 -2.3 -2.6",
    ("b", "BCD 21"): "-1.8 -2.1 -2.4 -2.7",
    ("b", "Fast 5, last"): "-1.0 -1.4 -2.1 -2.6",
    ("b", "Fast 21, kept"): "-0.3 -0.8 -0.9 -1.4",
    ("d", "U"): "-3.9 -4.4 -4.8 -4.7",
    ("d", "BCD 5, last"): "-3.3 -4.1 -4.7 -4.7",
    ("d", "BCD 11, last"): "-3.6 -3.9 -4.3 -4.9",
    ("d", "BCD 11"): "-3.9 -4.5 -4.6 -4.7",
    ("d", "BCD 21, last"): "-3.6 -3.9 -4.3 -4.7",
    ("d", "BCD 21"): "-3.7 -4.1 -4.9 -4.8",
    ("d", "Fast 5, last"): "-3.0 -3.2 -3.9 -4.0",
    ("d", "Fast 21, kept"): "-1.8 -2.3 -2.4 -2.6",
    ("e", "U"): "-3.6 -4.2 -4.6 -4.6",
    ("e", "BCD 11"): "-3.5 -4.2 -4.6 -4.6",
    ("e", "BCD 21"): "-3.1 -4.2 -4.7 -4.6",
    ("e", "Fast 5, last"): "-2.6 -3.2 -3.4 -4.0",
    ("e", "Fast 21, kept"): "-2.0 -2.2 -2.5 -2.6",
}


def quartiles(values):
    return np.log(np.quantile(values, [0.25, 0.5, 0.75]))


@pytest.mark.slow
def test_the_numbers_are_those_of_another_reproduction_and_the_full_size_says_the_same():
    """Each number is within 4.5 standard errors of the difference.

    The root mean square of all z is 1 if both are right, and is below 1.5 here.

    The median of one replicate errs by 1 / (2 density). The density is taken as .5 / (q75 - q25), pooled over the four
    N.
    """
    off, sizes = {}, (200, 600, 1000, 2000)
    for (panel, name), numbers in PRINTED.items():
        q = np.array([quartiles(losses(panel, n, 60)[name]) for n in sizes])
        error = np.mean(q[:, 2] - q[:, 0])
        for n, number, ours in zip(sizes, numbers.split(), q[:, 1], strict=True):
            # theirs is the median of 30 runs, rounded to .1: a uniform error of .05
            off[panel, name, n] = (float(number) - ours) / np.sqrt(error**2 * (1 / 60 + 1 / 30) + 0.1**2 / 12)
    assert {what: z for what, z in off.items() if abs(z) > 4.5} == {}
    assert np.sqrt(np.mean(np.square(list(off.values())))) < 1.5
    check_claim_1("a", (200, 600, 1000, 2000), 60, close=1.6)
    check_claim_1("d", (200, 600, 1000, 2000), 60, close=1.6)
    for n in (200, 600, 1000):
        check_claim_2(n, 60)
        check_claim_3(n, 60)
        check_claim_4(n, 60)
