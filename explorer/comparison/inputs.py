"""What is compared, in one form: tables of one space, whose first is the reference and whose others are batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, echo
from explorer.datasets.column_selection import is_empty, no_column, one_column
from explorer.datasets.columns.common_kinds import with_common_kinds
from explorer.datasets.columns.common_units import mismatch_reason
from explorer.datasets.columns.spellings import (
    closest_name,
    describe_respellings,
    match_name,
    normalise_word,
    quote_visible,
    with_common_names,
    with_common_words,
)
from explorer.datasets.columns.stray_words import with_strays_missing
from explorer.datasets.columns.table import Column, Table
from explorer.datasets.columns.thousands import read_alike
from explorer.datasets.columns.times import RowTimes
from explorer.datasets.columns.word_scales import Order, with_orders
from explorer.datasets.common_space import Tables
from explorer.datasets.dataset import some_rows
from explorer.datasets.files.limits import TooLarge
from explorer.datasets.files.pipes import as_given
from explorer.datasets.read_tables import joined
from explorer.printing import join_list, percent, short_name
from explorer.sketches.files import is_large
from explorer.sketches.large_tables import held_columns, held_tables, names_of
from explorer.types import Labels, MissingCells, Rows, Vector

from .distinct import by_distinct_rows
from .periods import PERIODS, dates_of, periods
from .samples import Samples
from .sources import batches_of, letters, table_of
from .subjects import codes_of, repeated_values

MOSTLY = 0.5  # of a column's cells
MOST = 400  # batches: more are values of a measurement


class Asked(NamedTuple):
    """What is asked of tables that are compared: arguments of `compare`.

    columns, by, missing, within, reference, order, groups   as there
    taken  whether numbers that stand for missing ones are missing cells, see `datasets.treatment`
    """

    columns: Sequence[str | int] | None = None
    by: str | None = None
    missing: MissingCells = "value"
    within: str | None = None
    reference: Any = None
    order: Order = None
    groups: Sequence[str] | None = None
    taken: bool = False

    def by_names_of(self, first: Collection[str], last: Collection[str]) -> Asked:
        """Return what is asked with the columns of groups and subjects by the names of the last and the first table."""
        by = None if self.by is None else match_name(self.by, last) or self.by
        within = None if self.within is None else match_name(self.within, first) or self.within
        return self._replace(by=by, within=within)

    @property
    def apart(self) -> list[str]:
        """The columns that name groups and subjects, which are not compared themselves."""
        return [name for name in (self.by, self.within) if name is not None]


class Splitting(NamedTuple):
    """What is known of rows beside the columns that are compared.

    groups    the group of each row of the last table, (n,); None without `by`
    subjects  of each table, the code of every row's subject, (n,); empty without `within`
    raw       the tables as they were read; None of files in pieces
    asked     what is asked, its columns by the names that the tables have
    """

    groups: Labels | None
    subjects: Sequence[Rows] = ()
    raw: Sequence[Table] | None = None
    asked: Asked = Asked()


def samples_of(a: Any, b: Any, asked: Asked) -> Samples:
    """The Samples of a reference a and b, a table or several; with `by`, of the groups of b, or of a where b is None.

    Raises what `read_tables` raises, and ValueError where there is nothing to compare.
    """
    samples, raw = read_samples(a, b, asked)
    return by_distinct_rows(samples, raw, samples.by or None)


def read_samples(a: Any, b: Any, asked: Asked) -> tuple[Samples, Sequence[Table] | None]:
    """Return `samples_of` with the copies of rows, and the tables as they were read; None of files in pieces."""
    by, within, reference = asked.by, asked.within, asked.reference
    if isinstance(a, Tables) and b is None and by is None:
        a, *b = a
    given = [a, *batches_of(b)]
    if len(given) == 1 and by is None:
        raise Refusal("there is one table, and nothing to compare it with; give a second one, or by= a column's name.")
    if by is not None and len(given) > 2:
        raise Refusal("by= names the groups of one table, and here are several batches; leave by out, or give one.")
    if reference is not None and (by is None or len(given) > 1):
        raise Refusal(
            "reference= names the group of one table that the others are compared with; give one table and by=, or"
            " leave reference out: the first table is the reference."
        )
    if within is not None and within == by:
        raise Refusal(f"by= and within= both name {echo(by)}; subjects have rows in several groups: name two columns.")
    of_files = all(isinstance(one, (str, Path)) for one in given)
    asked = asked._replace(taken=asked.taken and asked.missing == "value")
    try:
        samples, known = (_held if of_files and any(map(is_large, given)) else _whole)(given, asked)
    except TooLarge:  # a packed file, once it is unpacked
        if not of_files:
            raise
        samples, known = _held(given, asked)
    by, within = known.asked.by, known.asked.within
    samples = samples if known.groups is None else _split(samples, known.groups, by, reference, asked.groups)
    if within is not None:
        tables = [known.subjects[min(k, len(given) - 1)] for k in range(len(samples.tables))]
        codes = tuple(each[rows] for each, rows in zip(tables, samples.rows, strict=True))
        samples = samples._replace(within=within, subjects=codes)
    refuse_few(samples.tables)
    return samples, known.raw


def _whole(given, asked) -> tuple[Samples, Splitting]:
    """Return the Samples of tables that are read at once, and what is known of their rows."""
    tables = _called([table_of(one, name) for one, name in zip(given, letters(len(given)), strict=False)], given)
    tables = with_common_words(with_common_names(tables, () if asked.by is None else [asked.by]))
    asked = asked.by_names_of(tables[0].by_name, tables[-1].by_name)
    by, within = asked.by, asked.within
    tables = read_alike(with_strays_missing(tables, asked.apart), asked.apart)
    tables = with_common_kinds(tables)
    subjects = [] if within is None else codes_of([one_column(table, within) for table in tables])
    groups, grouping, times = (None, "", None) if by is None else _groups(tables[-1], by)
    kept, left_out = _compared(tables, asked)
    joint = joined(kept, asked.columns, asked.missing, "common", taken=asked.taken)
    samples = Samples.of(joint, left_out, grouping)
    repeated = repeated_values(tables, samples.left_out) if len(tables) == 2 and not asked.apart else ()
    respelled = _respelled(tables, asked)
    samples = samples._replace(times=times, repeated=repeated, respelled=respelled)
    return samples, Splitting(groups, subjects, tables, asked)


def _held(given, asked) -> tuple[Samples, Splitting]:
    """Return the Samples of files of any size, read in pieces, and what is known of their rows."""
    asked = asked.by_names_of(names_of(given[0])[0], names_of(given[-1])[0])
    by, within = asked.by, asked.within
    groups, grouping, times = (None, "", None) if by is None else _groups(_column_of(given[-1], by, PERIODS), by)
    subjects = [] if within is None else codes_of(_subjects(given, within))
    left_out: dict[str, str] = {}

    def compared(tables):
        nonlocal left_out
        kept, left_out = _compared(tables, asked)
        return kept

    how = {"compared": compared, "apart": asked.apart, "taken": asked.taken}
    joint = held_tables(given, asked.columns, asked.missing, rng=0, **how)
    joint = replace(joint, data=tuple(_called(joint.data, given)))
    labels = [(joint.data[-1], groups, joint.complete[-1])] if groups is not None else []
    for one, each, rows in [*labels, *zip(joint.data, subjects, joint.complete, strict=False)]:
        if len(each) != len(rows):
            raise Refusal(f"{one.name} changed while it was read; wait until it is written.")
    return Samples.of(joint, left_out, grouping)._replace(times=times), Splitting(groups, subjects, asked=asked)


def _subjects(paths, within) -> list[Column]:
    """The column of subjects of each file that is read in pieces."""
    tables = with_common_words([_column_of(each, within) for each in paths])
    return [one_column(table, within) for table in tables]


def _respelled(tables, asked) -> tuple[str, ...]:
    """Notes on the words of the columns of groups and subjects that are taken as others."""
    there = [table.by_name[name] for table in tables for name in asked.apart if name in table.by_name]
    called = [table.name for table in tables for name in asked.apart if name in table.by_name]
    each = zip(there, called, strict=True)
    return tuple(
        f"{short_name(column.name)}: {describe_respellings(column.cell_counts.respelled, name)}"
        for column, name in each
        if column.cell_counts.respelled
    )


def _column_of(path, name, periods=()) -> Table:
    """A column of a file, or of a folder, by its name; of one of the periods, the columns of dates."""
    names, dates = names_of(path)
    found = match_name(name, names)
    if found is None and name not in periods:
        raise no_column(Path(path).name, name, names)
    (table,) = with_common_words([held_columns(path, dates if found is None else [found])])
    return table


def _compared(tables, asked) -> tuple[list[Table], dict[str, str]]:
    """The tables with what may be compared, and why other columns are not: all but those of groups and of subjects."""
    kept = [table.select({*table.by_name} - {*asked.apart}) for table in tables]
    kept, left_out = _in_common(kept, asked.missing) if asked.columns is None else (kept, {})
    return with_orders(kept, asked.order, [*left_out, *asked.apart]), left_out


def _called(tables, given):
    """Tables of which no two have one name."""
    names = told_apart([table.name for table in tables], given)
    return [replace(table, name=name) for table, name in zip(tables, names, strict=True)]


def told_apart(names: Sequence[str], given: Sequence[Any]) -> list[str]:
    """Names of which no two are alike: files of one name by their paths, others by their positions."""
    if len(set(names)) == len(names):
        return list(names)
    paths = [as_given(one) if isinstance(one, (str, Path)) else name for one, name in zip(given, names, strict=True)]
    return paths if len(set(paths)) == len(paths) else [f"{name} ({k})" for k, name in enumerate(names, 1)]


def _in_common(tables: Sequence[Table], missing: MissingCells) -> tuple[list[Table], dict[str, str]]:
    """The tables with the columns that all have, and hold alike; the others, and why they are left out.

    Where rows with gaps are dropped, a column with more gaps than cells is left out: it would take most rows with it.
    """
    names = dict.fromkeys(column.name for table in tables for column in table.columns)
    left_out = {}
    for name in names:
        having = [table for table in tables if name in table.by_name]
        if len(having) < len(tables):
            left_out[name] = f"only in {join_list([table.name for table in having], 120)}{_probably(name, tables)}"
            continue
        columns = [table.by_name[name] for table in tables]
        if found := mismatch_reason(tables, columns) or (_mostly_gaps(tables, columns) if missing == "drop" else ""):
            left_out[name] = found
    if len(left_out) == len(names):
        why = "; ".join(f"{echo(name)} is {reason}" for name, reason in list(left_out.items())[:10])
        raise Refusal(f"the tables have no column in common: {why}. Give tables with columns of the same names.")
    return [table.select({*table.by_name} - {*left_out}) for table in tables], left_out


def _probably(name: str, tables: Sequence[Table]) -> str:
    """The name of a column that is probably the same, after a semicolon, in a table that lacks the name itself."""
    for table in tables:
        others = [each for each in table.by_name if not all(each in one.by_name for one in tables)]
        if name not in table.by_name and (near := closest_name(name, others)):
            return f"; probably the same as {quote_visible(near)} of {table.name}"
    return ""


def _mostly_gaps(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Which part of a column's cells is missing in each table, where it is more than half in one of them."""
    shares = [column.missing / table.rows if table.rows else 0.0 for table, column in zip(tables, columns, strict=True)]
    if max(shares) <= MOSTLY:
        return ""
    each = join_list((f"{percent(share)} of {table.name}" for table, share in zip(tables, shares, strict=True)), 120)
    return f"missing in {each}"


def groups_of(table: Table, by: str) -> list[Any]:
    """Return the groups of two rows or more that a column, or a period of dates, names, in their order."""
    each, *_ = _groups(table, by)
    sizes = Counter(each.tolist())
    return [name for name in _in_order(each) if name != "" and sizes[name] > 1]


def _groups(table: Table, by: str) -> tuple[Labels, str, Vector | None]:
    """The group of each row, (n,), "" where the cell is empty; which periods they are, and the rows' times, if so.

    A period such as "month" that is the name of no column is taken of the one column of dates.
    """
    if by in PERIODS and by not in table.by_name:
        dates = dates_of(table, by)
        return periods(dates, by), f"{by} of {echo(dates.name)}", RowTimes.of(table, dates).instant
    column = one_column(table, by)
    return np.where(is_empty(column), "", column.map_cells(str, object)), "", None


def _split(
    samples: Samples, groups: Labels, by: Any, reference: Any = None, chosen_groups: Sequence[str] | None = None
) -> Samples:
    """Samples whose last table has become its groups, or the chosen ones.

    Of a lone table the first group, or the one named, is the reference. How columns are treated, and their scales, are
    those of all groups, whichever are chosen.
    """
    *before, last = samples.tables
    rows = samples.rows[-1]
    each = groups[rows]
    sizes = Counter(each.tolist())
    names = [name for name in _in_order(each) if name != "" and sizes[name] > 1]
    if chosen_groups is not None:
        names = _chosen(chosen_groups, sizes, by)
        sizes = Counter({name: sizes[name] for name in names})
    if reference is not None:
        first = _named(reference, names, by)
        names = [first, *(name for name in names if name != first)]
    if len(names) < 2 - len(before):
        found = f"only {echo(names[0])}" if names else "nothing"
        rows = " in two rows or more" if any(size == 1 for size in sizes.values()) else ""
        raise Refusal(
            f"column {echo(by)} holds {found}{rows}, where groups are compared; name one with two groups or more."
        )
    if len(names) > MOST:
        raise Refusal(
            f"column {echo(by)} has {len(names)} groups, more than {MOST}; name a column of fewer, such as months."
        )
    chosen = [each == name for name in names]
    incomplete = groups[~samples.tables.complete[-1]]
    data = [
        some_rows(last, some, name=str(name), dropped=int(np.sum(incomplete == name)))
        for name, some in zip(names, chosen, strict=True)
    ]
    alone = {f"{by} = {name}": "1 row" for name, size in sizes.items() if size == 1 and name != ""}
    tables = replace(samples.tables, data=(*before, *data))
    kept = (*samples.rows[:-1], *(rows[some] for some in chosen))
    left_out, ungrouped = {**samples.left_out, **alone}, int(np.sum(groups == ""))
    return samples._replace(
        tables=tables, rows=kept, left_out=left_out, alone=tuple(alone), ungrouped=ungrouped, by=str(by)
    )


def _named(reference: Any, names: Sequence[Any], by: Any) -> Any:
    """The group that is called so, or is the same number."""
    alike = (
        lambda name: str(name) == str(reference),
        lambda name: _number(name) == _number(reference),
        lambda name: normalise_word(str(name)) == normalise_word(str(reference)),
        lambda name: normalise_word(str(name)).casefold() == normalise_word(str(reference)).casefold(),
    )
    found = [name for same in alike for name in names if same(name)]
    if not found:
        raise Refusal(
            f"column {echo(by)} has no group {echo(reference)} of two rows or more; take one of"
            f" {join_list(map(echo, names), 400)}."
        )
    return found[0]


def _number(word: Any) -> float | str:
    """The number that a word is, or the word."""
    try:
        return float(word)
    except ValueError:
        return str(word)


def _chosen(groups: Sequence[str], sizes: Counter[Any], by: Any) -> list[Any]:
    """The groups that are asked for, as the table has them; Refusal if it lacks one, or one is asked for twice."""
    there = {str(name): name for name in sizes if name != ""}
    names = [match_name(str(name), there) or str(name) for name in groups]
    if twice := [name for name in names if names.count(name) > 1]:
        raise Refusal(f"groups names {echo(twice[0])} twice; give groups that differ.")
    if unknown := [name for name in names if name not in there]:
        known = join_list(map(echo, _in_order(np.array(list(there.values()), dtype=object))))
        raise Refusal(f"column {echo(by)} has no group {echo(unknown[0])}; its groups are {known}.")
    if few := [name for name in names if sizes[there[name]] < 2]:
        raise Refusal(f"group {echo(few[0])} has 1 row to compare; name groups of two or more.")
    return [there[name] for name in names]


def _in_order(words: Labels) -> list[Any]:
    """The different words: in the order of their numbers where all are numbers, else of the alphabet."""
    names = list(set(words.tolist()))
    try:
        return sorted(names, key=lambda word: (word != "", float(word or 0)))
    except ValueError:
        return sorted(names)


def refuse_few(tables: Tables) -> None:
    """Refuse samples of fewer than two rows."""
    for one in tables:
        if one.n < 2:
            left = f", {one.dropped} left out for missing values" if one.dropped else ""
            raise Refusal(f"{one.name} has {one.n} row{'' if one.n == 1 else 's'} to compare{left}; give two or more.")
