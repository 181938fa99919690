"""Parquet, where pyarrow is there to read it; it is not among the dependencies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.checks import Refusal

from . import files, limits
from .cells import Coded
from .columns import Column, Table, counted, in_seconds, not_compared, sha256, titles, words, written
from .files import reading
from .grid import Part

MAGIC = b"PAR1"


def parse(raw: bytes, name: str) -> Table:
    """The Table in the bytes of a Parquet file; of nested columns (lists, maps, records) nothing is read.

    Raises ValueError without pyarrow, and for a file that is damaged, has no row, or takes too much when unpacked.
    """
    pa, pq = pyarrow_of(name)
    with reading(name, "Parquet"):
        known = pq.read_metadata(pa.BufferReader(raw))
        schema, rows, groups = known.schema.to_arrow_schema(), known.num_rows, known.num_row_groups
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
            f"{name} has {len(schema.names)} columns and {rows} rows; give a table with at least one of each."
        )
    names = titles(schema.names, name)
    files.refuse_unpacked(name, max(size, rows * sum(_width(pa, field.type) for field in schema)))
    categories = _categories(known)
    flat = [i for i, field in enumerate(schema) if not pa.types.is_nested(field.type)]
    chunks = _chunks(pa, pq, raw, name, known, [schema.field(i) for i in flat])
    columns = [not_compared(title, _nested(pa, field.type), rows) for title, field in zip(names, schema, strict=True)]
    for i, pieces in zip(flat, chunks, strict=True):
        with reading(name, "Parquet"):
            columns[i] = _column(pa, names[i], pieces, schema.names[i] in categories)
    return Table(name, tuple(columns), sha256(raw))


def _nested(pa, kind):
    """What a nested column holds."""
    return "maps" if pa.types.is_map(kind) else "records" if pa.types.is_struct(kind) else "lists"


def pyarrow_of(name: str) -> tuple[Any, Any]:
    """pyarrow and its part for Parquet; Refusal where they are not there."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise Refusal(
            f"{name} is a Parquet file, and reading it needs pyarrow: pip install pyarrow, or save the table as CSV."
        ) from error
    return pyarrow, pyarrow.parquet


def _chunks(pa, pq, raw, name, known, fields):
    """For each of these fields the arrays of its values, no more of them than the file's own summary says there are."""
    wanted = [field.name for field in fields]
    repeating = _repeating(pa, fields)
    batches, rows = [], 0
    with reading(name, "Parquet"):
        file = pq.ParquetFile(pa.BufferReader(raw), metadata=known, read_dictionary=repeating)  # a word is kept once
        found = file.iter_batches(batch_size=known.num_rows, columns=wanted, use_threads=False)
    while rows <= known.num_rows:
        with reading(name, "Parquet"):
            batch = next(found, None)
        if batch is None:
            break
        files.refuse_unpacked(name, batch.nbytes)
        batches.append(batch)
        rows += batch.num_rows
    if rows != known.num_rows:
        raise Refusal(f"{name} announces {known.num_rows} rows and holds others; it was altered: save the table again.")
    _refuse_clashes(name, batches[0], wanted)
    return [[batch.column(i) for batch in batches] for i in range(len(wanted))]


def _refuse_clashes(name, batch, wanted):
    if batch.schema.names != wanted:  # pyarrow chooses by name, and a dot in one may mean a part of a nested column
        raise Refusal(f"{name} has columns whose names clash with its nested columns; rename them, or leave those out.")


def _repeating(pa, fields):
    """The names of the fields whose values may repeat a long one."""
    return [field.name for field in fields if any(of(field.type) for of in _of_any_length(pa))]


def opened(path: Path) -> Any:
    """A Parquet file, of which any rows can be read; a word that recurs is kept once."""
    pa, pq = pyarrow_of(path.name)
    with reading(path.name, "Parquet"):
        schema = pq.read_schema(path)
        file = pq.ParquetFile(path, read_dictionary=_repeating(pa, schema))
    limits.refuse_shape(path.name, 0, len(schema.names))
    return file


def batches(file: Any, name: str, places: Sequence[int], rows: int, groups: Sequence[int]) -> Iterator[Any]:
    """Some columns of some row groups of an opened file, so many rows at a time."""
    pa, _ = pyarrow_of(name)
    fields = [file.schema_arrow.field(j) for j in places]
    wanted = [field.name for field in fields if not pa.types.is_nested(field.type)]
    for group in groups:  # one after the other: of all at once the reader keeps what it has read
        with reading(name, "Parquet"):
            found = file.iter_batches(rows, [group], columns=wanted)
        while True:
            with reading(name, "Parquet"):
                batch = next(found, None)
            if batch is None:
                break
            _refuse_clashes(name, batch, wanted)
            yield batch


def part(batch: Any, field: Any) -> tuple[Part, bool]:
    """(The numbers or the cells of a column of a batch, whether they are dates)."""
    pa, _ = pyarrow_of("this")
    if pa.types.is_nested(field.type):
        return Coded([str(field.type)], np.zeros(batch.num_rows, np.intp)), False
    chunk = batch.column(field.name)
    chunk = chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
    kind = chunk.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        days = _days(pa, [chunk])
        return np.full(len(chunk), np.nan) if days is None else days, True
    if pa.types.is_duration(kind):
        return _seconds(pa, [chunk]), False
    if is_numeric(pa, kind):
        plain = chunk.dictionary_decode() if pa.types.is_dictionary(kind) else chunk
        return np.asarray(plain.to_numpy(zero_copy_only=False), dtype=np.float64), False
    if pa.types.is_boolean(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        chunk = chunk.dictionary_encode()
    if not pa.types.is_dictionary(chunk.type):
        return Coded.each(_cells(pa, chunk)), False
    cells = ["", *_cells(pa, chunk.dictionary)]
    return Coded.of(cells, chunk.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False) + 1), False


def opaque(kind: Any) -> str:
    """Return what a column of this kind holds that is not compared, "" of others."""
    pa, _ = pyarrow_of("this")
    return _nested(pa, kind) if pa.types.is_nested(kind) else ""


def is_numeric(pa: Any, kind: Any) -> bool:
    """Whether a column of this kind holds numbers, or lengths of time."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_duration(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _of_any_length(pa):
    """The kinds of columns whose values may repeat a long one."""
    return pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary


def _width(pa, kind):
    """The bytes that a value of a kind takes at least."""
    return max(8, kind.byte_width) if pa.types.is_fixed_size_binary(kind) else 8


def _categories(known):
    """The names of the columns that pandas, where it wrote the file, calls categories."""
    try:
        described = json.loads((known.metadata or {}).get(b"pandas", b"{}"))["columns"]
        return {each["field_name"] for each in described if each["pandas_type"] == "categorical"}
    except (ValueError, KeyError, TypeError, RecursionError):  # nobody's, or damaged: the values say what they are
        return set()


def _column(pa, title, chunks, is_category):
    chunks = [chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk for chunk in chunks]
    kind = chunks[0].type
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    if is_category:  # whatever its levels look like
        column = words(title, [cell for chunk in chunks for cell in _cells(pa, chunk)])
        ordered = pa.types.is_dictionary(kind) and kind.ordered
        return column.in_order(tuple(_cells(pa, chunks[0].dictionary))) if ordered else column
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        cells = [cell for chunk in chunks for cell in _cells(pa, chunk)]
        return Column(title, tuple(cells), _days(pa, chunks), dates=True)
    if pa.types.is_duration(kind):
        return in_seconds(title, _seconds(pa, chunks))
    if pa.types.is_integer(held) or pa.types.is_floating(held):
        plain = (chunk.dictionary_decode() if held is not kind else chunk for chunk in chunks)
        return counted(title, np.concatenate([chunk.to_numpy(zero_copy_only=False) for chunk in plain]))
    cells = [cell for chunk in chunks for cell in _cells(pa, chunk)]
    says_itself = (
        pa.types.is_decimal(held)
        or pa.types.is_null(held)
        or held in (pa.string(), pa.large_string(), pa.string_view())
    )
    return (written if says_itself else words)(title, cells)


def _days(pa, chunks):
    """Return the days since 1970 of dates and time stamps as the clock of their zone has them, (n,).

    None if all are missing.
    """
    from pyarrow.compute import call_function

    zoned = any(pa.types.is_timestamp(chunk.type) and chunk.type.tz for chunk in chunks)
    chunks = [call_function("local_timestamp", [chunk]) for chunk in chunks] if zoned else chunks
    milliseconds = [chunk.cast(pa.timestamp("ms"), safe=False).cast(pa.int64()) for chunk in chunks]
    days = np.concatenate([each.cast(pa.float64()).to_numpy(zero_copy_only=False) for each in milliseconds]) / 86400e3
    return None if np.isnan(days).all() else days


def _seconds(pa, chunks):
    """The seconds of lengths of time, (n,); NaN where one is missing."""
    nanoseconds = [
        chunk.cast(pa.duration("ns"), safe=False).cast(pa.int64()).cast(pa.float64(), safe=False) for chunk in chunks
    ]
    return np.concatenate([each.to_numpy(zero_copy_only=False) for each in nanoseconds]) / 1e9


def _cells(pa, chunk):
    """The values of an array as text, "" where one is missing."""
    kind = chunk.type
    if pa.types.is_dictionary(kind):
        values = _cells(pa, chunk.dictionary)
        return ["" if i is None else values[i] for i in chunk.indices.to_pylist()]
    if pa.types.is_timestamp(kind) and kind.tz:  # in universal time, which needs no table of time zones
        chunk = chunk.cast(pa.int64()).cast(pa.timestamp(kind.unit))
    if pa.types.is_temporal(kind):
        chunk = chunk.cast(pa.string())
    return ["" if value is None else str(value).strip() for value in chunk.to_pylist()]
