"""MONK's Table 1 and its seconds: slopes and verdicts from planted times, a fake clock, and values counted by hand.

No test judges a time that was taken: how fast a machine is belongs to the benchmarks.
"""

from __future__ import annotations

import itertools
import os
import pickle

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.stats import linregress, t

from explorer.checks import Refusal
from explorer.discrepancy.monk.coordinate_descent import SHUFFLE
from explorer.discrepancy.monk.estimates import draw_orders
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell
from explorer.papers.evidence import over_sizes, slope
from explorer.papers.monk import seconds as in_seconds
from explorer.papers.monk import times
from explorer.papers.monk.orders import ROWS, Order, compare_with_printed
from explorer.papers.monk.seconds import dna_seconds, fewer_values, kernel_values
from explorer.papers.monk.times import seconds, table_1

NS, QS, Q, N = (150, 300, 600), (2, 4, 8, 11), 11, 600
NAMES = {order.name for row in ROWS for order in row.exponents}
TRUE = {  # name -> exponents of N and Q: the printed ones, and ours
    "U": (2, 0),
    "BCD, factors": (3, 0),
    "Fast, factors": (3, -2),
    "BCD": (2, 0),
    "Fast": (2, -0.3),
}


def planted(exponents=TRUE, noise=0.01, replicates=8, factors=None, spread=0.0):
    """Return cells of both grids with times c N^(a + spread u) Q^b e^(noise z), u even in [-1, 1] over replicates."""
    rng, tilt, found = np.random.default_rng(0), spread * np.linspace(-1, 1, replicates), []
    for n, blocks in dict.fromkeys([*((n, Q) for n in NS), *((N, q) for q in QS)]):
        table = {}
        for name, (a, b) in exponents.items():
            luck = np.exp(noise * rng.normal(size=replicates))
            table[name] = (factors or {}).get(name, 1e-8) * n ** (a + tilt) * float(blocks) ** b * luck
        found.append(Cell({"n": n, "blocks": blocks}, table))
    return found


CLAIMS = ENTRIES["monk-table-1"].claims


def claim(says):
    return next(each for each in CLAIMS if each.says.startswith(says))


# slopes ---------------------------------------------------------------------------------------------------------------


def test_an_exponent_is_the_mean_slope_of_the_replicates_with_students_interval():
    cells = planted(noise=0.1)
    row = [cell for cell in cells if cell.values["blocks"] == Q]
    logs = np.log([cell.values["n"] for cell in row])
    each = [linregress(logs, np.log([cell.table["U"][i] for cell in row])).slope for i in range(8)]
    reach = t.ppf(0.975, 7) * np.std(each, ddof=1) / np.sqrt(8)
    (case,) = Order("U", "n", 2).cases(cells)
    assert case.where == f"blocks = {Q}"
    effect = case.effect(0.95)
    assert effect[:3] == pytest.approx((np.mean(each) - 2, np.mean(each) - 2 - reach, np.mean(each) - 2 + reach))


@pytest.mark.parametrize("name", TRUE)
def test_planted_exponents_are_found(name):
    for along, true in zip(("n", "blocks"), TRUE[name], strict=True):
        (row,) = over_sizes(planted(noise=0.0), along, 3).values()
        assert slope(row, name, along=along)[:3] == pytest.approx((true, true, true), abs=1e-9)
        effect = slope(next(iter(over_sizes(planted(), along, 3).values())), name, 0.9999, along)
        assert effect.low < true < effect.high


def test_rows_are_cells_that_differ_along_one_axis():
    rows = over_sizes(planted(), "blocks", 3)
    assert list(rows) == [f"n = {N}"]
    assert sorted(cell.values["blocks"] for cell in rows[f"n = {N}"]) == list(QS)
    assert over_sizes(planted(), "blocks", 5) == {}
    assert len(over_sizes(planted(), "blocks", 1)) == len(NS)


# verdicts -------------------------------------------------------------------------------------------------------------


def test_every_claim_holds_of_the_printed_orders_or_less():
    factors = {"BCD, factors": 1e-9, "Fast, factors": 1e-9, "BCD": 1e-9}
    assert {each.finding(planted(factors=factors)).word for each in CLAIMS} == {"holds"}
    lower = {name: (a - 0.8, b - 1) for name, (a, b) in TRUE.items()}
    bounds = [each for each in CLAIMS if "takes less" not in each.says]
    assert {each.finding(planted(lower)).word for each in bounds} == {"holds"}


def test_a_bound_of_n_that_a_time_is_far_below_is_not_seen():
    lower = {name: (a - 1.6, b) for name, (a, b) in TRUE.items()}
    bounds = [each for each in CLAIMS if "grows as" in each.says]
    assert {each.finding(planted(lower)).word for each in bounds} == {f"not seen up to n = {N}"}


@pytest.mark.parametrize(
    ("exponent", "spread", "word"),
    [
        (1.4, 0.01, "holds"),
        (2.0, 0.01, "holds"),
        (2.125, 0.01, "holds"),  # above by less than caches bend a line
        (2.5, 0.01, f"not seen up to n = {N}"),
        (2.0, 1.0, "undecided"),  # Student's interval reaches .55 of the spread either way
        (2.2, 0.5, "undecided"),
    ],
)
def test_an_order_is_a_bound_from_above(exponent, spread, word):
    finding = claim("The time of U").finding(planted({**TRUE, "U": (exponent, 0)}, 0.0, spread=spread))
    assert finding.word == word
    assert "goes as N^" in finding.explanation
    assert names_all(finding.reading, "exponent of N", "time of U", "2.25")


@pytest.mark.parametrize(
    ("says", "exponent", "word"),
    [
        ("as 1/Q at least", -1.5, "holds"),
        ("as 1/Q at least", -0.4, f"not seen up to blocks = {Q}"),
        ("as Q grows", -0.4, "holds"),
        ("as Q grows", 0.4, "fails"),
    ],
)
def test_the_time_of_bcd_fast_falls_with_q_or_not(says, exponent, word):
    finding = claim(f"The time of MONK BCD-Fast falls {says}").finding(
        planted({**TRUE, "Fast, factors": (3, exponent)})
    )
    assert finding.word == word
    assert "goes as Q^" in finding.explanation


def test_a_method_is_faster_by_the_median_at_the_largest_n_alone():
    says = "MONK BCD takes less time without"
    quick, slow = ({"BCD, factors": 1e-9 * factor} for factor in (10, 0.001))
    assert claim(says).finding(planted(factors=quick)).word == "holds"
    finding = claim(says).finding(planted(factors=slow))
    assert finding.word == "fails"
    assert claim(says).finding(planted(replicates=3)).word == "undecided"  # three replicates decide no median


def test_without_sizes_nothing_is_decided():
    few = [cell for cell in planted() if cell.values["n"] == N and cell.values["blocks"] == Q]
    assert claim("The time of U").finding(few).word == "undecided"
    assert {each.finding([]).word for each in CLAIMS} == {"undecided"}


def test_the_printed_orders_stand_beside_the_exponents():
    table = compare_with_printed(planted(noise=0.0))
    assert [len(row) for row in table.rows] == [len(table.columns)] * len(ROWS)
    assert table.rows[0] == ("U-Stat", "N²", "2.00 (2.00 to 2.00)", "0.00 (0.00 to 0.00)")
    assert table.rows[2][2:] == ("3.00 (3.00 to 3.00)", "-2.00 (-2.00 to -2.00)")
    few = compare_with_printed([cell for cell in planted() if cell.values["blocks"] == Q])
    assert {row[3] for row in few.rows} == {"not computed"}


# times ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("takes", "calls", "said"),
    [((0.01, 0.5, 0.02), 2, 0.255), ((0.03, 0.01, 0.02), 3, 0.02), ((7.0, 1.0, 1.0), 1, 7.0)],
)
def test_seconds_are_the_median_of_three_runs_or_of_fewer_where_they_are_long(monkeypatch, takes, calls, said):
    now, durations, called = [0.0], iter(takes), []

    def act():
        now[0] += next(durations)
        called.append(1)

    monkeypatch.setattr(times, "process_time", lambda: now[0])
    assert seconds(act) == pytest.approx(said)
    assert len(called) == calls


def test_a_replicate_is_the_clock_s(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr(times, "process_time", lambda: float(next(ticks)))
    row = table_1(20, 3, 0)
    assert row.keys() >= NAMES
    assert set(row.values()) == {1.0}  # one tick between both looks at the clock
    assert all(type(value) is float for value in row.values())
    assert pickle.loads(pickle.dumps(table_1)) is table_1


def test_the_sizes_show_a_slope_along_both_axes():
    for size in times.TABLE_1.values():
        cells = [
            Cell(dict(zip(grid.axes, values, strict=True)), {})
            for grid in size
            for values in itertools.product(*grid.axes.values())
        ]
        unique = list({tuple(cell.values.items()): cell for cell in cells}.values())
        assert len(over_sizes(unique, "n", 3)) == len(over_sizes(unique, "blocks", 3)) == 1
        assert len({grid.replicates for grid in size}) == 1  # a cell of both grids stands for either


@pytest.mark.parametrize(
    ("error", "parts", "study", "arguments"),
    [
        (ValueError, ("n", "1", "0"), table_1, {"n": 0}),
        (TypeError, ("n", "whole number"), table_1, {"n": 20.0}),
        (ValueError, ("30", "20"), table_1, {"n": 20, "blocks": 30}),
        (ValueError, ("n", "15", "14"), dna_seconds, {"n": 14}),
        (ValueError, ("n", "766"), dna_seconds, {"n": 767}),
        (TypeError, ("seed", "whole number", "None"), dna_seconds, {"n": 20, "seed": None}),
    ],
)
def test_bad_arguments_get_a_sentence(error, parts, study, arguments):
    with pytest.raises(error, match=naming(*parts)):
        study(**arguments)
    assert issubclass(Refusal, ValueError)


# the seconds of section 5.2 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "blocks", "iterations"), [(30, 4, 25), (16, 1, 10), (15, 15, 100)])
def test_kernel_values_are_counted_pair_by_pair(n, blocks, iterations):
    fast = 0
    for order in draw_orders(n, "bcd-fast", iterations, 0)[::SHUFFLE]:
        for rows in np.array_split(order, blocks):
            points = [*rows, *(rows + n)]
            fast += sum(1 for i in range(len(points)) for j in range(i + 1))
    every = sum(1 for _ in itertools.combinations(range(2 * n), 2))
    assert kernel_values(n, blocks, iterations) == {"U": every, "Fast": fast}


def test_fewer_values_are_needed_and_the_printed_seconds_are_another_machine_s():
    holds, said = fewer_values([])
    assert holds
    assert "0.67 of U's 1,172,746" in said
    assert "have the ratio 0.36" in said
    cells = [Cell({"n": 766}, {name: np.full(8, 0.25) for name in ("kernel", "U", "BCD", "Fast")})]
    table = in_seconds.compare_with_printed(cells)
    assert table.rows[0] == ("U-Stat", "88 s", "0.25 s")
    assert table.rows[1][1:] == ("not printed", "0.25 s")
    assert table.rows[2] == ("MONK BCD-Fast", "32 s", "0.25 s")
    assert "another machine" in table.columns[1]
    assert {row[2] for row in in_seconds.compare_with_printed([]).rows} == {"not computed"}


@pytest.mark.parametrize(("ratio", "word"), [(0.36, "holds"), (1.3, "fails"), (1.0, "undecided")])
def test_the_faster_of_two_on_all_strings(ratio, word):
    rng = np.random.default_rng(0)
    U = 0.1 * np.exp(0.01 * rng.normal(size=8))
    cells = [Cell({"n": n}, {"U": U, "Fast": (ratio if n == 766 else 9.0) * U[::-1]}) for n in (200, 766)]
    assert ENTRIES["monk-seconds"].claims[0].finding(cells).word == word


@pytest.mark.skipif(not os.environ.get("EXPLORER_DATA"), reason="EXPLORER_DATA names no folder of data sets")
def test_a_replicate_of_strings_is_the_clock_s(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr(times, "process_time", lambda: float(next(ticks)))
    assert dna_seconds(15, 0) == dict.fromkeys(("kernel", "U", "BCD", "Fast"), 1.0)


def test_both_are_in_the_catalogue_and_say_that_times_are_no_numbers_of_a_seed():
    for name in ("monk-table-1", "monk-seconds"):
        assert any(names_all(sentence, "Times", "not reproduced") for sentence in ENTRIES[name].remarks)
    assert ENTRIES["monk-table-1"].data == ()
