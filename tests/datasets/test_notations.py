"""One table in two notations is one table: percent, k and M, units, marks between thousands, signs, flags, totals."""

import io

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming

from explorer import compare
from explorer.checks import Refusal
from explorer.comparison.periods import dates_of, periods
from explorer.datasets import preview_table, read_table, read_tables
from explorer.datasets.columns.cell_decorations import size_of
from explorer.datasets.columns.common_units import mismatch_reason, to_digits
from explorer.datasets.columns.scales import Magnitude
from explorer.datasets.columns.times import times_of
from explorer.datasets.read_table import parse
from explorer.sketches.files import table_of

N = 40
TENTHS = np.random.default_rng(0).integers(150, 650, N) / 10  # 15.0 to 65.0
WHOLE = np.random.default_rng(1).permutation([*range(1010, 9990, 449), *range(120, 990, 45)][:N]).astype(float)
SIGNED = (WHOLE - 1500).round()
MINUS, DASH = "\u2212", "\u2013"


def grouped(mark):
    return lambda x: f"{x:,.0f}".replace(",", mark)


def sized(x):
    return f"{x / 1e6:.6f}M" if x >= 5000 else f"{x / 1e3:.3f}k"


def of_some(write, other, every=5):
    """Write every fifth number in another way."""
    count = iter(range(10**6))
    return lambda x: (write if next(count) % every == 0 else other)(x)


def plain(x):
    return f"{x:.12g}"


KINDS = {  # numbers, how one table writes them, how the other one does
    "percent, shares": (TENTHS, lambda x: f"{x:.1f}%", lambda x: f"{x / 100:.3f}"),
    "percent, percent without a sign": (TENTHS, lambda x: f"{x:.1f} %", plain),
    "percent in words": (TENTHS, lambda x: f"{x:.1f} percent", lambda x: f"{x / 100:.3f}"),
    "small percent, shares": (TENTHS / 10, lambda x: f"{x:.2f}%", lambda x: f"{x / 100:.4f}"),
    "signed percent, shares": (TENTHS - 40, lambda x: f"{x:.1f}%", lambda x: f"{x / 100:.3f}"),
    "percent beyond 100": (3 * TENTHS, lambda x: f"{x:.1f}%", lambda x: f"{x / 100:.3f}"),
    "per mille, shares": (TENTHS, lambda x: f"{x:.1f}\u2030", lambda x: f"{x / 1000:.4f}"),
    "per mille, percent": (TENTHS, lambda x: f"{10 * x:.0f}\u2030", lambda x: f"{x:.1f}%"),
    "k": (WHOLE, lambda x: f"{x / 1000:.3f}k", plain),
    "K": (WHOLE, lambda x: f"{x / 1000:.3f} K", plain),
    "M": (WHOLE, lambda x: f"{x / 1e6:.6f}M", plain),
    "Mio": (WHOLE, lambda x: f"{x / 1e6:.6f} Mio.", plain),
    "bn": (WHOLE * 1e5, lambda x: f"{x / 1e9:.6f}bn", plain),
    "B": (WHOLE * 1e5, lambda x: f"{x / 1e9:.6f}B", plain),
    "thousand": (WHOLE, lambda x: f"{x / 1000:.3f} thousand", plain),
    "lakh": (WHOLE * 100, lambda x: f"{x / 1e5:.3f} lakh", plain),
    "k, as k": (WHOLE / 1000, lambda x: f"{x:.3f}k", lambda x: f"{x:.3f}"),
    "k, M": (WHOLE, lambda x: f"{x / 1000:.3f}k", lambda x: f"{x / 1e6:.6f}M"),
    "k and M": (WHOLE, sized, plain),
    "k beside small ones": (WHOLE, lambda x: f"{x / 1000:.3f}k" if x >= 1000 else plain(x), plain),
    "$M": (WHOLE, lambda x: f"${x / 1e6:.6f}M", lambda x: f"${x:,.0f}"),
    "$M, no unit": (WHOLE, lambda x: f"${x / 1e6:.6f}M", plain),
    "k\u20ac": (WHOLE, lambda x: f"{x / 1000:.3f} k\u20ac", lambda x: f"{x:.0f} EUR"),
    "k EUR": (WHOLE, lambda x: f"{x / 1000:.3f}k EUR", lambda x: f"EUR {x:.0f}"),
    "kg, no unit": (TENTHS, lambda x: f"{x:.1f} kg", plain),
    "\u20ac, no unit": (TENTHS, lambda x: f"\u20ac{x:.2f}", plain),
    "kg beside none": (TENTHS, of_some(lambda x: f"{x:.1f} kg", plain), plain),
    "points between thousands": (WHOLE, grouped("."), plain),
    "commas between thousands": (WHOLE, grouped(","), plain),
    "apostrophes": (WHOLE, grouped("'"), plain),
    "acute accents": (WHOLE, grouped("\u00b4"), plain),
    "blanks that do not break": (WHOLE, grouped("\u00a0"), plain),
    "thin blanks": (WHOLE, grouped("\u2009"), plain),
    "figure spaces": (WHOLE, grouped("\u2007"), plain),
    "brackets": (SIGNED, lambda x: f"({-x:,.0f})" if x < 0 else f"{x:,.0f}", plain),
    "a sign behind": (SIGNED, lambda x: f"{-x:.0f}-" if x < 0 else plain(x), plain),
    "a printed minus": (SIGNED, lambda x: plain(x).replace("-", MINUS), plain),
    "a dash": (SIGNED, lambda x: plain(x).replace("-", DASH), plain),
    "a sign behind one digit": (np.arange(-12.0, 28.0), lambda x: f"{-x:.0f}-" if x < 0 else plain(x), plain),
    "about": (TENTHS, of_some(lambda x: f"~{x:.1f}", plain), plain),
    "ca.": (TENTHS, of_some(lambda x: f"ca. {x:.1f}", plain), plain),
    "a letter in brackets": (TENTHS, of_some(lambda x: f"{x:.1f} (a)", plain), plain),
    "a word in brackets": (TENTHS, of_some(lambda x: f"{x:.1f} (estimated)", plain), plain),
    "a question mark": (TENTHS, of_some(lambda x: f"{x:.1f}?", plain), plain),
    "a star": (TENTHS, of_some(lambda x: f"{x:.1f}*", plain), plain),
    "a letter": (TENTHS, of_some(lambda x: f"{x:.1f} J", plain), plain),
    "several letters": (TENTHS, of_some(lambda x: f"{x:.1f} B,J", plain), plain),
    "an apostrophe of a workbook": (TENTHS, of_some(lambda x: f"'{x:.1f}", plain), plain),
}


def cells_of(x, write):
    return [write(value) for value in x]


def raw(cells, beside=None, mark="\t"):
    beside = [f"{k % 7}.5" for k in range(len(cells))] if beside is None else beside
    return "\n".join([f"x{mark}zn", *(mark.join(row) for row in zip(cells, beside, strict=True))]).encode()


def frame(cells):
    return pd.DataFrame({"x": cells, "zn": [k % 7 + 0.5 for k in range(len(cells))]})


def read(*tables, form=raw):
    return read_tables([form(cells) for cells in tables], scale="none", lenient=True, names=["a", "b"])


def both(kind):
    x, one, other = KINDS[kind]
    return cells_of(x, one), cells_of(x, other)


@pytest.mark.parametrize("form", [raw, frame])
@pytest.mark.parametrize("kind", KINDS)
def test_one_table_in_two_notations(kind, form):
    one, other = both(kind)
    for cells in ((one, other), (other, one), (one, one)):
        tables = read(*cells, form=form)
        assert [column.kind for column in tables.columns] == ["number", "number"]
        np.testing.assert_array_equal(tables[0].X, tables[1].X)
    assert len(set(tables[0].X[:, 0])) > N / 2


@pytest.mark.parametrize(
    "kind",
    [
        "percent, shares",
        "k",
        "points between thousands",
        *(
            pytest.param(kind, marks=pytest.mark.thorough)
            for kind in KINDS
            if kind not in ("percent, shares", "k", "points between thousands")
        ),
    ],
)
def test_the_verdict_is_that_of_one_notation(kind):
    x, one, other = KINDS[kind]
    y = 1.25 * x if np.all(x > 0) else x + 0.4 * np.ptp(x)
    y = y.round(1 if x is TENTHS else 3 if x.max() < 20 else 0)
    if kind in ("k, as k", "small percent, shares"):
        y = (1.25 * x).round(2)
    a, b = raw(cells_of(x, other)), raw(cells_of(y, other))
    told = compare(raw(cells_of(x, one)), b, n_resamples=99, rng=0)
    plainly = compare(a, b, n_resamples=99, rng=0)
    assert (told.pvalue, told.left_out) == (plainly.pvalue, {})
    same = compare(raw(cells_of(x, one)), a, n_resamples=99, rng=0)
    assert (same.pvalue, same.left_out) == (1.0, {})


def why(*tables, form=raw):
    tables = [parse(form(cells), name, lenient=True) for cells, name in zip(tables, "ab", strict=False)]
    return mismatch_reason(tables, [table.columns[0] for table in tables])


UNLIKE = {  # what must not be compared as one unit
    "kg and grams": (TENTHS, lambda x: f"{x:.1f} kg", lambda x: f"{1000 * x:.0f}"),
    "kg and pounds": (TENTHS, lambda x: f"{x:.1f} kg", lambda x: f"{2.2046 * x:.1f}"),
    "k and fifty": (WHOLE, lambda x: f"{x / 1000:.3f}k", lambda x: f"{x / 30:.2f}"),
    "percent and a tenth": (TENTHS, lambda x: f"{x:.1f}%", lambda x: f"{x / 10:.2f}"),
    "euros and dollars": (TENTHS, lambda x: f"\u20ac{x:.2f}", lambda x: f"${x:.2f}"),
    "k\u20ac and dollars": (WHOLE, lambda x: f"{x / 1000:.3f}k\u20ac", lambda x: f"${x:.2f}"),
    "a flag of all, of another size": (TENTHS, lambda x: f"{x:.1f} J", lambda x: f"{1000 * x:.0f}"),
    "percent beside none": (TENTHS, of_some(lambda x: f"{x:.1f}%", plain), plain),
    "kg beside grams": (TENTHS, of_some(lambda x: f"{x:.1f} kg", lambda x: f"{1000 * x:.0f}"), plain),
    "a gram beside kg": (TENTHS, of_some(lambda x: f"{1000 * x:.0f}", lambda x: f"{x:.1f} kg", N), plain),
    "K beside fractions": (TENTHS, of_some(lambda x: f"{x:.1f}K", plain), plain),
}


@pytest.mark.parametrize("form", [raw, frame])
@pytest.mark.parametrize("kind", UNLIKE)
def test_other_units_are_not_compared(kind, form):
    x, one, other = UNLIKE[kind]
    one, other = cells_of(x, one), cells_of(x, other)
    assert why(one, other, form=form) != ""
    assert why(other, one, form=form) != ""
    with pytest.raises(Refusal):
        read(one, other, form=form)


def test_numbers_that_k_stands_for():
    assert [size_of(unit) for unit in ("k", "K", "mio.", "Mrd", "T", "kg", "m", "")] == [
        1e3,
        1e3,
        1e6,
        1e9,
        1e12,
        0,
        0,
        0,
    ]
    column = parse(raw(cells_of(WHOLE, sized)), "t", lenient=True).columns[0]
    assert column.numbers.tolist() == WHOLE.tolist()
    assert dict(column.cell_counts.sizes) == {"k": int((WHOLE < 5000).sum()), "M": int((WHOLE >= 5000).sum())}
    kelvin = read([f"{x:.1f} K" for x in TENTHS], cells_of(TENTHS, plain)).columns[0]
    assert (kelvin.unit, kelvin.factors) == ("K", ())


def test_products_tie_with_what_they_stand_for():
    x = np.arange(1, 2000) / 1000
    for factor in (10, 100, 1000, 1e6):
        own = [float(f"{value:.3f}e{round(np.log10(factor))}") for value in x]
        assert to_digits(x * factor).tolist() == own
    assert to_digits(np.array([np.nan, 0.0, np.inf, 1e-300])).tolist()[1:] == [0.0, np.inf, 1e-300]


def test_the_size_of_numbers_has_no_sign_and_no_zeros():
    one = Magnitude.of([-4.0, 0.0, 2.0, np.nan, 6.0])
    assert one == (3.0, 4.0, 5.0, 3.0)
    many, few = (Magnitude.of(np.repeat([3.0, 4.0, 5.0], n)) for n in (200, 2))
    assert [many.is_like(many.times(size)) for size in (1.4, 1.8, 0.7, 0.55)] == [True, False, True, False]
    assert [few.is_like(few.times(size)) for size in (1.6, 9.0)] == [True, False]
    assert [Magnitude.of([x]).is_times(100, one) for x in (400.0, 40.0)] == [True, False]
    assert (one.is_like(Magnitude()), one.is_near(Magnitude())) == (True, False)


# points that may group


def open_(x):
    return [f"{value:,.0f}".replace(",", ".") for value in x]


THOUSANDS = np.array([x for x in WHOLE if x >= 1000 and x % 10])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_points_that_nothing_in_the_file_settles(mark):
    cells, beside = open_(THOUSANDS), [str(k % 5) for k in range(len(THOUSANDS))]
    column = parse(raw(cells, beside, mark), "t", lenient=True).columns[0]
    assert (column.numbers is None, column.cell_counts.ambiguous) == ((True, cells[0]) if mark == ";" else (False, ""))
    if mark == ";":
        with pytest.raises(Refusal, match=naming("a point", cells[0])):
            read_table(raw(cells, beside, mark), lenient=True)
    for other, value in ((plain, THOUSANDS), (lambda x: f"{x / 1000:.2f}", THOUSANDS / 1000)):
        tables = read_tables(
            [raw(cells, beside, mark), raw(cells_of(THOUSANDS, other), beside, mark)], scale="none", lenient=True
        )
        np.testing.assert_allclose(tables[0].X[:, 0], value)
    halves = raw(cells_of(THOUSANDS // 30, plain), beside, mark)  # in the middle between both
    tables = [parse(each, name, lenient=True) for each, name in ((raw(cells, beside, mark), "a"), (halves, "b"))]
    assert compare(*tables, n_resamples=9, rng=0).left_out.keys() == {"x"}


def test_points_in_all_tables_are_one_unit_whatever_they_mean():
    cells, beside = open_(THOUSANDS), [str(k % 5) for k in range(len(THOUSANDS))]
    found = compare(raw(cells, beside, ";"), raw(cells, beside, ";"), n_resamples=9, rng=0)
    assert (found.left_out, found.pvalue) == ({}, 1.0)


def test_commas_that_group_in_a_file_with_semicolons():
    cells, beside = [f"{x:,.0f}" for x in THOUSANDS], [str(k % 5) for k in range(len(THOUSANDS))]
    one, other = raw(cells, beside, ";"), raw(cells_of(THOUSANDS, plain), beside, ";")
    tables = read_tables([one, other], scale="none", lenient=True)
    np.testing.assert_array_equal(tables[0].X, tables[1].X)


# words among numbers

WORDS = ["ND", "n.d.", "BDL", "<LOD", "< LOQ", "trace", "n/a", "#N/A", "#DIV/0!", "#REF!", "nicht bestimmt", "-", "--",
         "k.A.", "no data", "\\N"]  # fmt: skip


@pytest.mark.parametrize("form", [raw, frame])
def test_all_the_words_of_a_laboratory_together(form):
    cells = [*cells_of(TENTHS, plain), *WORDS]
    column = parse(form(cells), "t", lenient=True).columns[0]
    assert column.missing == len(WORDS)
    assert column.numbers[:N].tolist() == TENTHS.tolist()
    found = compare(form(cells), form(cells_of(TENTHS + 0.3, plain)), n_resamples=9, rng=0)
    assert found.left_out == {}


# dates

DAYS = pd.date_range("2026-01-01", periods=90)
SECONDS = (DAYS - pd.Timestamp(0)) // pd.Timedelta("1s") + 3661
WRITTEN = {
    "month": DAYS.strftime("%Y-%m"),
    "month and year": DAYS.strftime("%m/%Y"),
    "month with a point": DAYS.strftime("%m.%Y"),
    "named month": DAYS.strftime("%b %Y"),
    "short month": DAYS.strftime("%b-%y"),
    "week": DAYS.strftime("%G-W%V"),
    "m/d/yy": DAYS.strftime("%m/%d/%y"),
    "dd.mm.yy": DAYS.strftime("%d.%m.%y"),
    "dd.mm.yyyy": DAYS.strftime("%d.%m.%Y"),
    "d-mon-yy": DAYS.strftime("%d-%b-%y"),
    "half a day": DAYS.strftime("%m/%d/%Y 10:05 PM"),
    "UTC": DAYS.strftime("%Y-%m-%dT10:00:00Z"),
    "zone": DAYS.strftime("%Y-%m-%d 10:00:00.250+02:00"),
    "mail": DAYS.strftime("%a, %d %b %Y 10:00:00 GMT"),
    "ctime": DAYS.strftime("%a %b %e 10:00:00 %Y"),
    "log of a server": DAYS.strftime("%d/%b/%Y:10:00:00 +0000"),
    "yyyymmddhhmmss": DAYS.strftime("%Y%m%d102030"),
    "yyyymmddhhmm": DAYS.strftime("%Y%m%d1020"),
    "yyyymmdd": DAYS.strftime("%Y%m%d"),
    "yyyymm": DAYS.strftime("%Y%m"),
    "seconds": SECONDS.astype(str),
    "milliseconds": (SECONDS * 1000).astype(str),
    "microseconds": (SECONDS * 10**6).astype(str),
}


@pytest.mark.parametrize("form", ["csv", "frame"])
@pytest.mark.parametrize("kind", WRITTEN)
def test_dates_are_no_measurements_and_have_months(kind, form):
    name = "month" if kind == "yyyymm" else "created"
    given = pd.DataFrame({name: WRITTEN[kind], "z": np.arange(90) % 7 + 0.5})
    if form == "csv":
        parts = [part.to_csv(index=False).encode() for part in (given, given[:50], given[50:])]
    else:
        parts = [given, given[:50], given[50:]]
    column = read_tables(parts[1:], scale="none", lenient=True).columns[0]
    assert (column.kind, column.why) == ("left out", "dates")
    table = parse(parts[0], "t", lenient=True)
    assert set(periods(dates_of(table, "month"), "month")) >= {"2026-01", "2026-02", "2026-03"}
    assert times_of(table, None).rows.tolist() == list(range(90))


def test_dates_in_two_notations_meet_as_dates():
    z = np.arange(45) % 7 + 0.5
    words, seconds, unclear = (
        WRITTEN["UTC"],
        WRITTEN["seconds"],
        DAYS.strftime("%d/%m/%Y").where(DAYS.day < 13, "01/02/2026"),
    )
    for one, other in ((words, seconds), (seconds, words), (unclear, words), (words, unclear), (unclear, seconds)):
        parts = [pd.DataFrame({"created": x, "z": z}) for x in (one[:45], other[45:])]
        assert compare(*parts, n_resamples=9, rng=0).left_out == {"created": "dates"}
    number = pd.DataFrame({"created": np.arange(45) / 4, "z": z})
    found = compare(pd.DataFrame({"created": words[:45], "z": z}), number, n_resamples=9, rng=0)
    assert list(found.left_out) == ["created"]
    assert names_all(found.left_out["created"], "dates in a", "numbers in b")


def test_seconds_of_another_name_are_numbers_and_that_is_said():
    rng = np.random.default_rng(0)
    seconds = rng.integers(1_700_000_000, 1_790_000_000, (2, N))
    columns = read_tables([pd.DataFrame({"q": x}) for x in seconds], lenient=True).columns
    assert (columns[0].kind, len(columns[0].notes)) == ("number", 1)
    named = read_tables([pd.DataFrame({"createdAt": x, "z": x % 7}) for x in seconds], lenient=True).columns
    assert named[0].kind == "left out"
    old = read_tables([pd.DataFrame({"created": x // 1000, "z": x % 7}) for x in seconds], lenient=True).columns
    assert old[0].kind == "number"
    years = read_tables([pd.DataFrame({"created": 1990 + x % 30, "z": x % 7}) for x in seconds], lenient=True).columns
    assert years[0].kind == "number"


# rows that are not observations

AMOUNTS = np.random.default_rng(3).integers(100, 900, 12)
ITEMS = np.random.default_rng(4).integers(1, 9, 12)
ROWS = [f"{'north' if k % 2 else 'south'},{x / 10:.1f},{i},2026-01-{k + 1:02d}"
        for k, (x, i) in enumerate(zip(AMOUNTS, ITEMS, strict=True))]  # fmt: skip
SUM, HALF, REST = (f"{x.sum() / 10:.1f}" for x in (AMOUNTS, AMOUNTS[:6], AMOUNTS[6:]))
HEAD = "region,amount,items,day"
# lines between a table's names and its end, the number of rows that remain in addition to the 12, and whether in chunks
OTHERS = {
    "a total": ([*ROWS, f"Total,{SUM},{ITEMS.sum()},"], 0, True),
    "a total above": ([f"Summe:,{SUM},,", *ROWS], 0, False),
    "subtotals": ([*ROWS[:6], f"Subtotal,{HALF},,", *ROWS[6:], f"Subtotal,{REST},,", f"Grand Total,{SUM},,"], 0, False),
    "a total and an average": ([*ROWS, f"Total,{SUM},{ITEMS.sum()},", f"Average,{AMOUNTS.mean() / 10:.3f},,"], 0, True),
    "a total in another column": ([*ROWS, f",{SUM},,Gesamt"], 0, True),
    "a total in a column of numbers": ([*ROWS, ",Total,12,"], 0, True),
    "sums without a word": ([*ROWS, f",{SUM},{ITEMS.sum()},"], 0, True),
    "a total that does not add up": ([*ROWS, "Total,1.5,,"], 0, False),
    "names again": ([*ROWS[:5], HEAD, *ROWS[5:], HEAD], 0, True),
    "lines between": ([*ROWS[:5], "---,---,---,---", *ROWS[5:]], 0, False),
    "blank lines between": ([*ROWS[:5], "", ",,,", *ROWS[5:]], 0, True),
    "a row without a word": ([*ROWS, ",1.5,3,2026-01-20"], 1, True),
    "numbers without a word": ([*ROWS, f",{SUM},3,"], 1, True),
    "a group called total": ([*ROWS, "Total,1.5,3,2026-01-20"], 1, True),
    "a person called Max": ([*ROWS, f"Max,{AMOUNTS.max() / 10:.1f},1,2026-01-20"], 1, True),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_rows_that_are_no_observations(kind, tmp_path):
    lines, more, in_pieces = OTHERS[kind]
    text = "\n".join([HEAD, *lines]) + "\n"
    table = parse(text.encode(), "t", lenient=True)
    assert table.rows == 12 + more
    assert table.by_name["amount"].numbers[:12].tolist() == (AMOUNTS / 10).tolist()
    assert table.by_name["day"].dates
    assert bool(preview_table(text.encode(), lenient=True).unusual) == (not more)
    words = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False, skip_blank_lines=True)
    own = parse(words, "t", lenient=True)
    assert own.rows == 12 + more
    assert own.by_name["amount"].numbers[:12].tolist() == (AMOUNTS / 10).tolist()
    place = words.index[words["day"] == "2026-01-12"][0]
    assert own.row_numbers[11] == place + 1
    if in_pieces:
        (tmp_path / "t.csv").write_text(text)
        pieces = [reader() for reader in table_of(tmp_path / "t.csv").chunks()]
        assert sum(piece.rows for piece in pieces) == 12 + more
        found = np.concatenate([piece.columns["amount"].cells for piece in pieces])
        assert found[:12].tolist() == (AMOUNTS / 10).tolist()


@pytest.mark.parametrize("word", ["Total", ""])
@pytest.mark.parametrize("large", [("inf", "-inf"), ("1e308", "1.7e308")])
def test_numbers_without_a_finite_sum_add_up_to_no_total(word, large):
    rows = [*(["red,1.5"] * 9), *(f"red,{x}" for x in large)]
    table = parse("\n".join(["region,amount", *rows, f"{word},2.5"]).encode(), "t", lenient=True)
    assert table.rows == len(rows) + 1


def test_rows_of_a_frame_keep_their_place():
    rng = np.random.default_rng(0)
    values = [f"{x:.3f}" for x in rng.normal(size=30)]
    cells = [*values[:10], "x", *values[10:], "99.5"]
    one = pd.DataFrame({"x": cells, "zn": [*("1.5" for _ in range(10)), "zn", *("2.5" for _ in range(21))]})
    found = compare(one, pd.DataFrame({"x": values, "zn": ["1.5", "2.5"] * 15}), n_resamples=9, rng=0)
    assert found.n == 31
    assert found.rows("a", 1) == (31,)
