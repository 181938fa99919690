"""Common units and limits of the columns of one name in several tables, and the reasons why there may be none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.datasets.column_selection import comma_number, mostly_numbers
from explorer.printing import echo, join_list, short_name
from explorer.types import Vector

from .cell_counts import CellCounts
from .cell_decorations import CODES, CURRENCIES, SHARES, SYMBOLS, are_flags, is_measured, size_of, units_of
from .durations import seconds_in
from .identifiers import hold_dates
from .number_notation import number_text, readings_of
from .scales import Magnitude
from .spellings import describe_respellings, quote_visible

if TYPE_CHECKING:
    from .table import Column, Table

RARE = 0.01  # a limit beyond the others that a smaller share of the limited cells has does not apply to all tables
KINDS = 6  # most distinct limits: if there are more, each row may have its own, and only common ones count
COMMON = 0.1  # least share of the limited cells that have a common limit
DIGITS = 14  # significant digits of products
LEAST = 1e-8  # numbers of a smaller size, or a larger one than the inverse, are not rounded
LARGEST_SHIFT = 3.0  # largest ratio of the medians of |x| with and without a percent sign, in one unit
PART, NAMED = {"%": "a hundredth", "\u2030": "a thousandth"}, {"%": "percent", "\u2030": "per mille"}


class CommonUnit(NamedTuple):
    """How the numbers of one column of several tables are compared.

    Attributes
    ----------
    unit : str
        The unit of all numbers.
    factors : tuple of float
        The factor of each table's numbers.
    lowest : float or None
        The limit that smaller values become in every table, or None.
    highest : float or None
        The limit that larger values become in every table, or None.
    notes : tuple of str
        What was done, for the user.
    reason : str
        Why the numbers cannot be compared, as in "column ... is <reason>"; "" if they can.
    """

    unit: str = ""
    factors: tuple[float, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    notes: tuple[str, ...] = ()
    reason: str = ""


def convert(x: Vector, factor: float, lowest: float | None, highest: float | None) -> Vector:
    """Multiply numbers by a factor and clip them to limits; NaN stays NaN.

    Return min(max(factor x, lowest), highest) for each x. Values beyond the limit of one table are then ties in every
    table, and a limit that moved is not a difference. All rows are treated alike, so permutation tests of the result
    keep their level. A product is rounded to 14 digits: 0.57 times 100 ties with 57.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.datasets.columns.common_units import convert
    >>> convert(np.array([0.6, 1.0, 2.0]), 1.0, 1.5, None).tolist()
    [1.5, 1.5, 2.0]
    """
    if factor != 1:
        x = to_digits(x * factor)
    return x if lowest is None and highest is None else np.clip(x, lowest, highest)


def to_digits(x: Vector) -> Vector:
    """Round numbers (n,) to 14 significant digits.

    Examples
    --------
    >>> from explorer.datasets.columns.common_units import to_digits
    >>> import numpy as np
    >>> to_digits(np.array([0.57 * 100, -0.0712 * 1000])).tolist()
    [57.0, -71.2]
    """
    regular = np.isfinite(x) & (x != 0) & (np.abs(x) > LEAST) & (np.abs(x) < 1 / LEAST)
    size = np.floor(np.log10(np.abs(np.where(regular, x, 1.0)))).astype(int)
    up = 10.0 ** np.clip(DIGITS - 1 - size, 0, 22)  # powers of ten are exact up to 10^22
    down = 10.0 ** np.clip(size - DIGITS + 1, 0, 22)
    return np.where(regular, np.rint(x * up / down) * down / up, x)


def common_unit(tables: Sequence[Table], columns: Sequence[Column]) -> CommonUnit:
    """Return the CommonUnit of numeric columns that are not dates; `columns` has one column of each table.

    All decisions depend on the cells of all tables together and not on which table a cell is from. The only exceptions
    are the unit and the signs that are written next to a table's numbers. So permutations of rows keep their level.

    Notes
    -----
    Units. If all units are equal, they are kept. Durations in several units are compared in seconds, and 5.34k is
    compared as 5,340; M, bn and the like are handled in the same way. A unit or sign in one table is applied to the
    numbers of another table only if their sizes agree with it, see `scales.Magnitude`, and a note reports it. Numbers
    without a unit get the unit of the others if the medians of ``|x|`` are alike: within a factor of 1.5, or within
    what chance explains. Numbers without "%" are shares if those with "%" are about 100 times as large. If numbers
    without k are about 1,000 times as large as those with k, they are already multiplied, like 5340 next to 5.34k. In
    all other cases the column is refused.

    Limits. If cells only say that a value lies below a limit, such as <0.6 and <1.5, all values below the largest of
    the limits become that limit in every table, so that a limit that moved is not a change of the values. Upper limits
    are treated in the same way, with the smallest of them. A limit that lies beyond the others and that less than 1 %
    of such cells have does not apply to all tables; its cells stay at their own limit. So do cells of more than six
    different limits, as in rows that were each measured in their own way, except for limits that 10 % of such cells
    have.
    """
    names, everything = [table.name for table in tables], reduce(or_, (column.cell_counts for column in columns))
    unit, factors, notes, why = _in_one_unit(names, columns, everything)
    why = why or _ambiguity_reason(names, columns)
    if why:
        return CommonUnit(reason=why, factors=(1.0,) * len(columns))
    lowest = _limit([_times(each.cell_counts.lower, factor) for each, factor in zip(columns, factors, strict=True)], 1)
    highest = _limit(
        [_times(each.cell_counts.upper, factor) for each, factor in zip(columns, factors, strict=True)], -1
    )
    moved = [
        *_limit_notes(names, columns, factors, "lower", lowest, unit),
        *_limit_notes(names, columns, factors, "upper", highest, unit),
    ]
    words = [f"{word} as missing in {_per_table(names, columns, 'words', word)}" for word in sorted(everything.words)]
    flags = [
        f"{echo(flag)} next to {_count_of(count, 'value')} taken as a flag"
        for flag, count in sorted(everything.flags.items())
    ]
    read = [
        f"{c.cell_counts.read_as} in {short_name(name)}"
        for name, c in zip(names, columns, strict=True)
        if c.cell_counts.read_as
    ]
    sizes = [
        f"{word} next to {_count_of(count, 'value')} read as {size_of(word):,.0f} times the number"
        for word, count in sorted(everything.sizes.items())
    ]
    grouped = [
        f"{each.cell_counts.grouped} ({short_name(name)})"
        for name, each in zip(names, columns, strict=True)
        if each.cell_counts.grouped
    ]
    notes = (*moved, *notes, *words, *flags, *sizes, *grouped, *read, *other_names(names, columns))
    return CommonUnit(unit, factors, lowest, highest, notes)


def other_names(names: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """Return notes on tables that give a column another name or spell its words differently."""
    each = [(name, column.cell_counts) for name, column in zip(names, columns, strict=True)]
    renamed = [
        f"called {quote_visible(counts.renamed)} in {short_name(name)}" for name, counts in each if counts.renamed
    ]
    return [*renamed, *filter(None, (describe_respellings(counts.respelled, name) for name, counts in each))]


def mismatch_reason(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return why columns of one name cannot be compared, or "" if they can; an empty column is of any kind.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    columns : sequence of Column
        The column of each table.

    Returns
    -------
    str
        The reason, in a few words.
    """
    filled = [(t, c) for t, c in zip(tables, columns, strict=True) if c.missing < t.rows]
    if any(column.opaque for _, column in filled):
        if all(column.opaque for _, column in filled):
            return ""  # the treatment leaves it out
        kinds = {column.opaque or _kind_of(column): t.name for t, column in filled}
        return join_list([f"{kind} in {short_name(name)}" for kind, name in kinds.items()])
    for table, column in filled:
        if column.numbers is None and (why := _unread_reason(column)):
            return f"{why} in {short_name(table.name)}" if len(tables) > 1 else why
    kind_of = {table.name: _kind_of(column) for table, column in filled}
    if len(set(kind_of.values())) > 1:
        kinds = {kind: name for name, kind in reversed(kind_of.items())}
        return " and ".join(f"{kind} in {kinds[kind]}" for kind in ("dates", "numbers", "words") if kind in kinds)
    measured = [(t, c) for t, c in filled if c.numbers is not None and not c.dates]
    if len(measured) < 2:
        return ""
    return common_unit([t for t, _ in measured], [c for _, c in measured]).reason


def zone_mismatch(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return how the time zones of a column of dates differ, or "" if they do not.

    Days are those of each zone's clock. A table that does not name its zone is taken to be on the clock of the others.
    """
    zones: dict[str, str] = {}
    for table, column in zip(tables, columns, strict=True):
        if column.zone:
            zones.setdefault(column.zone, table.name)
    each = [f"of {zone} in {short_name(name)}" for zone, name in zones.items()]
    return f"time stamps {join_list(each)}, whose clocks differ" if len(each) > 1 else ""


def _kind_of(column):
    """Return "dates", "words" or "numbers"; dates may be written as numbers."""
    if hold_dates([column]):
        return "dates"
    return "words" if column.numbers is None else "numbers"


def _unread_reason(column: Column) -> str:
    """Return why a column is text although most of its cells are numbers, or "" if few are."""
    if cell := comma_number(column):
        return f"numbers whose {'commas' if ',' in cell else 'points'} may be decimal or between thousands"
    if not (counts := mostly_numbers(column)):
        return ""
    numbers, other, word = counts
    given = column.times.keys() - column.gaps
    units = units_of(given)
    if len({CURRENCIES.get(unit, unit) for unit in units}) > 1:
        return f"{_several_units(units)} ({join_list(units, 60)})"
    if other:
        return f"{numbers:,} numbers and {_count_of(other, 'word')}, such as {echo(word)},"
    if units and all(map(is_measured, given)):
        return f"numbers with {units[0]} and numbers without it"
    return f"{numbers:,} numbers written in several ways"


def _several_units(units):
    """Return "several currencies" or "several units"."""
    money = all(set(unit) <= {*SYMBOLS} or unit in CODES.split("|") for unit in units)
    return "several currencies" if money else "several units"


def _in_one_unit(
    names: Sequence[str], columns: Sequence[Column], everything: CellCounts
) -> tuple[str, tuple[float, ...], list[str], str]:
    """Return (unit, factor of each table, notes, reason against a comparison or "")."""
    ones = (1.0,) * len(columns)
    if any(each.cell_counts.are_durations for each in columns):
        return _in_seconds(names, columns, everything)
    units = [CURRENCIES.get(each.unit, each.unit) for each in columns]
    different = [*dict.fromkeys(filter(None, units))]
    if not different:
        return "", ones, [], ""
    if SHARES.keys() >= set(different):
        return _in_percent(names, columns, units)
    if all(map(size_of, different)) and (result := _in_one_size(names, columns, units)):
        return result
    if len(different) > 1:
        if all(seconds := [seconds_in(unit) for unit in units]):
            return "s", tuple(seconds), [f"{join_list(different)} compared in s"], ""
        each = " and ".join(f"in {unit} in {short_name(names[units.index(unit)])}" for unit in different[:3])
        more = f" ({_several_units(different)})" if _several_units(different) == "several currencies" else ""
        return "", ones, [], each + more
    unit = next(each.unit for each in columns if each.unit)
    if all(units):
        return unit, ones, [], ""
    measured = _joint(columns, [bool(each) for each in units])
    for name, column, own in zip(names, columns, units, strict=True):
        if not own and not column.magnitude.is_like(measured):
            first = short_name(names[units.index(different[0])])
            return (
                "",
                ones,
                [],
                f"in {unit} in {first} and without a unit in {short_name(name)}, {_times_as_large(column, measured)}",
            )
    if are_flags([unit]):
        flagged = _tables_with_unit(names, units)
        return "", ones, [f"{echo(unit)} next to the values of {flagged} taken as a flag"], ""
    return unit, ones, [f"without a unit in {_tables_with_unit(names, units, False)}, taken as {unit}"], ""


def _ambiguity_reason(names, columns):
    """Return why numbers such as 1.250 stay ambiguous next to those of other tables, or "" if none do.

    Such numbers come from files that are read in chunks; they may be 1.25 or 1250.
    """
    measured = _joint(columns, [not column.cell_counts.ambiguous for column in columns])
    for name, column in zip(names, columns, strict=True):
        if column.cell_counts.ambiguous and measured.median > 0 and not column.magnitude.is_near(measured):
            both = join_list([f"{x:.12g}" for x in readings_of(number_text(column.cell_counts.ambiguous)).values()])
            return f"of numbers such as {column.cell_counts.ambiguous} in {short_name(name)}, one of {both}"
    return ""


def _tables_with_unit(names, units, has=True):
    """List the tables whose numbers have a unit, or with `has=False` those whose numbers have none."""
    return join_list([short_name(name) for name, unit in zip(names, units, strict=True) if bool(unit) == has], 80)


def _joint(columns, among, factors=()):
    """Return the typical Magnitude of the selected columns, each multiplied by its factor."""
    sized = zip(columns, among, factors or [1.0] * len(columns), strict=True)
    given = [column.magnitude.times(factor) for column, here, factor in sized if here and column.magnitude.median > 0]
    return Magnitude(*map(float, np.median(given, axis=0))) if given else Magnitude()


def _times_as_large(column, other):
    """Describe how large the numbers of a column are relative to others."""
    ratio = column.magnitude.over(other)
    return f"whose numbers are about {f'{ratio:,.2g}' if ratio < 10 else f'{ratio:,.0f}'} times as large"


def _in_one_size(names, columns, units):
    """Return the result of `_in_one_unit` for numbers with k, M and the like.

    A single letter may also be a unit, such as K in 300 K.
    """
    ones, sizes = (1.0,) * len(columns), [size_of(unit) for unit in units]
    first = next(filter(None, units))
    if len(set(sizes)) == 1:
        return first, ones, [], ""
    least, many = min(filter(None, sizes)), len(set(filter(None, sizes))) > 1
    written = _joint(columns, sizes, [size / least for size in sizes])  # magnitude in units of the smallest size
    kinds = ["" for _ in names]
    for k, (name, column, size) in enumerate(zip(names, columns, sizes, strict=True)):
        if not size and column.magnitude.median > 0:
            kinds[k] = "plain" if column.magnitude.is_times(least, written) else "as written"
            if kinds[k] == "as written" and (many or not column.magnitude.is_like(written)):
                where = f"with {first} in {short_name(names[units.index(first)])} and without it in {short_name(name)}"
                return "", ones, [], f"{where}, {_times_as_large(column, written)}"
    taken = join_list([short_name(name) for name, kind in zip(names, kinds, strict=True) if kind == "as written"], 80)
    notes = [f"without {first} in {taken}, taken as {first}"] if taken else []
    if not many and "plain" not in kinds:
        return first, ones, notes, ""
    letters = join_list([f"{unit} is {size_of(unit):,.0f}" for unit in dict.fromkeys(filter(None, units))])
    factors = [size or (least if kind == "as written" else 1.0) for size, kind in zip(sizes, kinds, strict=True)]
    return (
        "",
        tuple(factors),
        [f"{letters} in {_tables_with_unit(names, units)}, compared in plain numbers", *notes],
        "",
    )


def _in_seconds(names, columns, everything):
    """Return the result of `_in_one_unit` for durations; a:b may be minutes:seconds or hours:minutes."""
    ones, clock = (1.0,) * len(columns), everything.clock
    is_open = [bool(each.cell_counts.clock.n) for each in columns]
    plain = [name for name, each, a_b in zip(names, columns, is_open, strict=True) if not a_b and not each.unit]
    if plain:
        other = next(name for name, each in zip(names, columns, strict=True) if each.unit or each.cell_counts.clock.n)
        return "", ones, [], f"of lengths of time in {short_name(other)} and of plain numbers in {short_name(plain[0])}"
    if all(is_open):
        return clock.unit, ones, [f"read as {clock.reading}"], ""
    factors = [1.0 if a_b else seconds_in(each.unit) for each, a_b in zip(columns, is_open, strict=True)]
    if 0.0 in factors:
        odd = factors.index(0.0)
        return "", ones, [], f"of lengths of time and in {columns[odd].unit} in {short_name(names[odd])}"
    readings = {each.cell_counts.reading for each in columns} & {"minutes:seconds", "hours:minutes"}
    if any(is_open):
        if len(readings) > 1 or not (readings or clock.beyond):
            first = short_name(names[is_open.index(True)])
            return "", ones, [], f"of values a:b in {first}, which may be minutes:seconds or hours:minutes"
        readings = readings or {"minutes:seconds"}
        hours = readings == {"hours:minutes"}
        factors = [60.0 if a_b and hours else factor for factor, a_b in zip(factors, is_open, strict=True)]
    words = [f"a:b read as {reading}" for reading in sorted(readings)]
    return "s", tuple(factors), words, ""


def _in_percent(names, columns, units):
    """Return the result of `_in_one_unit` for numbers that have a percent or per mille sign in some tables.

    Numbers without a sign that lie in [-1, 1] and are as large as those with it may be shares in another unit.
    """
    ones, signs = (1.0,) * len(columns), [*dict.fromkeys(filter(None, units))]
    unit = signs[0] if len(signs) == 1 else "%"
    factors = [SHARES[each] / SHARES[unit] if each else 0.0 for each in units]
    signed = _joint(columns, units, factors)
    negative = any(column.ends.low < 0 for column, each in zip(columns, units, strict=True) if each)
    shares, taken, whole = [], [], 1 / SHARES[unit]
    for k, (name, column) in enumerate(zip(names, columns, strict=True)):
        if units[k]:
            continue
        ratio = column.magnitude.over(signed)
        if not ratio > 0:
            factors[k] = 1.0
        elif signed.is_times(whole, column.magnitude) and negative == (column.ends.low < 0):
            factors[k] = whole
            shares.append(short_name(name))
        elif 1 / LARGEST_SHIFT <= ratio <= LARGEST_SHIFT and (column.ends.high > 1 or unit in column.name):
            factors[k] = 1.0
            taken.append(short_name(name))
        else:
            where = f"with {unit} in {short_name(names[units.index(signs[0])])} and without in {short_name(name)}"
            return "", ones, [], f"{where}, where 1 may be all or {PART[unit]} of it"
    notes = [f"shares of 1 in {join_list(shares, 80)}, taken times {whole:,.0f}"] if shares else []
    notes += [f"without {unit} in {join_list(taken, 80)}, taken as {NAMED[unit]}"] if taken else []
    notes += [f"{join_list(signs)} compared in {unit}"] if len(signs) > 1 else []
    return unit, tuple(factors), notes, ""


def _times(limits, factor):
    return {limit * factor: count for limit, count in limits.items()}


def _limit(each, sign) -> float | None:
    """Return the limit of all tables: the largest lower one (sign 1) or the smallest upper one (sign -1), or None.

    `common_unit` explains the rules.
    """
    pooled: Counter[float] = Counter()
    for limits in each:
        pooled.update(limits)
    total, beyond = pooled.total(), 0
    if len(pooled) > KINDS:
        pooled = Counter({limit: count for limit, count in pooled.items() if count >= COMMON * total})
    for limit in sorted(pooled, key=lambda x: -sign * x):
        beyond += pooled[limit]
        if beyond >= RARE * total:
            return limit
    return None


def _limit_notes(names, columns, factors, way, limit, unit) -> list[str]:
    """Return a list with the note on limits: each table's limit if they differ, and the one used for all."""
    each = [_times(getattr(column.cell_counts, way), factor) for column, factor in zip(columns, factors, strict=True)]
    if not any(each):
        return []
    if limit is None:
        kinds = len(set().union(*each))
        return [
            f"{sum(sum(limits.values()) for limits in each):,} values are limits, of {kinds} kinds, taken as the limit"
        ]
    sign, side, larger = ("<", "above", "larger") if way == "lower" else (">", "below", "smaller")
    own = [_largest(limits, limit, 1 if way == "lower" else -1) for limits in each]
    behind = f" {unit}" if unit else ""
    if len(set(own)) == 1:
        return [f"compared {side} {limit:.12g}{behind}, the limit"]
    limits = join_list(f"{'no limit' if x is None else f'{sign}{x:.12g}'} in {short_name(name)}"
                  for name, x in zip(names, own, strict=True))  # fmt: skip
    return [f"the limit differs ({limits}): compared {side} {limit:.12g}{behind}, the {larger} limit"]


def _largest(limits, limit, sign):
    """Return the largest lower limit of one table that is not beyond that of all, or its smallest upper one.

    The result is None if the table has no such limit.
    """
    return max((x for x in limits if sign * x <= sign * limit), key=lambda x: sign * x, default=None)


def _per_table(names, columns, field, key):
    """Return the number of rows of each table with a key in a field of their counts, such as "3 rows of a"."""
    counts = [getattr(each.cell_counts, field).get(key, 0) for each in columns]
    if len(columns) == 1:
        return _count_of(counts[0], "row")
    return join_list(
        f"{_count_of(count, 'row')} of {short_name(name)}" for name, count in zip(names, counts, strict=True)
    )


def _count_of(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
