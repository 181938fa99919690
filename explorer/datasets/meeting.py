"""How the columns of one name of several tables meet: in which unit, above which limit, and why they may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.printing import listed, short, shown
from explorer.types import Vector

from .around import CODES, CURRENCIES, SYMBOLS, are_flags, is_measured, units_of
from .beside import Beside
from .choosing import comma_number, mostly_numbers
from .durations import seconds_in
from .stand_ins import Ends

if TYPE_CHECKING:
    from .columns import Column, Table

RARE = 0.01  # of the cells below a limit: limits that so few have, and that are larger, are not that of all tables
KINDS = 6  # of limits: if there are more, each row may have its own, and only those that COMMON of the cells have count
COMMON = 0.1
PERCENT = 10.0  # from which on the largest number of a column without a sign is taken as percent, where others have one


class Meeting(NamedTuple):
    """How the numbers of one column of several tables are compared.

    unit      of all of them; factors  what each table's numbers are multiplied by
    lowest, highest  the limits that values below or above become in every table, or None
    notes     what was done, in words; why  the reason for which they cannot be compared, "column ... is <why>"
    """

    unit: str = ""
    factors: tuple[float, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    notes: tuple[str, ...] = ()
    why: str = ""


def adapted(x: Vector, factor: float, lowest: float | None, highest: float | None) -> Vector:
    """Return numbers x (n,) times a factor, those below and above the limits as the limits; NaN stays.

        x -> min(max(factor x, lowest), highest)

    Values beyond the limit of one table are then ties in every table, and a limit that moved is no difference. All rows
    are treated alike, so permutation tests of the result keep their level.

    >>> import numpy as np
    >>> from explorer.datasets.meeting import adapted
    >>> adapted(np.array([0.6, 1.0, 2.0]), 1.0, 1.5, None).tolist()
    [1.5, 1.5, 2.0]
    """
    if factor != 1:
        x = x * factor
    return x if lowest is None and highest is None else np.clip(x, lowest, highest)


def meeting(tables: Sequence[Table], columns: Sequence[Column]) -> Meeting:
    """Return the Meeting of columns of numbers that are no dates: `columns` has that of each table.

    Whatever is decided depends on all tables' cells together, and not on which table a cell is from, but for the unit
    and the signs that are written beside a table's numbers. So permutations of rows keep their level.

    Units. Equal ones are one, and a table without unit has that of the others, which is said. Lengths of time in
    several units are compared in seconds. Numbers without "%" are shares, and multiplied by 100, if all of them lie in
    [0, 1] and those with "%" in [0, 100], some above 1. They are percent if the largest lies in [10, 100].

    Limits. If cells only say that a value lies below a limit, as <0.6 and <1.5, all values below the largest of the
    limits become that limit, in every table, so that a limit that moved is no change of the values. So above the least
    of the upper limits. A limit that lies beyond the others, and that less than 1 % of such cells have, is none of all
    tables; those cells stay at their own limit. So do cells of more than six different limits, as rows have that were
    each measured in their own way, but for limits that 10 % of such cells have.
    """
    names, everything = [table.name for table in tables], reduce(or_, (column.beside for column in columns))
    unit, factors, notes, why = _in_one_unit(names, columns, everything)
    if why:
        return Meeting(why=why, factors=(1.0,) * len(columns))
    lowest = _limit([_times(each.beside.lower, factor) for each, factor in zip(columns, factors, strict=True)], 1)
    highest = _limit([_times(each.beside.upper, factor) for each, factor in zip(columns, factors, strict=True)], -1)
    moved = [
        *_moved(names, columns, factors, "lower", lowest, unit),
        *_moved(names, columns, factors, "upper", highest, unit),
    ]
    words = [f"{word} as missing in {_per_table(names, columns, 'words', word)}" for word in sorted(everything.words)]
    flags = [
        f"{shown(flag)} beside {_many(count, 'value')} taken as a flag"
        for flag, count in sorted(everything.flags.items())
    ]
    return Meeting(unit, factors, lowest, highest, (*moved, *notes, *words, *flags, *other_names(names, columns)))


def other_names(names: Sequence[str], columns: Sequence[Column]) -> list[str]:
    """Return a note for each table that calls a column by another name."""
    renamed = ((name, column.beside.renamed) for name, column in zip(names, columns, strict=True))
    return [f"called {shown(own)} in {short(name)}" for name, own in renamed if own]


def unlike(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return why columns of one name cannot be compared, in a few words, or "" if they can.

    An empty one is of any kind.
    """
    given = [(t, c) for t, c in zip(tables, columns, strict=True) if c.missing < t.rows]
    if any(column.opaque for _, column in given) and not all(column.opaque for _, column in given):
        kinds = {column.opaque or ("words" if column.numbers is None else "numbers"): t.name for t, column in given}
        return listed([f"{kind} in {short(name)}" for kind, name in kinds.items()])
    if any(column.opaque for _, column in given):
        return ""  # the treatment says so
    for table, column in given:
        if column.numbers is None and (why := _unread(column)):
            return f"{why} in {short(table.name)}" if len(tables) > 1 else why
    held = {table.name: "words" if column.numbers is None else "numbers" for table, column in given}
    if len(set(held.values())) > 1:
        kinds = {kind: name for name, kind in reversed(held.items())}
        return f"numbers in {kinds['numbers']} and words in {kinds['words']}"
    measured = [(t, c) for t, c in given if c.numbers is not None and not c.dates]
    if len(measured) < 2:
        return ""
    return meeting([t for t, _ in measured], [c for _, c in measured]).why


def _unread(column: Column) -> str:
    """Why a column of which most cells are numbers is one of words, or ""."""
    if comma_number(column):
        return "numbers whose commas may be decimal or between thousands"
    if not (found := mostly_numbers(column)):
        return ""
    numbers, other, word = found
    given = column.times.keys() - column.gaps
    units = units_of(given)
    if len({CURRENCIES.get(unit, unit) for unit in units}) > 1:
        return f"{_several(units)} ({listed(units, 60)})"
    if other:
        return f"{numbers:,} numbers and {_many(other, 'word')}, such as {shown(word)},"
    if units and all(map(is_measured, given)):
        return f"numbers with {units[0]} and numbers without it"
    return f"{numbers:,} numbers written in several ways"


def _several(units):
    """ "several currencies" or "several units"."""
    money = all(set(unit) <= {*SYMBOLS} or unit in CODES.split("|") for unit in units)
    return "several currencies" if money else "several units"


def _in_one_unit(
    names: Sequence[str], columns: Sequence[Column], everything: Beside
) -> tuple[str, tuple[float, ...], list[str], str]:
    """(the unit, the factor of each table, notes, why not)."""
    ones = (1.0,) * len(columns)
    if any(each.beside.lasts for each in columns):
        return _in_seconds(names, columns, everything)
    units = [CURRENCIES.get(each.unit, each.unit) for each in columns]
    different = [*dict.fromkeys(filter(None, units))]
    without = listed([short(name) for name, unit in zip(names, units, strict=True) if not unit], 80)
    if not different:
        return "", ones, [], ""
    if len(different) > 1:
        if all(seconds := [seconds_in(unit) for unit in units]):
            return "s", tuple(seconds), [f"{listed(different)} compared in s"], ""
        each = " and ".join(f"in {unit} in {short(names[units.index(unit)])}" for unit in different[:3])
        more = f" ({_several(different)})" if _several(different) == "several currencies" else ""
        return "", ones, [], each + more
    unit = next(each.unit for each in columns if each.unit)
    if not all(units) and are_flags([unit]):
        flagged = listed([short(name) for name, each in zip(names, units, strict=True) if each], 80)
        return "", ones, [f"{shown(unit)} beside the values of {flagged} taken as a flag"], ""
    if not all(units) and unit == "%" and unit not in columns[0].name:
        return _percent(columns, names[units.index(unit)], without)
    return unit, ones, [] if all(units) else [f"without a unit in {without}"], ""


def _in_seconds(names, columns, everything):
    """`_in_one_unit` of lengths of time, of which those of a:b may be minutes:seconds or hours:minutes."""
    ones, clock = (1.0,) * len(columns), everything.clock
    is_open = [bool(each.beside.clock.n) for each in columns]
    plain = [name for name, each, a_b in zip(names, columns, is_open, strict=True) if not a_b and not each.unit]
    if plain:
        other = next(name for name, each in zip(names, columns, strict=True) if each.unit or each.beside.clock.n)
        return "", ones, [], f"of lengths of time in {short(other)} and of plain numbers in {short(plain[0])}"
    if all(is_open):
        return clock.unit, ones, [f"read as {clock.reading}"], ""
    factors = [1.0 if a_b else seconds_in(each.unit) for each, a_b in zip(columns, is_open, strict=True)]
    if 0.0 in factors:
        odd = factors.index(0.0)
        return "", ones, [], f"of lengths of time and in {columns[odd].unit} in {short(names[odd])}"
    readings = {each.beside.reading for each in columns} & {"minutes:seconds", "hours:minutes"}
    if any(is_open):
        if len(readings) > 1 or not (readings or clock.beyond):
            first = short(names[is_open.index(True)])
            return "", ones, [], f"of values a:b in {first}, which may be minutes:seconds or hours:minutes"
        readings = readings or {"minutes:seconds"}
        hours = readings == {"hours:minutes"}
        factors = [60.0 if a_b and hours else factor for factor, a_b in zip(factors, is_open, strict=True)]
    words = [f"a:b read as {reading}" for reading in sorted(readings)]
    return "s", tuple(factors), words, ""


def _percent(columns, signed, without):
    """`_in_one_unit` of numbers of which one table's have a percent sign and another one's none."""
    pooled = {bare: reduce(or_, (each.ends for each in columns if bool(each.unit) != bare), Ends()) for bare in (0, 1)}
    with_sign, bare = pooled[0], pooled[1]
    ones = (1.0,) * len(columns)
    if with_sign.low >= 0 and with_sign.high <= 100 and bare.low >= 0:
        if bare.high <= 1 < with_sign.high:
            factors = tuple(1.0 if each.unit else 100.0 for each in columns)
            return "%", factors, [f"shares of 1 in {without}, taken times 100"], ""
        if PERCENT <= bare.high <= 100:
            return "%", ones, [f"without % in {without}, taken as percent"], ""
    return "", ones, [], f"with % in {short(signed)} and without in {without}, where 1 may be all or a hundredth of it"


def _times(limits, factor):
    return {limit * factor: count for limit, count in limits.items()}


def _limit(each, sign) -> float | None:
    """The limit of all tables: the largest lower one (sign 1), or the least upper one (sign -1), see `meeting`."""
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


def _moved(names, columns, factors, way, limit, unit) -> list[str]:
    """The note on limits: that of each table where they differ, and the one that all are compared by."""
    each = [_times(getattr(column.beside, way), factor) for column, factor in zip(columns, factors, strict=True)]
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
    said = listed(f"{'no limit' if x is None else f'{sign}{x:.12g}'} in {short(name)}"
                  for name, x in zip(names, own, strict=True))  # fmt: skip
    return [f"the limit differs ({said}): compared {side} {limit:.12g}{behind}, the {larger} limit"]


def _largest(limits, limit, sign):
    """The largest lower limit of one table that is not beyond that of all, or its least upper one; None without any."""
    return max((x for x in limits if sign * x <= sign * limit), key=lambda x: sign * x, default=None)


def _per_table(names, columns, field, key):
    counts = [getattr(each.beside, field).get(key, 0) for each in columns]
    if len(columns) == 1:
        return _many(counts[0], "row")
    return listed(f"{_many(count, 'row')} of {short(name)}" for name, count in zip(names, counts, strict=True))


def _many(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
