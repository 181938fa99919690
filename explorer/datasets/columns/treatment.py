"""Treatment of a column in a comparison: a scaled number, a category, or left out, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal, echo
from explorer.datasets.column_selection import number_like_cell, refuse_commas, refuse_mostly_numbers
from explorer.printing import printed, short_name
from explorer.types import Labels, Vector

from .common_units import CommonUnit, common_unit, convert, other_names, zone_mismatch
from .identifiers import doubtful_epoch_unit, reason_not_measured
from .missing_codes import describe_missing_codes, without_missing_codes
from .table import parse_number_strict
from .tokens import identifier_kind
from .word_scales import word_order

if TYPE_CHECKING:
    from .table import Column, Table


ROWS_PER_LEVEL = 2  # fewest rows for each level, on average: with fewer, the levels are names or identifiers
MOST_CODES = 20  # most distinct codes
ROWS_PER_CODE = 20  # fewest rows for each code, on average: fewer may be measurements that happen to recur
DIGITS = 3  # fewest digits of a code
WIDE_GAP = 10  # least median gap of codes, in units of the gaps' greatest common divisor; for a scale it is about 1
FEW_CELLS = 50  # up to this number of distinct cells words are a category, whatever they contain
SENTENCE = 4  # fewest words of a sentence


@printed
@dataclass(frozen=True)
class ColumnTreatment:
    r"""The treatment of a column in a comparison.

    Attributes
    ----------
    name : str
        Name of the column.
    kind : {"number", "category", "left out", "missing"}
        What the column became. "missing" is an indicator, 0 or 1, of the missing cells of the column of this name.
    scale : float, default 1.0
        The divisor of the numbers, 1.0 if they are in their own units.
    levels : tuple of str, default ()
        A category's levels in order, as words. Their positions are its codes.
    ordered : int, default 0
        Number of levels, from the first, that are steps of an ordered scale, see `word_scales`; 0 if there is no scale.
    why : str, default ""
        The reason why a column was left out.
    unit : str, default ""
        The unit of the numbers, as the files state it.
    limited : int, default 0
        Number of values that the files give only as a limit, such as <0.5.
    odd : str, default ""
        Remark on numbers that may stand for missing values, such as -9999 far from all others.
    numeric : bool, default False
        Whether a column that was left out holds numbers, or words that begin like numbers.
    rate : float, default 0.0
        For "missing", the share of missing cells in the rows of all files.
    factors : tuple of float, default ()
        The factor of each table's numbers that makes one unit of all; empty if nothing was multiplied.
    lowest : float or None, default None
        The limit that smaller values became in every table, see `common_units.common_unit`; or None.
    highest : float or None, default None
        The limit that larger values became in every table; or None.
    notes : tuple of str, default ()
        What else was done: units, limits, flags, words taken as missing, other names.
    signs : tuple of float, default ()
        The numbers that are treated as missing values, such as -9999.

    Examples
    --------
    >>> from explorer.datasets import ColumnTreatment, read_tables
    >>> tables = read_tables([b"x,kind\n0,a\n1,b\n2,a\n", b"x,kind\n5,a\n6,a\n7,b\n"])
    >>> kind: ColumnTreatment = tables.columns[1]
    >>> kind.kind, kind.levels
    ('category', ('a', 'b'))
    """

    name: str
    kind: str
    scale: float = 1.0
    levels: tuple[str, ...] = ()
    ordered: int = 0
    why: str = ""
    unit: str = ""
    limited: int = 0
    odd: str = ""
    numeric: bool = False
    rate: float = 0.0
    factors: tuple[float, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    notes: tuple[str, ...] = ()
    signs: tuple[float, ...] = ()

    def __str__(self) -> str:
        name, remarks = self.label, "".join(f", {remark}" for remark in self.remarks)
        if self.kind == "category":
            count = len(self.levels)
            kind = "an ordered scale" if self.ordered else "a category"
            return f"{name} is {kind} of {count} level{'' if count == 1 else 's'}{remarks}"
        if self.kind == "left out":
            return f"{name} is left out ({self.why})"
        if self.kind == "missing":
            return f"missing cells of {name} are compared as data"
        limits = f", {self.limited} of its values limits" if self.limited else ""
        limits += remarks
        if self.scale == 1:
            return f"{name} is in its own units{limits}"
        return f"{name} is divided by {format_three_digits(self.scale)}{limits}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Facts about the values that a reader of a verdict needs: `notes`, and the remark on missing-value codes."""
        return (*self.notes, *filter(None, [self.odd]))

    def values(self, x: Vector, k: int) -> Vector:
        """Return the numbers of a table as they are compared, before they are divided by `scale`.

        Parameters
        ----------
        x : ndarray of shape (n,)
            The numbers.
        k : int
            Position of the table.

        Returns
        -------
        ndarray of shape (n,)
            The numbers, with NaN in place of each of the `signs`.
        """
        return convert(
            without_missing_codes(x, self.signs), self.factors[k] if self.factors else 1.0, self.lowest, self.highest
        )

    @property
    def label(self) -> str:
        """The column's name, followed by its unit if the files state one."""
        return f"{short_name(self.name)} ({self.unit})" if self.unit else short_name(self.name)

    called = label  # its name in older Python that users have copied


def choose_treatment(
    tables: Sequence[Table], columns: Sequence[Column], requested: bool, codes_missing: bool = False
) -> ColumnTreatment:
    """Choose the treatment of one column of several tables; `columns` holds the column as each table has it.

    Words and truth values are categories of any number of levels. If the column was not `requested` by name, it needs
    two rows for each level on average and must not be free text, see `is_free_text`. The levels are ordered if
    `word_order` knows their order.

    Numbers stay numbers, also whole ones, which may be counts. They are a category if there are only two values, which
    have no order to lose. They are also a category if they are codes, see `are_codes`, and the column was not
    requested.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    columns : sequence of Column
        The column of each table.
    requested : bool
        Whether the user named the column.
    codes_missing : bool, default False
        Whether missing-value codes, numbers such as -9999 far from all others, are missing cells, see
        `Ends.missing_codes`.

    Returns
    -------
    ColumnTreatment
        The treatment.

    Raises
    ------
    Refusal
        If the column holds numbers in one table and words in another, or cannot be compared although it was requested.
    """
    name, rows = columns[0].name, sum(table.rows for table in tables)
    if opaque := next((column.opaque for column in columns if column.opaque), ""):
        return _left_out(name, f"{opaque}, which are not compared", requested)
    for table, column in zip(tables, columns, strict=True):
        if column.numbers is None:
            if column.counts()[0] == table.rows:
                return _left_out(name, f"no cell of {table.name} has a value", requested)
            refuse_commas(table, column)
            if not requested:
                refuse_mostly_numbers(table, column)
    if columns[0].dates and not requested:
        return _left_out(name, "dates", requested)
    if zones := zone_mismatch(tables, columns):
        return _left_out(name, zones, requested)
    numeric = [column.numbers is not None for column in columns]
    if len(set(numeric)) > 1:
        raise Refusal(_of_two_kinds(tables, columns, numeric))
    if numeric[0]:
        ends = reduce(or_, (column.ends for column in columns))
        met = CommonUnit() if columns[0].dates else common_unit(tables, columns)
        if met.reason:
            raise Refusal(f"column {name!r} is {met.reason}; give it in one unit, or leave that column out.")
        factors = () if set(met.factors) <= {1.0} else met.factors
        limited = sum(column.n_limits for column in columns)
        if rows >= 2 * ROWS_PER_LEVEL and ends.are_two and not factors and not limited:
            return ColumnTreatment(name, "category", notes=met.notes)
        if not requested and not factors and not limited and are_codes(columns):
            return ColumnTreatment(name, "category", notes=met.notes)
        table_names = [short_name(table.name) if len(tables) > 1 else "" for table in tables]
        each = [column.ends for column in columns]
        odd = "" if factors else describe_missing_codes(each, table_names, codes_missing, columns[0].dates)
        more = {"factors": factors, "lowest": met.lowest, "highest": met.highest, "notes": met.notes}
        more["signs"] = ends.missing_codes if odd and codes_missing else ()
        if (unit := doubtful_epoch_unit(columns)) and not requested:
            more["notes"] = (*met.notes, f"may be {unit} since 1970, if so name other columns")
        return ColumnTreatment(name, "number", unit=met.unit, limited=limited, odd=odd, **more)
    levels = len(set().union(*(column.times.keys() - column.gaps for column in columns)))
    requested = requested or any(column.order for column in columns)
    like = next(filter(None, map(number_like_cell, columns)), "")
    such = f", such as {echo(like)}" if like else ""
    if any(column.uncounted for column in columns):
        return _left_out(name, f"more than {levels} different words{such}", requested, bool(like))
    if levels == rows or (not requested and levels * ROWS_PER_LEVEL > rows):
        return _left_out(name, f"{levels} different words in {rows} rows{such}", requested, bool(like))
    if not requested and is_free_text(columns):
        return _left_out(name, f"free text, {levels} different cells in {rows} rows", requested, bool(like))
    notes, order = tuple(other_names([table.name for table in tables], columns)), word_order(columns)
    if order is None:
        return ColumnTreatment(name, "category", notes=notes)
    return ColumnTreatment(name, "category", levels=order.levels, ordered=order.ordered, notes=notes)


def are_codes(columns: Sequence[Column]) -> bool:
    """Return whether the numbers of a column are codes that measure nothing, such as 200, 301 and 404.

    `columns` holds the column as each table has it. Codes are three to twenty distinct whole numbers with equally many
    digits, at least three, and with twenty rows for each on average. At least half of the gaps between them are ten
    times as wide as the largest number that divides all gaps: 1 to 5, 10, 20, 50 or 100, 200, 300 are a scale. Nothing
    depends on which table a row is from.
    """
    detectors = [column.whole_numbers for column in columns]
    if not all(each.n and each.whole and each.share == 1 for each in detectors):
        return False
    values = np.unique(np.concatenate([each.numbers()[0] for each in detectors]))
    if not 3 <= len(values) <= MOST_CODES or sum(each.n for each in detectors) < ROWS_PER_CODE * len(values):
        return False
    digits = [len(str(int(abs(x)))) for x in (values[0], values[-1])]
    if values[0] < 0 or digits[0] != digits[1] or digits[0] < DIGITS:
        return False
    gaps = np.diff(values).astype(np.int64)
    return bool(np.median(gaps) >= WIDE_GAP * np.gcd.reduce(gaps))


def is_free_text(columns: Sequence[Column]) -> bool:
    """Return whether the words of a column are free text; `columns` holds the column as each table has it.

    There are more than 50 distinct cells, most of them occur once in all tables together, and at least half of these
    have four words or more. Nothing depends on which table a row is from.
    """
    times: Counter[str] = Counter()
    for column in columns:
        times.update({cell: count for cell, count in column.times.items() if cell not in column.gaps})
    once = [cell for cell, count in times.items() if count == 1]
    if len(times) <= FEW_CELLS or 2 * len(once) <= len(times):
        return False
    return 2 * sum(len(cell.split()) >= SENTENCE for cell in once) >= len(once)


def with_levels(column: ColumnTreatment, levels: Labels) -> ColumnTreatment:
    """Return a category with only some of its levels.

    Parameters
    ----------
    column : ColumnTreatment
        The category.
    levels : ndarray of shape (L,)
        The levels, sorted.

    Returns
    -------
    ColumnTreatment
        The category. The levels of an ordered scale are in its order.
    """
    words = level_words(levels)
    if not column.ordered:
        return replace(column, levels=words)
    remaining = set(words)
    on, rest = (
        tuple(word for word in part if word in remaining)
        for part in (column.levels[: column.ordered], column.levels[column.ordered :])
    )
    return replace(column, levels=(*on, *rest), ordered=len(on))


def without_identifiers(tables: Sequence[Table], columns: Sequence[Column], column: ColumnTreatment) -> ColumnTreatment:
    """Return a column's treatment, or leave the column out if its numbers or words are identifiers and the like."""
    if column.kind == "number":
        why = reason_not_measured(tables, columns)
        return _left_out(column.name, why, requested=False, numeric=True) if why else column
    if any(each.numbers is not None or each.dates for each in columns):
        return column
    why = identifier_kind(columns)
    return _left_out(column.name, why, requested=False, numeric=column.numeric) if why else column


def format_three_digits(x: float) -> str:
    """Format a number with three significant digits, such as 8,170.

    Parameters
    ----------
    x : float
        The number.

    Returns
    -------
    str
        Its digits, with commas between thousands.
    """
    return f"{float(f'{x:.3g}'):,.12g}"


def level_words(levels: Labels) -> tuple[str, ...]:
    """Return levels as words; whole numbers have no decimal point."""
    return tuple(word if isinstance(word, str) else f"{word:.17g}" for word in levels.tolist())


def _left_out(name, why, requested, numeric=False):
    """Return the treatment of a column that is left out, or refuse it if the user requested it."""
    if requested:
        raise Refusal(f"column {name!r} cannot be compared: {why}; name other columns.")
    return ColumnTreatment(name, "left out", why=why, numeric=numeric)


def _of_two_kinds(tables, columns, numeric):
    """Return the message about a column that holds numbers in one table and words in another."""
    of_words = numeric.index(False)
    cells = [cell for cell in columns[of_words].times if cell not in columns[of_words].gaps]
    word = next((cell for cell in cells if parse_number_strict(cell) is None), cells[0])
    return (
        f"column {columns[0].name!r} holds numbers in {tables[numeric.index(True)].name} and words in "
        f"{tables[of_words].name}, such as {word!r:.40}; write it alike in all of them, or leave "
        "that column out."
    )
