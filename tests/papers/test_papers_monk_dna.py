"""Figure 2 of paper 004: one replicate by the public API, and what is true of its claims."""

import os
import pickle
from functools import cache

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Subsequence, load, mmd_test, monk_test
from explorer.papers.monk import dna
from explorer.papers.monk.dna import FIGURE_2, PANELS, draw, figure_2, gap

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not os.environ.get("EXPLORER_DATA"), reason="EXPLORER_DATA names no folder of data sets"),
]
NAMES = ("U", "BCD", "Fast")


@cache
def values_by_name(panel, n, replicates, disjoint=False):
    """Return {name: values (replicates,)}."""
    rows = [figure_2(panel, n, seed, disjoint=disjoint) for seed in range(replicates)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def z(values):
    """Return a mean in units of its standard error."""
    return values.mean() / (values.std(ddof=1) / len(values) ** 0.5)


# one replicate
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("panel", "null"), [("EI-IE", "pool"), ("IE-IE", "flip")])
def test_a_replicate_is_the_front_doors(panel, null):
    data = load("splice")
    strings = np.concatenate([data.X[data.target == label][:766] for label in ("EI", "IE")])
    X, Y = (strings[rows] for rows in draw(panel, 12, 3))
    k, row = Subsequence(3, 0.5), figure_2(panel, 12, 3, null=null)
    U = mmd_test(X, Y, k, n_resamples=150, rng=3)
    tests = {
        name: monk_test(X, Y, k, 5, method, null=null, n_resamples=150, rng=3)
        for name, method in (("BCD", "bcd"), ("Fast", "bcd-fast"))
    }
    root = np.sign(U.null_distribution) * np.sqrt(np.abs(U.null_distribution))
    expected = {"U": np.sign(U.statistic) * abs(U.statistic) ** 0.5 - np.quantile(root, 0.95), "U, p": U.pvalue}
    expected |= {f"{name}, p": test.pvalue for name, test in tests.items()}
    expected |= {name: test.statistic - np.quantile(test.null_distribution, 0.95) for name, test in tests.items()}
    assert row == pytest.approx(expected, abs=1e-10)  # roots of values near 0
    assert all(type(value) is float for value in row.values())


def test_samples_are_drawn_from_766_of_each_class_and_apart_where_asked():
    for panel, labels in PANELS.items():
        X, Y = draw(panel, 383, 0)
        for rows, label in zip((X, Y), labels, strict=True):
            low = 766 * (label == "IE")
            assert low <= rows.min() <= rows.max() < low + 766
            assert len(set(rows.tolist())) == 383
        apart = draw(panel, 383, 0, disjoint=True)
        assert not set(apart[0].tolist()) & set(apart[1].tolist())
    assert set(draw("EI-EI", 383, 0)[0].tolist()) & set(draw("EI-EI", 383, 0)[1].tolist())
    assert figure_2("EI-EI", 12, np.int64(1)) == figure_2("EI-EI", 12, 1)


def test_a_study_can_be_sent_to_a_worker_and_its_grids_are_cells_of_it():
    assert pickle.loads(pickle.dumps(figure_2)) is figure_2
    for size in FIGURE_2.values():
        for grid in size:
            assert set(grid.axes) == {"panel", "n"}
            assert set(grid.axes["panel"]) == set(PANELS)
            assert max(grid.axes["n"]) <= dna.STRINGS


@pytest.mark.parametrize(
    ("error", "parts", "arguments"),
    [
        (ValueError, ("panel", "EI-IE", "EI-EI", "IE-IE", "'EI'"), {"panel": "EI"}),
        (ValueError, ("n", "766"), {"n": 767}),
        (ValueError, ("n", "383"), {"n": 384, "disjoint": True}),
        (ValueError, ("n", "5"), {"n": 4}),
        (ValueError, ("null", "flip", "pool"), {"null": "swap"}),
        (TypeError, ("seed", "whole number"), {"seed": None}),
    ],
    ids=str,
)
def test_bad_arguments_get_a_sentence(error, parts, arguments):
    with pytest.raises(error, match=naming(*parts)):
        figure_2(**{"panel": "IE-IE", **arguments})


# verdicts
# ----------------------------------------------------------------------------------------------------------------


def check_inter(n, replicates, rejected):
    """Check "All 3 techniques are able to solve the task" between the classes: true.

    BCD's gap is no larger than U's, and Fast's is smaller.
    """
    table = values_by_name("EI-IE", n, replicates)
    for name in NAMES:
        assert z(table[name]) > 4, name
        assert (table[name] > 0).mean() >= rejected, name
    assert abs(table["BCD"].mean() / table["U"].mean() - 1) < 0.25
    assert z(table["U"] - table["Fast"]) > 4


def check_intra(n, replicates, disjoint=False):
    """Check the same within a class, under the null hypothesis: the means are negative and few replicates reject."""
    for panel in ("EI-EI", "IE-IE"):
        table = values_by_name(panel, n, replicates, disjoint)
        for name in NAMES:
            assert z(table[name]) < -3, (panel, name)
            # 3 standard errors above the level of numpy's quantile, which is no more than 8 / 151 (erratum E-20)
            level = 8 / 151
            assert (table[name] > 0).mean() <= level + 3 * (level * (1 - level) / replicates) ** 0.5, (panel, name)


def check_stable(ns, replicates):
    """Check "They converge to a good and stable performance as a function of the sample number": true, spreads fall."""
    for panel in PANELS:
        for name in NAMES:
            first, last = (values_by_name(panel, n, replicates)[name].std() for n in (ns[0], ns[-1]))
            assert last < first, (panel, name)


def test_the_classes_are_told_apart():
    check_inter(60, 8, rejected=1.0)


def test_halves_of_a_class_are_not():
    check_intra(60, 8)


def test_the_spread_falls():
    check_stable((20, 60), 8)


def test_two_samples_of_a_class_that_may_share_strings_are_more_alike_than_samples_are():
    """Two samples of 700 out of 766 strings share 640 or so.

    The intra-class panels cannot reject there, whatever the test.
    """
    X, Y = (set(rows.tolist()) for rows in draw("EI-EI", 700, 0))
    assert len(X & Y) > 600
    rows = np.concatenate(draw("EI-EI", 700, 0))
    kernel = dna.gram()
    test = mmd_test(rows[:700], rows[700:], kernel, n_resamples=39, rng=0)
    assert test.pvalue == 1.0
    assert gap(test) < 0


@pytest.mark.slow
def test_the_verdicts_hold_at_a_larger_size():
    (grid,) = FIGURE_2["full"]
    ns = [n for n in grid.axes["n"] if n <= 200]
    for n in ns:
        check_inter(n, 60, rejected=0.98)
        check_intra(n, 60)
        check_intra(n, 60, disjoint=True)
    check_stable(ns, 60)
