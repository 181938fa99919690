"""Ctrl+C in a sweep of a script or a notebook prints what is stored and how to continue, and the store is usable."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import xarray
from helpers.naming import naming

from explorer import sweep
from explorer.sweeps import InProcess

SCRIPT = """
import pathlib, time
from explorer import sweep
from explorer.sweeps import InProcess

def study(n, seed):
    if n > 1 and not pathlib.Path("again").exists():
        time.sleep(60)
    return {"square": n**2}

if __name__ == "__main__":
    data = sweep(study, {"n": [1, 2, 3]}, executor=EXECUTOR, store="out.nc", progress=False)
    print(data["square"].values.ravel())
"""


def interrupted(n, seed):
    if n == 2:
        raise KeyboardInterrupt
    return {"square": n**2}


def kept(path):
    """Return the number of cells that a store has so far."""
    if not path.exists() or path.read_bytes()[:3] != b"CDF":
        return 0
    with xarray.open_dataset(path, engine="scipy") as data:
        return int(np.isfinite(data["square"]).sum())


def test_it_says_what_is_in_the_store_and_goes_on_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def study(n, seed):
        if n == 2 and not os.path.exists("again"):
            raise KeyboardInterrupt
        return {"square": n**2}

    call = (study, {"n": [1, 2, 3, 4]})
    with pytest.raises(KeyboardInterrupt, match=naming("1 of 4 cells", "out.nc")):
        sweep(*call, executor=InProcess(), store="out.nc", progress=False)
    (tmp_path / "again").touch()
    data = sweep(*call, executor=InProcess(), store="out.nc", progress=False)  # the store is not locked
    np.testing.assert_array_equal(data["square"].values.ravel(), [1, 4, 9, 16])


def test_without_a_store_it_names_one():
    with pytest.raises(KeyboardInterrupt, match=naming("1 of 4 cells", "store=")):
        sweep(interrupted, {"n": [1, 2, 3, 4]}, executor=InProcess(), progress=False)


def test_more_cells_are_many(tmp_path):
    call = (interrupted, {"n": [1, 2]}, 3, InProcess(), tmp_path / "out.nc")
    with pytest.raises(KeyboardInterrupt, match=r"[123] of 6 cells .*out\.nc"):
        sweep(*call, progress=False)


@pytest.mark.thorough
@pytest.mark.parametrize("executor", ["None", "InProcess()"])
def test_a_script_ends_at_once_and_its_second_run_goes_on(tmp_path, executor):
    """All processes get the terminal's Ctrl+C; the workers of the sweep end with it."""
    (tmp_path / "script.py").write_text(SCRIPT.replace("EXECUTOR", executor))
    process = subprocess.Popen(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 60
        while kept(tmp_path / "out.nc") == 0:
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        last = process.communicate(timeout=30)[1].splitlines()[-1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert re.match("KeyboardInterrupt: " + naming("1 of 3 cells", "out.nc"), last)
    (tmp_path / "again").touch()
    again = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})  # fmt: skip
    assert again.stdout.strip() == "[1. 4. 9.]"
