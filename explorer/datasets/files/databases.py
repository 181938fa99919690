"""Databases in files: a table or a view of SQLite, by the standard library, or of DuckDB, where it is installed.

They are opened for reading alone, and a file that is a database is read where it lies, whatever its size.
"""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import frames
from explorer.checks import Refusal
from explorer.datasets import dataframes
from explorer.datasets.columns.table import hash_columns
from explorer.datasets.columns.unreadable_kinds import BYTES

from . import addresses, contents, limits, text
from .addresses import Part

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

SQLITE, DUCK = b"SQLite format 3\0", b"DUCK"
DUCK_AT = 8  # where a DuckDB file says that it is one
LOG = 2  # what bytes 18 and 19 of a SQLite file are if it keeps a log beside it
SECONDS = 60  # that a table may take that is read at once: a view may have no end
STEPS = 100_000  # of SQLite's machine between two looks at the clock
ROWS = 10_000  # of SQLite that are taken at once
BATCH = 65_536  # of DuckDB
TRUTHS = {"0": "False", "1": "True", "": ""}


def kind_of(start: bytes) -> str:
    """Return "SQLite" or "DuckDB" if the first bytes of a file are those of such a database, else ""."""
    if start.startswith(SQLITE):
        return "SQLite"
    return "DuckDB" if start[DUCK_AT : DUCK_AT + len(DUCK)] == DUCK else ""


def is_database(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is that of a database."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return bool(kind_of(file.read(len(SQLITE))))


def parse(source: str | bytes, name: str, lenient: bool = False, part: Part = None) -> Table:
    """Return the Table of a table or a view of a database.

    source  the path of the file, or its bytes
    part    the name of the table or its position; None is the only one
    """
    with _opened(source, name) as database:
        table = addresses.chosen(name, "table", database.tables(), part)
        return database.read(table, lenient)


def names(source: str | bytes, name: str) -> tuple[str, ...]:
    """Return the names of the tables and views of a database."""
    with _opened(source, name) as database:
        return database.tables()


def named(source: str | bytes, name: str, part: Part = None) -> str:
    """Return the name of the table that is meant."""
    with _opened(source, name) as database:
        return addresses.chosen(name, "table", database.tables(), part)


def titles_of(path: str, name: str, table: str) -> list[str]:
    """Return the names of the columns of a table of a SQLite database."""
    with _sqlite(path, name, _start(path), math.inf) as database:
        return database.titles(table)


def bytes_in(path: str, name: str, table: str) -> list[int]:
    """Return the positions of the columns of a table of a SQLite database that hold bytes."""
    with _sqlite(path, name, _start(path), math.inf) as database:
        return database.bytes_in(table)


def arrow_batches(path: str, name: str, table: str, titles: Sequence[str]) -> Iterator[Any]:
    """The record batches of some columns of a table of a DuckDB database."""
    with _duck(path, name, _start(path), math.inf) as database:
        yield from database.batches(table, titles)


def schema_of(path: str, name: str, table: str) -> Any:
    """Return the schema of a table of a DuckDB database, as Arrow has it."""
    with _duck(path, name, _start(path), math.inf) as database:
        return database.schema(table)


def batches(path: str, name: str, table: str) -> Iterator[list[list[str]]]:
    """The cells of each column of a table of a SQLite database, some rows at a time; bytes as a word."""
    with _sqlite(path, name, _start(path), math.inf) as database:
        yield from database.batches(table)


@contextmanager
def _opened(source: str | bytes, name: str) -> Iterator[Sqlite | Duck]:
    start = source[:100] if isinstance(source, bytes) else _start(source)
    with (_sqlite if kind_of(start) == "SQLite" else _duck)(source, name, start, SECONDS) as connection:
        yield connection


def _start(path):
    with open(path, "rb") as file:
        return file.read(100)


class Sqlite:
    """A SQLite database that is opened for reading."""

    def __init__(self, connection: sqlite3.Connection, name: str, seconds: float) -> None:
        self.connection, self.name, self.seconds = connection, name, seconds

    def tables(self) -> tuple[str, ...]:
        """Return the names of its tables and views, without SQLite's own."""
        found = self._all("select name from sqlite_master where type in ('table', 'view') order by rowid")
        return tuple(each for (each,) in found if not each.startswith("sqlite_"))

    def titles(self, table: str) -> list[str]:
        """Return the names of the columns of a table."""
        with self._running(f"select * from {_quoted(table)} limit 0") as cursor:
            return [each[0] for each in cursor.description]

    def batches(self, table: str) -> Iterator[list[list[str]]]:
        """The cells of each column of a table, some rows at a time."""
        quoted = _quoted(table)
        declared = [str(each[2]).upper() for each in self._all(f"pragma table_info({quoted})")]
        truths = [j for j, kind in enumerate(declared) if kind.startswith("BOOL")]
        with self._running(f"select * from {quoted}") as cursor:
            while rows := cursor.fetchmany(ROWS):
                columns = [list(map(_cell, cells)) for cells in zip(*rows, strict=True)]
                for j in truths:
                    columns[j] = [TRUTHS.get(cell, cell) for cell in columns[j]]
                yield columns

    def bytes_in(self, table: str) -> list[int]:
        """Return the positions of the columns of a table that hold bytes."""
        asked = (f"max(typeof({_quoted(title)}) = 'blob')" for title in self.titles(table))
        (found,) = self._all(f"select {', '.join(asked)} from {_quoted(table)}")
        return [j for j, some in enumerate(found) if some]

    def read(self, table: str, lenient: bool) -> Table:
        """Return a table or a view as a Table."""
        whole, titles = f"table {table!r} of {self.name}", self.titles(table)
        limits.refuse_shape(whole, 0, len(titles))
        columns: list[list[str]] = [[] for _ in titles]
        size = 0
        for some in self.batches(table):
            limits.refuse_shape(whole, len(columns[0]) + len(some[0]), len(titles))
            size += sum(len(cell) for cells in some for cell in cells)
            contents.refuse_unpacked(whole, size)
            for column, cells in zip(columns, some, strict=True):
                column.extend(cells)
        if not columns or not columns[0]:
            raise Refusal(f"{whole} has {len(columns)} columns and no row; give a table with at least one of each.")
        digest = hash_columns(zip(titles, columns, strict=True))
        held = {t: BYTES for t, cells in zip(titles, columns, strict=True) if any(isinstance(c, Blob) for c in cells)}
        return text.of_columns(titles, columns, self.name, digest, lenient).with_opaque(held)

    def _all(self, query):
        with self._running(query) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _running(self, query):
        late = time.monotonic() + self.seconds
        self.connection.set_progress_handler(lambda: time.monotonic() > late, STEPS)
        try:
            with closing(self.connection.execute(query)) as cursor:
                yield cursor
        except sqlite3.OperationalError as error:
            raise Refusal(self._why(error)) from error
        except sqlite3.DatabaseError as error:
            raise Refusal(f"{self.name} is no sound SQLite file ({error}); save the database again.") from error

    def _why(self, error):
        if "interrupted" in str(error):
            return (
                f"{self.name} has a view that takes more than {self.seconds:g} s, the limit; save its rows as a table."
            )
        return f"{self.name} cannot be read as SQLite ({error}); close what writes to it, or save the table as CSV."


class Blob(str):
    """A cell of bytes."""


def _cell(value):
    """The text of a value of SQLite."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    return Blob(BYTES) if isinstance(value, bytes) else repr(value)


def _quoted(table):
    return '"' + table.replace('"', '""') + '"'


@contextmanager
def _sqlite(source: str | bytes, name: str, start: bytes, seconds: float) -> Iterator[Sqlite]:
    """A SQLite file, read as it is: what other programs have written into the log beside it counts."""
    if isinstance(source, bytes):
        connection = sqlite3.connect(":memory:", check_same_thread=False)
    else:
        place = Path(source).resolve()
        log = f"{place}-wal"
        written = os.path.isfile(log) and os.path.getsize(log) > 0
        still = LOG in start[18:20] and not written  # else SQLite would make a log of its own
        with contents.reading(name, "SQLite"):
            connection = sqlite3.connect(
                f"{place.as_uri()}?mode=ro{'&immutable=1' if still else ''}", uri=True, check_same_thread=False
            )
    with closing(connection):
        if isinstance(source, bytes):
            plain = source[:18] + b"\1\1" + source[20:] if LOG in start[18:20] else source  # the bytes have no log
            connection.deserialize(plain)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        database = Sqlite(connection, name, seconds)
        for setting in ("trusted_schema = off", "query_only = on", "cell_size_check = on"):
            database._all(f"pragma {setting}")
        yield database


class Duck:
    """A DuckDB database that is opened for reading."""

    def __init__(self, connection: Any, name: str) -> None:
        self.connection, self.name = connection, name

    def tables(self) -> tuple[str, ...]:
        """Return the names of its tables and views."""
        query = (
            "select table_schema, table_name from information_schema.tables where table_catalog = current_database()"
            " order by table_schema <> 'main', table_name"
        )
        with contents.reading(self.name, "DuckDB"):
            found = self.connection.execute(query).fetchall()
        return tuple(each if schema == "main" else f"{schema}.{each}" for schema, each in found)

    def read(self, table: str, lenient: bool) -> Table:
        """Return a table or a view as a Table."""
        whole = f"table {table!r} of {self.name}"
        place = self._place(table)
        with contents.reading(
            whole, "DuckDB", "its view may need other files, or it was altered; save the rows as a table"
        ):
            width = len(self.connection.execute(f"select * from {place} limit 0").description)
            (rows,) = self.connection.execute(f"select count(*) from {place}").fetchone()
        limits.refuse_shape(whole, rows, width)
        with contents.reading(whole, "DuckDB"):
            frame = self.connection.execute(f"select * from {place}").df()
        found: Any = frames.frame_of(frame)
        return dataframes.table_of(found, self.name)

    def _place(self, table):
        """How a query names a table."""
        schema, _, last = table.rpartition(".")
        with contents.reading(self.name, "DuckDB"):
            query = "select 1 from information_schema.tables where table_schema = ? and table_name = ?"
            in_schema = self.connection.execute(query, [schema, last]).fetchone()
        return f"{_quoted(schema)}.{_quoted(last)}" if schema and in_schema else _quoted(table)

    def schema(self, table: str) -> Any:
        """Return the schema of a table as Arrow has it."""
        with contents.reading(self.name, "DuckDB"):
            return _reader(self.connection.sql(f"select * from {self._place(table)} limit 0")).schema

    def batches(self, table: str, titles: Sequence[str]) -> Iterator[Any]:
        """The rows of some columns of a table, some at a time, as Arrow's record batches."""
        wanted = ", ".join(map(_quoted, titles))
        with contents.reading(self.name, "DuckDB"):
            reader = _reader(self.connection.sql(f"select {wanted} from {self._place(table)}"))
        while True:
            with contents.reading(self.name, "DuckDB"):
                batch = next(reader, None)
            if batch is None:
                return
            yield batch


def _reader(relation):
    """A reader of the rows of a query; before version 2 its function had another name."""
    read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    return read(BATCH)


@contextmanager
def _duck(source: str | bytes, name: str, start: bytes, seconds: float) -> Iterator[Duck]:
    """A DuckDB file; its views read no other file."""
    with contents.needed("duckdb", name, "a DuckDB file"):
        import duckdb
    settings: Any = {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
        "threads": "1",
        "memory_limit": "1GB",
    }
    advice = "it is of another version, is being written to, or was altered; save the table again, or as CSV"
    with contents.on_disk(source, ".duckdb") as path:
        with contents.reading(name, "DuckDB", advice):
            connection = duckdb.connect(path, read_only=True, config=settings)
            connection.execute("set TimeZone = 'UTC'")  # and not that of the machine
        late = threading.Timer(seconds, connection.interrupt)
        late.daemon = True
        if math.isfinite(seconds):
            late.start()
        with closing(connection):
            try:
                yield Duck(connection, name)
            finally:
                late.cancel()
