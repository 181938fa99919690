"""Tables that a query selects, of any connection; nothing is ever written."""

import datetime as dt
import sqlite3
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import compare, read_table
from explorer.checks import Refusal
from explorer.datasets.files import limits, queries
from explorer.datasets.read_table import parse

ROWS = [(float(x), "ab"[k % 2], None if k % 7 else k) for k, x in enumerate(np.random.default_rng(0).normal(size=60))]


@pytest.fixture(name="shop")
def _shop():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table june (x real, kind text, n integer)")
    connection.executemany("insert into june values (?, ?, ?)", ROWS)
    yield connection
    connection.close()


def frame():
    return pd.DataFrame(ROWS, columns=["x", "kind", "n"])


def test_a_query_is_a_table(shop):
    table = read_table(shop, query="select * from june", columns=["x"], name="shop")
    assert (table.name, table.left_out) == ("shop", ("kind", "n"))
    np.testing.assert_array_equal(table.X, frame()[["x"]])
    assert parse(shop, "t", query="select n from june").columns[0].missing == sum(n is None for _, _, n in ROWS)


def test_a_comparison_by_queries_is_that_of_the_frames(shop):
    table, how = frame(), {"n_resamples": 99, "rng": 0}
    a, b = (table[table.kind == kind][["x"]] for kind in "ab")
    asked = [f"select x from june where kind = '{kind}'" for kind in "ab"]
    expected = compare(a, b, **how).pvalue
    found = compare(shop, query=asked, **how)
    assert found.pvalue == expected
    assert "query=[" in found.python
    assert compare(a, shop, query=asked[1], **how).pvalue == expected
    assert compare(shop, shop, query=asked, **how).pvalue == expected
    whole = compare(shop, by="kind", query="select x, kind from june", **how)
    assert whole.pvalue == compare(table[["x", "kind"]], by="kind", **how).pvalue
    batches = compare(a, [shop, b], query=asked[1], **how)
    assert batches.batches[0].pvalue == batches.batches[1].pvalue


WRITING = (
    "delete from june",
    "with a as (select 1) delete from june",
    "select 1; drop table june",
    "insert into june values (1, 'a', 1)",
    "select x into july from june",
    "pragma user_version = 3",
    "/* select */ drop table june",
    "create table july (x real)",
    "",
)


@pytest.mark.parametrize("query", WRITING)
def test_what_may_write_is_refused_and_nothing_is_changed(shop, query):
    shop.commit()
    with pytest.raises(Refusal):
        read_table(shop, query=query)
    assert shop.execute("select count(*) from june").fetchone() == (60,)
    assert shop.execute("pragma user_version").fetchone() == (0,)
    assert [name for (name,) in shop.execute("select name from sqlite_master")] == ["june"]


@pytest.mark.parametrize("before", [0, 1])
def test_a_connection_of_sqlite_is_left_as_it_was(shop, before):
    shop.row_factory = lambda cursor, row: {each[0]: value for each, value in zip(cursor.description, row, strict=True)}
    assert shop.in_transaction
    shop.execute(f"pragma query_only = {before}")
    read_table(shop, query="select x from june")
    with pytest.raises(Refusal):
        read_table(shop, query="select nothing_such from june")
    assert shop.execute("pragma query_only").fetchone() == {"query_only": before}
    assert shop.in_transaction
    shop.execute("pragma query_only = 0")
    shop.rollback()
    assert shop.execute("select count(*) as n from june").fetchone() == {"n": 0}


def test_sqlite_itself_refuses_what_writes(shop, monkeypatch):
    monkeypatch.setattr(queries, "_refuse_writing", lambda query: None)
    with pytest.raises(Refusal, match="readonly"):
        read_table(shop, query="delete from june")
    assert shop.execute("select count(*) from june").fetchone() == (60,)


def test_words_in_quotes_and_comments_do_not_write(shop):
    query = """select x as "into", 'delete; from' as w -- drop; table\n from june;"""
    assert read_table(shop, query=query).names == ("into",)


def test_too_much_is_refused_while_it_is_fetched(shop, monkeypatch):
    monkeypatch.setattr(limits, "ROWS", 50)
    with pytest.raises(limits.TooLarge):
        read_table(shop, query="select x from june")
    monkeypatch.setattr(limits, "ROWS", 10**6)
    monkeypatch.setattr(queries.contents, "MEGABYTES", 0)
    with pytest.raises(limits.TooLarge):
        read_table(shop, query="select kind, x from june")


def test_what_is_no_query_of_a_connection_is_a_sentence(shop):
    with pytest.raises(Refusal, match="query="):
        read_table(shop)
    with pytest.raises(Refusal, match="query="):
        compare(shop, [1.0, 2.0])
    with pytest.raises(Refusal, match="query"):
        read_table(b"x\n1\n", query="select 1")
    with pytest.raises(Refusal, match="query"):
        compare([1.0], [2.0], query="select 1")
    with pytest.raises(Refusal, match=naming("3", "2")):
        compare(shop, shop, query=["select 1"] * 3)
    with pytest.raises(Refusal, match=naming("1 column", "0 rows")):
        read_table(shop, query="select x from june where x > 100")
    with pytest.raises(Refusal, match=naming("2 columns", "'x'")):
        read_table(shop, query="select x, x from june")
    with pytest.raises(TypeError):
        read_table(shop, query=5)


class Cursor:
    """A cursor of a driver whose rows are dicts, as psycopg's dict_row and pymysql's DictCursor have them."""

    description = (("amount",), ("day",), ("raw",), ("flag",), ("gap",))

    def __init__(self):
        self._rows = [(Decimal("1.10"), dt.date(2020, 1, 2), memoryview(b"x"), True, None)] * 3
        self.closed = False

    def execute(self, query):
        if "nothing" in query:
            raise KeyError("no such column")

    def fetchmany(self, count):
        rows, self._rows = self._rows[:2], self._rows[2:]
        return [dict(zip((name for (name,) in self.description), row, strict=True)) for row in rows]

    def close(self):
        self.closed = True


class Connection:
    def __init__(self):
        self.given = Cursor()

    def cursor(self):
        return self.given


def test_any_driver_is_read():
    connection = Connection()
    table = parse(connection, "t", query="select * from june")
    amount, day, raw, flag, gap = table.columns
    assert amount.numbers.tolist() == [1.1] * 3
    assert (day.dates, day.numbers.tolist()) == (True, [18263.0] * 3)
    assert (raw.opaque, list(flag.times), gap.missing) == ("bytes", ["True"], 3)
    assert connection.given.closed
    with pytest.raises(Refusal, match="no such column"):
        parse(Connection(), "t", query="select nothing")


def test_duckdb_is_read_and_not_written():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    connection.execute(
        "create table t as select range * 1.5 as x, decimal '1.10' as m, true as f, [1, 2] as l, interval 1 day as d"
        " from range(5)"
    )
    table = read_table(connection, query="from t")
    assert (table.names, table.left_out) == (("x", "m", "d"), ("f", "l"))
    assert table.X[1].tolist() == [1.5, 1.1, 86400.0]
    np.testing.assert_array_equal(read_table(connection.sql("select x from t")).X[:, 0], 1.5 * np.arange(5))
    for query in ("with a as (select 1) update t set x = 0", "select 1; select 2", "delete from t"):
        with pytest.raises(Refusal):
            read_table(connection, query=query)
    assert connection.execute("select max(x) from t").fetchone() == (6.0,)


def test_sqlalchemy_is_read_and_left_as_it_was():
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="sqlalchemy is not installed")
    from sqlalchemy.orm import Session

    engine = sqlalchemy.create_engine("sqlite://", poolclass=sqlalchemy.pool.StaticPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("create table t (x real)")
        connection.exec_driver_sql("insert into t values (1.5), (2.5)")
    assert read_table(engine, query="select * from t").X.tolist() == [[1.5], [2.5]]
    with engine.connect() as connection:
        assert read_table(connection, query="select * from t").X.tolist() == [[1.5], [2.5]]
        assert not connection.in_transaction()
        connection.exec_driver_sql("insert into t values (3.5)")
        assert read_table(connection, query="select * from t").n == 3
        assert connection.in_transaction()  # that of the user, which goes on
        connection.rollback()
        with pytest.raises(Refusal):
            read_table(connection, query="delete from t")
    with Session(engine) as session:
        assert read_table(session, query="select * from t").n == 2
    engine.dispose()
