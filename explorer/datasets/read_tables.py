"""read_tables: several files as samples of one space, with common columns, levels and scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from narwhals.typing import IntoDataFrame

from explorer.checks import Refusal, WrongType
from explorer.printing import join_list
from explorer.synonyms import explain_wrong_calls
from explorer.types import File, Missing, MissingCells, Points

from .column_selection import complete_rows, is_empty, one_column, refuse_unknown_policy
from .columns.common_kinds import with_common_kinds
from .columns.gaps import FilledSamples, fill_gaps
from .columns.quantity import Quantity
from .columns.spellings import closest_name, quote_visible, with_common_names, with_common_words
from .columns.thousands import read_alike
from .columns.treatment import ColumnTreatment, choose_treatment, level_words, with_levels, without_identifiers
from .common_space import Tables
from .dataset import DataSet
from .files.addresses import part_of
from .files.encodings import taken_as
from .read_table import at, parse, read_table
from .refusal import TableRefusal

if TYPE_CHECKING:
    from .columns.table import Column, Table

SCALES = ("common", "none", "auto")
REASONS = 10  # columns of which a sentence says why they are left out


@explain_wrong_calls
def read_tables(
    paths: Sequence[File | IntoDataFrame | Any],
    columns: Sequence[str | int] | None = None,
    missing: Missing = "refuse",
    scale: Literal["common", "none", "auto"] = "common",
    *,
    target: str | int | None = None,
    names: Sequence[str] | None = None,
    lenient: bool = False,
    gram: bool = False,
    encoding: str | None = None,
    sheet: str | int | None = None,
    table: str | int | None = None,
) -> Tables:
    """Several files as `Tables` with one set of columns, levels and scales, so that their rows can be compared.

        tables = read_tables(["a.csv", "b.csv"])
        mmd_test(tables[0].X, tables[1].X, tables.kernel)

    paths: a list of what `read_table` reads, DataFrames too. columns: names, or positions in the first file; None takes
    every column that can be compared, and the result says what was done with each:
      a column of numbers over its scale: `scales.robust_scale` of the values of all files together
      a category: a column of words, or of two numbers. Its levels are those of all files together
      left out: words with fewer than two rows each on average, as names and identifiers are, free text, hashes and
        e-mail addresses, and whole numbers that identify or count each table's rows by their name or as running
        numbers do by their values, see `identifiers.no_measurement`, unless `columns` names the column; other whole
        numbers of three values or more may be counts, and stay numbers
    missing: "refuse" or "drop", as in `read_table`; a missing word is a missing value.
    scale: "common" divides all files' numbers by the same scales, "none" leaves them in their units, "auto" divides
      them where two columns' scales differ by more than a factor of 10.
    target: a column that becomes each table's target and no part of X. names: what sentences call the files.
    lenient: as in `read_table`; words are categories here in any case, and dates are left out unless they are named.
    gram: as in `read_table`, of one file, whose target names the groups. encoding: as in `read_table`, of all files.
    sheet, table: as in `read_table`, of all files; addresses such as book.xlsx#june name one for each.

    Names that differ in case, blanks, underscores or hyphens only are one name, see `alike.folded`. Columns meet in one
    unit and above one limit, see `meeting.meeting`: 38.7 % beside .387, 5.34k beside 5340, minutes beside hours, <0.6
    beside <1.5; and in one notation, see `grouping.read_alike`: 1.250 beside 1250. Each `ColumnTreatment` says in its
    notes what was done.

    Scales, levels and which words are left out depend on the rows of all files and not on which file a row is from, so
    that a permutation test of them keeps its level. `read_table(standardise=True)` scales each file by itself, and
    removes a shift between files. Raises what `read_table` raises, and ValueError for files of different columns: as
    TableRefusal where another value of `missing` or `columns` would do.

    >>> from explorer import read_tables
    >>> tables = read_tables([b"x,kind\\n0,a\\n1,b\\n2,a\\n", b"x,kind\\n5,a\\n6,a\\n7,b\\n"])
    >>> [column.kind for column in tables.columns]
    ['number', 'category']
    >>> tables.levels
    {'kind': ('a', 'b')}
    """
    refuse_unknown_policy(missing)
    if (part := part_of(sheet, table)) is not None and isinstance(paths, (list, tuple)):
        paths = [at(path, part) for path in paths]
    if scale not in SCALES:
        raise Refusal(f"scale must be {', '.join(map(repr, SCALES[:-1]))} or {SCALES[-1]!r}, not {scale!r}.")
    with taken_as(encoding):
        if gram:
            return _of_gram(paths, columns, missing, target, names, lenient)
        files = _files(paths, names, lenient)
    tables = joined(files, columns, missing, scale, target)
    return replace(tables, sources=tuple(zip(paths, names or [None] * len(paths), strict=True)))


def joined(
    tables: Sequence[Table],
    columns: Sequence[str | int] | None = None,
    missing: MissingCells = "refuse",
    scale: Literal["common", "none", "auto"] = "common",
    target: str | int | None = None,
    taken: bool = False,
) -> Tables:
    """What `read_tables` makes of tables that have been read; missing="value" keeps rows with gaps, see `filled`.

    taken, with missing="value": whether numbers that stand for missing ones are missing cells, see `treatment`.
    """
    tables = with_common_kinds(read_alike(with_common_words(with_common_names(tables))))
    labels = [] if target is None else [one_column(table, target) for table in tables]
    treated = treatments(tables, columns, labels, taken)
    compared = [each for column, each in treated if column.kind != "left out"]
    kept = [
        complete_rows(table, [each[i] for each in compared] + labels[i : i + 1], missing)
        for i, table in enumerate(tables)
    ]
    settled = [_settled(column, each, kept) for column, each in treated]
    points = [np.column_stack(parts) for parts in zip(*(parts for _, parts in settled if parts), strict=True)]
    settled_columns = tuple(column for column, _ in settled)
    quantities = tuple(
        Quantity(column.name, column.unit, dates=each[0].dates, levels=column.levels)
        for (column, _), (_, each) in zip(settled, treated, strict=True)
        if column.kind != "left out"
    )
    if missing == "value":
        others = {column.name: list(map(is_empty, each)) for column, each in treated if column.kind == "left out"}
        whole = fill_gaps([column for column in settled_columns if column.kind != "left out"], points, others)
        settled_columns, quantities, points = with_gaps(settled_columns, quantities, whole)
    data = tuple(
        DataSet(
            name=table.name,
            X=X,
            names=tuple(each.name for each in quantities),
            target=labels[i].array()[rows] if labels else None,
            left_out=tuple(column.name for column in settled_columns if column.kind == "left out"),
            dropped=int((~rows).sum()),
            hash=table.hash,
            quantities=quantities,
            lines=table.row_numbers[rows],
            by_line=bool(table.lines),
        )
        for i, (table, X, rows) in enumerate(zip(tables, points, kept, strict=True))
    )
    gaps = tuple(_gaps([*(each[i] for each in compared), *labels[i : i + 1]], rows) for i, rows in enumerate(kept))
    remarks = tuple(table.remarks for table in tables)
    result = Tables(data, settled_columns, remarks=remarks, gaps=gaps, complete=tuple(kept))
    if scale == "common" or (scale == "auto" and result.uneven):
        return result.in_common_scales()
    return result


def with_gaps(
    columns: tuple[ColumnTreatment, ...], quantities: tuple[Quantity, ...], whole: FilledSamples
) -> tuple[tuple[ColumnTreatment, ...], tuple[Quantity, ...], list[Points]]:
    """Return the treatments, quantities and samples of all columns with those that say which cells are missing."""
    added = [column for column in whole.columns if column.kind == "missing"]
    more = (Quantity(column.name, levels=column.levels) for column in added)
    return (*columns, *added), (*quantities, *more), list(whole.samples)


def _gaps(columns, kept):
    """How many cells each column of one file misses, by name, where rows were left out for them."""
    if kept.all():
        return {}
    missing = ((column.name, int(np.sum(is_empty(column)))) for column in columns)
    return {name: count for name, count in missing if count}


def _of_gram(paths, columns, missing, target, names, lenient):
    """One file's Gram matrix as Tables of coordinates."""
    if len(paths) != 1:
        raise Refusal(f"a Gram matrix says nothing of points of another file, and here are {len(paths)}; give one.")
    name = names[0] if names else None
    data = read_table(paths[0], columns, missing, target=target, name=name, lenient=lenient, gram=True)
    return Tables((data,), tuple(ColumnTreatment(axis, "number") for axis in data.names))


def _files(paths, names, lenient):
    """The columns.Table of each file."""
    if not isinstance(paths, (list, tuple)) or not paths:
        raise WrongType(f"paths must be a list of files, such as ['a.csv', 'b.csv'], not {paths!r:.60}.")
    names = [None] * len(paths) if names is None else names
    if len(names) != len(paths):
        raise Refusal(f"names has {len(names)} names for {len(paths)} files; give one each.")
    return [parse(path, name, lenient) for path, name in zip(paths, names, strict=True)]


def _same_names(tables, labels):
    """The names of all columns but the target, in the first table's order; TableRefusal where the tables' differ."""
    every = [[column.name for column in table.columns if column not in labels] for table in tables]
    for table, names in zip(tables[1:], every[1:], strict=True):
        if sorted(names) != sorted(every[0]):
            found = f"{tables[0].name} has the columns {join_list(every[0])}, and {table.name} {join_list(names)}"
            own, others = ([name for name in a if name not in b] for a, b in ((every[0], names), (names, every[0])))
            near = [
                f"{quote_visible(name)} is probably {quote_visible(other)}"
                for name in own
                if (other := closest_name(name, others))
            ]
            found += f" ({join_list(near, 120)})" if near else ""
            shared = set(every[0]).intersection(*every)
            common = [name for name in every[0] if name in shared]
            if not common:
                raise Refusal(f"{found}: none that all have; give files with columns of the same names.")
            raise TableRefusal(found, "columns", common, "to compare those that all have")
    return every[0]


def _asked_names(table, columns):
    """The names of the columns asked for, by name or by position in a table."""
    names = [one_column(table, which).name for which in ([columns] if np.ndim(columns) == 0 else columns)]
    if not names:
        raise Refusal("columns is empty; name at least one, or give None for all that can be compared.")
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise Refusal(f"columns asks for {name!r} twice; ask for each column once.")
    return names


def treatments(
    tables: Sequence[Table], columns: Sequence[str | int] | None, labels: Sequence[Column] = (), taken: bool = False
) -> list[tuple[ColumnTreatment, list[Column]]]:
    """(treatment, the column in each table) for each column that is asked for, or all; ValueError where none is left.

    Columns that measure nothing are left out unless they are asked for, or there are no others. labels: the tables'
    columns that are not compared. taken: as in `joined`.
    """
    asked = columns is not None
    names = _same_names(tables, labels) if columns is None else _asked_names(tables[0], columns)
    each = [[one_column(table, name) for table in tables] for name in names]
    treated = [(choose_treatment(tables, columns, asked, taken), columns) for columns in each]
    if not asked:
        measured = [(without_identifiers(tables, columns, column), columns) for column, columns in treated]
        if any(column.kind != "left out" for column, _ in measured):
            treated = measured
    if all(column.kind == "left out" for column, _ in treated):
        why = "; ".join(str(column) for column, _ in treated[:REASONS])
        why += f" and {len(treated) - REASONS} more" if len(treated) > REASONS else ""
        raise Refusal(f"{tables[0].name} has no column that can be compared: {why}.")
    return treated


def _settled(column, columns, kept):
    """A treatment with its levels, and the coordinate (n,) in each table, NaN where a cell is missing.

    There is no coordinate if the column is left out.
    """
    if column.kind == "left out":
        return column, []
    parts = [each.array()[rows] for each, rows in zip(columns, kept, strict=True)]
    if column.kind == "number":
        return column, [column.values(part, k) for k, part in enumerate(parts)]
    empty = [is_empty(each)[rows] for each, rows in zip(columns, kept, strict=True)]
    levels = np.unique(np.concatenate([part[~gap] for part, gap in zip(parts, empty, strict=True)]))
    settled = with_levels(column, levels)
    place = np.array([settled.levels.index(word) for word in level_words(levels)]) if column.ordered else None
    codes = [np.searchsorted(levels, part).clip(max=len(levels) - 1) for part in parts]
    codes = codes if place is None else [place[each] for each in codes]
    return settled, [np.where(gap, np.nan, each) for each, gap in zip(codes, empty, strict=True)]
