"""Errors of `explorer sweep` for bad files, stores and studies: a message, with the exit code 2."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.naming import names_all

from explorer.__main__ import main

STUDIES = """
import numpy as np

class Wordless(Exception):
    def __str__(self):
        raise ZeroDivisionError

def good(n, seed):
    return {"half": n / 2}

def bad(n, seed):
    if n == 3:
        below(n)
    return {"half": n / 2}

def below(n):
    raise ArithmeticError("three is too many")

def wordless(n, seed):
    raise Wordless
"""


@pytest.fixture
def refused(tmp_path, capsys, monkeypatch):
    """Run a sweep described by a text, and return its error message."""
    monkeypatch.setattr(sys, "path", [*sys.path])  # the command adds the file's folder to sys.path
    (tmp_path / "swept_studies.py").write_text(STUDIES)

    def ended(text, *options):
        file = tmp_path / "sweep.toml"
        if isinstance(text, str):
            text = text.encode()
        file.write_bytes(text)
        with pytest.raises(SystemExit) as caught:
            main(["sweep", str(file), "--executor", "serial", *options])
        assert caught.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("explorer sweep: ")
        assert "Traceback" not in said
        return said

    yield ended
    sys.modules.pop("swept_studies", None)


def described(study="good", axis="[1, 2, 3]", more=""):
    return f'study = "swept_studies:{study}"\n{more}\n[axes]\nn = {axis}\n'


FILES = {  # case: (file, facts that the message names)
    "long axis": (described(axis="{start = 1, stop = 2, num = 2000000000}"), "'n'", "1,000,000"),
    "replicates": (described(more="replicates = 999999999999"), "2999999999997", "10,000,000"),
    "num bool": (described(axis="{start = 1, stop = 2, num = true}"), "start", "stop", "num"),
    "num float": (described(axis="{start = 1, stop = 2, num = 3.5}"), "start", "stop", "num"),
    "num string": (described(axis='{start = 1, stop = 2, num = "3"}'), "start", "stop", "num"),
    "start string": (described(axis='{start = "1", stop = 2, num = 3}'), "start", "stop", "num"),
    "another word": (described(axis="{start = 1, stop = 2, num = 3, step = 1}"), "start", "stop", "num"),
    "spacing list": (described(axis="{start = 1, stop = 2, num = 3, spacing = []}"), "start", "stop", "num"),
    "nan": (described(axis="{start = nan, stop = 2, num = 3}"), "nan", "2", "3"),
    "overflow": (described(axis="{start = -1.7e308, stop = 1.7e308, num = 3}"), "1.7e+308", "3"),
    "nan in a list": (described(axis="[1, nan]"), "'n'", "nan"),
    "list in a list": (described(axis="[[1], 2]"), "number", "string", "model"),
    "date": (described(axis="[1979-05-27]"), "number", "string", "model"),
    "table in a table": (described(axis="{m = {k = 1}}"), "list", "start", "stop", "num", "spacing"),
    "list of tables": ('study = "swept_studies:good"\n[[axes]]\nn = [1]', "[axes]"),
    "common": (described(more="common = 3"), "3", "n"),
    "seed": (described(more="seed = true"), "seed", "whole number"),
    "brackets": (described(axis="[" * 3000 + "]" * 3000), "lists"),
    "digits": (described(axis="[" + "1" * 5000 + "]"), "is not a TOML"),
    "huge number": (described(axis="[1" + "0" * 400 + "]"), "float"),
    "latin": (described(axis='["é"]').encode("latin-1"), "is not a TOML"),
    "large": (b"#" * 2_000_001, "2 MB"),
    "depends": (described(more="depends = 3"), "depends", "list of files", "3"),
    "depends on nothing": (described(more='depends = ["nowhere.csv"]'), "depends", "nowhere.csv"),
    "no function": (described(study="np"), "study", "function"),
    "relative": ('study = ".:x"\n[axes]\nn = [1]', "module:function"),
}


@pytest.mark.parametrize(("text", "facts"), [(text, facts) for text, *facts in FILES.values()], ids=FILES)
def test_a_file_that_describes_no_sweep_is_a_sentence(refused, text, facts):
    message = refused(text)
    assert names_all(message, *facts)
    assert len(message) < 500


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path, capsys):
    for path, said in [(tmp_path, "Is a directory"), (tmp_path / "none.toml", "No such file or directory")]:
        with pytest.raises(SystemExit):
            main(["sweep", str(path)])
        assert names_all(capsys.readouterr().err, path, said)


def test_whose_code_runs_is_told_before_it_does(refused, tmp_path):
    (tmp_path / "raising_study.py").write_text("raise OSError('it ran')")
    first, second, end = refused(described().replace("swept_studies", "raising_study")).split("\n")
    place = tmp_path / "raising_study.py"
    assert names_all(first, "explorer sweep", "sweep.toml", "raising_study:good", place)
    assert names_all(second, "OSError: it ran")
    assert not end


def test_nothing_beside_the_file_hides_what_is_installed(refused, tmp_path):
    """Modules of the library and of Python are the installed ones, even if a file next to the study has their name."""
    (tmp_path / "colorsys.py").write_text("raise OSError('it ran')")
    said = refused(described().replace("swept_studies", "colorsys"))
    assert names_all(said, "colorsys", Path(os.__file__).parent / "colorsys.py", "'good'")
    assert sys.path[-1] == str(tmp_path)


def test_a_module_that_raises_is_a_sentence(refused, tmp_path):
    (tmp_path / "swept_badly.py").write_text("\n1 / 0\n")
    said = refused('study = "swept_badly:x"\n[axes]\nn = [1]')
    assert names_all(said, "swept_badly", "ZeroDivisionError: division by zero")
    assert names_all(said, "swept_badly.py, line 2")


def test_a_study_that_raises_is_told_by_its_cell_and_its_own_frames(refused, tmp_path):
    _, *lines = refused(described("bad"), "--store", str(tmp_path / "s.nc")).splitlines()
    assert names_all(lines[0], "ArithmeticError", "n=3")
    assert [line.split(", in ")[1] for line in lines if line.startswith("  File")] == ["bad", "below"]
    assert lines[-2] == "ArithmeticError: three is too many"
    assert names_all(lines[-1], "2 of 3")
    assert len(lines) < 12


def test_an_exception_without_a_text_is_told(refused):
    assert names_all(refused(described("wordless")), "Wordless", "__str__", "ZeroDivisionError")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda path: os.truncate(path, 100), "is damaged or cut off (the header is cut off)"),
        (lambda path: os.truncate(path, path.stat().st_size - 1), "is damaged or cut off (it has"),
        (lambda path: (path.unlink(), path.mkdir()), "is a folder; name a file"),
        (lambda path: path.write_bytes(b"hello"), "is a file of another kind"),
    ],
    ids=["cut in the header", "cut at the end", "folder", "text"],
)
def test_a_store_that_is_none_is_a_sentence(refused, tmp_path, harm, said):
    path = tmp_path / "s.nc"
    (tmp_path / "first.toml").write_text(described())
    (tmp_path / "swept_studies.py").write_text(STUDIES)
    main(["sweep", str(tmp_path / "first.toml"), "--executor", "serial", "--store", str(path)])
    harm(path)
    assert said in refused(described(), "--store", str(path))


def test_a_changed_file_is_named_and_reuse_keeps_the_numbers(refused, tmp_path, capsys):
    path, data = tmp_path / "s.nc", tmp_path / "data.csv"
    data.write_text("1")
    text = described(more='depends = ["data.csv"]')
    (tmp_path / "sweep.toml").write_text(text)
    command = ["sweep", str(tmp_path / "sweep.toml"), "--executor", "serial", "--store", str(path)]
    main(command)
    main(command)
    capsys.readouterr()
    data.write_text("2")
    assert names_all(refused(text, "--store", str(path)), data, "changed", "--reuse")
    main([*command, "--reuse"])
    assert names_all(capsys.readouterr().err, "reused although", data)


def test_damaged_cells_are_told_in_one_line(refused, tmp_path, capsys):
    path = tmp_path / "s.nc"
    (tmp_path / "first.toml").write_text(described())
    command = ["sweep", str(tmp_path / "first.toml"), "--executor", "serial", "--store", str(path)]
    main(command)
    whole = path.read_bytes()
    number = whole.index(b"\x3f\xf8")  # the 1.5 of n = 3
    path.write_bytes(whole[:number] + b"\xbf" + whole[number + 1 :])
    capsys.readouterr()
    main(command)
    assert path.read_bytes() == whole
    lines = capsys.readouterr().err.splitlines()
    (line,) = (line for line in lines if "checksum" in line)
    assert names_all(line, path, "1 damaged cell of 3", "checksum")


def test_a_full_disk_says_what_is_true(refused, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    path = tmp_path / "s.nc"
    _, said = refused(described(), "--store", str(path)).split("\n", 1)
    assert said.startswith(f"explorer sweep: {path} needs 0.00")
    assert "disk is full" in said
    assert path.stat().st_size == 0


def test_a_folder_for_the_table_is_missed_before_anything_is_computed(refused, tmp_path):
    said = refused(described("bad"), "--csv", str(tmp_path / "no" / "rows.csv"))
    assert names_all(said, tmp_path / "no", "exist")


def test_memory_that_is_not_there_is_a_sentence(refused, monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("explorer.commands.sweep.write", full)
    assert "memory" in refused(described())


@pytest.mark.thorough
def test_the_program_itself_says_it_from_other_processes(tmp_path):
    """The message comes without the engine's traceback."""
    (tmp_path / "swept_studies.py").write_text(STUDIES)
    (tmp_path / "sweep.toml").write_text(described("bad"))
    done = subprocess.run([sys.executable, "-m", "explorer", "sweep", "sweep.toml"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 2
    first, said = done.stderr.decode().split("\n", 1)
    assert names_all(first, "explorer sweep", "sweep.toml", "swept_studies:bad")
    assert names_all(said.splitlines()[0], "ArithmeticError", "n=3")
    assert "Traceback" not in said
    assert len(said.splitlines()) < 12
