"""Databases in files: tables and views of SQLite, by the standard library, and of DuckDB, if it is installed.

They are opened read-only. A database file is read in place, whatever its size.
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
from explorer.printing import plural

from . import addresses, contents, limits, text
from .addresses import Part

if TYPE_CHECKING:
    from explorer.datasets.columns.table import Table

SQLITE, DUCK = b"SQLite format 3\0", b"DUCK"
DUCK_AT = 8  # position of DUCK in a DuckDB file
LOG = 2  # value of bytes 18 and 19 of a SQLite file that has a write-ahead log
SECONDS = 60  # longest time for reading a whole table: a view may never end
STEPS = 100_000  # instructions of SQLite's virtual machine between two checks of the time
ROWS = 10_000  # rows that are fetched from SQLite at a time
BATCH = 65_536  # rows of a record batch from DuckDB
TRUTHS = {"0": "False", "1": "True", "": ""}


def kind_of(start: bytes) -> str:
    """Return "SQLite" or "DuckDB" if the first bytes of a file are those of such a database, else "".

    Parameters
    ----------
    start : bytes
        The first bytes, at least 16.

    Returns
    -------
    {"SQLite", "DuckDB", ""}
        The database.
    """
    if start.startswith(SQLITE):
        return "SQLite"
    return "DuckDB" if start[DUCK_AT : DUCK_AT + len(DUCK)] == DUCK else ""


def is_database(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is that of a database file.

    Parameters
    ----------
    path : str or os.PathLike
        The path.

    Returns
    -------
    bool
        True for a file of SQLite or DuckDB.
    """
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return bool(kind_of(file.read(len(SQLITE))))


def parse(source: str | bytes, name: str, lenient: bool = False, part: Part = None) -> Table:
    """Return the Table of a table or a view of a database.

    `source` is the path of the file, or its bytes. `part` is the name or the position of the table; None means the only
    one.
    """
    with _open(source, name) as database:
        table = addresses.choose_part(name, "table", database.tables(), part)
        return database.read(table, lenient)


def table_names(source: str | bytes, name: str) -> tuple[str, ...]:
    """Return the names of the tables and views of a database."""
    with _open(source, name) as database:
        return database.tables()


def table_name(source: str | bytes, name: str, part: Part = None) -> str:
    """Return the name of the table that is meant: the one that `part` names, or the only one.

    Parameters
    ----------
    source : str or bytes
        The path of the database, or its bytes.
    name : str
        The file's name in messages.
    part : str, int or None, default None
        The name or position of the table.

    Returns
    -------
    str
        The name.

    Raises
    ------
    Refusal
        If there is no such table, or if there are several and `part` is None.
    """
    with _open(source, name) as database:
        return addresses.choose_part(name, "table", database.tables(), part)


def titles_of(path: str, name: str, table: str) -> list[str]:
    """Return the names of the columns of a table of a SQLite database.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The file's name in messages.
    table : str
        The name of the table or view.

    Returns
    -------
    list of str
        The names.
    """
    with _sqlite(path, name, _start(path), math.inf) as database:
        return database.titles(table)


def bytes_in(path: str, name: str, table: str) -> list[int]:
    """Return the positions of the columns of a table of a SQLite database that hold bytes.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The file's name in messages.
    table : str
        The name of the table or view.

    Returns
    -------
    list of int
        The positions.
    """
    with _sqlite(path, name, _start(path), math.inf) as database:
        return database.bytes_in(table)


def arrow_batches(path: str, name: str, table: str, titles: Sequence[str]) -> Iterator[Any]:
    """Yield the record batches of some columns of a table of a DuckDB database.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The file's name in messages.
    table : str
        The name of the table or view.
    titles : sequence of str
        The names of the columns.

    Yields
    ------
    pyarrow.RecordBatch
        Some rows.
    """
    with _duck(path, name, _start(path), math.inf) as database:
        yield from database.batches(table, titles)


def schema_of(path: str, name: str, table: str) -> Any:
    """Return the Arrow schema of a table of a DuckDB database.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The file's name in messages.
    table : str
        The name of the table or view.

    Returns
    -------
    pyarrow.Schema
        The schema.
    """
    with _duck(path, name, _start(path), math.inf) as database:
        return database.schema(table)


def batches(path: str, name: str, table: str) -> Iterator[list[list[str]]]:
    """Yield the cells of each column of a table of a SQLite database, some rows at a time. Bytes become a word.

    Parameters
    ----------
    path : str
        The file.
    name : str
        The file's name in messages.
    table : str
        The name of the table or view.

    Yields
    ------
    list of list of str
        The cells of each column in some rows.
    """
    with _sqlite(path, name, _start(path), math.inf) as database:
        yield from database.batches(table)


@contextmanager
def _open(source: str | bytes, name: str) -> Iterator[Sqlite | Duck]:
    start = source[:100] if isinstance(source, bytes) else _start(source)
    with (_sqlite if kind_of(start) == "SQLite" else _duck)(source, name, start, SECONDS) as connection:
        yield connection


def _start(path):
    with open(path, "rb") as file:
        return file.read(100)


class Sqlite:
    """SQLite database that is open for reading."""

    def __init__(self, connection: sqlite3.Connection, name: str, seconds: float) -> None:
        self.connection, self.name, self.seconds = connection, name, seconds

    def tables(self) -> tuple[str, ...]:
        """Return the names of its tables and views, without SQLite's internal ones."""
        rows = self._all("select name from sqlite_master where type in ('table', 'view') order by rowid")
        return tuple(each for (each,) in rows if not each.startswith("sqlite_"))

    def titles(self, table: str) -> list[str]:
        """Return the names of the columns of a table."""
        with self._run(f"select * from {_quote(table)} limit 0") as cursor:
            return [each[0] for each in cursor.description]

    def batches(self, table: str) -> Iterator[list[list[str]]]:
        """Yield the cells of each column of a table, some rows at a time."""
        quoted = _quote(table)
        declared = [str(each[2]).upper() for each in self._all(f"pragma table_info({quoted})")]
        truths = [j for j, kind in enumerate(declared) if kind.startswith("BOOL")]
        with self._run(f"select * from {quoted}") as cursor:
            while rows := cursor.fetchmany(ROWS):
                columns = [list(map(_cell, cells)) for cells in zip(*rows, strict=True)]
                for j in truths:
                    columns[j] = [TRUTHS.get(cell, cell) for cell in columns[j]]
                yield columns

    def bytes_in(self, table: str) -> list[int]:
        """Return the positions of the columns of a table that hold bytes."""
        tests = (f"max(typeof({_quote(title)}) = 'blob')" for title in self.titles(table))
        (has_bytes,) = self._all(f"select {', '.join(tests)} from {_quote(table)}")
        return [j for j, some in enumerate(has_bytes) if some]

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
            raise Refusal(
                f"{whole} has {plural(len(columns), 'column')} and no row; give a table with at least one of each."
            )
        digest = hash_columns(zip(titles, columns, strict=True))
        blobs = {t: BYTES for t, cells in zip(titles, columns, strict=True) if any(isinstance(c, Blob) for c in cells)}
        return text.of_columns(titles, columns, self.name, digest, lenient).with_opaque(blobs)

    def _all(self, query):
        with self._run(query) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _run(self, query):
        deadline = time.monotonic() + self.seconds
        self.connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        try:
            with closing(self.connection.execute(query)) as cursor:
                yield cursor
        except sqlite3.OperationalError as error:
            raise Refusal(self._explain(error)) from error
        except sqlite3.DatabaseError as error:
            raise Refusal(f"{self.name} is no sound SQLite file ({error}); save the database again.") from error

    def _explain(self, error):
        if "interrupted" in str(error):
            return (
                f"{self.name} has a view that takes more than {self.seconds:g} s, the limit; save its rows as a table."
            )
        return f"{self.name} cannot be read as SQLite ({error}); close what writes to it, or save the table as CSV."


class Blob(str):
    """Cell of bytes."""


def _cell(value):
    """Return the text of a value of SQLite."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    return Blob(BYTES) if isinstance(value, bytes) else repr(value)


def _quote(table):
    return '"' + table.replace('"', '""') + '"'


@contextmanager
def _sqlite(source: str | bytes, name: str, start: bytes, seconds: float) -> Iterator[Sqlite]:
    """Open a SQLite file, with what other programs have written into the log next to it."""
    if isinstance(source, bytes):
        connection = sqlite3.connect(":memory:", check_same_thread=False)
    else:
        place = Path(source).resolve()
        log = f"{place}-wal"
        written = os.path.isfile(log) and os.path.getsize(log) > 0
        still = LOG in start[18:20] and not written  # without immutable=1 SQLite would create a log
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
    """DuckDB database that is open for reading."""

    def __init__(self, connection: Any, name: str) -> None:
        self.connection, self.name = connection, name

    def tables(self) -> tuple[str, ...]:
        """Return the names of its tables and views."""
        query = (
            "select table_schema, table_name from information_schema.tables where table_catalog = current_database()"
            " order by table_schema <> 'main', table_name"
        )
        with contents.reading(self.name, "DuckDB"):
            rows = self.connection.execute(query).fetchall()
        return tuple(each if schema == "main" else f"{schema}.{each}" for schema, each in rows)

    def read(self, table: str, lenient: bool) -> Table:
        """Return a table or a view as a Table."""
        whole = f"table {table!r} of {self.name}"
        place = self._qualified_name(table)
        with contents.reading(
            whole, "DuckDB", "its view may need other files, or it was altered; save the rows as a table"
        ):
            width = len(self.connection.execute(f"select * from {place} limit 0").description)
            (rows,) = self.connection.execute(f"select count(*) from {place}").fetchone()
        limits.refuse_shape(whole, rows, width)
        with contents.reading(whole, "DuckDB"):
            frame = self.connection.execute(f"select * from {place}").df()
        known_frame: Any = frames.frame_of(frame)
        return dataframes.table_of(known_frame, self.name)

    def _qualified_name(self, table):
        """Return the quoted name of a table for a query."""
        schema, _, last = table.rpartition(".")
        with contents.reading(self.name, "DuckDB"):
            query = "select 1 from information_schema.tables where table_schema = ? and table_name = ?"
            in_schema = self.connection.execute(query, [schema, last]).fetchone()
        return f"{_quote(schema)}.{_quote(last)}" if schema and in_schema else _quote(table)

    def schema(self, table: str) -> Any:
        """Return the Arrow schema of a table."""
        with contents.reading(self.name, "DuckDB"):
            return _reader(self.connection.sql(f"select * from {self._qualified_name(table)} limit 0")).schema

    def batches(self, table: str, titles: Sequence[str]) -> Iterator[Any]:
        """Yield the rows of some columns of a table as Arrow record batches."""
        wanted = ", ".join(map(_quote, titles))
        with contents.reading(self.name, "DuckDB"):
            reader = _reader(self.connection.sql(f"select {wanted} from {self._qualified_name(table)}"))
        while True:
            with contents.reading(self.name, "DuckDB"):
                batch = next(reader, None)
            if batch is None:
                return
            yield batch


def _reader(relation):
    """Return a reader of the rows of a query. Before version 2 of DuckDB its function had another name."""
    read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
    return read(BATCH)


@contextmanager
def _duck(source: str | bytes, name: str, start: bytes, seconds: float) -> Iterator[Duck]:
    """Open a DuckDB file. Its views cannot read other files."""
    with contents.require_package("duckdb", name, "a DuckDB file"):
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
            connection.execute("set TimeZone = 'UTC'")  # the default is the machine's time zone
        timeout = threading.Timer(seconds, connection.interrupt)
        timeout.daemon = True
        if math.isfinite(seconds):
            timeout.start()
        with closing(connection):
            try:
                yield Duck(connection, name)
            finally:
                timeout.cancel()
