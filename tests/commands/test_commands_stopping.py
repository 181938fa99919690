"""Ctrl+C ends a command of the terminal with one line and the exit code 130, whenever it comes."""

import os
import signal
import subprocess
import sys
import time

import pytest

MODULE = """
import pathlib
import time

def wait(*_, **__):
    pathlib.Path("reached").touch()
    time.sleep(60)
"""
STUDY = 'study = "{}:wait"\n[axes]\nn = [1, 2, 3, 4]\n'
STOPPED = "explorer sweep: stopped; the same command with a --store goes on where it was."
RUNS = {
    "its own import": ("reproduce --list", "explorer reproduce: stopped."),
    "a study's import": ("sweep import.toml", "explorer sweep: stopped."),
    "serial work": ("sweep work.toml --executor serial", STOPPED),
    "processes": ("sweep work.toml", STOPPED),
}


@pytest.fixture
def started(tmp_path):
    """A command in a folder with two studies and a numpy, all of which wait; it is past its start."""
    (tmp_path / "waiting.py").write_text(MODULE)
    (tmp_path / "loaded.py").write_text(f"{MODULE}\nwait()\n")
    (tmp_path / "import.toml").write_text(STUDY.format("loaded"))
    (tmp_path / "work.toml").write_text(STUDY.format("waiting"))
    first = tmp_path / "first"
    first.mkdir()
    (first / "numpy.py").write_text(f"{MODULE}\nwait()\n")
    processes = []

    def start(words, hidden):
        paths = [str(first)] * hidden + [folder for folder in sys.path if folder]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what is ignored here would be there, too
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "explorer", *words.split()],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        finally:
            signal.signal(signal.SIGINT, before)
        processes.append(process)
        end = time.monotonic() + 60
        while not (tmp_path / "reached").exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.02)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.thorough(default=["its own import"])
@pytest.mark.parametrize("where", RUNS)
def test_it_is_one_line(started, where):
    words, line = RUNS[where]
    process = started(words, where == "its own import")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes of the command hear it
    said = process.communicate(timeout=30)[1].splitlines()
    assert process.returncode == 130
    assert [each for each in said if "runs code" not in each and "cells" not in each] == [line]
