"""The function `read_tables`: several files as samples of one space, with common columns, levels and scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from narwhals.typing import IntoDataFrame

from explorer.checks import Refusal, WrongType
from explorer.printing import join_list, plural
from explorer.public_names.synonyms import explain_wrong_calls
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
from .files.encodings import use_encoding
from .read_table import parse, part_address, read_table
from .refusal import TableRefusal

if TYPE_CHECKING:
    from .columns.table import Column, Table

SCALES = ("common", "none", "auto")
REASONS = 10  # largest number of columns for which a message states why they are left out


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
    r"""Read several files with one set of columns, levels and scales, so that their rows can be compared.

    Use it before a test of points, such as `mmd_test`. `compare` takes tables themselves, and needs no common scales.

    The tables and their kernel are the arguments of a test::

        tables = read_tables(["a.csv", "b.csv"])
        mmd_test(tables[0].X, tables[1].X, tables.kernel)

    Parameters
    ----------
    paths : sequence of str, Path, bytes, binary file or DataFrame
        A list of what `read_table` reads.
    columns : sequence of str or int, or None, default None
        Names, or positions in the first file. None takes every column that can be compared, see the notes.
    missing : {"refuse", "drop"}, default "refuse"
        As in `read_table`. A missing word is a missing value.
    scale : {"common", "none", "auto"}, default "common"
        "common" divides all files' numbers by the same scales, "none" leaves them in their units, and "auto" divides
        them if two columns' scales differ by more than a factor of 10.
    target : str, int or None, default None
        A column that becomes each table's target and is not part of X.
    names : sequence of str or None, default None
        The names of the files in messages.
    lenient : bool, default False
        As in `read_table`. Words are categories here in any case, and dates are left out unless `columns` names them.
    gram : bool, default False
        As in `read_table`, for a single file whose target names the groups.
    encoding : str or None, default None
        As in `read_table`, for all files.
    sheet, table : str, int or None, default None
        As in `read_table`, for all files. Addresses such as book.xlsx#june name one for each file.

    Returns
    -------
    Tables
        The tables, and what was done with each column.

    Raises
    ------
    TableRefusal
        If another value of `missing` or `columns` helps.
    ValueError
        If the files have different columns, and as `read_table` raises it.
    TypeError
        If `paths` is not a list, and as `read_table` raises it.
    FileNotFoundError
        If there is no such file.

    Notes
    -----
    Each column is treated in one of these ways:

    - A column of numbers is divided by its scale, `scales.robust_scale` of the values of all files together.
    - A column of words, or of two numbers, is a category. Its levels are those of all files together.
    - Left out are words with fewer than two rows each on average, such as names and identifiers, free text, hashes and
      e-mail addresses, and whole numbers that identify or count each table's rows, by their name or by values that are
      running numbers, see `identifiers.no_measurement`, unless `columns` names the column. Other whole numbers of three
      values or more may be counts, and stay numbers.

    Names that differ only in case, blanks, underscores or hyphens are one name, see `spellings.folded`. Columns are
    converted to one unit and raised to one limit, see `common_units`: 38.7 % and .387, 5.34k and 5340, minutes and
    hours, <0.6 and <1.5; and to one notation, see `thousands.read_alike`: 1.250 and 1250. Each `ColumnTreatment` states
    in its notes what was done.

    Scales, levels and the choice of words that are left out depend on the rows of all files, and not on which file a
    row comes from, so that a permutation test keeps its level. `read_table(standardise=True)` scales each file
    separately, which removes a shift between files.

    Examples
    --------
    >>> from explorer import read_tables
    >>> tables = read_tables([b"x,kind\n0,a\n1,b\n2,a\n", b"x,kind\n5,a\n6,a\n7,b\n"])
    >>> [column.kind for column in tables.columns]
    ['number', 'category']
    >>> tables.levels
    {'kind': ('a', 'b')}
    """
    refuse_unknown_policy(missing)
    if (part := part_of(sheet, table)) is not None and isinstance(paths, (list, tuple)):
        paths = [part_address(path, part) for path in paths]
    if scale not in SCALES:
        raise Refusal(f"scale must be {', '.join(map(repr, SCALES[:-1]))} or {SCALES[-1]!r}, not {scale!r}.")
    with use_encoding(encoding):
        if gram:
            return _of_gram(paths, columns, missing, target, names, lenient)
        files = _parse_files(paths, names, lenient)
    tables = join_tables(files, columns, missing, scale, target)
    return replace(tables, sources=tuple(zip(paths, names or [None] * len(paths), strict=True)))


def join_tables(
    tables: Sequence[Table],
    columns: Sequence[str | int] | None = None,
    missing: MissingCells = "refuse",
    scale: Literal["common", "none", "auto"] = "common",
    target: str | int | None = None,
    taken: bool = False,
) -> Tables:
    """Return parsed tables as `Tables`, as `read_tables` does.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    columns : sequence of str or int, or None, default None
        As in `read_tables`.
    missing : {"refuse", "drop", "value"}, default "refuse"
        "value" keeps rows with missing cells, see `gaps.filled`; otherwise as in `read_tables`.
    scale : {"common", "none", "auto"}, default "common"
        As in `read_tables`.
    target : str, int or None, default None
        As in `read_tables`.
    taken : bool, default False
        With `missing` "value", whether numbers that stand for missing values are missing cells, see `treatment`.

    Returns
    -------
    Tables
        The tables.
    """
    tables = with_common_kinds(read_alike(with_common_words(with_common_names(tables))))
    labels = [] if target is None else [one_column(table, target) for table in tables]
    treated = treatments(tables, columns, labels, taken)
    compared = [each for column, each in treated if column.kind != "left out"]
    complete = [
        complete_rows(table, [each[i] for each in compared] + labels[i : i + 1], missing)
        for i, table in enumerate(tables)
    ]
    resolved = [_resolve(column, each, complete) for column, each in treated]
    points = [np.column_stack(parts) for parts in zip(*(parts for _, parts in resolved if parts), strict=True)]
    final_columns = tuple(column for column, _ in resolved)
    quantities = tuple(
        Quantity(column.name, column.unit, dates=each[0].dates, levels=column.levels)
        for (column, _), (_, each) in zip(resolved, treated, strict=True)
        if column.kind != "left out"
    )
    if missing == "value":
        others = {column.name: list(map(is_empty, each)) for column, each in treated if column.kind == "left out"}
        whole = fill_gaps([column for column in final_columns if column.kind != "left out"], points, others)
        final_columns, quantities, points = with_gaps(final_columns, quantities, whole)
    data = tuple(
        DataSet(
            name=table.name,
            X=X,
            names=tuple(each.name for each in quantities),
            target=labels[i].array()[rows] if labels else None,
            left_out=tuple(column.name for column in final_columns if column.kind == "left out"),
            dropped=int((~rows).sum()),
            hash=table.hash,
            quantities=quantities,
            lines=table.row_numbers[rows],
            by_line=bool(table.lines),
        )
        for i, (table, X, rows) in enumerate(zip(tables, points, complete, strict=True))
    )
    gaps = tuple(_gaps([*(each[i] for each in compared), *labels[i : i + 1]], rows) for i, rows in enumerate(complete))
    remarks = tuple(table.remarks for table in tables)
    result = Tables(data, final_columns, remarks=remarks, gaps=gaps, complete=tuple(complete))
    if scale == "common" or (scale == "auto" and result.uneven):
        return result.in_common_scales()
    return result


def with_gaps(
    columns: tuple[ColumnTreatment, ...], quantities: tuple[Quantity, ...], whole: FilledSamples
) -> tuple[tuple[ColumnTreatment, ...], tuple[Quantity, ...], list[Points]]:
    """Add the indicators of missing cells to treatments, quantities and samples.

    Parameters
    ----------
    columns : tuple of ColumnTreatment
        The treatments of all columns.
    quantities : tuple of Quantity
        The quantities of X's columns.
    whole : Filled
        The filled samples.

    Returns
    -------
    columns : tuple of ColumnTreatment
        The treatments, with those of the indicators.
    quantities : tuple of Quantity
        The quantities, with those of the indicators.
    samples : list of ndarray
        The points of each table.
    """
    added = [column for column in whole.columns if column.kind == "missing"]
    more = (Quantity(column.name, levels=column.levels) for column in added)
    return (*columns, *added), (*quantities, *more), list(whole.samples)


def _gaps(columns, complete):
    """Return the number of missing cells of each column of one file, by name, if rows were left out for them."""
    if complete.all():
        return {}
    missing = ((column.name, int(np.sum(is_empty(column)))) for column in columns)
    return {name: count for name, count in missing if count}


def _of_gram(paths, columns, missing, target, names, lenient):
    """Return one file's Gram matrix as Tables of coordinates."""
    if len(paths) != 1:
        raise Refusal(
            f"a Gram matrix describes the points of one file, but there are {plural(len(paths), 'file')}; give one."
        )
    name = names[0] if names else None
    data = read_table(paths[0], columns, missing, target=target, name=name, lenient=lenient, gram=True)
    return Tables((data,), tuple(ColumnTreatment(axis, "number") for axis in data.names))


def _parse_files(paths, names, lenient):
    """Return the Table of each file."""
    if not isinstance(paths, (list, tuple)) or not paths:
        raise WrongType(f"paths must be a list of files, such as ['a.csv', 'b.csv'], not {paths!r:.60}.")
    names = [None] * len(paths) if names is None else names
    if len(names) != len(paths):
        raise Refusal(f"names has {plural(len(names), 'name')} for {plural(len(paths), 'file')}; give one each.")
    return [parse(path, name, lenient) for path, name in zip(paths, names, strict=True)]


def _same_names(tables, labels):
    """Return the names of all columns except the target, in the first table's order.

    Raises TableRefusal if the tables have different columns, and Refusal if they have none in common.
    """
    every = [[column.name for column in table.columns if column not in labels] for table in tables]
    for table, names in zip(tables[1:], every[1:], strict=True):
        if sorted(names) != sorted(every[0]):
            problem = f"{tables[0].name} has the columns {join_list(every[0])}, and {table.name} {join_list(names)}"
            own, others = ([name for name in a if name not in b] for a, b in ((every[0], names), (names, every[0])))
            near = [
                f"{quote_visible(name)} is probably {quote_visible(other)}"
                for name in own
                if (other := closest_name(name, others))
            ]
            problem += f" ({join_list(near, 120)})" if near else ""
            shared = set(every[0]).intersection(*every)
            common = [name for name in every[0] if name in shared]
            if not common:
                raise Refusal(f"{problem}: none that all have; give files with columns of the same names.")
            raise TableRefusal(problem, "columns", common, "to compare those that all have")
    return every[0]


def _requested_names(table, columns):
    """Return the names of the requested columns, given by name or by position in a table."""
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
    """Return the treatment of each requested column, or of all columns.

    Columns that measure nothing are left out unless they are requested, or unless there are no others.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    columns : sequence of str or int, or None
        The requested columns; None for all.
    labels : sequence of Column, default ()
        The tables' columns that are not compared.
    taken : bool, default False
        As in `join_tables`.

    Returns
    -------
    list of (ColumnTreatment, list of Column)
        The treatment, and the column in each table.

    Raises
    ------
    Refusal
        If no column can be compared.
    """
    requested = columns is not None
    names = _same_names(tables, labels) if columns is None else _requested_names(tables[0], columns)
    each = [[one_column(table, name) for table in tables] for name in names]
    treated = [(choose_treatment(tables, columns, requested, taken), columns) for columns in each]
    if not requested:
        measured = [(without_identifiers(tables, columns, column), columns) for column, columns in treated]
        if any(column.kind != "left out" for column, _ in measured):
            treated = measured
    if all(column.kind == "left out" for column, _ in treated):
        why = "; ".join(str(column) for column, _ in treated[:REASONS])
        why += f" and {len(treated) - REASONS} more" if len(treated) > REASONS else ""
        raise Refusal(f"{tables[0].name} has no column that can be compared: {why}.")
    return treated


def _resolve(column, columns, complete):
    """Return a treatment with its levels, and the coordinate (n,) in each table, NaN if a cell is missing.

    There is no coordinate if the column is left out.
    """
    if column.kind == "left out":
        return column, []
    parts = [each.array()[rows] for each, rows in zip(columns, complete, strict=True)]
    if column.kind == "number":
        return column, [column.values(part, k) for k, part in enumerate(parts)]
    empty = [is_empty(each)[rows] for each, rows in zip(columns, complete, strict=True)]
    levels = np.unique(np.concatenate([part[~gap] for part, gap in zip(parts, empty, strict=True)]))
    resolved = with_levels(column, levels)
    place = np.array([resolved.levels.index(word) for word in level_words(levels)]) if column.ordered else None
    codes = [np.searchsorted(levels, part).clip(max=len(levels) - 1) for part in parts]
    codes = codes if place is None else [place[each] for each in codes]
    return resolved, [np.where(gap, np.nan, each) for each, gap in zip(codes, empty, strict=True)]
