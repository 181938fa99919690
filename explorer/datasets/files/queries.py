"""Tables from queries, on any connection as PEP 249 defines it or one of SQLAlchemy. Nothing is ever written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from explorer.checks import Refusal, WrongType, echo
from explorer.datasets.columns.table import Table, column_names
from explorer.datasets.dataframes import column_of_objects, of_columns
from explorer.printing import plural

from . import contents, limits

AT_ONCE = 10_000  # number of rows that are fetched at a time
READS = ("select", "with", "values", "from", "table")  # first words of queries that read
WRITES = frozenset("insert update delete merge into".split())  # words by which such a query writes nevertheless
QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/""", re.DOTALL)
WORD = re.compile(r"[^\W\d]\w*")


def is_connection(source: Any) -> bool:
    """Return whether a source is a connection to a database, or an engine or a session of SQLAlchemy.

    Parameters
    ----------
    source : object
        What the user passed as a table.

    Returns
    -------
    bool
        True if a query can be executed on it.

    Examples
    --------
    >>> import sqlite3
    >>> from contextlib import closing
    >>> from explorer.datasets.files.queries import is_connection
    >>> with closing(sqlite3.connect(":memory:")) as shop:
    ...     is_connection(shop), is_connection("shop.sqlite")
    (True, False)
    """
    if isinstance(source, (str, bytes)) or hasattr(source, "columns"):
        return False
    return callable(getattr(source, "cursor", None)) or _is_of_sqlalchemy(source)


def fetch_table(connection: Any, query: str, name: str = "the query") -> Table:
    """Return the Table that a query gives. The connection is left in its previous state.

    Raises Refusal if the query may write, gives no table or fails, or if the result has more rows and cells than a file
    may have, and WrongType if `connection` is not a connection.

    Examples
    --------
    >>> import sqlite3
    >>> from contextlib import closing
    >>> from explorer.datasets.files.queries import fetch_table
    >>> with closing(sqlite3.connect(":memory:")) as shop:
    ...     table = fetch_table(shop, "select 1.5 as x, 'a' as kind")
    >>> [(column.name, list(column.cells)) for column in table.columns]
    [('x', ['1.5']), ('kind', ['a'])]
    """
    if not is_connection(connection):
        raise WrongType(
            f"query= is for a connection to a database, and {type(connection).__name__} is none; leave query out."
        )
    _refuse_writing(query)
    with _cursor(connection, query) as cursor:
        names, rows = _rows(cursor, query, name)
    if not rows or not names:
        raise Refusal(
            f"{name} gives {plural(len(names), 'column')} and {plural(len(rows), 'row')}; ask for at least one of each."
        )
    cells = zip(*rows, strict=True)
    return of_columns(name, [column_of_objects(title, list(each)) for title, each in zip(names, cells, strict=True)])


def _refuse_writing(query):
    """Refuse a query that is not text, holds several statements, or may write."""
    if not isinstance(query, str):
        raise WrongType(f'query must be the text of one query, such as "select * from june", not {echo(query)}.')
    bare = QUOTED.sub(" '' ", query).strip().rstrip(";").strip()
    words = [word.lower() for word in WORD.findall(bare)]
    if ";" in bare:
        raise Refusal(f"query holds several statements, {echo(query)}, and one is read; give the one that selects.")
    if not words or words[0] not in READS:
        raise Refusal(f"query must select rows, as in select * from june, and it is {echo(query)}; it may not write.")
    if writing := next((word for word in words if word in WRITES), None):
        raise Refusal(
            f"query has the word {writing.upper()}, with which it may write, and tables are read only; select rows"
            f' alone, and put the name of a column that is called so into quotes, "{writing}".'
        )


def _rows(cursor, query, name):
    """Return the names of the columns, and the rows as tuples, up to the limits of a file."""
    described = cursor.description if hasattr(cursor, "description") else [(key,) for key in cursor.keys()]
    if not described:
        raise Refusal(f"query gives no table, {echo(query)}; select rows.")
    names, rows, size = column_names((str(each[0]) for each in described), name), [], 0
    limits.refuse_shape(name, 0, len(names))
    while batch := cursor.fetchmany(AT_ONCE):
        for row in batch:
            rows.append(tuple(row.values()) if isinstance(row, Mapping) else tuple(row))
            size += sum(len(value) for value in rows[-1] if isinstance(value, (str, bytes)))
        limits.refuse_shape(name, len(rows), len(names))
        if size > contents.MEGABYTES * 1_000_000:
            raise contents.too_large_error(name)
    return names, rows


@contextmanager
def _cursor(connection, query) -> Iterator[Any]:
    """Give an object with the rows of a query, and close it afterwards."""
    with _of_driver(connection) as (raw, execute), _read_only(raw, query):
        try:
            cursor = execute(query)
        except Exception as error:  # the exceptions of drivers have no common base class
            raise Refusal(f"the database refuses the query: {str(error).strip()}; {echo(query)} was asked.") from error
        try:
            yield cursor
        finally:
            if cursor is not raw:  # duckdb's connection is its own cursor
                cursor.close()


@contextmanager
def _of_driver(connection) -> Iterator[Any]:
    """Yield the DB-API connection of a connection, and the function that executes a query on it."""
    if not _is_of_sqlalchemy(connection):
        yield connection, lambda query: _execute(connection, query)
        return
    if hasattr(connection, "exec_driver_sql"):
        begun = connection.in_transaction()
        try:
            yield connection.connection.driver_connection, connection.exec_driver_sql
        finally:
            if not begun and connection.in_transaction():  # the query itself has begun this transaction
                connection.rollback()
    elif hasattr(connection, "get_bind"):  # a session
        with _of_driver(connection.connection()) as driver:
            yield driver
    else:
        with connection.connect() as opened, _of_driver(opened) as driver:
            yield driver


def _is_of_sqlalchemy(source):
    return type(source).__module__.partition(".")[0] == "sqlalchemy" and (
        hasattr(source, "exec_driver_sql") or hasattr(source, "get_bind") or hasattr(source, "connect")
    )


def _is_of_sqlite(connection):
    """Return whether a connection is one of sqlite3, which is loaded already in that case."""
    sqlite3 = sys.modules.get("sqlite3")
    return sqlite3 is not None and isinstance(connection, sqlite3.Connection)


def _execute(connection, query):
    """Return the cursor that has executed a query. Its rows are tuples."""
    cursor = connection.cursor()
    if _is_of_sqlite(connection):
        cursor.row_factory = None
    cursor.execute(query)
    return cursor


@contextmanager
def _read_only(connection, query) -> Iterator[None]:
    """Make a database itself refuse to write, if it can: SQLite by a pragma, DuckDB by the type of the statement."""
    if hasattr(connection, "extract_statements"):
        kinds = [statement.type.name for statement in connection.extract_statements(query)]
        if kinds != ["SELECT"]:
            raise Refusal(
                f"query is {' and '.join(kinds) or 'empty'} to duckdb, and tables are read only; select rows."
            )
    if not _is_of_sqlite(connection):
        yield
        return
    before = _pragma(connection, "query_only")
    _pragma(connection, "query_only = 1")
    try:
        yield
    finally:
        _pragma(connection, f"query_only = {before}")


def _pragma(connection, what):
    cursor = connection.cursor()
    cursor.row_factory = None
    try:
        row = cursor.execute(f"PRAGMA {what}").fetchone()
    finally:
        cursor.close()
    return row[0] if row else 0
