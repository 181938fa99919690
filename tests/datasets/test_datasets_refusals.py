"""What read_table cannot read is refused by a sentence that says where and what to do."""

import contextlib
import io
import os
import socket
import threading

import pytest

from explorer import Gaussian, Sketch, compare
from explorer.checks import Refusal
from explorer.datasets import preview_table, read_strings, read_table
from explorer.datasets.files import contents


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "the table is empty"),
        (b" \r\n\n", "the table is empty"),
        (b"a,b\n", "a header and no rows"),
        (b"a,b\n1,2\n3\n", "line 3 has 1 cells and the first has 2, separated by commas; give every line"),
        (b"a;b\n1;2\n\n3;4\n", "line 3 has 0 cells and the first has 2, separated by semicolons"),
        (b"a,b,a\n1,2,3\n", "2 columns named 'a'; give every column a name of its own"),
        (b"a,b\n1,\xe9\n", "no UTF-8 text \\(byte 0xe9 in line 2\\); save it as CSV in UTF-8"),
        ("a,b\n1,2\n".encode("utf-16"), "no UTF-8 text"),
        (b"a,b\n1,\x002\n", "zero bytes"),
        (b'a,b\n1,"2\n', "cannot be split into cells: .*; check its quotes"),
        (b"5.1,3.5,setosa\n4.9,3.0,setosa\n", "may be a header or a row"),
        (b"NA\n1\n", "may be a header or a row"),
    ],
)
def test_no_table(raw, said):
    for read in (read_table, preview_table):
        with pytest.raises(ValueError, match=said):
            read(raw)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"a,b\nu,v\n", "no column of numbers \\('a', 'b'\\); points need one"),
        (b"a b\n1 2\n", "no column of numbers \\('a b'\\).*commas, semicolons or tabs"),
        (b"a,b\n1,2\n3,inf\n", "1 values are infinite, the first in line 3, column 'b'; give finite numbers"),
        (b"a\n1e999\n", "1 values are infinite"),
        (
            b"a;b\n1;2,5\n",
            "column 'b' writes numbers with a comma, as in 2,5; pass lenient=True to read",
        ),
        (b'a,b\n1,"1,234,567"\n', "column 'b' writes numbers with a comma, as in 1,234,567"),
        (b"a;b\n1;3\n2;1.234,5\n", "column 'b' writes numbers with a comma, as in 1.234,5"),
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
        (["z"], ValueError, "no column 'z'; it has 'name', 'a', 'gone'"),
        ([3], ValueError, "no column at position 3; positions go from 0 to 2"),
        ([-1], ValueError, "no column at position -1"),
        ([True], TypeError, "columns takes names and positions, not True"),
        (1.5, TypeError, "columns takes names and positions, not 1.5"),
        ([], ValueError, "columns is empty; name at least one of 'name', 'a', 'gone'"),
        (["a", 1], ValueError, "columns asks for 'a' twice"),
        (["a", "name"], ValueError, "column 'name' holds text, such as 'u'; choose columns of numbers"),
        (["gone"], ValueError, "column 'gone' has no cell that is not missing"),
    ],
)
def test_columns_that_cannot_be_chosen(columns, error, said):
    with pytest.raises(error, match=said):
        read_table(b"name,a,gone\nu,1,\nv,2,NA\n", columns=columns)


def test_a_long_list_of_columns_is_cut_short():
    raw = ",".join(f"c{j}" for j in range(30)) + "\n" + ",".join("1" * 30)
    with pytest.raises(ValueError, match="'c19' and 10 more"):
        read_table(raw.encode(), columns="z")


def test_nothing_left_and_unknown_policies():
    with pytest.raises(ValueError, match="every row misses a cell"):
        read_table(b"a,b\n1,\n,2\n", missing="drop")
    with pytest.raises(ValueError, match='missing must be "refuse" or "drop", not \'mean\''):
        read_table(b"a\n1\n", missing="mean")


def test_sources_that_are_no_file(tmp_path):
    for path in (tmp_path, tmp_path / "none.csv", "a" * 5000, "a\0b"):
        with pytest.raises(FileNotFoundError, match="There is no file"):
            read_table(path)
    with pytest.raises(TypeError, match="open it in binary mode"):
        read_table(io.StringIO("a\n1\n"))
    with pytest.raises(TypeError, match="not from list"):
        read_table([[1, 2]])


def test_a_file_over_the_limit_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    raw = b"1." + b"0" * 97 + b"\n"
    raw *= 10_001
    path = tmp_path / "big.csv"
    path.write_bytes(raw)
    for source in (path, raw, io.BytesIO(raw)):
        with pytest.raises(ValueError, match="is larger than 1 MB, the limit"):
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
            with pytest.raises(Refusal, match=f"is {what}, and no file"):
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
            with pytest.raises(ValueError, match="is larger than 1 MB, the limit"):
                read_table(pipe)
        writer.join(10)
        assert not writer.is_alive()


def filled(pipe, raw):
    with contextlib.suppress(BrokenPipeError):
        pipe.write_bytes(raw)
