"""Removal of what surrounds a table in its file: comments, lines above it, a row of units, totals and row numbers.

Lines are blanked and not removed, so that messages give the line numbers of the original file.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.cell_counts import is_below
from explorer.datasets.columns.cell_decorations import AFTER, GLUED, WIDEST
from explorer.datasets.columns.number_notation import parse_columns, parse_number_lenient
from explorer.datasets.columns.table import encode_cells, is_missing, parse_numbers
from explorer.types import Vector

from . import header
from .lazy_cells import EncodedColumn, LazyCells, are_texts, distinct_cells, rows_with

if TYPE_CHECKING:
    from explorer.datasets.columns.number_notation import ParsedColumn


TOTAL, INDEX, DRAWN, FORMULAS, COMMENTS = (  # remarks
    "a last line of totals left out",
    "a first column without a name, which counts the rows, left out",
    "lines drawn between rows left out",
    'cells written as ="..."',
    "lines of comment left out",
)
COMMENT = re.compile(r"[ \t]*(#|%|//)(?![ \t]*[,;\t|])")
SIGNS = (b"#", b"%", b"/")  # first signs of comments
COMMENTED = re.compile(rb"\n[ \t]*(?:#|%|//)")
REMARK = re.compile(r"[ \t]*(#+|%+|//)[ \t]")
LOOKED_AT = 10_000  # number of first bytes that are searched for lines drawn between rows
ABOVE = 20  # largest number of lines above a table
UNIT = re.compile(rf"(?:{AFTER})|[(\[](?:{AFTER})[)\]]|1/{AFTER}|-|\u2013|")
FORMULA = re.compile(r'="([^"]*)"')
RULE = re.compile(
    rb"(?m)^[ \t|+:-]*[|+][ \t|+:-]*-{3}[ \t|+:-]*\r?$|^[ \t]*-{3,}[ \t]*\+[ \t+-]*\r?$|^\(\d+ rows?\)\r?$"
)
TOTALS = re.compile(
    r"(?:(?:grand|sub|overall|column|running)[ -]?)?totals?|sums?|totale|total g\u00e9n\u00e9ral|sous-total|somme"
    r"|suma|gesamt|(?:gesamt|zwischen|end)?summe|insgesamt|all rows|\u03a3|\u2211",
    re.IGNORECASE,
)
AVERAGES = re.compile(
    r"(?:overall |grand )?(?:average|avg\.?|mean|median|min(?:imum)?|max(?:imum)?|count|std\.?(?: dev\.?)?|stdev|sd)"
    r"|standard deviation|mittelwert|durchschnitt|mittel|schnitt|anzahl|standardabweichung|moyenne|m\u00e9diane"
    r"|\u00e9cart[- ]type|promedio|media|mediana",
    re.IGNORECASE,
)
SUMMARY = re.compile(rf"(?:{TOTALS.pattern}|{AVERAGES.pattern})[ :.]*", re.IGNORECASE)
NO_WORD = frozenset("0123456789-+.")  # first characters of numbers
LINE = re.compile(r"[-=_+*~\u2013\u2014\u2500]{3,}")
LAST = 5  # number of last lines that are inspected in a file that is read in chunks
MOST_SUMMARIES, FEW_SUMMARIES = 0.2, 100  # largest share and number of summary rows: more are observations
MANY = 2000  # largest number of rows for which a last line of sums is searched in every notation
ROUNDING = 1e-3  # relative difference that is allowed between an average and its printed value
NOTHING = ("-", "\u2013")  # cells that replace a unit
SIGNED = re.compile(r"[/%\u00b0^*]")  # signs that only units have
NEAR = 1e-6  # relative difference that is allowed between a sum and its printed total


def has_comments(raw: bytes) -> bool:
    """Return whether some line of a text begins as a comment does.

    A text without the signs of comments is recognised first, which is faster.
    """
    if not any(sign in raw for sign in SIGNS):
        return False
    return COMMENTED.match(b"\n" + raw) is not None or COMMENTED.search(raw) is not None


def strip_comments(raw: bytes, width_of: Callable[..., Any]) -> tuple[bytes, list[Any]]:
    """Blank the lines of comments, and return (text, remarks).

    If the last comment above the table has as many cells as the table has columns, it names them and stays. `width_of`
    returns the number of cells of a line.
    """
    if not has_comments(raw):
        return raw, []
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if line.strip() and not COMMENT.match(line)), None)
    if first is None:
        return raw, []
    width = width_of(lines[first])
    # between rows #N/A is a gap, and a line with as many cells as a row may be a row
    aside = [i for i in range(first, len(lines)) if REMARK.match(lines[i]) and width_of(lines[i]) != width]
    commented = [i for i in range(first) if COMMENT.match(lines[i])] + aside
    names, remarks = None, []
    above = [i for i in commented if i < first]
    if above:
        stripped = COMMENT.sub("", lines[above[-1]], count=1).lstrip(" \t")
        if width_of(stripped) == width > 1:
            names = above[-1]
            lines[names] = stripped
            remarks.append("names behind a sign of comment")
    gone = [i for i in commented if i != names]
    for i in gone:
        lines[i] = "\n"
    if gone:
        remarks.append(COMMENTS)
    return "".join(lines).encode(), remarks


def strip_rules(raw: bytes) -> tuple[bytes, list[Any]]:
    """Blank lines that are drawn between rows, as in Markdown or by a database's terminal. Return (text, remarks)."""
    if not RULE.search(raw[:LOOKED_AT]):
        return raw, []
    return RULE.sub(b"", raw), [DRAWN]


def has_short_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line has one cell less than all others.

    R writes tables in this way: the column of the rows' names has no name.
    """
    first, *rest = rows
    width = len(first) + 1
    if min(len(rest), len(first)) < 2 or any(len(row) != width for row in rest):
        return False
    if not any(row[-1].strip() for row in rest):  # a delimiter ends each line
        return False
    names = [row[0].strip('"') for row in rest]
    if counted := [value for name in names if (value := parse_number_lenient(name)) is not None]:
        return counted == [counted[0] + i for i in range(len(names))]
    return len(set(names)) == len(names)


def with_empty_name(raw: bytes, mark: str) -> bytes:
    """Insert an empty cell at the start of the first line of a text."""
    start = len(raw) - len(raw.removeprefix(b"\xef\xbb\xbf").lstrip())
    return raw[:start] + b'""' + mark.encode() + raw[start:]


def lines_above(lines: Sequence[str], marks: Mapping[str, str]) -> tuple[int, str] | tuple[int, None]:
    """Return (number of first non-blank lines above the table, delimiter of the table).

    Returns (0, None) if no delimiter gives all lines below some first ones the same number of cells.
    """
    best = (0, None)
    for mark in marks:
        try:
            rows = list(csv.reader(lines, delimiter=mark, skipinitialspace=True))
        except csv.Error:
            continue
        if len(rows) != len(lines):
            continue
        widths = [len(row) for row in rows]
        start = len(widths) - 1
        while start and widths[start - 1] == widths[-1]:
            start -= 1
        fits = widths[-1] > 1 and 0 < start <= ABOVE and len(widths) - start > 1
        if fits and all(cell.strip() for cell in rows[start]) and (best[1] is None or start < best[0]):
            best = start, mark
    return best


def blank_first_lines(raw: bytes, count: int) -> bytes:
    """Blank the first `count` lines of a text that are not blank yet."""
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    for i, line in enumerate(lines):
        if not count:
            break
        if line.strip():
            lines[i], count = "\n", count - 1
    return "".join(lines).encode()


def strip_remarks(lines: Sequence[int], cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """Return (lines, cells) without the rows above the table. If there are any, `unusual` gets a remark."""
    if above := remarks_above(cells):
        lines, cells = lines[above:], [column[above:] for column in cells]
        unusual.append(f"{above} line{'s' * (above > 1)} above the table left out")
    return lines, cells


def strip_formulas(cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """Return the columns with 007 for cells such as ="007", a formula by which a spreadsheet shows 007 as text.

    If there are any, `unusual` gets a remark.
    """
    if not any(FORMULA.fullmatch(cell) for column in cells for cell in column[:ABOVE]):
        return cells
    unusual.append(FORMULAS)
    return [_strip_formulas(encode_cells(column)) for column in cells]


def _strip_formulas(column):
    if isinstance(column, LazyCells):
        return column
    return EncodedColumn.of(
        [match[1] if (match := FORMULA.fullmatch(cell)) else cell for cell in column.cells], column.codes
    )


def strip_outer_marks(cells: Sequence[Sequence[str]], mark: str, unusual: list[str]) -> Any:
    """Return the columns without an empty last or first one, as delimiters at the ends or starts of lines make them.

    If there is one, `unusual` gets a remark with the name of the delimiter, `mark`.
    """
    if len(cells) > 1 and not any(cells[-1]):
        cells = cells[:-1]
        unusual.append(f"{mark} at the end of each line")
    if len(cells) > 1 and not any(cells[0]):
        cells = cells[1:]
        unusual.append(f"{mark} at the start of each line")
    return cells


def strip_names(
    lines: Sequence[int],
    cells: Sequence[Sequence[str]],
    name: str,
    delimiter: str,
    unusual: list[str],
) -> Any:
    """Return (names of the columns, lines, cells) without the first row if that names the columns.

    The names are "" if the first row holds values. If that is a guess, `unusual` gets a remark. Raises Refusal if no
    row follows.
    """
    first = [column[0] for column in cells]

    def rest():
        below, _ = parse_columns([column[1:] for column in cells], delimiter)
        return [None if column.dates or column.cell_counts.are_durations else column.numbers for column in below]

    values = [math.nan if is_below(cell) else parse_number_lenient(cell) for cell in first]
    if all(map(is_below, first)):
        values = [None] * len(first)
    try:
        named = header.counts_columns(first, cells) or header.has_header(values, rest, name)
    except Refusal:
        named = header.names_by_numbers(first, cells)
        unusual.append("a first line of names" if named else "a first line of values")
    if not named:
        return [""] * len(cells), lines, cells
    if len(lines) == 1:
        raise Refusal(f"{name} has a header and no rows; add at least one row of values.")
    return first, lines[1:], [column[1:] for column in cells]


def strip_units(lines: Sequence[int], cells: Sequence[Sequence[str]], names: Sequence[str], unusual: list[str]) -> Any:
    """Return (units of the columns, lines, cells) without a row of units below the names.

    The units are "" if there is no such row; otherwise `unusual` gets a remark.
    """
    units = row_of_units(cells) if any(names) else None
    if units is None:
        return [""] * len(cells), lines, cells
    unusual.append("a row of units below the names")
    return units, lines[1:], [column[1:] for column in cells]


def strip_totals(
    names: Sequence[str], lines: Sequence[int], cells: Sequence[Sequence[str]], delimiter: str, unusual: list[str]
) -> Any:
    """Return (columns as `number_notation.columns` reads them, lines, remarks) without rows that are not observations.

    These are rows that repeat the names, and rows of totals, averages and the like. `unusual` gets remarks on them.
    """
    gone, summary = find_summaries(names, cells, delimiter)
    if gone:
        rows = remaining_rows(len(lines), gone)
        lines, cells = select_rows(lines, rows), [select_rows(column, rows) for column in cells]
        unusual += summary
    below, remarks = parse_columns(cells, delimiter)
    return below, lines, remarks


def remaining_rows(count: int, gone: Collection[int]) -> slice | list[int]:
    """Return which of `count` rows remain: a slice if the removed ones are first and last rows, else a list."""
    first = next(i for i in range(count + 1) if i not in gone)
    last = next(i for i in range(count, -1, -1) if i - 1 not in gone)
    if first + count - last == len(gone):
        return slice(first, last)
    return [i for i in range(count) if i not in gone]


def select_rows(column: Any, rows: slice | list[int]) -> Any:
    """Return some rows of a column, given by a slice or a list."""
    return column[rows] if isinstance(rows, slice) else [column[i] for i in rows]


def find_summaries(
    names: Sequence[str], cells: Sequence[Sequence[str]], delimiter: str = ""
) -> tuple[set[int], list[str]]:
    """Return (rows of a table that are not observations, remarks), from the cells as text.

    A row that repeats the names repeats all of them. A row of totals has a word such as "Total" in some column, and
    meets one of these conditions: a number is the sum of the other rows, or of those since the last total; its word is
    in a column of numbers or dates, so that it cannot be a level; or the word occurs once in its column, and all other
    columns of words are empty in this row. The last row may have no word at all if all of its numbers are sums. A row
    of averages, minima and the like is at an end of the table, and all of its numbers are what its word says. At least
    two other rows remain.
    """
    again, drawn = find_repeated_names(names, cells), _find_drawn_lines(cells)
    words = {
        j: matches for j, column in enumerate(cells)
        if are_texts(column) and (matches := _summary_words(column))
    }  # fmt: skip
    again |= drawn
    rows = {j: [i for i in rows_with(cells[j], matches) if i not in again] for j, matches in words.items()}
    labels: dict[int, tuple[int, str]] = {}
    for j, each in rows.items():
        labels.update({i: (j, cells[j][i]) for i in each if i not in labels})
    gone, confirmed = set(again), set()
    count = len(cells[0])
    last, before = ([column[i] for column in cells] if count > 1 else [] for i in (-1, -2))
    if count - 1 not in labels and lacks_word(last, before) and _may_add_up(cells):
        labels[count - 1] = (0, "")
    if labels and len(labels) <= min(MOST_SUMMARIES * count, FEW_SUMMARIES) and count - len(gone) - len(labels) > 1:
        confirmed = _confirm(labels, again, cells, delimiter)
        gone |= confirmed
    remarks = summary_remarks(len(again) - len(drawn), len(confirmed), confirmed == {count - 1})
    return gone, [*remarks, *([DRAWN] if drawn else [])]


def _find_drawn_lines(cells):
    """Return the rows that are drawn lines: every cell that is not empty consists of signs such as ---."""
    if not all(map(are_texts, cells)):
        return set()
    rows = rows_with(cells[0], {cell for cell in distinct_cells(cells[0]) if LINE.fullmatch(cell)})
    rows = [i for i in rows if all(LINE.fullmatch(column[i]) or not column[i] for column in cells)]
    return set(rows) if 2 * len(rows) <= len(cells[0]) else set()


def observations(names: Sequence[str], cells: Sequence[Sequence[str]], is_whole: bool) -> list[Sequence[str]]:
    """Return the cells of a file's first rows without repeated names, and without final totals if `is_whole`."""
    gone, _ = find_summaries(names, cells)
    count, repeated = len(cells[0]), find_repeated_names(names, cells)
    last = next((k for k in range(LAST + 1) if count - 1 - k not in gone), LAST) if is_whole else 0
    rows = remaining_rows(count, repeated | set(range(count - last, count)))
    return [select_rows(column, rows) for column in cells]


def summary_remarks(repeated: int, totals: int, is_last: bool = True) -> list[str]:
    """Return the remarks on repeated lines of names and on lines of totals that were left out.

    Parameters
    ----------
    repeated : int
        The number of repeated lines of names.
    totals : int
        The number of lines of totals.
    is_last : bool, default True
        Whether a single line of totals is the last line.

    Returns
    -------
    list of str
        The remarks.
    """
    remarks = [f"{_count(repeated, 'repeated line')} of names left out"] if repeated else []
    remarks += [TOTAL if totals == 1 and is_last else f"{_count(totals, 'line')} of totals left out"] if totals else []
    return remarks


class Sums(NamedTuple):
    """Number, sum, minimum and maximum of some numbers.

    Attributes
    ----------
    n : int
        The number of numbers.
    total : float
        Their sum.
    low, high : float
        Their minimum and maximum.
    """

    n: int = 0
    total: float = 0.0
    low: float = math.inf
    high: float = -math.inf

    @classmethod
    def of(cls, x: Vector) -> Self:
        """Return the sums of numbers (n,). Missing ones are left out."""
        x = x[~np.isnan(x)]
        return cls(len(x), float(x.sum()), float(x.min()), float(x.max())) if len(x) else cls()

    @property
    def mean(self) -> float:
        """Mean of the numbers."""
        return self.total / self.n if self.n else math.inf

    def __or__(self, other: Sums) -> Sums:
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Sums(self.n + other.n, self.total + other.total, low, high)


def is_summary(cells: Sequence[str], sums: Mapping[int, Sums]) -> bool:
    """Return whether a last line summarises the columns of numbers, with a word such as "Total" or without one.

    Parameters
    ----------
    cells : sequence of str
        The cells of the line.
    sums : mapping of int to Sums
        The sums of the columns of numbers, by position.

    Returns
    -------
    bool
        True for a summary.
    """
    j, word = next(((j, cell.rstrip(" :.")) for j, cell in enumerate(cells) if SUMMARY.fullmatch(cell)), (-1, ""))
    if j in sums:  # in a column of numbers the word cannot be a level
        return True
    values = {
        k: value for k, cell in enumerate(cells) if k in sums and (value := parse_number_lenient(cell)) is not None
    }
    pairs = [(value, sums[k]) for k, value in values.items() if not math.isnan(value)]
    if not word:
        return bool(pairs) and all(adds_up(value, each.total) for value, each in pairs)
    if TOTALS.fullmatch(word):
        return any(adds_up(value, each.total) for value, each in pairs)
    name = next((name for start, (_, name) in STATISTICS.items() if re.search(start, word.lower())), "mean")
    return bool(pairs) and all(
        abs(value - expected) <= ROUNDING * abs(expected)
        for value, expected in ((value, getattr(each, name, math.inf)) for value, each in pairs)
    )


def _may_add_up(cells):
    """Return whether the last row may hold the sums of the others. With many rows only plain numbers are checked."""
    if len(cells[0]) <= MANY:
        return True
    values = [x for x in map(parse_numbers, cells) if x is not None and not np.isnan(x[-1])]
    return bool(values) and all(adds_up(x[-1], _total(x[:-1])) for x in values)


def lacks_word(last: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether a last line holds only numbers, and is empty in a column where the line before it has a word.

    Parameters
    ----------
    last : sequence of str
        The cells of the last line.
    before : sequence of str
        The cells of the line before it.

    Returns
    -------
    bool
        True if the line may be a summary without a word.
    """
    words, above = (
        {k for k, cell in enumerate(line) if cell and parse_number_lenient(cell) is None} for line in (last, before)
    )
    return not words and any(last) and any(not last[k] for k in above)


def _summary_words(column):
    """Return the words such as "Total" in a column. The first character excludes most cells, which is faster."""
    return {cell for cell in distinct_cells(column) if cell[:1] not in NO_WORD and SUMMARY.fullmatch(cell)}


def find_repeated_names(names: Sequence[str], cells: Sequence[Sequence[str]]) -> set[int]:
    """Return the rows that repeat the names of all columns, as in files that were concatenated."""
    if not all(names) or not all(map(are_texts, cells)):
        return set()
    rows = [
        i
        for i in rows_with(cells[0], {names[0]})
        if all(column[i] == name for column, name in zip(cells, names, strict=True))
    ]
    if 2 * len(rows) > len(cells[0]):  # the table consists of such rows
        return set()
    is_only_words = len(cells) == 1 and 2 * sum(parse_number_lenient(cell) is None for cell in cells[0]) > len(cells[0])
    return set() if is_only_words else set(rows)


def _confirm(labels, again, cells, delimiter):
    """Return the rows with a word such as "Total" that are not observations."""
    count, order = len(cells[0]), sorted(labels)
    rest = np.array([i for i in range(count) if i not in labels and i not in again])
    read, _ = parse_columns([[*(column[i] for i in rest), *(column[i] for i in order)] for column in cells], delimiter)
    unlabelled, _ = parse_columns([[column[i] for i in rest] for column in cells], delimiter)
    values = [column.numbers for column in read if column.numbers is not None and not column.dates]
    ends = {i for i in order if i + len(order) >= count or i < len(order)}
    confirmed = set()
    for k, i in enumerate(order):
        j, word = labels[i]
        since = np.searchsorted(rest, [order[k - 1] if k else -1, i])
        pairs = [(x[len(rest) + k], x[: len(rest)]) for x in values if not np.isnan(x[len(rest) + k])]
        if not word:
            if pairs and all(adds_up(value, _total(x)) for value, x in pairs):
                confirmed.add(i)
            continue
        if TOTALS.fullmatch(word.rstrip(" :.")):
            summed = any(_is_sum(value, x) or _is_sum(value, x[slice(*since)]) for value, x in pairs)
            others = [n for n, column in enumerate(unlabelled) if n != j and (column.numbers is None or column.dates)]
            alone = bool(others) and cells[j].count(word) == 1 and all(is_missing(cells[n][i]) for n in others)
        else:  # "Max" may be a person's name
            summed = bool(pairs) and i in ends and all(is_statistic(word, value, x) for value, x in pairs)
            alone = False
        if summed or alone or unlabelled[j].numbers is not None:
            confirmed.add(i)
    return confirmed


def _total(x):
    """Return the sum of numbers, without missing ones; NaN if a number or the sum is infinite."""
    x = x[~np.isnan(x)]
    try:
        return math.fsum(x) if np.isfinite(x).all() else math.nan
    except OverflowError:
        return math.nan


def _is_sum(value, x):
    """Return whether a number is the sum of others, or their count."""
    x = x[~np.isnan(x)]
    return len(x) > 0 and (adds_up(value, _total(x)) or (len(x) > 2 and value == len(x)))


STATISTICS: dict[str, tuple[Callable[[Vector], Any], str]] = {  # part of a word of `AVERAGES` -> (function, Sums field)
    r"median|m\u00e9diane": (np.median, ""),
    r"\bmin": (np.min, "low"),
    r"\bmax": (np.max, "high"),
    r"count|anzahl": (len, "n"),
    r"std|sd|deviation|abweichung|\u00e9cart": (lambda x: float(x.std(ddof=1)), ""),
}


def is_statistic(word: str, value: float, x: Vector) -> bool:
    """Return whether a number is the statistic of others (n,) that a word such as "Average" or "max" names."""
    x = x[~np.isnan(x)]
    word = word.lower()
    function = next((each for start, (each, _) in STATISTICS.items() if re.search(start, word)), np.mean)
    return len(x) > 1 and bool(abs(value - function(x)) <= ROUNDING * abs(function(x)))


def _count(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def strip_index(names: Sequence[str], below: Sequence[ParsedColumn], unusual: list[str]) -> Any:
    """Return (names, columns) without a first column that has no name and counts the rows, a remark in `unusual`."""
    if any(names) and len(below) > 1 and counts(names[0], below[0].numbers):
        names, below = names[1:], below[1:]
        unusual.append(INDEX)
    return names, below


def remarks_above(cells: Sequence[Sequence[str]]) -> int:
    """Return the number of first rows that lie above a complete row of words.

    Only the first cell of such a row may have a word.
    """
    width, rows = len(cells), min(ABOVE + 1, len(cells[0]))
    for row in range(rows):
        filled = [bool(column[row]) for column in cells]
        if all(filled):
            full = row and width > 1 and all(parse_numbers([column[row]]) is None for column in cells)
            return row if full and not is_missing(cells[0][row]) else 0
        if any(filled[1:]):
            return 0
    return 0


def row_of_units(cells: Sequence[Sequence[str]]) -> Any:
    """Return the unit of each column if the first row below the names is a row of units, or None if it holds values.

    A column of words has no unit. If there are two or more columns of numbers, all have a unit, or all units are known.
    """
    if len(cells[0]) < 2:
        return None
    units = [column[0].strip("()[]") if column[0] not in NOTHING else "" for column in cells]
    values = [unit for unit in units if unit and parse_number_lenient(unit) is not None]  # numbers or gaps
    values += filter(is_below, units)
    if values or not all(UNIT.fullmatch(column[0]) for column in cells):
        return None
    measured = [_numeric(column[1:51]) for column in cells]
    if any(unit and (not numeric or len(unit) > WIDEST) for unit, numeric in zip(units, measured, strict=True)):
        return None
    whole = sum(measured) > 1 and all(unit for unit, numeric in zip(units, measured, strict=True) if numeric)
    known = any(units) and all(unit in GLUED or SIGNED.search(unit) for unit in units if unit)
    return units if whole or known else None


def _numeric(cells):
    """Return whether the first non-missing cells are numbers, whatever is written around them."""
    filled = [cell for cell in cells if not is_missing(cell)]
    return bool(filled) and all(any(letter.isdigit() for letter in cell) for cell in filled)


def adds_up(value: float, total: float) -> bool:
    """Return whether a value is the printed total of the values above it."""
    return bool(value != 0 and abs(value - total) <= NEAR * abs(total))


def counts(title: str, values: Vector | None) -> bool:
    """Return whether an unnamed column is an index that was saved with its table: 0, 1, 2, ... or 1, 2, 3, ....

    Parameters
    ----------
    title : str
        Name of the column, "" if it has none.
    values : ndarray of shape (n,) or None
        Its numbers, or None for a column of words.

    Returns
    -------
    bool
        True if it counts the rows.
    """
    if title or values is None or len(values) < 2 or values[0] not in (0, 1):
        return False
    return np.array_equal(values, values[0] + np.arange(len(values)))
