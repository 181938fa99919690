"""Reader of Parquet files, if pyarrow is installed. It is an optional dependency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.cell_counts import DURATIONS
from explorer.datasets.columns.number_notation import SECONDS
from explorer.datasets.columns.table import Table, column_names, opaque_column, sha256
from explorer.printing import plural

from . import arrow_columns, contents, limits
from .contents import reading
from .lazy_cells import EncodedColumn
from .sample_cells import ColumnChunk

MAGIC = b"PAR1"


def parse(raw: bytes, name: str) -> Table:
    """Return the Table in the bytes of a Parquet file. Columns of lists, records, maps and bytes are not read.

    Raises Refusal if pyarrow is not installed, and if the file is damaged, has no row, or takes too much when unpacked.
    """
    pa, pq = pyarrow_of(name)
    with reading(name, "Parquet"), _known_kinds(pa, name):
        known = pq.read_metadata(pa.BufferReader(raw))
        schema, rows, groups = known.schema.to_arrow_schema(), known.num_rows, known.num_row_groups
        if arrow_columns.register_pandas_kinds(schema):
            schema = known.schema.to_arrow_schema()
    limits.refuse_shape(name, rows, len(schema.names))
    if groups > limits.GROUPS or groups * known.num_columns > limits.CHUNKS:
        raise limits.TooLarge(
            f"{name} has {groups:,} row groups of {known.num_columns:,} columns, and {limits.GROUPS:,} groups, or"
            f" {limits.CHUNKS:,} columns in all of them together, are the limit; save the table in fewer groups."
        )
    with reading(name, "Parquet"):
        size = sum(known.row_group(i).total_byte_size for i in range(known.num_row_groups))
    if not schema.names or rows < 1:
        raise Refusal(
            f"{name} has {plural(len(schema.names), 'column')} and {plural(rows, 'row')}; give a table with at least"
            " one of each."
        )
    names = column_names(schema.names, name)
    contents.refuse_unpacked(name, max(size, rows * sum(_width(pa, field.type) for field in schema)))
    categories = arrow_columns.categories(known.metadata)
    holds = [arrow_columns.opaque_kind(pa, field.type) for field in schema]
    flat = [i for i, what in enumerate(holds) if not what]
    chunks = _chunks(pa, pq, raw, name, known, [schema.field(i) for i in flat])
    columns = [opaque_column(title, what, rows) for title, what in zip(names, holds, strict=True)]
    for i, pieces in zip(flat, chunks, strict=True):
        categorical = schema.names[i] in categories or arrow_columns.is_category(pa, schema.field(i))
        with reading(name, "Parquet"):
            columns[i] = arrow_columns.column_of(pa, names[i], pieces, categorical)
    return Table(name, tuple(columns), sha256(raw))


@contextmanager
def _known_kinds(pa, name):
    """Refuse with one sentence if pyarrow cannot read the type of a column."""
    try:
        yield
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        if isinstance(error, pa.ArrowInvalid) and "format string" not in str(error):
            raise
        raise Refusal(
            f"{name} has a column of a kind that pyarrow cannot read, such as whole numbers of 128 bits or categories"
            " that are intervals; write its values as floats or words, and save the table again."
        ) from error


def pyarrow_of(name: str) -> tuple[Any, Any]:
    """Import pyarrow and its Parquet module.

    Parameters
    ----------
    name : str
        The file's name in messages.

    Returns
    -------
    tuple of module
        The two modules.

    Raises
    ------
    Refusal
        If they are not installed.
    """
    with contents.require_package("pyarrow", name, "a Parquet file"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow, pyarrow.parquet


def _chunks(pa, pq, raw, name, known, fields):
    """Return the arrays of each field's values.

    Raises Refusal if the number of rows differs from the one in the file's summary.
    """
    wanted = [field.name for field in fields]
    repeating = _repeating(pa, fields)
    batches, rows = [], 0
    with reading(name, "Parquet"):
        file = pq.ParquetFile(pa.BufferReader(raw), metadata=known, read_dictionary=repeating)  # each word once
        pending = file.iter_batches(batch_size=known.num_rows, columns=wanted, use_threads=False)
    while rows <= known.num_rows:
        with reading(name, "Parquet"):
            batch = next(pending, None)
        if batch is None:
            break
        contents.refuse_unpacked(name, batch.nbytes)
        batches.append(batch)
        rows += batch.num_rows
    if rows != known.num_rows:
        raise Refusal(f"{name} announces {known.num_rows} rows and holds others; it was altered: save the table again.")
    _refuse_clashes(name, batches[0], wanted)
    return [[batch.column(i) for batch in batches] for i in range(len(wanted))]


def _refuse_clashes(name, batch, wanted):
    if batch.schema.names != wanted:  # pyarrow chooses by name, and a dot may denote a field of a nested column
        raise Refusal(f"{name} has columns whose names clash with its nested columns; rename them, or leave those out.")


def _repeating(pa, fields):
    """Return the names of the fields whose values may repeat a long one."""
    return [field.name for field in fields if any(test(field.type) for test in _of_any_length(pa))]


def open_file(path: Path) -> Any:
    """Open a Parquet file for reading any of its rows. A repeated word is stored once.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    ParquetFile
        The open file.

    Raises
    ------
    Refusal
        If pyarrow is not installed or cannot read the file, or if there are too many columns.
    """
    pa, pq = pyarrow_of(path.name)
    with reading(path.name, "Parquet"):
        with _known_kinds(pa, path.name):
            schema = pq.read_schema(path)
        if arrow_columns.register_pandas_kinds(schema):
            schema = pq.read_schema(path)
        file = pq.ParquetFile(path, read_dictionary=_repeating(pa, schema))
    limits.refuse_shape(path.name, 0, len(schema.names))
    return file


def schema_of(file: Any) -> Any:
    """Return the schema that is stored in an open file: when it is read, all words are dictionaries.

    Parameters
    ----------
    file : ParquetFile
        The open file.

    Returns
    -------
    pyarrow.Schema
        The schema.
    """
    return file.metadata.schema.to_arrow_schema()


def batches(file: Any, name: str, places: Sequence[int], rows: int, groups: Sequence[int]) -> Iterator[Any]:
    """Yield some columns of some row groups of an open file, at most `rows` rows at a time.

    Parameters
    ----------
    file : ParquetFile
        The open file.
    name : str
        The file's name in messages.
    places : sequence of int
        The positions of the columns.
    rows : int
        The largest number of rows of a batch.
    groups : sequence of int
        The row groups.

    Yields
    ------
    pyarrow.RecordBatch
        Some rows. Columns of opaque types are left out.
    """
    pa, _ = pyarrow_of(name)
    schema = schema_of(file)
    fields = [schema.field(j) for j in places]
    wanted = [field.name for field in fields if not arrow_columns.opaque_kind(pa, field.type)]
    for group in groups:  # one reader per group, as a reader of all of them would keep what it has read
        with reading(name, "Parquet"):
            pending = file.iter_batches(rows, [group], columns=wanted)
        while True:
            with reading(name, "Parquet"):
                batch = next(pending, None)
            if batch is None:
                break
            _refuse_clashes(name, batch, wanted)
            yield batch


def column_chunk(batch: Any, field: Any, categorical: bool = False) -> ColumnChunk:
    """Return a column of a batch. If its type does not decide how it is read, its cells are left for SampleCells.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        The batch.
    field : pyarrow.Field
        The field of the column in the file's schema.
    categorical : bool, default False
        Whether pandas declared it as a category.

    Returns
    -------
    ColumnChunk
        The column.
    """
    pa, _ = pyarrow_of("this")
    if what := arrow_columns.opaque_kind(pa, field.type):
        return ColumnChunk(EncodedColumn([what], np.zeros(batch.num_rows, np.intp)), opaque=what)
    chunk = batch.column(field.name)
    if isinstance(field.type, pa.BaseExtensionType):
        if arrow_columns.is_named(field.type):
            return _read_of(arrow_columns.column_of(pa, field.name, [chunk], categorical=False))
        chunk = chunk.storage
    kind = chunk.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        days = arrow_columns.days(pa, [chunk])
        return ColumnChunk(
            np.full(len(chunk), np.nan) if days is None else days, dates=True, zone=arrow_columns.zone_of(pa, kind)
        )
    if pa.types.is_duration(kind) or arrow_columns.is_time_of_day(pa, kind):
        return ColumnChunk(arrow_columns.seconds(pa, [chunk]), unit=SECONDS, beside=DURATIONS)
    declared = categorical or arrow_columns.is_category(pa, field)
    if arrow_columns.is_numeric(pa, kind) and not declared:
        plain = chunk.dictionary_decode() if pa.types.is_dictionary(kind) else chunk
        return ColumnChunk(np.asarray(plain.to_numpy(zero_copy_only=False), dtype=np.float64))
    if pa.types.is_boolean(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        chunk = chunk.dictionary_encode()
    if not pa.types.is_dictionary(chunk.type):
        return ColumnChunk(EncodedColumn.from_cells(arrow_columns.cells(pa, chunk)), declared=declared)
    cells = ["", *arrow_columns.cells(pa, chunk.dictionary)]
    codes = chunk.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) + 1
    return ColumnChunk(
        EncodedColumn.of(cells, codes), declared=declared, order=arrow_columns.order_of(pa, [chunk]) if declared else ()
    )


def _read_of(column):
    """Return a column of UUIDs, periods or intervals."""
    if column.dates:
        return ColumnChunk(column.numbers_or_nan, dates=True)
    return ColumnChunk(EncodedColumn.from_cells(column.cells), declared=True, order=column.order)


def _of_any_length(pa):
    """Return the tests for types whose values may repeat a long one."""
    return pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary


def _width(pa, kind):
    """Return the smallest number of bytes that a value of a type takes."""
    return max(8, kind.byte_width) if pa.types.is_fixed_size_binary(kind) else 8
