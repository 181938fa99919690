"""Inputs of a comparison in one form: tables in one space; the first is the reference, the others are batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, echo
from explorer.datasets.column_selection import is_empty, no_column_error, one_column
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
from explorer.datasets.files.pipes import original_path
from explorer.datasets.read_tables import join_tables
from explorer.printing import join_list, percent, plural, short_name
from explorer.sketches.files import is_large
from explorer.sketches.large_tables import names_of, read_large_columns, read_large_tables
from explorer.types import Labels, MissingCells, Rows, Vector

from .distinct import by_distinct_rows
from .periods import PERIODS, dates_of, periods
from .samples import Samples
from .sources import batches_of, letters, table_of
from .subjects import codes_of, repeated_values

MOSTLY = 0.5  # share of missing cells beyond which a column is left out if rows with missing cells are dropped
MOST = 400  # most groups: a column of more distinct values is a measurement


class CompareOptions(NamedTuple):
    """Arguments of `compare` that are about the tables.

    Attributes
    ----------
    columns, by, missing, within, reference, order, groups : object
        As in `compare`.
    taken : bool
        Whether numbers that stand for missing values are missing cells, see `datasets.columns.treatment`.
    """

    columns: Sequence[str | int] | None = None
    by: str | None = None
    missing: MissingCells = "value"
    within: str | None = None
    reference: Any = None
    order: Order = None
    groups: Sequence[str] | None = None
    taken: bool = False

    def by_names_of(self, first: Collection[str], last: Collection[str]) -> CompareOptions:
        """Return the options with `by`, the column of groups, as the last table spells it.

        `within`, the column of subjects, is spelt as in the first table.

        Parameters
        ----------
        first : collection of str
            Names of the first table's columns.
        last : collection of str
            Names of the last table's columns.

        Returns
        -------
        CompareOptions
            The same options with these spellings.
        """
        by = None if self.by is None else match_name(self.by, last) or self.by
        within = None if self.within is None else match_name(self.within, first) or self.within
        return self._replace(by=by, within=within)

    @property
    def apart(self) -> list[str]:
        """Names of the columns of groups and subjects, which are not compared themselves."""
        return [name for name in (self.by, self.within) if name is not None]


class RowRoles(NamedTuple):
    """Properties of rows other than the columns that are compared.

    Attributes
    ----------
    groups : ndarray of shape (n,) or None
        Group of each row of the last table; None without `by`.
    subjects : sequence of ndarray of shape (n,)
        For each table, the code of every row's subject; empty without `within`.
    raw : sequence of Table or None
        The tables as they were read; None for files that are read in chunks.
    options : CompareOptions
        The options, with columns named as in the tables.
    """

    groups: Labels | None
    subjects: Sequence[Rows] = ()
    raw: Sequence[Table] | None = None
    options: CompareOptions = CompareOptions()


def samples_of(a: Any, b: Any, options: CompareOptions) -> Samples:
    """Return the Samples of a reference a and batches b; with `by`, of the groups of b, or of a if b is None.

    Parameters
    ----------
    a : table
        The reference, as in `compare`.
    b : table, list of tables or None
        One batch, several, or none.
    options : CompareOptions
        The options.

    Returns
    -------
    Samples
        The samples to compare, without copies of rows if these are many.

    Raises
    ------
    Refusal
        If there is nothing to compare, and whatever `read_tables` refuses.
    """
    samples, raw = read_samples(a, b, options)
    return by_distinct_rows(samples, raw, samples.by or None)


def read_samples(a: Any, b: Any, options: CompareOptions) -> tuple[Samples, Sequence[Table] | None]:
    """Return `samples_of` with the copies of rows, and the tables as they were read; None for files read in chunks."""
    by, within, reference = options.by, options.within, options.reference
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
    options = options._replace(taken=options.taken and options.missing == "value")
    try:
        samples, known = (_read_large if of_files and any(map(is_large, given)) else _read_whole)(given, options)
    except TooLarge:  # a compressed file turned out to be large when it was unpacked
        if not of_files:
            raise
        samples, known = _read_large(given, options)
    by, within = known.options.by, known.options.within
    samples = samples if known.groups is None else _split(samples, known.groups, by, reference, options.groups)
    if within is not None:
        tables = [known.subjects[min(k, len(given) - 1)] for k in range(len(samples.tables))]
        codes = tuple(each[rows] for each, rows in zip(tables, samples.rows, strict=True))
        samples = samples._replace(within=within, subjects=codes)
    refuse_few(samples.tables)
    return samples, known.raw


def _read_whole(given, options) -> tuple[Samples, RowRoles]:
    """Return the Samples of tables that are read whole, and the roles of their rows."""
    tables = _with_unique_names(
        [table_of(one, name) for one, name in zip(given, letters(len(given)), strict=False)], given
    )
    tables = with_common_words(with_common_names(tables, () if options.by is None else [options.by]))
    options = options.by_names_of(tables[0].by_name, tables[-1].by_name)
    by, within = options.by, options.within
    tables = read_alike(with_strays_missing(tables, options.apart), options.apart)
    tables = with_common_kinds(tables)
    subjects = [] if within is None else codes_of([one_column(table, within) for table in tables])
    groups, grouping, times = (None, "", None) if by is None else _groups(tables[-1], by)
    kept, left_out = _compared(tables, options)
    joint = join_tables(kept, options.columns, options.missing, "common", taken=options.taken)
    samples = Samples.of(joint, left_out, grouping)
    repeated = repeated_values(tables, samples.left_out) if len(tables) == 2 and not options.apart else ()
    respelled = _respelled(tables, options)
    samples = samples._replace(times=times, repeated=repeated, respelled=respelled)
    return samples, RowRoles(groups, subjects, tables, options)


def _read_large(given, options) -> tuple[Samples, RowRoles]:
    """Return the Samples of files of any size, which are read in chunks, and the roles of their rows."""
    options = options.by_names_of(names_of(given[0])[0], names_of(given[-1])[0])
    by, within = options.by, options.within
    groups, grouping, times = (None, "", None) if by is None else _groups(_column_of(given[-1], by, PERIODS), by)
    subjects = [] if within is None else codes_of(_subjects(given, within))
    left_out: dict[str, str] = {}

    def compared(tables):
        nonlocal left_out
        kept, left_out = _compared(tables, options)
        return kept

    how = {"compared": compared, "apart": options.apart, "taken": options.taken}
    joint = read_large_tables(given, options.columns, options.missing, rng=0, **how)
    joint = replace(joint, data=tuple(_with_unique_names(joint.data, given)))
    labels = [(joint.data[-1], groups, joint.complete[-1])] if groups is not None else []
    for one, each, rows in [*labels, *zip(joint.data, subjects, joint.complete, strict=False)]:
        if len(each) != len(rows):
            raise Refusal(f"{one.name} changed while it was read; wait until it is written.")
    return Samples.of(joint, left_out, grouping)._replace(times=times), RowRoles(groups, subjects, options=options)


def _subjects(paths, within) -> list[Column]:
    """Return the column of subjects of each file that is read in chunks."""
    tables = with_common_words([_column_of(each, within) for each in paths])
    return [one_column(table, within) for table in tables]


def _respelled(tables, options) -> tuple[str, ...]:
    """Return notes on the words in the columns of groups and subjects that are taken as other spellings."""
    there = [table.by_name[name] for table in tables for name in options.apart if name in table.by_name]
    called = [table.name for table in tables for name in options.apart if name in table.by_name]
    each = zip(there, called, strict=True)
    return tuple(
        f"{short_name(column.name)}: {describe_respellings(column.cell_counts.respelled, name)}"
        for column, name in each
        if column.cell_counts.respelled
    )


def _column_of(path, name, periods=()) -> Table:
    """Return a Table with one column of a file or folder; for the name of a period, with the columns of dates."""
    names, dates = names_of(path)
    found = match_name(name, names)
    if found is None and name not in periods:
        raise no_column_error(Path(path).name, name, names)
    (table,) = with_common_words([read_large_columns(path, dates if found is None else [found])])
    return table


def _compared(tables, options) -> tuple[list[Table], dict[str, str]]:
    """Return the tables without the columns of groups and subjects, and why other columns are not compared."""
    kept = [table.select({*table.by_name} - {*options.apart}) for table in tables]
    kept, left_out = _common_columns(kept, options.missing) if options.columns is None else (kept, {})
    return with_orders(kept, options.order, [*left_out, *options.apart]), left_out


def _with_unique_names(tables, given):
    """Return the tables with unique names."""
    names = make_unique([table.name for table in tables], given)
    return [replace(table, name=name) for table, name in zip(tables, names, strict=True)]


def make_unique(names: Sequence[str], given: Sequence[Any]) -> list[str]:
    """Make the names unique: files with equal names get their paths, everything else gets its position.

    Parameters
    ----------
    names : sequence of str
        The names.
    given : sequence of object
        What each name belongs to, such as the path of a file.

    Returns
    -------
    list of str
        The names, unchanged if they are unique already.
    """
    if len(set(names)) == len(names):
        return list(names)
    paths = [
        original_path(one) if isinstance(one, (str, Path)) else name for one, name in zip(given, names, strict=True)
    ]
    return paths if len(set(paths)) == len(paths) else [f"{name} ({k})" for k, name in enumerate(names, 1)]


def _common_columns(tables: Sequence[Table], missing: MissingCells) -> tuple[list[Table], dict[str, str]]:
    """Return the tables with the columns that all have and that agree in kind, and why others are left out.

    If rows with missing cells are dropped, a column with more missing cells than values is left out, since it would
    remove most rows.
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
    """Return "; probably the same as ..." if a table without this column has one of a similar name, else ""."""
    for table in tables:
        others = [each for each in table.by_name if not all(each in one.by_name for one in tables)]
        if name not in table.by_name and (near := closest_name(name, others)):
            return f"; probably the same as {quote_visible(near)} of {table.name}"
    return ""


def _mostly_gaps(tables: Sequence[Table], columns: Sequence[Column]) -> str:
    """Return text on the share of a column's missing cells in each table if one is more than half, else ""."""
    shares = [column.missing / table.rows if table.rows else 0.0 for table, column in zip(tables, columns, strict=True)]
    if max(shares) <= MOSTLY:
        return ""
    each = join_list((f"{percent(share)} of {table.name}" for table, share in zip(tables, shares, strict=True)), 120)
    return f"missing in {each}"


def groups_of(table: Table, by: str) -> list[Any]:
    """Return the groups of two rows or more that a column, or a period of dates, names, in their order.

    Parameters
    ----------
    table : Table
        The table.
    by : str
        Name of the column, or a period such as "month".

    Returns
    -------
    list
        The groups, in numerical or alphabetical order.
    """
    each, *_ = _groups(table, by)
    sizes = Counter(each.tolist())
    return [name for name in _in_order(each) if name != "" and sizes[name] > 1]


def _groups(table: Table, by: str) -> tuple[Labels, str, Vector | None]:
    """Return the group of each row (n,), "" if empty; what the periods are; and their times, if they are periods.

    A period such as "month" that is not the name of a column is taken from the only column of dates.
    """
    if by in PERIODS and by not in table.by_name:
        dates = dates_of(table, by)
        return periods(dates, by), f"{by} of {echo(dates.name)}", RowTimes.of(table, dates).instant
    column = one_column(table, by)
    return np.where(is_empty(column), "", column.map_cells(str, object)), "", None


def _split(
    samples: Samples, groups: Labels, by: Any, reference: Any = None, chosen_groups: Sequence[str] | None = None
) -> Samples:
    """Return Samples whose last table is replaced by its groups, or by the chosen ones.

    For a single table the first group, or the one named `reference`, is the reference. The treatment of columns and
    their scales are those of all groups, whichever are chosen.
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
            f"column {echo(by)} has {plural(len(names), 'group')}, more than {MOST}; name a column of fewer, such as"
            " months."
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
    """Return the group with this name, or with the same number."""
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
    """Return the number that a word represents, or the word."""
    try:
        return float(word)
    except ValueError:
        return str(word)


def _chosen(groups: Sequence[str], sizes: Counter[Any], by: Any) -> list[Any]:
    """Return the chosen groups as the table spells them; raise Refusal if it lacks one, or if one is named twice."""
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
    """Return the distinct words, in numerical order if all of them are numbers, else in alphabetical order."""
    names = list(set(words.tolist()))
    try:
        return sorted(names, key=lambda word: (word != "", float(word or 0)))
    except ValueError:
        return sorted(names)


def refuse_few(tables: Tables) -> None:
    """Raise Refusal if a sample has fewer than two rows."""
    for one in tables:
        if one.n < 2:
            left = f", {one.dropped} left out for missing values" if one.dropped else ""
            raise Refusal(f"{one.name} has {one.n} row{'' if one.n == 1 else 's'} to compare{left}; give two or more.")
