"""`-o`: no file that is read is written over, - is standard output, and what cannot be is refused before the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import names_all

from explorer.__main__ import main

ROOT = Path(__file__).parents[2]
TOML = 'study = "whole_study:loss"\nreplicates = 2\n[axes]\nn = [1, 2]\n'
STUDY = "def loss(n, seed):\n    return {'loss': float(n)}\n"
# command, and the option that names its one file
COMMANDS = {
    "report": ("report a.csv b.csv --permutations 19", "-o"),
    "sketch": ("sketch a.csv --features 10 --bandwidth 1", "-o"),
    "sweep": ("sweep s.toml --executor serial", "--csv"),
    "plot": ("sweep s.toml --executor serial", "--plot"),
    "export": ("export shrinkage", "-o"),
    "widget": ("export shrinkage --widget --script inline", "-o"),
    "film": ("film shrinkage --width 320 --seconds 2", "-o"),
    "reproduce": ("reproduce atlas --smoke --executor serial", "--out"),
}
SUFFIX = {"report": ".html", "sketch": ".npz", "sweep": ".csv", "film": ".gif"}
MARKS = {name: [pytest.mark.thorough] for name in ("film", "export", "widget", "plot")} | {
    "reproduce": [pytest.mark.slow]
}
EACH = [pytest.param(name, marks=MARKS.get(name, [])) for name in COMMANDS]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with two tables and a study for the commands."""
    monkeypatch.setattr(sys, "path", [*sys.path])  # sweep adds the file's folder
    rng = np.random.default_rng(0)
    for name in "ab":
        rows = "".join(f"{x:.4f},{y:.4f}\n" for x, y in rng.normal(size=(30, 2)))
        (tmp_path / f"{name}.csv").write_text("u,v\n" + rows)
    (tmp_path / "s.toml").write_text(TOML)
    (tmp_path / "whole_study.py").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("whole_study", None)


def error_of(capsys, words):
    """Run a command that ends with code 2, and return its error message."""
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


@pytest.mark.parametrize("name", EACH)
def test_a_dash_is_standard_output_and_has_the_bytes_of_the_file(name, folder, capsysbinary):
    line, option = COMMANDS[name]
    path = f"out{SUFFIX.get(name, '.html')}"
    main([*line.split(), option, path])
    capsysbinary.readouterr()
    before = sorted(os.listdir())
    main([*line.split(), option, "-"])
    got = capsysbinary.readouterr()
    there = Path(path).read_bytes()
    if name == "reproduce":  # it says how long it took
        assert abs(len(got.out) - len(there)) < 20
        assert got.out[:15] == there[:15] == b"<!doctype html>"
    elif name in ("plot", "export", "widget"):  # Bokeh's ids are random
        assert abs(len(got.out) - len(there)) < 1000
        assert got.out[:9] == there[:9]
    else:
        assert got.out == there
    assert b"Traceback" not in got.err
    assert bool(got.err) == (name not in ("sweep", "plot")) or b"runs code" in got.err
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("path", ["no/such/out{}", "x" * 300 + "{}", "folder{}"])
def test_an_output_that_cannot_be_is_refused_before_the_work(name, path, folder, capsys, monkeypatch):
    line, option = COMMANDS[name]
    path = path.format(SUFFIX.get(name, ".html"))
    if path.startswith("folder"):
        Path(path).mkdir()

    def never(*given, **more):
        raise AssertionError("nothing is to be computed")

    for work in (
        "comparing.compared", "sketch.chunks_of", "sweep.study_of", "export.lab_state", "film.lab_state",
        "reproduce._reproduced",
    ):  # fmt: skip
        monkeypatch.setattr(f"explorer.commands.{work}", never)
    assert "folder" in (said := error_of(capsys, [*line.split(), option, path])) or "too long" in said


@pytest.mark.parametrize(
    "line", ["report a.csv b.csv", "sketch a.csv b.csv --bandwidth 1", "report . a.csv", "sketch ."]
)
@pytest.mark.parametrize("spelled", ["a.csv", "./a.csv", "../{here}/a.csv", "soft", "hard", "/proc/self/cwd/a.csv"])
def test_no_table_that_is_read_is_written_over(line, spelled, folder, capsys):
    os.symlink("a.csv", "soft")
    os.link("a.csv", "hard")
    before = Path("a.csv").read_bytes()
    said = error_of(capsys, [*line.split(), "-o", spelled.format(here=folder.name)])
    assert names_all(said, "files", "read")
    assert Path("a.csv").read_bytes() == before


def test_nor_is_a_description_or_a_sketch(folder, capsys):
    assert "that are read" in error_of(capsys, ["sweep", "s.toml", "--csv", "s.toml"])
    assert Path("s.toml").read_text() == TOML
    assert "both write to" in error_of(capsys, ["sweep", "s.toml", "--csv", "x.html", "--plot", "./x.html"])
    assert "both write to" in error_of(capsys, ["sweep", "s.toml", "--csv", "-", "--plot", "-"])
    main(["sketch", "a.csv", "--features", "10", "--bandwidth", "1", "-o", "a.npz"])
    capsys.readouterr()
    assert "that are read" in error_of(capsys, ["sketch", "b.csv", "--like", "a.npz", "-o", "a.npz"])


def test_what_cannot_share_standard_output_is_refused(folder, capsys):
    assert "--json" in error_of(capsys, ["report", "a.csv", "b.csv", "--json", "-o", "-"])
    assert "--script inline" in error_of(capsys, ["export", "shrinkage", "--widget", "-o", "-"])


def run_in_shell(line, **more):
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, **more
    )


@pytest.mark.thorough
def test_a_reader_who_leaves_is_no_error(folder):
    done = run_in_shell(f"{sys.executable} -m explorer report a.csv b.csv --permutations 19 -o - | head -c 15")
    assert done.stdout == b"<!doctype html>"
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


@pytest.mark.thorough
def test_devices_stay_and_standard_output_is_one_by_every_name(folder):
    line = f"{sys.executable} -m explorer sketch a.csv --features 10 --bandwidth 1 -o"
    before = os.stat(os.devnull)
    done = run_in_shell(
        f"{line} /dev/null; {line} - > one; {line} /dev/stdout > two; {line} /dev/fd/3 3> three; {line} four"
    )
    assert done.returncode == 0
    assert os.stat(os.devnull).st_rdev == before.st_rdev
    assert len({Path(each).read_bytes() for each in ("one", "two", "three", "four")}) == 1


@pytest.mark.thorough
def test_the_table_of_standard_input_is_not_written_over(folder):
    before = Path("a.csv").read_bytes()
    done = run_in_shell(f"{sys.executable} -m explorer report - b.csv -o a.csv < a.csv")
    assert done.returncode == 2
    assert b"standard input" in done.stderr
    assert Path("a.csv").read_bytes() == before
