"""Reader of Arrow files and streams, and of Feather, if pyarrow is installed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import frames
from explorer.checks import Refusal
from explorer.datasets import dataframes
from explorer.datasets.columns.table import sha256

from . import contents, limits

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

FILE, STREAM, FEATHER = b"ARROW1\0\0", b"\xff\xff\xff\xff", b"FEA1"
LONGEST = 2**24  # largest schema, in bytes, with which a stream may begin
RECORDS, DICTIONARY = 3, 2  # types of messages that have a body


def is_arrow(raw: bytes) -> bool:
    """Return whether the first bytes are those of an Arrow file or stream, or of Feather."""
    if raw.startswith(STREAM):
        return len(raw) > 8 and 0 < int.from_bytes(raw[4:8], "little") < LONGEST
    return raw.startswith((FILE, FEATHER))


def parse(raw: bytes, name: str) -> Table:
    """Return the Table in the bytes of an Arrow file or stream.

    Raises Refusal if pyarrow is not installed, or if the table is damaged or too large.
    """
    pa, feather = _pyarrow(name)
    buffer = pa.BufferReader(raw)
    if raw.startswith(FEATHER):
        with contents.reading(name, "Feather"):
            table = feather.read_table(buffer)
    else:
        with contents.reading(name, "Arrow"):
            size = sum(_unpacked_size(message) for message in _messages(pa, raw))
        contents.refuse_unpacked(name, size)
        with contents.reading(name, "Arrow"):
            reader = pa.ipc.open_file(buffer) if raw.startswith(FILE) else pa.ipc.open_stream(buffer)
            table = reader.read_all()
    with contents.reading(name, "Arrow"):
        table.validate(full=True)
        known = table.column_names
    limits.refuse_shape(name, table.num_rows, len(known))
    frame: Any = frames.frame_of(table)
    return dataframes.table_of(frame, name).with_hash(sha256(raw))


def schema_of(path: Path) -> Any:
    """Return the schema of an Arrow file or stream.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    pyarrow.Schema
        The schema.
    """
    with _open(path) as reader:
        return reader.schema


def batches(path: Path, titles: Sequence[str], rows: int) -> Iterator[Any]:
    """Yield the record batches of some columns of an Arrow file or stream, with at most `rows` rows each.

    Parameters
    ----------
    path : Path
        The file.
    titles : sequence of str
        The names of the columns.
    rows : int
        The largest number of rows of a batch.

    Yields
    ------
    pyarrow.RecordBatch
        Some rows.
    """
    with _open(path) as reader:
        count = getattr(reader, "num_record_batches", None)
        for k in itertools.count() if count is None else range(count):
            with contents.reading(path.name, "Arrow"):
                try:
                    batch = reader.read_next_batch() if count is None else reader.get_batch(k)
                except StopIteration:
                    return
            batch = batch.select(list(titles))
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows)


@contextmanager
def _open(path: Path) -> Iterator[Any]:
    pa, _ = _pyarrow(path.name)
    with path.open("rb") as file, contents.reading(path.name, "Arrow"):
        start = file.read(len(FILE))
    if start.startswith(FEATHER):
        raise Refusal(f"{path.name} is in the first version of Feather, which is read up to 20 MB; save it as Parquet.")
    with pa.memory_map(str(path)) as source:
        yield pa.ipc.open_file(source) if start.startswith(FILE) else pa.ipc.open_stream(source)


def _pyarrow(name):
    """Import pyarrow and its Feather module. Raises Refusal if they are not installed."""
    with contents.require_package("pyarrow", name, "an Arrow file"):
        import pyarrow
        import pyarrow.feather
    return pyarrow, pyarrow.feather


def _messages(pa, raw) -> Iterator[Any]:
    """Yield the messages of a file or a stream without decoding them."""
    reader = pa.BufferReader(raw)
    if raw.startswith(FILE):
        reader.seek(len(FILE))
    messages = pa.ipc.MessageReader.open_stream(reader)
    while True:
        try:
            yield messages.read_next_message()
        except StopIteration:
            return


def _unpacked_size(message) -> int:
    """Return the number of bytes that the body of a message takes when unpacked.

    Each packed buffer begins with its length. The message is a flatbuffer, whose fields are found by offsets.
    """
    head, body = memoryview(message.metadata), message.body
    if body is None:
        return 0
    table = _offset(head, 0)
    kind, records = _field(head, table, 1), _field(head, table, 2)
    if not kind or not records or head[kind] not in (RECORDS, DICTIONARY):
        return 0
    records = _offset(head, records)
    if head[kind] == DICTIONARY:
        inner = _field(head, records, 1)
        if not inner:
            return 0
        records = _offset(head, inner)
    if not _field(head, records, 3):  # not packed
        return body.size
    vector = _field(head, records, 2)
    if not vector:
        return 0
    vector = _offset(head, vector)
    count = _number(head, vector)
    content, total = memoryview(body), 0
    for k in range(count):
        start, length = (_number(head, vector + 4 + 16 * k + at, 8) for at in (0, 8))
        if length > 8:
            size = _number(content, start, 8)
            total += length if size < 0 else size
    return total


def _number(content, place, size=4):
    """Return the whole number in `size` little-endian bytes."""
    return int.from_bytes(content[place : place + size], "little", signed=True)


def _offset(head, place):
    """Return the position to which an offset leads."""
    return place + _number(head, place)


def _field(head, table, k):
    """Return the position of field k of a flatbuffer table, or 0 if the table lacks it."""
    names = table - _number(head, table)
    if 4 + 2 * k >= _number(head, names, 2):
        return 0
    place = _number(head, names + 4 + 2 * k, 2)
    return table + place if place else 0
