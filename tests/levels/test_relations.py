"""Relations that hold on any data: a table never differs from itself, and p does not depend on order or units.

A relation is close if it changes neither the statistic nor the resamples: then p is the same up to rounding, which
may tie or untie two values of the null. Otherwise other resamples are drawn, and p, q of B of them differ by Monte
Carlo error: with independent resamples p - q has the standard deviation √(2 p (1 - p) / B), and four of these are
allowed. The p of an aggregated test is a rank of ranks, each of which has this error, so twice as many are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from level_claims import LEVEL
from null_kinds import EVERY, KINDS, NUMBERS, Size, generator
from threadpoolctl import threadpool_limits

import explorer as ex
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.discrepancy import dependence, several_test

# if more than half of the rows are zeros, a median distance is 0, which gives a warning
pytestmark = pytest.mark.filterwarnings("ignore::explorer.checks.ExplorerWarning")

Samples = tuple[pd.DataFrame, ...]


class Test(NamedTuple):
    """A test as (samples, seed) -> p, with its number of resamples.

    `resamples` is 0 if p is not a share of any, and `rough` multiplies the allowed standard deviations.
    """

    __test__ = False  # no class of tests for pytest

    p: Callable[[Samples, int], float]
    size: Size
    resamples: int
    rough: float = 1.0
    ordered: bool = False  # whether rows i of the samples go together, or their order counts
    kinds: tuple[str, ...] = tuple(KINDS)


class Relation(NamedTuple):
    """A change of the samples that does not change p: closely, or up to other resamples."""

    change: Callable[[Samples, np.random.Generator], Samples]
    close: bool
    reorders: bool = False


def units(samples, rng):
    """Return all numbers times 1000, plus 5."""
    return tuple(each.assign(**{c: each[c] * 1000 + 5 for c in each.select_dtypes("number")}) for each in samples)


def rows_mixed(samples, rng):
    """Return the rows of each sample in an order of its own."""
    return tuple(each.iloc[rng.permutation(len(each))].reset_index(drop=True) for each in samples)


def pairs_mixed(samples, rng):
    """Return the pairs in another order."""
    order = rng.permutation(len(samples[0]))
    return tuple(each.iloc[order].reset_index(drop=True) for each in samples)


def columns_turned(samples, rng):
    """Return the columns from the last to the first."""
    return tuple(each[each.columns[::-1]] for each in samples)


def constant_added(samples, rng):
    """Return a column that is 7 in all samples."""
    return tuple(each.assign(seven=7.0) for each in samples)


def exchanged(samples, rng):
    """Return the samples in the opposite order."""
    return samples[::-1]


SHARED = {
    "other units": Relation(units, True),
    "order of columns": Relation(columns_turned, True),
    "a constant column": Relation(constant_added, True),
    "exchange": Relation(exchanged, False),
}
OF_TWO = SHARED | {"order of rows": Relation(rows_mixed, False, reorders=True)}
OF_PAIRS = SHARED | {"order of pairs": Relation(pairs_mixed, False, reorders=True)}
B, MANY = 99, 199
SMALL, LARGE = Size(40, 60), Size(100, 120)  # far rows are asked about from 160 rows on
EQUAL = Size(50, 50)


def numeric(test):
    """Return a test of arrays."""
    return lambda samples, s: test(*(each.to_numpy(float) for each in samples), s)


TWO = {
    "compare": Test(lambda t, s: ex.compare(*t, n_resamples=B, rng=s).pvalue, LARGE, B, 2.0),
    "mmd_test": Test(lambda t, s: ex.mmd_test(*t, n_resamples=B, rng=s).pvalue, SMALL, B),
    "mmd_test, biased": Test(lambda t, s: ex.mmd_test(*t, statistic="biased", n_resamples=B, rng=s).pvalue, SMALL, B),
    "mmdagg_test": Test(lambda t, s: ex.mmdagg_test(*t, n_resamples=MANY, rng=s).pvalue, SMALL, MANY, 2.0),
    "mmdfuse_test": Test(lambda t, s: ex.mmdfuse_test(*t, n_resamples=B, rng=s).pvalue, SMALL, B),
    "compress_test": Test(lambda t, s: ex.compress_test(*t, n_resamples=B, rng=s).pvalue, SMALL, B),
    "block_test": Test(lambda t, s: ex.block_test(*t, size=5, n_resamples=B, rng=s).pvalue, EQUAL, B, ordered=True),
    "monk_test": Test(
        lambda t, s: ex.monk_test(*t, blocks=5, iterations=10, n_resamples=B, rng=s).pvalue, EQUAL, B, 2.0, ordered=True
    ),
    "several_test": Test(lambda t, s: several_test(list(t), n_resamples=B, rng=s).pvalue, SMALL, B),
    "bandwidth_curve": Test(
        lambda t, s: float(ex.bandwidth_curve(*t, n_resamples=B, rng=s).pvalue[30]), SMALL, B, kinds=tuple(NUMBERS)
    ),
}
ONE_COLUMN = tuple(kind for kind in NUMBERS if NUMBERS[kind](np.random.default_rng(0), 4).shape[1] == 1)
PAIRS = {
    "hsic_test": Test(lambda t, s: ex.hsic_test(*t, n_resamples=B, rng=s).pvalue, EQUAL, B),
    "hsic_gamma": Test(lambda t, s: dependence.hsic_gamma(*t).pvalue, EQUAL, 0),
    "hsicagg_test": Test(lambda t, s: ex.hsicagg_test(*t, n_resamples=MANY, rng=s).pvalue, Size(25, 25), MANY, 2.0),
    "dhsic_test": Test(lambda t, s: ex.dhsic_test(t, n_resamples=B, rng=s).pvalue, EQUAL, B),
    "distance_test": Test(
        numeric(lambda x, y, s: dependence.distance_test(x, y, n_resamples=B, rng=s).pvalue),
        EQUAL,
        B,
        kinds=tuple(NUMBERS),
    ),
    "pearson_test": Test(
        numeric(lambda x, y, s: dependence.pearson_test(x, y, n_resamples=B, rng=s).pvalue),
        EQUAL,
        B,
        kinds=tuple(NUMBERS),
    ),
}


def p_or_none(test: Test, samples: Samples, seed: int) -> float | None:
    """Return p, or None if the samples are refused in a sentence."""
    try:
        return float(test.p(samples, seed))
    except Refusal:
        return None


def allowed(test: Test, p: float, q: float, close: bool) -> float:
    """Return by how much p and q may differ."""
    if not test.resamples:
        return 1e-9
    rounding = 2 / (test.resamples + 1)  # two values of the null that rounding ties or unties
    if close:
        return rounding
    mean = (p + q) / 2
    return rounding + 4 * test.rough * np.sqrt(2 * mean * (1 - mean) / test.resamples)


def samples_of(test: Test, kind: str) -> tuple[Samples, np.random.Generator]:
    """Return two draws of a kind, and the generator of what is changed."""
    rng = generator(kind, test.size, 5)
    return (EVERY[kind](rng, test.size.n), EVERY[kind](rng, test.size.m)), rng


def check(test: Test, relation: Relation, kind: str) -> None:
    """Compare p with that of changed samples; both or none may be refused."""
    if kind not in test.kinds or (relation.reorders and test.ordered):
        return
    samples, rng = samples_of(test, kind)
    p, q = p_or_none(test, samples, 0), p_or_none(test, relation.change(samples, rng), 0)
    if p is None:  # no column can be compared; a constant column that is added is then the only one, and shows nothing
        assert q is None or (q == 1 and relation.change is constant_added)
        return
    assert q is not None
    assert abs(p - q) <= allowed(test, p, q, relation.close), (p, q)


@pytest.mark.covered
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relation", OF_TWO)
@pytest.mark.parametrize("name", TWO)
def test_two_samples(name, relation, kind):
    check(TWO[name], OF_TWO[relation], kind)


@pytest.mark.covered
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relation", OF_PAIRS)
@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name, relation, kind):
    check(PAIRS[name], OF_PAIRS[relation], kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TWO)
def test_a_table_never_differs_from_itself(name, kind):
    test = TWO[name]
    if kind in test.kinds:
        table = EVERY[kind](generator(kind, test.size, 6), test.size.m)
        p = p_or_none(test, (table, table.copy()), 1)
        assert p is None or p > LEVEL


@pytest.mark.parametrize("kind", ["2 values", "rare", "60 values", "3 words", "mixed", "missing"])
def test_a_file_never_differs_from_itself(kind, tmp_path, monkeypatch, capsys):
    """`explorer report --fail` exits with 1 if tables differ, and with 0 otherwise."""
    monkeypatch.chdir(tmp_path)
    EVERY[kind](generator(kind, LARGE, 6), 240).to_csv("table.csv", index=False)
    assert main(["report", "table.csv", "table.csv", "--fail"]) in (0, None)
    capsys.readouterr()


DRAWN = {"monk_test"}  # whose blocks, and so the statistic, are drawn by the seed


@pytest.mark.covered(times=3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in (*TWO, *PAIRS) if name not in DRAWN])
def test_another_seed_changes_p_by_monte_carlo_error(name, kind):
    test = TWO[name] if name in TWO else PAIRS[name]
    if kind not in test.kinds:
        return
    samples, _ = samples_of(test, kind)
    p, q = p_or_none(test, samples, 0), p_or_none(test, samples, 1)
    assert (p is None) == (q is None)
    assert p is None or abs(p - q) <= allowed(test, p, q, close=False), (p, q)


@pytest.mark.covered(times=3)
@pytest.mark.parametrize("kind", ["continuous", "5 values", "20 columns", "mixed", "correlated"])
@pytest.mark.parametrize("name", [*TWO, *PAIRS])
def test_another_number_of_threads_changes_no_bit(name, kind):
    test = TWO[name] if name in TWO else PAIRS[name]
    if kind not in test.kinds:
        return
    samples, _ = samples_of(test, kind)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(test.p(samples, 0))
    assert found[0] == found[1]


# ---- rows in order ----

ROWS = Size(100, 100)


def scanned(rows, seed=0, **options):
    return ex.scan(rows, n_resamples=B, rng=seed, **options)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "missing"])
def test_a_scan_of_the_reversed_rows_finds_the_same_split(kind):
    """The profile is the other way round; p is by other orders."""
    rows = EVERY[kind](generator(kind, ROWS, 7), ROWS.n)
    forward, backward = scanned(rows), scanned(rows.iloc[::-1].reset_index(drop=True))
    n = len(rows)
    inside = np.arange(10, n - 9)
    np.testing.assert_allclose(forward.profile[inside], backward.profile[n - inside], rtol=1e-6, atol=1e-6)
    test = Test(lambda t, s: 0.0, ROWS, B)
    assert abs(forward.pvalue - backward.pvalue) <= allowed(test, forward.pvalue, backward.pvalue, close=False)


@pytest.mark.covered(times=2)
@pytest.mark.parametrize("change", ["other units", "order of columns", "a constant column"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "missing"])
def test_a_scan_asks_for_no_units_and_no_order_of_columns(kind, change):
    rng = generator(kind, ROWS, 7)
    rows = EVERY[kind](rng, ROWS.n)
    first, second = scanned(rows), scanned(SHARED[change].change((rows,), rng)[0])
    assert second.pvalue == pytest.approx(first.pvalue, abs=2 / (B + 1))
    np.testing.assert_allclose(second.profile, first.profile, rtol=1e-5, atol=1e-6)


@pytest.mark.covered(times=2)
@pytest.mark.parametrize("change", ["other units", "order of columns", "a constant column"])
@pytest.mark.parametrize("kind", NUMBERS)
def test_a_monitor_asks_for_no_units_and_no_order_of_columns(kind, change):
    """The wealth of all rows is the same, and so is the alarm."""
    rng = generator(kind, ROWS, 8)
    reference, stream = EVERY[kind](rng, 60), EVERY[kind](rng, 80)
    other, later = SHARED[change].change((reference, stream), rng)
    first = ex.Monitor(reference, rng=0).update(stream)
    second = ex.Monitor(other, rng=0).update(later)
    assert second.alarm_at == first.alarm_at
    np.testing.assert_allclose(second.wealth, first.wealth, rtol=1e-4)


# ---- dependence given others ----


@pytest.mark.covered(times=2)
@pytest.mark.parametrize("kind", [kind for kind in NUMBERS if kind != "100 columns"])
@pytest.mark.parametrize("change", ["other units", "order of columns", "order of pairs", "exchange"])
def test_gcm_of_changed_samples(kind, change):
    rng = generator(kind, EQUAL, 9)
    x, y, z = EVERY[kind](rng, 50), EVERY[kind](rng, 50), pd.DataFrame({"z": rng.normal(size=50)})
    if change == "exchange":
        other: Any = (y, x, z)
    elif change == "order of columns":
        other = (*columns_turned((x, y), rng), z)
    else:
        other = OF_PAIRS[change].change((x, y, z), rng)
    first, second = (
        ex.gcm_test(*(each.to_numpy(float) for each in t), n_resamples=B, rng=0) for t in ((x, y, z), other)
    )
    assert second.statistic == pytest.approx(first.statistic, rel=1e-4, abs=1e-6)
    test = Test(lambda t, s: 0.0, EQUAL, B)
    assert abs(first.pvalue - second.pvalue) <= allowed(test, first.pvalue, second.pvalue, close=False)
