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

def some(n, seed):
    if n > 1 and not pathlib.Path("again").exists():
        wait()
    return {"loss": n}
"""
STUDY = 'study = "{}:{}"\n[axes]\nn = [1, 2, 3, 4]\n'
STOPPED = "explorer sweep: 0 of 4 cells are done, and none is kept: give --store a file to go on from there."
RUNS = {
    "its own import": ("reproduce --list", "explorer reproduce: stopped."),
    "a study's import": ("sweep import.toml", "explorer sweep: stopped."),
    "serial work": ("sweep work.toml --executor serial", STOPPED),
    "processes": ("sweep work.toml", STOPPED),
    "work with a store": (
        "sweep some.toml --executor serial --store out.nc",
        "explorer sweep: 1 of 4 cells is in out.nc; run it again to go on.",
    ),
}


@pytest.fixture
def started(tmp_path):
    """A command in a folder with two studies and a numpy, all of which wait; it is past its start."""
    (tmp_path / "waiting.py").write_text(MODULE)
    (tmp_path / "loaded.py").write_text(f"{MODULE}\nwait()\n")
    (tmp_path / "import.toml").write_text(STUDY.format("loaded", "wait"))
    (tmp_path / "work.toml").write_text(STUDY.format("waiting", "wait"))
    (tmp_path / "some.toml").write_text(STUDY.format("waiting", "some"))
    first = tmp_path / "first"
    first.mkdir()
    (first / "numpy.py").write_text(f"{MODULE}\nwait()\n")
    processes = []

    def start(words, hidden):
        paths = [str(first)] * hidden + [folder for folder in sys.path if folder]
        process = subprocess.Popen(
            [sys.executable, "-m", "explorer", *words.split()],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
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


@pytest.mark.thorough(default=["0.2"])
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5])
def test_processes_that_start_print_no_traceback(tmp_path, seconds):
    """Ctrl+C comes while the processes of the sweep import their libraries."""
    (tmp_path / "waiting.py").write_text(MODULE)
    (tmp_path / "work.toml").write_text(STUDY.format("waiting", "wait"))
    words = [sys.executable, "-m", "explorer", "sweep", "work.toml"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert "runs code" in process.stderr.readline()
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1] in (STOPPED, "explorer sweep: stopped.")


@pytest.mark.parametrize("alone", [True, False])
def test_a_library_that_makes_an_import_error_of_it_is_no_error(tmp_path, alone):
    (tmp_path / "numpy.py").write_text(
        "import pathlib, time\npathlib.Path('reached').touch()\n"
        "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    pass\nraise ImportError('its C-extensions')\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-m", "explorer", "list"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 60
        while not (tmp_path / "reached").exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        (os.kill if alone else os.killpg)(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, said) == (130, "explorer list: stopped.\n")


@pytest.mark.thorough(default=["its own import"])
@pytest.mark.parametrize("where", RUNS)
def test_it_is_one_line(started, where):
    words, line = RUNS[where]
    process = started(words, where == "its own import")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes of the command hear it
    said = process.communicate(timeout=30)[1].splitlines()
    assert process.returncode == 130
    assert [each for each in said if "runs code" not in each and " cells/s" not in each and "?" not in each] == [line]
