"""Joining the columns of several tables: units, percent, flags, limits, words among numbers, names, signs of gaps."""

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import compare
from explorer.checks import Refusal
from explorer.datasets import read_table, read_tables
from explorer.datasets.columns.cell_counts import is_below
from explorer.datasets.columns.common_units import mismatch_reason
from explorer.datasets.columns.missing_codes import Ends
from explorer.datasets.columns.spellings import common_names, fold_name
from explorer.datasets.columns.stray_words import MOST, with_strays_missing
from explorer.datasets.read_table import parse

N = 40


def raw(cells, name="x"):
    return "\n".join([f"{name}\tzn", *(f"{cell}\t{k % 7}.5" for k, cell in enumerate(cells))]).encode()


def read(*tables, **how):
    how = {"lenient": True, "scale": "none", "names": ["<b>&", "b", "c"][: len(tables)], **how}
    return read_tables([raw(cells) for cells in tables], **how)


def first(tables):
    return [one.X[:, 0].tolist() for one in tables]


def why(*tables):
    tables = [parse(raw(cells), name, lenient=True) for cells, name in zip(tables, ("<b>&", "b", "c"), strict=False)]
    return mismatch_reason(tables, [table.columns[0] for table in tables])


MONEY = "$\u20ac"
PLAIN = [f"{k}.25" for k in range(1, N)]


# numbers with attached text

FLAGS = {  # cells among plain ones -> flags and their counts
    ("0.05 J", "0.5 J"): {"J": 2},
    ("0.05 H", "0.5 L", "1.5L"): {"H": 1, "L": 2},
    ("0.05*", "0.5 **"): {"*": 1, "**": 1},
    ("0,5 p", "1,5 e"): {"p": 1, "e": 1},
}


@pytest.mark.parametrize("cells", FLAGS)
def test_what_stands_beside_some_numbers_only_is_a_flag_and_no_unit(cells):
    plain = [cell.replace(".", ",") for cell in PLAIN] if "," in cells[0] else PLAIN
    column = parse(raw([*plain, *cells]), "t", lenient=True).columns[0]
    assert (column.unit, dict(column.cell_counts.flags)) == ("", FLAGS[cells])
    assert column.numbers[-1] == float(cells[-1].replace(",", ".").rstrip("JHL*pe "))
    tables = read([*PLAIN, "2.5"], PLAIN) if "," in cells[0] else read([*PLAIN, *cells], PLAIN)
    assert tables.columns[0].unit == ""


def test_a_flag_at_all_values_of_one_table_is_one():
    column = read([f"{cell} J" for cell in PLAIN], PLAIN).columns[0]
    assert (column.unit, len(column.notes)) == ("", 1)
    assert read([f"{cell} kg" for cell in PLAIN], PLAIN).columns[0].unit == "kg"


UNCLEAR = {  # among plain numbers these are not numbers of the same kind
    "a magnitude": ["5.5K", "6.5K"],
    "a magnitude in words": ["5.5 million", "6.5 million"],
    "percent": ["5 %", "6.5 %"],
    "units": ["5.5 kg", "600 g"],
    "currencies": ["\u20ac5.50", "$6"],
    "house numbers": ["12A", "13B"],
}


@pytest.mark.parametrize("kind", UNCLEAR)
def test_what_changes_a_number_is_no_flag(kind):
    assert parse(raw([*PLAIN, *UNCLEAR[kind]]), "t", lenient=True).columns[0].numbers is None
    assert why([*PLAIN, *UNCLEAR[kind]], PLAIN) != ""


def test_the_reason_names_currencies_and_units():
    euros, both = [f"\u20ac{cell}" for cell in PLAIN], [f"{MONEY[k % 2]}{cell}" for k, cell in enumerate(PLAIN)]
    assert names_all(why(euros, both), "currencies", "$", "\u20ac", "in b")
    assert names_all(why(euros, [f"${cell}" for cell in PLAIN]), "\u20ac in <b>&", "$ in b", "currencies")
    assert names_all(why([f"{cell} kg" for cell in PLAIN], [f"{cell} g" for cell in PLAIN]), "kg in <b>&", "g in b")
    assert why(euros, [f"EUR {cell}" for cell in PLAIN]) == ""
    assert why(euros, euros) == why(PLAIN, PLAIN) == ""


# percent

SHARES = [k / 100 for k in range(5, 95, 7)]


def test_shares_with_and_without_a_sign_are_the_same_numbers():
    signed = [f"{100 * x:.0f}%" for x in SHARES]
    tables = read(signed, SHARES)
    assert (tables.columns[0].unit, tables.columns[0].factors) == ("%", (1.0, 100.0))
    np.testing.assert_allclose(*first(tables), rtol=1e-12)
    turned = read(SHARES, signed)
    assert turned.columns[0].factors == (100.0, 1.0)
    np.testing.assert_allclose(*first(turned), rtol=1e-12)
    percent = read(signed, [f"{100 * x:.0f}" for x in SHARES])
    assert (percent.columns[0].unit, percent.columns[0].factors) == ("%", ())


@pytest.mark.parametrize(
    ("signed", "bare"),
    [
        ([f"{x:.2f}%" for x in SHARES], SHARES),  # .05 % next to .05
        ([f"{100 * x:.0f}%" for x in SHARES], [x - 0.5 for x in SHARES]),
        ([f"{100 * x:.0f}%" for x in SHARES], [5 * x for x in SHARES]),
    ],
)
def test_what_may_be_shares_or_percent_is_refused(signed, bare):
    assert why(signed, bare) != ""
    with pytest.raises(Refusal, match=naming("'x'", "with %")):
        read(signed, bare)


# limits


def limited(values, limit, way="<"):
    return [f"{way}{limit}" if (x < limit if way == "<" else x > limit) else f"{x:.2f}" for x in values]


def test_values_are_compared_above_the_larger_limit_whatever_the_order_of_the_tables():
    x, y = np.random.default_rng(0).uniform(0, 5, (2, N)).round(2)
    tables = read(limited(x, 0.6), limited(y, 1.5))
    column = tables.columns[0]
    assert (column.lowest, column.highest) == (1.5, None)
    np.testing.assert_allclose(first(tables), [np.maximum(x, 1.5), np.maximum(y, 1.5)])
    assert first(read(limited(y, 1.5), limited(x, 0.6))) == first(tables)[::-1]
    uneven = read(limited(x, 0.6), [f"{v:.2f}" for v in y], limited(x, 1.5))  # one has no limit
    np.testing.assert_allclose(first(uneven)[1], np.maximum(y, 1.5))


def test_upper_limits_and_both():
    x, y = np.random.default_rng(1).uniform(0, 9, (2, N)).round(2)
    tables = read(limited(x, 8, ">"), limited(y, 5, "\u2265"))
    assert (tables.columns[0].lowest, tables.columns[0].highest) == (None, 5.0)
    np.testing.assert_allclose(first(tables), [np.minimum(x, 5), np.minimum(y, 5)])


def test_limits_of_each_table_are_counted():
    column = parse(raw([*PLAIN, "<0.5", "<0.5", "< 1.5", "> 100"]), "t", lenient=True).columns[0]
    assert (dict(column.cell_counts.lower), dict(column.cell_counts.upper)) == ({0.5: 2, 1.5: 1}, {100.0: 1})
    assert column.n_limits == column.cell_counts.n_limits == 4
    comma = parse(raw(["2,25", "<0,5"]), "t", lenient=True).columns[0]
    assert dict(comma.cell_counts.lower) == {0.5: 1}


def test_limits_that_rows_have_for_themselves_are_no_limit_of_the_table():
    own = [f"<{k}.5" for k in range(1, 12)]
    tables = read([*PLAIN, *own], PLAIN)
    assert (tables.columns[0].lowest, len(tables.columns[0].notes)) == (None, 1)
    assert first(tables)[0][-1] == 11.5
    rare = read([*PLAIN, *["<0.5"] * 200, "<30"], PLAIN)  # less than 1 % have the largest
    assert rare.columns[0].lowest == 0.5


def test_a_limit_that_moved_is_no_difference():
    x = np.random.default_rng(2).uniform(0, 5, 120).round(2)
    found = compare(raw(limited(x, 0.6)), raw(limited(x, 1.5)), n_resamples=99, rng=0)
    assert found.pvalue == 1  # the same rows above the limit
    assert "1.5" in found.noted


# words among numbers


@pytest.mark.parametrize(
    "word", ["ND", "n.d.", "BDL", "<LOD", "< LOQ", "not detected", "Not-Detected", "nicht nachweisbar"]
)
def test_what_was_not_detected_is_missing_and_counted(word):
    assert is_below(word)
    column = parse(raw([*PLAIN, word, word]), "t", lenient=True).columns[0]
    assert np.isnan(column.numbers).sum() == column.missing == 2
    assert dict(column.cell_counts.words) == {word: 2}
    with pytest.raises(Refusal, match=naming("2 cells")):
        read([*PLAIN, word, word])
    assert read_table(raw([*PLAIN, word]), missing="drop", lenient=True).n == len(PLAIN)


def test_among_words_it_is_a_word():
    column = parse(raw(["ND", "SD", "MN", "ND"] * 5), "t", lenient=True).columns[0]
    assert column.numbers is None
    assert column.times["ND"] == 10  # North Dakota
    assert parse(raw(["007", "ND"] * 5), "t", lenient=True).columns[0].times["ND"] == 5


def test_a_first_row_of_them_is_no_row_of_units():
    table = parse(b"a,b\nND,n.d.\n1.5,2.5\n2.5,3.5\n", "t", lenient=True)
    assert table.rows == 3
    assert [column.missing for column in table.columns] == [1, 1]


@pytest.mark.parametrize("cell", ["ND", "01:04"])
def test_a_first_row_of_a_file_without_names_stays_a_row(cell):
    rows = [(f"{k % 4}:{k:02d}" if ":" in cell else f"{k}.25", k) for k in range(10, 30)]
    table = parse("\n".join(f"{x};{y}" for x, y in [(cell, 3), *rows]).encode(), "t", lenient=True)
    assert (table.rows, [column.name for column in table.columns]) == (21, ["x1", "x2"])
    named = parse("\n".join(["LOD;LOQ", *(f"{y}.5;{y}" for _, y in rows)]).encode(), "t", lenient=True)
    assert [column.name for column in named.columns] == ["LOD", "LOQ"]


def test_a_few_other_words_are_missing_in_a_comparison_alone():
    a, b = [*PLAIN, "unknown"], [*PLAIN, "unknown", "see note", "see note"]
    with pytest.raises(Refusal, match=naming("39 numbers", "1 word")):
        read(a, b)
    tables = with_strays_missing([parse(raw(cells), "t", lenient=True) for cells in (a, b)])
    assert [dict(table.columns[0].cell_counts.words) for table in tables] == [
        {"unknown": 1},
        {"unknown": 1, "see note": 2},
    ]
    assert [table.columns[0].missing for table in tables] == [1, 3]
    found = compare(raw(a), raw(b), n_resamples=9, rng=0)
    assert [column.name for column in found.columns] == ["x", "zn"]
    assert "unknown" in found.noted


def test_many_kinds_of_words_are_left_out_by_their_reason():
    a = [*PLAIN, *(f"word {k}" for k in range(MOST + 1))]
    found = compare(raw(a), raw(PLAIN), n_resamples=9, rng=0)
    assert list(found.left_out) == ["x"]
    found = compare(raw(["yes", "no"] * 20), raw(PLAIN), n_resamples=9, rng=0)
    assert list(found.left_out) == ["x"]
    assert names_all(found.left_out["x"], "numbers in b", "words in a")


# names


@pytest.mark.parametrize(
    ("one", "other"),
    [("amount", " Amount "), ("wait time", "Wait_Time"), ("wait-time", "wait time"), ("CO\u2082", "co2"),
     ("\ufb01eld", "Field"), ("size (kg)", "Size (kg)"), ("<b>&", "<B>&"),
     ("in stock", "In Stock"), ("min", "Min")],
)  # fmt: skip
def test_spellings_of_one_name(one, other):
    assert fold_name(one) == fold_name(other)
    assert common_names([[one, "kind"], [other, "kind"]]) == [{}, {other: one}]


@pytest.mark.parametrize(("one", "other"), [("power (mW)", "power (MW)"), ("t", "T"), ("x1", "x-1"), ("a", "b")])
def test_other_names(one, other):
    assert fold_name(one) != fold_name(other)


def test_names_that_are_unclear_in_one_table_stay():
    assert common_names([["amount"], ["Amount", "AMOUNT"]]) == [{}, {}]
    assert common_names([["amount"], ["Amount"]], apart=["Amount"]) == [{}, {}]
    assert common_names([["kind"], ["Kind", "amount"], ["KIND", "Amount"]]) == [
        {}, {"Kind": "kind"}, {"KIND": "kind", "Amount": "amount"}
    ]  # fmt: skip


def test_columns_of_other_spellings_are_read_as_one():
    tables = read_tables([raw(PLAIN, "amount"), raw(PLAIN, "Amount")], scale="none", names=["a", "b"])
    assert [column.name for column in tables.columns] == ["amount", "zn"]
    assert len(tables.columns[0].notes) == 1
    assert first(tables)[0] == first(tables)[1]


# signs of missing values


def test_several_signs_at_both_ends_are_named_by_table():
    values = [-9999, -999, -999, *range(20, 40), 888, 888, -9999]
    assert Ends.of(values).missing_codes == (-9999, -999, 888)
    assert [Ends.of(values).times(sign) for sign in (-9999, -999, 888, 21)] == [2, 2, 2, 0]
    column = read(PLAIN, [*PLAIN, "-999", "-999"]).columns[0]
    assert names_all(column.odd, "-999", "2 rows of b", "missing")
    assert compare(raw(PLAIN), raw([*PLAIN, "-999", "-999"]), n_resamples=9, rng=0).noted.count("-999") == 1


def test_ends_of_parts_are_those_of_all():
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = rng.choice([-9999, -999, -99, 1, 2, 3.5, 88, 99, 150, 999, np.nan], rng.integers(1, 12))
        k = rng.integers(0, len(values) + 1)
        assert Ends.of(values) == Ends.of(values[:k]) | Ends.of(values[k:])
