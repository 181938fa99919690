"""read_table: a table of yours, from a path or from uploaded bytes, in any format of `formats`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from narwhals.typing import IntoDataFrame

from explorer.checks import Refusal, WrongType, echo
from explorer.frames import as_table, frame_of, mapped
from explorer.synonyms import explain_wrong_calls
from explorer.types import File, Missing

from . import dataframes
from .column_selection import (
    asked_columns,
    complete_rows,
    level_columns,
    no_row_left,
    numeric_columns,
    one_column,
    points,
    refuse_unknown_policy,
)
from .columns.quantity import Quantity, quantities_named
from .columns.spellings import with_common_words
from .columns.times import times_of
from .dataset import DataSet
from .files import addresses, contents, databases, formats, queries
from .files.addresses import Part, part_of
from .files.encodings import is_said, taken_as
from .files.parsed_file import Once
from .gram import axes, block_of, coordinates

if TYPE_CHECKING:
    from .columns.table import Table


@explain_wrong_calls
def read_table(
    path: File | IntoDataFrame | Any,
    columns: Sequence[str | int] | None = None,
    missing: Missing = "refuse",
    standardise: bool = False,
    *,
    target: str | int | None = None,
    name: str | None = None,
    lenient: bool = False,
    gram: bool = False,
    beside: Sequence[str | int] = (),
    time: str | int | None = None,
    encoding: str | None = None,
    query: str | None = None,
    sheet: str | int | None = None,
    table: str | int | None = None,
) -> DataSet:
    """A file of yours that holds a table, or a DataFrame, as a `DataSet`; X (n, d) holds the chosen columns.

    path: a path, "-" for standard input, bytes, or a file open in binary mode; a DataFrame of pandas, polars or
    pyarrow, a LazyFrame, a RecordBatchReader, a relation of duckdb, a Series with a name, records (a list of dicts), or
    a dict of columns; with `query`, a connection. A file has at most 20 MB, packed and unpacked, and no more than
    `limits` has of rows, columns and cells (a million, 2,000 and 2.5 million). Its first bytes tell its format, and not
    its name. Columns without a name are called x1, x2, ...
      workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): the only sheet that holds a table and is not hidden, or `sheet`;
      dates and lengths of time are what the workbook says they are, and errors such as #N/A are missing cells
      JSON: lines of objects, an array of objects or of rows, columns by name; objects in objects become columns a.b
      SQLite, and DuckDB with duckdb: the only table or view, or `table`, opened for reading alone; a file of any size,
      if the table is no larger than the limits
      Arrow and Feather with pyarrow; Stata; SPSS and SAS with pyreadstat; a zip archive with one of all these in it
      text: UTF-8; commas, semicolons or tabs between cells, a decimal point in numbers. A first row of numbers is a
      row. NPY: an array (n,), (n, d) or of named fields. NPZ: one such array, or arrays (n,), a column each under its
      key. Parquet: needs pyarrow. Decimals are numbers, lengths of time and times of
      day seconds; dates, truth values and categories are words. Lists, records, maps and bytes are left out.
    columns: names, or positions from 0; None takes every column of numbers. `left_out` lists the rest.
    missing: cells that are empty, NA, NaN, ? or null are refused, or their rows left out with "drop".
    standardise: True gives columns of mean 0 and variance 1; constant ones become 0. Each file by itself: two files
      standardised apart agree in every mean and variance, so a shift between them is gone; `read_tables` scales them
      together. name: as in `preview_table`.
    target: a column, of numbers or words, that becomes the set's target, and no part of X unless it is asked for too;
    its missing cells are refused or dropped as those of X are. None is no target.
    lenient: True also reads what other programs and countries write, and only that in another way:
      text in other encodings than UTF-8, by what makes words of its letters, see `encodings.encoding_of`
      blanks or bars between cells, blank lines, columns of one name, a line of numbers
      numbers with decimal commas, or with marks between thousands where no decimal point or comma is meant; 1.250 in a
      file with semicolons is refused if nothing says which it is
      codes, such as 007: where a column of digits has one that begins with 0, its cells are words
      -, ., N/A and None as missing cells; None stays a word among words, where it is a level more often than a gap
      ND, BDL, <LOD, "not detected", trace and their like as missing cells among numbers
      lengths of time (1:02:03, 2 h 5 min, PT5M) as seconds; of 01:04 alone all values say whether it is minutes:seconds
      flags, such as J in 0.05 J, if other numbers of the column have nothing beside them; notes such as 3.4 (a), ~3.4
      k, M, bn and their like beside numbers that differ in them, such as 980 and 1.2k, as what they stand for
      lines that repeat the names, lines of totals and averages, which are left out
      dates, where `columns` names them, as days since 1970; words of at most 50 levels, where `columns` names them, as
      a column for each level, kind=a, 1 where it holds and else 0, which `standardise` leaves as it is
    gram: True says that the chosen columns are the Gram matrix of the rows: X holds coordinates whose inner products
      it has, so that under Linear() the kernel's values are the file's, and every estimator and test is that of it.
    sheet, table: the name, or the position from 0, of a sheet of a workbook, or of a table of a database or a file in
      an archive, if there are several; `book.xlsx#june` in place of a path names one, too.
    beside: further columns of the file of a Gram matrix, names or positions; X holds them after the coordinates, so
      that a row is a pair of what the matrix compares and of these, and `axes` counts the coordinates. `standardise`
      scales them alone, "drop" leaves out rows that miss one of them, and `lenient` takes words as levels. With them
      `columns` None takes the first neighbouring columns that are a symmetric matrix of the rows.
    time: a column of dates or of numbers by which the rows are sorted; those of one time keep their order, and rows
      without a time are left out, as `dropped` counts. None leaves the rows in the file's order.
    encoding: of a text file's letters, such as "cp1250" or "shift_jis", whatever its bytes say. None is UTF-8, or what
      `lenient` finds.
    query: what selects the rows, of a connection as PEP 249 has it (sqlite3, duckdb, psycopg, ...) or of SQLAlchemy, in
    `path`: "select * from june". It only reads, and as much as a file may have.
    Raises FileNotFoundError, TypeError or ValueError with what was found, where, and what to do.

    >>> from explorer import read_table
    >>> table = read_table(b"height,weight,name\\n1.8,80,Ann\\n1.6,55,Bo\\n", name="people")
    >>> table.X
    array([[ 1.8, 80. ],
           [ 1.6, 55. ]])
    >>> table.left_out
    ('name',)
    """
    refuse_unknown_policy(missing)
    with taken_as(encoding):
        (read,) = with_common_words([parse(path, name, lenient, part=part_of(sheet, table), query=query)])
    return _data_set(read, columns, missing, standardise, target, lenient, gram, beside, time)


def _data_set(table, columns, missing, standardise, target, lenient, gram, beside, time):
    """The DataSet of the chosen columns of a Table."""
    label = None if target is None else one_column(table, target)
    chosen = numeric_columns(table, label) if columns is None else asked_columns(table, columns, words=lenient)
    others = _others(table, beside, gram, lenient)
    if gram:
        chosen = [column for column in chosen if column.numbers is not None]
        if columns is None and others:
            chosen = block_of(chosen, table.rows) or [column for column in chosen if column not in others]
        if both := [column.name for column in others if column in chosen]:
            raise Refusal(f"column {both[0]!r} is of the Gram matrix and cannot stand beside it; name another one.")
    used = {label, *chosen, *others}
    complete = complete_rows(table, [*chosen, *others, *([] if label is None else [label])], missing)
    when = None if time is None else times_of(table, time)
    kept = np.flatnonzero(complete) if when is None else when.rows[complete[when.rows]]
    if not len(kept):
        raise no_row_left(table)
    count = 0  # of coordinates
    if gram:
        whole = complete_rows(table, chosen, missing)  # a row that the matrix itself lacks, its columns have no less
        place = np.cumsum(whole) - 1
        coordinate = coordinates(points(chosen, whole), table.name)[place[kept]]
        count = coordinate.shape[1]
        quantities, X = _measured(others, kept, standardise) if others else ([], np.zeros((len(coordinate), 0)))
        quantities, X = [*quantities_named(axes(count)), *quantities], np.hstack([coordinate, X])
    else:
        quantities, X = _measured(chosen, kept, standardise)
    return DataSet(
        name=table.name,
        X=X,
        names=tuple(each.name for each in quantities),
        target=None if label is None else label.array()[kept],
        left_out=tuple(column.name for column in table.columns if column not in used),
        dropped=table.rows - len(kept),
        note=". ".join(filter(is_said, table.remarks)),
        hash=table.hash,
        axes=count,
        quantities=tuple(quantities),
        rows=kept,
        lines=table.row_numbers[kept],
        by_line=bool(table.lines),
        times=None if when is None else when.values[kept],
    )


def _others(table, beside, gram, lenient):
    """The columns beside a Gram matrix; Refusal where there is none for them to stand beside."""
    asked = [beside] if np.ndim(beside) == 0 else list(beside)
    if asked and not gram:
        raise Refusal("beside names columns beside a Gram matrix; pass gram=True, or name them among columns.")
    return asked_columns(table, asked, words=lenient) if asked else []


def _measured(columns, kept, standardise):
    """Quantities and X (n, d) of the kept rows of columns: their numbers, and of words a column for each level."""
    numbers = [column for column in columns if column.numbers is not None]
    quantities = tuple(Quantity(column.name, column.measured_in, dates=column.dates) for column in numbers)
    X = points(numbers, kept)
    if standardise and numbers:
        scaled = DataSet("", X, tuple(each.name for each in quantities), quantities=quantities).standardised()
        X, quantities = scaled.X, scaled.quantities
    for column in columns:
        if column.numbers is None:
            more, levels = level_columns(column, kept)
            quantities, X = (*quantities, *quantities_named(more)), np.hstack([X, levels])
    return quantities, X


def parse(
    path: File | IntoDataFrame | Any,
    name: str | None = None,
    lenient: bool = False,
    *,
    part: Part = None,
    query: str | None = None,
) -> Table:
    """The columns.Table in a file or a table; `name` is what sentences call it, else the file's own name.

    part: the sheet, the table or the member of an archive that is meant; an address such as book.xlsx#june names it.
    query: of a connection to a database
    """
    called = contents.called(name or "the table")
    if query is not None:
        addresses.refuse_part(called, part)
        table = queries.fetched(path, query, contents.called(name or "the query"))
        return formats.with_words_read(table) if lenient else table
    frame = frame_of(mapped(path, called) if isinstance(path, Mapping) else as_table(path))
    if frame is not None:
        addresses.refuse_part(called, part)
        table = dataframes.table_of(frame, called)
        return formats.with_words_read(table) if lenient else table
    _refuse_other(path)
    place: Any = path
    if isinstance(place, (str, os.PathLike)):
        place, part = addresses.address(place, part)
    if isinstance(place, Once) and part is None:
        part = place.part
    if isinstance(part, int) and not hasattr(place, "read"):  # a position, by the name of what stands there
        known = parts(place)
        part = addresses.chosen(name or "the file", "table", known, part) if known else part
    is_database = isinstance(place, str) and databases.is_database(place)
    if is_database:
        given = Path(str(place)).name
        raw, read = b"", partial(databases.parse, place)
    else:
        given, raw = contents.contents(place)
        read = partial(formats.parse, raw)
    of_file = contents.called(name or given)
    with contents.within_memory(of_file):
        if isinstance(raw, Once):
            table = raw.parsed(of_file, lenient, partial(read, of_file, lenient, part), part)
        else:
            table = read(of_file, lenient, part)
    if is_database and lenient and not table.lenient:
        table = formats.with_words_read(table)
    return table if name else replace(table, name=addresses.called(of_file, part))


def at(source: Any, part: Part) -> Any:
    """Return the address of a part of a file, such as book.xlsx#june, or the source itself if none is asked for."""
    if part is None:
        return source
    if not isinstance(source, (str, os.PathLike)):
        raise Refusal(f"{echo(part)} names a part of a file, and {type(source).__name__} is none; leave it out.")
    path, named = addresses.address(source, part)
    if isinstance(named, int):
        name, known = os.path.basename(path), parts(path)
        if not known:
            addresses.refuse_part(name, named)
        named = addresses.chosen(name, "table", known, named)
    return path + addresses.MARK + str(named)


def parts(source: File) -> tuple[str, ...]:
    """Return the names of the sheets, tables or members of a file; none of one that holds a table alone."""
    if isinstance(source, (str, os.PathLike)):
        source = addresses.address(source).path
        if databases.is_database(source):
            return databases.names(source, os.path.basename(source))
    name, raw = contents.contents(source)
    return formats.parts(raw, name)


def _refuse_other(source):
    """Refuse what is no table and no file in the terms of what it is."""
    kind = type(source).__name__
    if queries.is_connection(source):
        raise WrongType(
            f'a connection ({kind}) is read by a query; give query="select * from ..." beside it, or the DataFrame'
            " that a query gives."
        )
    if isinstance(source, Iterator) and (not hasattr(source, "read") or hasattr(source, "get_chunk")):  # pandas' reader
        raise WrongType(
            f"a {kind} gives its rows once, piece by piece, and a table is read whole; put the pieces together first,"
            " as pandas.concat does DataFrames and list(...) dicts, or have Sketch.of(pieces, kernel) sum them."
        )
