"""What stands around a table in its file: comments, lines above it, a row of units, lines of totals, a row's number.

Lines are blanked and not taken away, so that sentences name the lines of the file as it is.
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
from .lazy_cells import Cells, Coded, are_texts, different, rows_with

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
SIGNS = (b"#", b"%", b"/")  # of comment
COMMENTED = re.compile(rb"\n[ \t]*(?:#|%|//)")
REMARK = re.compile(r"[ \t]*(#+|%+|//)[ \t]")
LOOKED_AT = 10_000  # bytes in which lines are looked for that are drawn between rows
ABOVE = 20  # lines that may stand above a table
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
NO_WORD = frozenset("0123456789-+.")  # what numbers begin with
LINE = re.compile(r"[-=_+*~\u2013\u2014\u2500]{3,}")
LAST = 5  # lines that are looked at in a file that is read in pieces
MOST_SUMMARIES, FEW_SUMMARIES = 0.2, 100  # of the rows: more are what the column holds
MANY = 2000  # rows: of no more a last line of sums is looked for in every notation
ROUNDING = 1e-3  # of an average, by which a printed one may differ from it
NOTHING = ("-", "\u2013")  # in the place of a unit
SIGNED = re.compile(r"[/%\u00b0^*]")  # what only units have
NEAR = 1e-6  # of a sum, by which a printed total may differ from it


def has_comments(raw: bytes) -> bool:
    """Whether some line of a text begins as a comment does; that the signs are nowhere is seen sooner."""
    if not any(sign in raw for sign in SIGNS):
        return False
    return COMMENTED.match(b"\n" + raw) is not None or COMMENTED.search(raw) is not None


def without_comments(raw: bytes, width_of: Callable[..., Any]) -> tuple[bytes, list[Any]]:
    """(text, remarks): lines of comment are blanked; the last above the table names its columns where it has as many.

    width_of: how many cells a line has
    """
    if not has_comments(raw):
        return raw, []
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if line.strip() and not COMMENT.match(line)), None)
    if first is None:
        return raw, []
    width = width_of(lines[first])
    # among rows #N/A is a gap, and what has as many cells as a row may be one
    aside = [i for i in range(first, len(lines)) if REMARK.match(lines[i]) and width_of(lines[i]) != width]
    commented = [i for i in range(first) if COMMENT.match(lines[i])] + aside
    names, said = None, []
    above = [i for i in commented if i < first]
    if above:
        stripped = COMMENT.sub("", lines[above[-1]], count=1).lstrip(" \t")
        if width_of(stripped) == width > 1:
            names = above[-1]
            lines[names] = stripped
            said.append("names behind a sign of comment")
    gone = [i for i in commented if i != names]
    for i in gone:
        lines[i] = "\n"
    if gone:
        said.append(COMMENTS)
    return "".join(lines).encode(), said


def without_rules(raw: bytes) -> tuple[bytes, list[Any]]:
    """(text, remarks): lines that are drawn between rows, as in Markdown or by a database's terminal, are blanked."""
    if not RULE.search(raw[:LOOKED_AT]):
        return raw, []
    return RULE.sub(b"", raw), [DRAWN]


def has_short_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a first line has one cell less than all others: R's way, which leaves the rows' own names without one."""
    first, *rest = rows
    width = len(first) + 1
    if min(len(rest), len(first)) < 2 or any(len(row) != width for row in rest):
        return False
    if not any(row[-1].strip() for row in rest):  # a mark at the end of each line
        return False
    names = [row[0].strip('"') for row in rest]
    if counted := [value for name in names if (value := parse_number_lenient(name)) is not None]:
        return counted == [counted[0] + i for i in range(len(names))]
    return len(set(names)) == len(names)


def with_empty_name(raw: bytes, mark: str) -> bytes:
    """The text with an empty cell before those of its first line."""
    start = len(raw) - len(raw.removeprefix(b"\xef\xbb\xbf").lstrip())
    return raw[:start] + b'""' + mark.encode() + raw[start:]


def above(lines: Sequence[str], marks: Mapping[str, str]) -> tuple[int, str] | tuple[int, None]:
    """(how many first lines of some that are not blank stand above the table, the mark of the table).

    (0, None) where no mark gives all lines below some first ones the same number of cells.
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


def blanked(raw: bytes, count: int) -> bytes:
    """The text with so many of its first lines that are not blank made blank."""
    lines = raw.decode("utf-8-sig").splitlines(keepends=True)
    for i, line in enumerate(lines):
        if not count:
            break
        if line.strip():
            lines[i], count = "\n", count - 1
    return "".join(lines).encode()


def without_remarks(lines: Sequence[int], cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """(lines, cells) without the rows that stand above the table."""
    if above := remarks_above(cells):
        lines, cells = lines[above:], [column[above:] for column in cells]
        unusual.append(f"{above} line{'s' * (above > 1)} above the table left out")
    return lines, cells


def without_equals(cells: Sequence[Sequence[str]], unusual: list[str]) -> Any:
    """The cells, those that a spreadsheet was to take for text, as ="007", without the formula around them."""
    if not any(FORMULA.fullmatch(cell) for column in cells for cell in column[:ABOVE]):
        return cells
    unusual.append(FORMULAS)
    return [_without_equals(encode_cells(column)) for column in cells]


def _without_equals(column):
    if isinstance(column, Cells):
        return column
    return Coded.of([found[1] if (found := FORMULA.fullmatch(cell)) else cell for cell in column.cells], column.codes)


def without_outer_marks(cells: Sequence[Sequence[str]], mark: str, unusual: list[str]) -> Any:
    """The columns without a last one that is empty, or a first one, as a mark at the end of each line makes it."""
    if len(cells) > 1 and not any(cells[-1]):
        cells = cells[:-1]
        unusual.append(f"{mark} at the end of each line")
    if len(cells) > 1 and not any(cells[0]):
        cells = cells[1:]
        unusual.append(f"{mark} at the start of each line")
    return cells


def without_names(
    lines: Sequence[int],
    cells: Sequence[Sequence[str]],
    name: str,
    delimiter: str,
    unusual: list[str],
) -> Any:
    """(the columns' names, lines, cells) where the first row names the columns; names of "" where it is a row.

    Raises ValueError where no row follows.
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


def without_units(
    lines: Sequence[int], cells: Sequence[Sequence[str]], names: Sequence[str], unusual: list[str]
) -> Any:
    """(the columns' units, lines, cells) without a row of units below the names; units of "" where there is none."""
    units = row_of_units(cells) if any(names) else None
    if units is None:
        return [""] * len(cells), lines, cells
    unusual.append("a row of units below the names")
    return units, lines[1:], [column[1:] for column in cells]


def without_summaries(
    names: Sequence[str], lines: Sequence[int], cells: Sequence[Sequence[str]], delimiter: str, unusual: list[str]
) -> Any:
    """(the columns as `notation.columns` reads them, lines, remarks) without the rows that are no observations.

    These are lines of names that stand in the table once more, and lines of totals, averages and the like.
    """
    gone, said = summaries(names, cells, delimiter)
    if gone:
        kept = kept_rows(len(lines), gone)
        lines, cells = kept_of(lines, kept), [kept_of(column, kept) for column in cells]
        unusual += said
    below, remarks = parse_columns(cells, delimiter)
    return below, lines, remarks


def kept_rows(count: int, gone: Collection[int]) -> slice | list[int]:
    """Return which of so many rows stay: a slice, if those that go are the first and the last ones."""
    first = next(i for i in range(count + 1) if i not in gone)
    last = next(i for i in range(count, -1, -1) if i - 1 not in gone)
    if first + count - last == len(gone):
        return slice(first, last)
    return [i for i in range(count) if i not in gone]


def kept_of(column: Any, kept: slice | list[int]) -> Any:
    """Return the rows of a column that stay."""
    return column[kept] if isinstance(kept, slice) else [column[i] for i in kept]


def summaries(names: Sequence[str], cells: Sequence[Sequence[str]], delimiter: str = "") -> tuple[set[int], list[str]]:
    """Return (the rows of a table that are no observations, remarks), of cells as they are written.

    A row that repeats the names repeats all of them. A row of totals has a word such as "Total" in some column, and
    besides one of these: a number that is the sum of the other rows, or of those since the last total; its word stands
    in a column of numbers or dates, where it is no level; or it stands once in its column, and all other columns of
    words are empty in this row. The last row may have no word at all if all of its numbers are sums. A row of averages,
    minima and the like stands at an end, and all of its numbers are what its word says. At least two other rows stay.
    """
    again, drawn = repeated_names(names, cells), _drawn(cells)
    words = {
        j: found for j, column in enumerate(cells)
        if are_texts(column) and (found := _summary_words(column))
    }  # fmt: skip
    again |= drawn
    rows = {j: [i for i in rows_with(cells[j], found) if i not in again] for j, found in words.items()}
    labels: dict[int, tuple[int, str]] = {}
    for j, each in rows.items():
        labels.update({i: (j, cells[j][i]) for i in each if i not in labels})
    gone, confirmed = set(again), set()
    count = len(cells[0])
    last, before = ([column[i] for column in cells] if count > 1 else [] for i in (-1, -2))
    if count - 1 not in labels and lacks_word(last, before) and _may_add_up(cells):
        labels[count - 1] = (0, "")
    if labels and len(labels) <= min(MOST_SUMMARIES * count, FEW_SUMMARIES) and count - len(gone) - len(labels) > 1:
        confirmed = _confirmed(labels, again, cells, delimiter)
        gone |= confirmed
    said = said_of(len(again) - len(drawn), len(confirmed), confirmed == {count - 1})
    return gone, [*said, *([DRAWN] if drawn else [])]


def _drawn(cells):
    """The rows that are a line: in every cell that is given stand signs alone, as ---."""
    if not all(map(are_texts, cells)):
        return set()
    found = rows_with(cells[0], {cell for cell in different(cells[0]) if LINE.fullmatch(cell)})
    found = [i for i in found if all(LINE.fullmatch(column[i]) or not column[i] for column in cells)]
    return set(found) if 2 * len(found) <= len(cells[0]) else set()


def observations(names: Sequence[str], cells: Sequence[Sequence[str]], is_whole: bool) -> list[Sequence[str]]:
    """Return the cells of a file's first rows without those of repeated names, and of last totals if it is whole."""
    gone, _ = summaries(names, cells)
    count, repeated = len(cells[0]), repeated_names(names, cells)
    last = next((k for k in range(LAST + 1) if count - 1 - k not in gone), LAST) if is_whole else 0
    kept = kept_rows(count, repeated | set(range(count - last, count)))
    return [kept_of(column, kept) for column in cells]


def said_of(repeated: int, totals: int, is_last: bool = True) -> list[str]:
    """Return the remarks on lines of names that were repeated and on lines of totals, which were left out."""
    said = [f"{_many(repeated, 'repeated line')} of names left out"] if repeated else []
    said += [TOTAL if totals == 1 and is_last else f"{_many(totals, 'line')} of totals left out"] if totals else []
    return said


class Sums(NamedTuple):
    """How many numbers there are, their sum, the least and the largest."""

    n: int = 0
    total: float = 0.0
    low: float = math.inf
    high: float = -math.inf

    @classmethod
    def of(cls, x: Vector) -> Self:
        """Of numbers (n,), those aside that are missing."""
        x = x[~np.isnan(x)]
        return cls(len(x), float(x.sum()), float(x.min()), float(x.max())) if len(x) else cls()

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.n if self.n else math.inf

    def __or__(self, other: Sums) -> Sums:
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Sums(self.n + other.n, self.total + other.total, low, high)


def is_summary(cells: Sequence[str], sums: Mapping[int, Sums]) -> bool:
    """Return whether a last line, with a word such as "Total" or none, is one, of columns of numbers by positions."""
    j, word = next(((j, cell.rstrip(" :.")) for j, cell in enumerate(cells) if SUMMARY.fullmatch(cell)), (-1, ""))
    if j in sums:  # where it is no level
        return True
    values = {
        k: value for k, cell in enumerate(cells) if k in sums and (value := parse_number_lenient(cell)) is not None
    }
    given = [(value, sums[k]) for k, value in values.items() if not math.isnan(value)]
    if not word:
        return bool(given) and all(adds_up(value, each.total) for value, each in given)
    if TOTALS.fullmatch(word):
        return any(adds_up(value, each.total) for value, each in given)
    name = next((name for start, (_, name) in STATISTICS.items() if re.search(start, word.lower())), "mean")
    return bool(given) and all(
        abs(value - own) <= ROUNDING * abs(own)
        for value, own in ((value, getattr(each, name, math.inf)) for value, each in given)
    )


def _may_add_up(cells):
    """Whether the last row may be the sums of the others: of many rows it is asked of plain numbers alone."""
    if len(cells[0]) <= MANY:
        return True
    values = [x for x in map(parse_numbers, cells) if x is not None and not np.isnan(x[-1])]
    return bool(values) and all(adds_up(x[-1], _total(x[:-1])) for x in values)


def lacks_word(last: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether a last line has numbers alone, and is empty where the line before it has words."""
    given, above = (
        {k for k, cell in enumerate(line) if cell and parse_number_lenient(cell) is None} for line in (last, before)
    )
    return not given and any(last) and any(not last[k] for k in above)


def _summary_words(column):
    """The words such as "Total" of a column; most cells begin as no word does, which is seen sooner."""
    return {cell for cell in different(column) if cell[:1] not in NO_WORD and SUMMARY.fullmatch(cell)}


def repeated_names(names: Sequence[str], cells: Sequence[Sequence[str]]) -> set[int]:
    """Return the rows that hold the names of all columns again, as files have them that were put together."""
    if not all(names) or not all(map(are_texts, cells)):
        return set()
    found = [
        i
        for i in rows_with(cells[0], {names[0]})
        if all(column[i] == name for column, name in zip(cells, names, strict=True))
    ]
    if 2 * len(found) > len(cells[0]):  # it is what the table holds
        return set()
    alone = len(cells) == 1 and 2 * sum(parse_number_lenient(cell) is None for cell in cells[0]) > len(
        cells[0]
    )  # of words
    return set() if alone else set(found)


def _confirmed(labels, again, cells, delimiter):
    """Those of the rows with a word such as "Total" that are no observations."""
    count, order = len(cells[0]), sorted(labels)
    rest = np.array([i for i in range(count) if i not in labels and i not in again])
    read, _ = parse_columns([[*(column[i] for i in rest), *(column[i] for i in order)] for column in cells], delimiter)
    own, _ = parse_columns([[column[i] for i in rest] for column in cells], delimiter)
    values = [column.numbers for column in read if column.numbers is not None and not column.dates]
    ends = {i for i in order if i + len(order) >= count or i < len(order)}
    found = set()
    for k, i in enumerate(order):
        j, word = labels[i]
        since = np.searchsorted(rest, [order[k - 1] if k else -1, i])
        given = [(x[len(rest) + k], x[: len(rest)]) for x in values if not np.isnan(x[len(rest) + k])]
        if not word:
            if given and all(adds_up(value, _total(x)) for value, x in given):
                found.add(i)
            continue
        if TOTALS.fullmatch(word.rstrip(" :.")):
            summed = any(_is_sum(value, x) or _is_sum(value, x[slice(*since)]) for value, x in given)
            others = [n for n, column in enumerate(own) if n != j and (column.numbers is None or column.dates)]
            alone = bool(others) and cells[j].count(word) == 1 and all(is_missing(cells[n][i]) for n in others)
        else:  # Max is a name, too
            summed = bool(given) and i in ends and all(is_statistic(word, value, x) for value, x in given)
            alone = False
        if summed or alone or own[j].numbers is not None:
            found.add(i)
    return found


def _total(x):
    """The sum of numbers, those aside that are missing; nan if one of them, or their sum, is infinite."""
    x = x[~np.isnan(x)]
    try:
        return math.fsum(x) if np.isfinite(x).all() else math.nan
    except OverflowError:
        return math.nan


def _is_sum(value, x):
    """Whether a number is the sum of others, or how many there are."""
    x = x[~np.isnan(x)]
    return len(x) > 0 and (adds_up(value, _total(x)) or (len(x) > 2 and value == len(x)))


STATISTICS: dict[str, tuple[Callable[[Vector], Any], str]] = {  # what words of `AVERAGES` hold -> its name in `Sums`
    r"median|m\u00e9diane": (np.median, ""),
    r"\bmin": (np.min, "low"),
    r"\bmax": (np.max, "high"),
    r"count|anzahl": (len, "n"),
    r"std|sd|deviation|abweichung|\u00e9cart": (lambda x: float(x.std(ddof=1)), ""),
}


def is_statistic(word: str, value: float, x: Vector) -> bool:
    """Return whether a number is what the word beside it says, such as "Average" or "max", of others (n,)."""
    x = x[~np.isnan(x)]
    word = word.lower()
    function = next((each for start, (each, _) in STATISTICS.items() if re.search(start, word)), np.mean)
    return len(x) > 1 and bool(abs(value - function(x)) <= ROUNDING * abs(function(x)))


def _many(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def without_index(names: Sequence[str], below: Sequence[ParsedColumn], unusual: list[str]) -> Any:
    """(names, columns) without a first column that has no name and counts the rows."""
    if any(names) and len(below) > 1 and counts(names[0], below[0].numbers):
        names, below = names[1:], below[1:]
        unusual.append(INDEX)
    return names, below


def remarks_above(cells: Sequence[Sequence[str]]) -> int:
    """How many first rows have a word in their first cell alone, or nothing, above a row of words that is full."""
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
    """The unit of each column where the first row below the names has some; None where it is a row of values.

    A column of words has none there. Of two columns of numbers and more all have one, or those that have one have one
    that is known.
    """
    if len(cells[0]) < 2:
        return None
    units = [column[0].strip("()[]") if column[0] not in NOTHING else "" for column in cells]
    values = [unit for unit in units if unit and parse_number_lenient(unit) is not None]  # or a gap
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
    """Whether the first cells that are given are numbers, whatever stands around them."""
    given = [cell for cell in cells if not is_missing(cell)]
    return bool(given) and all(any(letter.isdigit() for letter in cell) for cell in given)


def adds_up(value: float, total: float) -> bool:
    """Whether a value is printed as the total of those above it."""
    return bool(value != 0 and abs(value - total) <= NEAR * abs(total))


def counts(title: str, values: Vector | None) -> bool:
    """Whether a column without a name holds 0, 1, 2, ... or 1, 2, 3, ..., as an index that was saved with its table."""
    if title or values is None or len(values) < 2 or values[0] not in (0, 1):
        return False
    return np.array_equal(values, values[0] + np.arange(len(values)))
