"""Files that read_table refuses: the message says where the problem is and what to do."""

import contextlib
import io
import os
import socket
import threading

import pytest
from helpers.naming import naming

from explorer import Gaussian, Sketch, compare
from explorer.checks import Refusal
from explorer.datasets import preview_table, read_strings, read_table
from explorer.datasets.files import contents


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "empty"),
        (b" \r\n\n", "empty"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1,2\n3\n", naming("line 3", "1", "2", "commas")),
        (b"a;b\n1;2\n\n3;4\n", naming("line 3", "0", "2", "semicolons")),
        (b"a,b,a\n1,2,3\n", naming("2", "'a'")),
        (b"a,b\n1,\xe9\n", naming("0xe9", "line 2", "UTF-8")),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-8"),
        (b"a,b\n1,\x002\n", "zero bytes"),
        (b'a,b\n1,"2\n', "quotes"),
        (b"5.1,3.5,setosa\n4.9,3.0,setosa\n", "header"),
        (b"NA\n1\n", "header"),
    ],
)
def test_no_table(raw, said):
    for read in (read_table, preview_table):
        with pytest.raises(ValueError, match=said):
            read(raw)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"a,b\nu,v\n", naming("'a'", "'b'")),
        (b"a b\n1 2\n", naming("'a b'", "commas", "semicolons", "tabs")),
        (b"a,b\n1,2\n3,inf\n", naming("1", "infinite", "line 3", "'b'")),
        (b"a\n1e999\n", naming("1", "infinite")),
        (
            b"a;b\n1;2,5\n",
            naming("'b'", "2,5", "lenient=True"),
        ),
        (b'a,b\n1,"1,234,567"\n', naming("'b'", "1,234,567")),
        (b"a;b\n1;3\n2;1.234,5\n", naming("'b'", "1.234,5")),
    ],
)
def test_no_points(raw, said):
    with pytest.raises(ValueError, match=said):
        read_table(raw)


def test_what_python_alone_calls_a_number_is_text():
    assert read_table(b"a,b\n1,2_000\n").left_out == ("b",)
    assert read_table(b"a,day\n1,12.05.2024\n").left_out == ("day",)


def test_a_column_with_commas_can_be_left_out():
    assert read_table(b"a;b\n1;2,5\n", columns="a").X.tolist() == [[1]]


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        (["z"], ValueError, naming("'z'", "'name'", "'a'", "'gone'")),
        ([3], ValueError, naming("3", "0", "2")),
        ([-1], ValueError, naming("-1")),
        ([True], TypeError, naming("columns", "True")),
        (1.5, TypeError, naming("columns", "1.5")),
        ([], ValueError, naming("columns", "'name'", "'a'", "'gone'")),
        (["a", 1], ValueError, naming("columns", "'a'")),
        (["a", "name"], ValueError, naming("'name'", "'u'")),
        (["gone"], ValueError, naming("'gone'", "missing")),
    ],
)
def test_columns_that_cannot_be_chosen(columns, error, said):
    with pytest.raises(error, match=said):
        read_table(b"name,a,gone\nu,1,\nv,2,NA\n", columns=columns)


def test_a_long_list_of_columns_is_cut_short():
    raw = ",".join(f"c{j}" for j in range(30)) + "\n" + ",".join("1" * 30)
    with pytest.raises(ValueError, match=naming("'c19'", "10")):
        read_table(raw.encode(), columns="z")


def test_nothing_left_and_unknown_policies():
    with pytest.raises(ValueError, match="row"):
        read_table(b"a,b\n1,\n,2\n", missing="drop")
    with pytest.raises(ValueError, match=naming("missing", '"refuse"', '"drop"', "'mean'")):
        read_table(b"a\n1\n", missing="mean")


def test_sources_that_are_no_file(tmp_path):
    for path in (tmp_path, tmp_path / "none.csv", "a" * 5000, "a\0b"):
        with pytest.raises(FileNotFoundError, match="no file"):
            read_table(path)
    with pytest.raises(TypeError, match="binary"):
        read_table(io.StringIO("a\n1\n"))
    with pytest.raises(TypeError, match="list"):
        read_table([[1, 2]])


def test_a_file_over_the_limit_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    raw = b"1." + b"0" * 97 + b"\n"
    raw *= 10_001
    path = tmp_path / "big.csv"
    path.write_bytes(raw)
    for source in (path, raw, io.BytesIO(raw)):
        with pytest.raises(ValueError, match=naming("1 MB")):
            read_table(source)
    path.write_bytes(raw[:-100])
    assert read_table(path).n == 10_000


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices of this name")
@pytest.mark.parametrize("read", [read_table, Sketch.load, lambda path: Sketch.of(path, Gaussian(1.0)),
                                  lambda path: compare(path, [1.0, 2.0]), read_strings])  # fmt: skip
def test_devices_and_sockets_are_no_files(read, tmp_path):
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "socket"))
        for path, what in (("/dev/zero", "a device"), ("/dev/null", "a device"), (tmp_path / "socket", "a socket")):
            with pytest.raises(Refusal, match=what):
                read(path)


def test_a_pipe_is_read_to_its_end_and_no_further_than_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    pipe = tmp_path / "table.csv"
    os.mkfifo(pipe)
    for raw in (b"u,v\n" + b"1,2\n" * 30, b"u\n" + b"1\n" * 600_000):
        writer = threading.Thread(target=filled, args=(pipe, raw))
        writer.start()
        if len(raw) < 1e6:
            assert read_table(pipe).n == 30
        else:
            with pytest.raises(ValueError, match=naming("1 MB")):
                read_table(pipe)
        writer.join(10)
        assert not writer.is_alive()


def filled(pipe, raw):
    with contextlib.suppress(BrokenPipeError):
        pipe.write_bytes(raw)
