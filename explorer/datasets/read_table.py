"""The function `read_table`: a user's table, from a path or from uploaded bytes, in any format of `formats`."""

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
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import File, Missing

from . import dataframes
from .column_selection import (
    complete_rows,
    level_columns,
    no_row_left_error,
    numeric_columns,
    one_column,
    points,
    refuse_unknown_policy,
    requested_columns,
)
from .columns.quantity import Quantity, quantities_named
from .columns.spellings import with_common_words
from .columns.times import times_of
from .dataset import DataSet
from .files import addresses, contents, databases, formats, queries
from .files.addresses import Part, part_of
from .files.encodings import is_encoding_remark, use_encoding
from .files.parsed_file import ParsedFile
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
    r"""Read a file that holds a table, or a DataFrame.

    Use it to take the points of one table. For tables that are to be compared use `read_tables`, which gives them the
    same columns and scales.

    Its first bytes determine the format of a file, whatever its name. A file has at most 20 MB, packed and unpacked,
    and no more rows, columns and cells than `files.limits` allows (a million, 2,000 and 2.5 million).

    Parameters
    ----------
    path : str, Path, bytes, binary file or DataFrame
        A path, "-" for standard input, bytes, or a file open in binary mode; a DataFrame of pandas, polars or pyarrow,
        a LazyFrame, a RecordBatchReader, a relation of duckdb, a Series with a name, records (a list of dicts), or a
        dict of columns; with `query`, a connection. The formats are listed in the notes.
    columns : sequence of str or int, or None, default None
        The columns of X: names, or positions counted from 0. None takes every column of numbers. `left_out` lists the
        rest.
    missing : {"refuse", "drop"}, default "refuse"
        What happens to rows with missing cells, which are empty, NA, NaN, ? or null: "refuse" raises an exception, and
        "drop" leaves the rows out.
    standardise : bool, default False
        True gives columns of mean 0 and variance 1; constant ones become 0. Each file is standardised separately: two
        files then agree in every mean and variance, so a shift between them is gone. `read_tables` scales files
        together.
    target : str, int or None, default None
        A column, of numbers or words, that becomes the set's target. It is part of X only if `columns` names it too.
        Its missing cells are refused or dropped as those of X are.
    name : str or None, default None
        The table's name in messages. None is the file's name.
    lenient : bool, default False
        True also reads notations of other programs and countries, see the notes. Everything else is read as without it.
    gram : bool, default False
        True declares the chosen columns as the Gram matrix of the rows. X then holds coordinates with these inner
        products: under Linear() the kernel's values are the file's, and so is the result of every estimator and test.
    beside : sequence of str or int, default ()
        Further columns of the file of a Gram matrix, names or positions. X holds them after the coordinates, so that a
        row is a pair of what the matrix compares and of these columns, and `axes` counts the coordinates. `standardise`
        scales only them, "drop" leaves out rows that miss one of them, and `lenient` accepts words as levels.
        With them `columns` None takes the first neighbouring columns that are a symmetric matrix of the rows.
    time : str, int or None, default None
        A column of dates or of numbers by which the rows are sorted. Rows of equal times keep their order. Rows without
        a time are left out, and `dropped` counts them. None leaves the rows in the file's order.
    encoding : str or None, default None
        The encoding of a text file, such as "cp1250" or "shift_jis", whatever its bytes suggest. None is UTF-8, or what
        `lenient` detects.
    query : str or None, default None
        A query on the connection in `path`, as PEP 249 defines it (sqlite3, duckdb, psycopg, ...) or of SQLAlchemy,
        such as "select * from june". It only reads, and at most as much as a file may have.
    sheet : str, int or None, default None
        The name, or the position counted from 0, of a sheet of a workbook, if there are several. A path such as
        `book.xlsx#june` names one too.
    table : str, int or None, default None
        The name or position of a table of a database, or of a file in an archive, if there are several. A path names
        one in the same way.

    Returns
    -------
    DataSet
        The table. X (n, d) holds the chosen columns. Columns without a name are called x1, x2, ...

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError
        If `path` is not a table or a file.
    ValueError
        If the table cannot be read. The message states what is wrong, where, and what to do.

    Notes
    -----
    Formats:

    - Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): the only visible sheet that holds a table, or `sheet`. Dates and
      durations are what the workbook declares as such, and errors such as #N/A are missing cells.
    - JSON: lines of objects, an array of objects or of rows, columns by name. Nested objects become columns a.b.
    - SQLite, and DuckDB if duckdb is installed: the only table or view, or `table`, opened read-only. The file may have
      any size if the table is within the limits.
    - Arrow and Feather, if pyarrow is installed; Stata; SPSS and SAS, if pyreadstat is installed; a zip archive that
      contains one of all these.
    - Text: UTF-8, with commas, semicolons or tabs between cells and a decimal point in numbers. A first row of numbers
      is a row.
    - NPY: an array (n,), (n, d) or of named fields. NPZ: one such array, or arrays (n,), each a column named after its
      key.
    - Parquet, if pyarrow is installed. Decimals are numbers; durations and times of day are seconds; dates, truth
      values and categories are words. Lists, records, maps and bytes are left out.

    With `lenient` these are read too:

    - text in other encodings than UTF-8: the one in which the letters make words, see `encodings.encoding_of`
    - blanks or bars between cells, blank lines, columns with equal names, a line of numbers
    - numbers with decimal commas, or with marks between thousands if these cannot be decimal; 1.250 in a file with
      semicolons is refused if nothing decides which it is
    - codes such as 007: if one cell of a column of digits begins with 0, its cells are words
    - ``-``, ``.``, N/A and None as missing cells; None remains a word among words: there it is more often a level than
      a gap
    - ND, BDL, <LOD, "not detected", trace and the like as missing cells among numbers
    - durations (1:02:03, 2 h 5 min, PT5M) as seconds; for 01:04 all values together decide whether it is
      minutes:seconds
    - flags, such as J in 0.05 J, if other numbers of the column have none; notes such as 3.4 (a), ~3.4
    - k, M, bn and the like with numbers that differ in them, such as 980 and 1.2k, as the numbers they denote
    - lines that repeat the names, and lines of totals and averages, which are left out
    - dates that `columns` names, as days since 1970; words of at most 50 levels that `columns` names, as a column for
      each level, kind=a, which is 1 if a row has the level and otherwise 0, and which `standardise` leaves unchanged

    Examples
    --------
    >>> from explorer import read_table
    >>> table = read_table(b"height,weight,name\n1.8,80,Ann\n1.6,55,Bo\n", name="people")
    >>> table.X
    array([[ 1.8, 80. ],
           [ 1.6, 55. ]])
    >>> table.left_out
    ('name',)
    """
    refuse_unknown_policy(missing)
    with use_encoding(encoding):
        (read,) = with_common_words([parse(path, name, lenient, part=part_of(sheet, table), query=query)])
    return _data_set(read, columns, missing, standardise, target, lenient, gram, beside, time)


def _data_set(table, columns, missing, standardise, target, lenient, gram, beside, time):
    """Return the DataSet of the chosen columns of a Table."""
    label = None if target is None else one_column(table, target)
    chosen = numeric_columns(table, label) if columns is None else requested_columns(table, columns, words=lenient)
    others = _others(table, beside, gram, lenient)
    if gram:
        chosen = [column for column in chosen if column.numbers is not None]
        if columns is None and others:
            chosen = block_of(chosen, table.rows) or [column for column in chosen if column not in others]
        if both := [column.name for column in others if column in chosen]:
            raise Refusal(f"column {both[0]!r} belongs to the Gram matrix and cannot accompany it; name another one.")
    used = {label, *chosen, *others}
    complete = complete_rows(table, [*chosen, *others, *([] if label is None else [label])], missing)
    when = None if time is None else times_of(table, time)
    rows = np.flatnonzero(complete) if when is None else when.rows[complete[when.rows]]
    if not len(rows):
        raise no_row_left_error(table)
    n_axes = 0
    if gram:
        whole = complete_rows(table, chosen, missing)  # rows that miss only another column stay in the matrix
        place = np.cumsum(whole) - 1
        coordinate = coordinates(points(chosen, whole), table.name)[place[rows]]
        n_axes = coordinate.shape[1]
        quantities, X = _measured(others, rows, standardise) if others else ([], np.zeros((len(coordinate), 0)))
        quantities, X = [*quantities_named(axes(n_axes)), *quantities], np.hstack([coordinate, X])
    else:
        quantities, X = _measured(chosen, rows, standardise)
    return DataSet(
        name=table.name,
        X=X,
        names=tuple(each.name for each in quantities),
        target=None if label is None else label.array()[rows],
        left_out=tuple(column.name for column in table.columns if column not in used),
        dropped=table.rows - len(rows),
        note=". ".join(filter(is_encoding_remark, table.remarks)),
        hash=table.hash,
        axes=n_axes,
        quantities=tuple(quantities),
        rows=rows,
        lines=table.row_numbers[rows],
        by_line=bool(table.lines),
        times=None if when is None else when.values[rows],
    )


def _others(table, beside, gram, lenient):
    """Return the columns that accompany a Gram matrix. Raises Refusal if there are some but no matrix."""
    requested = [beside] if np.ndim(beside) == 0 else list(beside)
    if requested and not gram:
        raise Refusal("beside names columns that accompany a Gram matrix; pass gram=True, or name them in columns.")
    return requested_columns(table, requested, words=lenient) if requested else []


def _measured(columns, rows, standardise):
    """Return quantities and X (n, d) of some rows of columns. A column of words becomes a column per level."""
    numbers = [column for column in columns if column.numbers is not None]
    quantities = tuple(Quantity(column.name, column.measured_in, dates=column.dates) for column in numbers)
    X = points(numbers, rows)
    if standardise and numbers:
        scaled = DataSet("", X, tuple(each.name for each in quantities), quantities=quantities).standardised()
        X, quantities = scaled.X, scaled.quantities
    for column in columns:
        if column.numbers is None:
            names, levels = level_columns(column, rows)
            quantities, X = (*quantities, *quantities_named(names)), np.hstack([X, levels])
    return quantities, X


def parse(
    path: File | IntoDataFrame | Any,
    name: str | None = None,
    lenient: bool = False,
    *,
    part: Part = None,
    query: str | None = None,
) -> Table:
    """Return the Table in a file or a DataFrame.

    Parameters
    ----------
    path : str, Path, bytes, binary file or DataFrame
        The source, as in `read_table`.
    name : str or None, default None
        The table's name in messages. None is the file's name.
    lenient : bool, default False
        Whether the lenient reader is used.
    part : str, int or None, default None
        The sheet, the table or the archive member that is meant. An address such as book.xlsx#june names it too.
    query : str or None, default None
        A query on the connection in `path`.

    Returns
    -------
    Table
        The table.
    """
    if isinstance(path, ParsedFile):
        return _parse_once(path, name, lenient)
    label = contents.shorten_name(name or "the table")
    if query is not None:
        addresses.refuse_part(label, part)
        table = queries.fetch_table(path, query, contents.shorten_name(name or "the query"))
        return formats.parse_text_columns(table) if lenient else table
    frame = frame_of(mapped(path, label) if isinstance(path, Mapping) else as_table(path))
    if frame is not None:
        addresses.refuse_part(label, part)
        table = dataframes.table_of(frame, label)
        return formats.parse_text_columns(table) if lenient else table
    _refuse_other(path)
    source: Any = path
    if isinstance(source, (str, os.PathLike)):
        source, part = addresses.parse_address(source, part)
    if isinstance(part, int) and not hasattr(source, "read"):  # replace a position by the name of the part
        known = part_names(source)
        part = addresses.choose_part(name or "the file", "table", known, part) if known else part
    is_database = isinstance(source, str) and databases.is_database(source)
    if is_database:
        file_name = Path(str(source)).name
        raw, read = b"", partial(databases.parse, source)
    else:
        file_name, raw = contents.read_contents(source)
        read = partial(formats.parse, raw)
    file_name = contents.shorten_name(name or file_name)
    with contents.within_memory(file_name):
        table = read(file_name, lenient, part)
    if is_database and lenient and not table.lenient:
        table = formats.parse_text_columns(table)
    return table if name else replace(table, name=addresses.part_label(file_name, part))


def _parse_once(file, name, lenient):
    """Return the Table of a ParsedFile."""
    label = contents.shorten_name(name or file.name)
    _, raw = contents.read_contents(file.raw)
    with contents.within_memory(label):
        return file.table(label, lenient, partial(formats.parse, raw, label, lenient, file.part))


def part_address(source: Any, part: Part) -> Any:
    """Return the address of a part of a file, such as book.xlsx#june.

    Parameters
    ----------
    source : object
        The file.
    part : str, int or None
        The name or position of the part.

    Returns
    -------
    object
        The address, or `source` itself if `part` is None.

    Raises
    ------
    Refusal
        If `source` is not a path, or has no such part.
    """
    if part is None:
        return source
    if not isinstance(source, (str, os.PathLike)):
        raise Refusal(f"{echo(part)} names a part of a file, and {type(source).__name__} is none; leave it out.")
    path, named = addresses.parse_address(source, part)
    if isinstance(named, int):
        name, known = os.path.basename(path), part_names(path)
        if not known:
            addresses.refuse_part(name, named)
        named = addresses.choose_part(name, "table", known, named)
    return path + addresses.MARK + str(named)


def part_names(source: File) -> tuple[str, ...]:
    """Return the names of the sheets, tables or members of a file, or () if it holds a single table."""
    if isinstance(source, (str, os.PathLike)):
        source = addresses.parse_address(source).path
        if databases.is_database(source):
            return databases.table_names(source, os.path.basename(source))
    name, raw = contents.read_contents(source)
    return formats.part_names(raw, name)


def _refuse_other(source):
    """Refuse a source that is neither a table nor a file, with the advice that suits it."""
    kind = type(source).__name__
    if queries.is_connection(source):
        raise WrongType(
            f'a connection ({kind}) is read by a query; give query="select * from ..." with it, or the DataFrame that'
            " a query gives."
        )
    if isinstance(source, Iterator) and (
        not hasattr(source, "read") or hasattr(source, "get_chunk")
    ):  # also pandas' reader
        raise WrongType(
            f"a {kind} gives its rows once, piece by piece, and a table is read whole; put the pieces together first,"
            " as pandas.concat does DataFrames and list(...) dicts, or have Sketch.of(pieces, kernel) sum them."
        )
