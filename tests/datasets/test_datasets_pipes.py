"""Tables from standard input and other pipes: read once, kept while they are worked with, and never twice."""

import gzip
import io
import json
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import Gaussian, Sketch, compare, read_table
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.datasets import preview_table
from explorer.datasets.files import contents, pipes
from explorer.datasets.files.limits import TooLarge
from explorer.sketches import files as sketch_files

ROWS = np.random.default_rng(0).normal(size=(40, 2)).round(3)
TEXT = "x,y\n" + "".join(f"{x},{y}\n" for x, y in ROWS)
FORMS = {
    "UTF-8": TEXT.encode(),
    "UTF-16 with CRLF": TEXT.replace("\n", "\r\n").encode("utf-16"),
    "gzip": gzip.compress(TEXT.encode()),
}


class Terminal(io.TextIOWrapper):
    def isatty(self):
        return True


@pytest.fixture(name="piped")
def _piped(monkeypatch):
    """Put bytes into standard input."""

    def put(raw=FORMS["UTF-8"], kind=io.TextIOWrapper):
        monkeypatch.setattr(sys, "stdin", kind(io.BytesIO(raw)))

    return put


@pytest.fixture(name="other")
def _other(tmp_path):
    path = tmp_path / "b.csv"
    path.write_text(TEXT)
    return path


def error_of(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("name", pipes.INPUTS)
@pytest.mark.parametrize("form", FORMS)
def test_standard_input_is_a_table(piped, form, name):
    piped(FORMS[form])
    table = read_table(name, lenient=True)
    assert (table.name, table.names) == ("standard input", ("x", "y"))
    np.testing.assert_array_equal(table.X, ROWS)


@pytest.mark.parametrize("limit", [20, 0])  # MB from which on files are read in pieces
def test_a_comparison_has_the_verdict_of_the_file_and_says_the_pipe(piped, other, monkeypatch, limit):
    monkeypatch.setattr(sketch_files, "MEGABYTES", limit)
    piped()
    found = compare("-", other, n_resamples=19, rng=0)
    assert (found.pvalue, found.names) == (1.0, ("standard input", "b.csv"))
    assert "compare('-', " in found.python


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_read_once(tmp_path, other):
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(TEXT,))
    writer.start()
    found = compare(path, other, n_resamples=19, rng=0)
    writer.join(10)
    assert (found.pvalue, found.names) == (1.0, ("pipe.csv", "b.csv"))
    with pytest.raises(Refusal, match="twice"):
        compare(path, str(path))


COMMANDS = {
    "test": ("test", "-", "OTHER", "--permutations", "19"),
    "test of one kernel": ("test", "-", "OTHER", "--permutations", "19", "--kernel", "gaussian", "--json"),
    "strict test": ("test", "-", "OTHER", "--permutations", "19", "--strict"),
    "report": ("report", "/dev/stdin", "OTHER", "--permutations", "19", "--json"),
    "scan": ("scan", "-", "--permutations", "19"),
    "sketch": ("sketch", "-", "-o", "OUT"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_reads_tables_reads_standard_input(piped, other, capsys, command):
    out = other.with_name("out.npz")
    piped()
    main([str({"OTHER": other, "OUT": out}.get(word, word)) for word in COMMANDS[command]])
    said = capsys.readouterr().out
    if command == "report":
        assert json.loads(said)["python"].count("'/dev/stdin'") == 1
    if command == "sketch":
        sketch = Sketch.load(out)
        assert sketch == Sketch(sketch.kernel).update(ROWS)
    elif "json" not in str(COMMANDS[command]):
        assert "standard input" in said or command == "scan"


def test_a_sweep_reads_its_description_from_standard_input(piped, capsys):
    piped(b"nothing = 1")
    assert names_all(error_of(capsys, "sweep", "-"), "key 'nothing'")


def test_a_sketch_of_standard_input(piped):
    piped()
    assert Sketch.of("-", Gaussian(1.0), 10) == Sketch(Gaussian(1.0), 10).update(ROWS)


@pytest.mark.parametrize("second", ["-", "/dev/stdin"])
def test_standard_input_is_not_read_twice(piped, capsys, second):
    piped()
    assert "twice" in error_of(capsys, "test", "-", second)
    with pytest.raises(Refusal, match="twice"):
        compare("-", second)


def test_what_nobody_writes_is_a_sentence(piped, monkeypatch):
    piped(kind=Terminal)
    with pytest.raises(Refusal, match="keyboard"):
        read_table("-")
    piped(b"")
    with pytest.raises(Refusal, match=naming("standard input", "empty")):
        preview_table("-")
    for closed in (None, io.StringIO()):  # as of a program without a console, and of a notebook
        monkeypatch.setattr(sys, "stdin", closed)
        with pytest.raises(Refusal, match="standard input"):
            compare("-", [1.0, 2.0])


def test_a_pipe_has_a_limit(piped, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 0)
    piped()
    with pytest.raises(TooLarge, match=naming("standard input", "MB")):
        read_table("-")
    monkeypatch.setattr(pipes, "MOST", 0)
    piped()
    with pytest.raises(TooLarge, match=naming("MB", "pipe")), pipes.copy_pipes(["-"]):
        pass


def test_what_is_kept_is_there_as_long_as_it_is_read(piped):
    piped()
    with pipes.copy_pipes(["-", "b.csv", ROWS]) as (path, *others):
        assert Path(path).read_bytes() == FORMS["UTF-8"]
        assert pipes.original_path(path) == "-"
        assert others[0] == "b.csv"
        assert others[1] is ROWS
    assert not os.path.exists(path)


def test_a_pipe_of_a_shell_has_a_name():
    assert pipes.pipe_name("/dev/fd/63") == "pipe 63"
    assert not pipes.is_pipe(b"-")
    assert not pipes.is_pipe("no\0file")
