"""Content of a store after kills at any time, full disks and second writers; and its refusals."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import xarray
from helpers.naming import naming
from helpers.server_process import until
from studies import noise, slow

from explorer import sweep
from explorer.sweeps import InProcess, planned

AXES = {"i": list(range(12))}
HERE = Path(__file__).parent
CHILD = """
import sys; sys.path.insert(0, {here!r})
from studies import slow
from explorer import sweep
from explorer.sweeps import InProcess
# load all modules and start the workers
sweep(slow, {{"i": [0]}}, executor={executor}, store={store!r} + ".warm", progress=False)
print("go", flush=True)
sweep(slow, {axes!r}, executor={executor}, store={store!r}, progress=False)
print("end", flush=True)
"""


def child(store, executor="InProcess()"):
    """Start a sweep in a new process and return the process once the sweep has begun."""
    code = CHILD.format(here=str(HERE), axes=AXES, store=str(store), executor=executor)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout.readline() == "go\n"
    return process


def kill(process):
    """Kill a process and its workers by SIGKILL."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def kept(store):
    """Return which cells a store marks as computed, read by xarray as any user would."""
    if not Path(store).exists() or Path(store).stat().st_size == 0 or Path(store).read_bytes()[:3] != b"CDF":
        return np.zeros(12, bool)
    with xarray.open_dataset(store) as data:
        assert np.isfinite(data.twice.values[data.computed.values == 1]).all()
        return data.computed.values.ravel() == 1


@pytest.fixture(scope="module")
def whole():
    return sweep(slow, AXES, executor=InProcess())


def rounds(tmp_path, whole, executor, number, kills=1, begun=()):
    """Kill a sweep, check its store and continue, until the sweep ends. No kill may lose cells of an earlier one.

    The kills in `begun` wait for the file first, which may take long on a busy machine.
    """
    chance, interrupted = random.Random(executor), 0
    for turn in range(number):
        store, before = tmp_path / f"{turn}.nc", np.zeros(12, bool)
        for i in range(kills):
            process = child(store, executor)
            if i in begun:
                until(store.exists, "the file")
            time.sleep(chance.uniform(0.0, 0.15))
            kill(process)
            now = kept(store)
            assert (now >= before).all()
            interrupted += 0 < now.sum() < 12
            before = now
        resumed = planned(slow, AXES, executor=InProcess(), store=store)
        # a cell that was killed between its checksum and its flag is complete, too
        assert next(iter(resumed)).kept - before.sum() in (0, 1)
        resumed.store.close()
        assert sweep(slow, AXES, executor=InProcess(), store=store).identical(whole)
        assert kept(store).all()
    return interrupted


def test_kill_and_resume(tmp_path, whole):
    tries = (tmp_path / "1", tmp_path / "2", tmp_path / "3")  # a delayed kill may come after the last cell
    for folder in tries:
        folder.mkdir()
    assert any(rounds(folder, whole, "InProcess()", 1, kills=3, begun=(1, 2)) for folder in tries)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize(("executor", "number"), [("InProcess()", 20), ("None", 10)])
def test_thirty_rounds_of_kill_and_resume(tmp_path, whole, executor, number):
    assert rounds(tmp_path, whole, executor, number) >= number // 3


def test_only_what_is_missing_is_computed(tmp_path, whole):
    store, computed = tmp_path / "s.nc", []

    class Counting(InProcess):
        def submit(self, function, study, batch, *rest):
            computed.extend(index for index, *_ in batch)
            return super().submit(function, study, batch, *rest)

    run = planned(slow, AXES, executor=Counting(), store=store)
    for step in run:
        if step.done == 5:
            run.stop()
    assert computed == [0, 1, 2, 3, 4]
    assert sweep(slow, AXES, executor=Counting(), store=store).identical(whole)
    assert computed == list(range(12))
    assert sweep(slow, AXES, executor=Counting(), store=store).identical(whole)
    assert computed == list(range(12))


def test_a_store_can_be_read_while_it_grows(tmp_path):
    seen = []
    for step in planned(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc"):
        if step.done:
            seen.append((step.done, kept(tmp_path / "s.nc").sum()))
    assert seen == [(k, k) for k in range(1, 13)]


def test_its_numbers_are_the_sweep_s(tmp_path):
    axes = {"n": [1, 5], "scale": [0.5, 2.0]}
    data = sweep(noise, axes, 2, executor=InProcess(), store=tmp_path / "s.nc")
    with xarray.open_dataset(tmp_path / "s.nc") as stored:
        xarray.testing.assert_equal(stored.drop_vars(["computed", "checksum"]), data.drop_vars("seed"))
        assert stored.attrs.items() >= data.attrs.items()


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (
            {"study": noise, "axes": {"n": [1], "scale": [1.0]}},
            ("'studies.slow'", "'studies.noise'"),
        ),
        ({"axes": {"i": [0, 1]}}, ("grid", "axes")),
        ({"seed": 1}, ("grid", "seed", "0", "1")),
        ({"replicates": 2}, ("grid", "replicates", "1", "2")),
        ({"common": "i"}, ("grid", "common")),
    ],
)
def test_the_store_of_another_sweep_is_refused(tmp_path, change, parts):
    call = {"study": slow, "axes": AXES, "executor": InProcess(), "store": tmp_path / "s.nc"}
    sweep(**call)
    before = (tmp_path / "s.nc").read_bytes()
    with pytest.raises(ValueError, match=naming(*parts)):
        sweep(**{**call, **change})
    assert (tmp_path / "s.nc").read_bytes() == before


def test_another_version_and_a_changed_study_are_refused(tmp_path, monkeypatch):
    sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")
    with monkeypatch.context() as patch:
        patch.setattr("explorer.sweeps.sources.VERSION", "9.9")
        with pytest.raises(ValueError, match=naming("kernel-mean-explorer", "became 9.9")):
            sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")
    with monkeypatch.context() as patch:
        changed = (lambda i, seed: {"twice": 3.0 * i}).__code__
        patch.setattr(slow, "__code__", changed.replace(co_filename=slow.__code__.co_filename))
        with pytest.raises(ValueError, match=naming("slow in studies.py changed", "reuse=True")):
            sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")


FOREIGN = {
    "text": b"n,mean\n1,2\n",
    "netcdf": "netcdf",
    "film": b"\0\0\0\x18ftypmp42",
    "short": b"C",
    "zeros": bytes(99),
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "mine"
    if content == "netcdf":
        xarray.Dataset({"a": ("x", [1.0])}).to_netcdf(path, engine="scipy")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=naming("mine")):
        sweep(slow, AXES, executor=InProcess(), store=path)
    assert path.read_bytes() == before


def test_what_cannot_be_a_store_is_refused(tmp_path, monkeypatch):
    with pytest.raises(IsADirectoryError, match=naming(str(tmp_path), "folder")):
        sweep(slow, AXES, executor=InProcess(), store=tmp_path)
    with pytest.raises(FileExistsError, match=naming("/dev/full")):
        sweep(slow, AXES, executor=InProcess(), store="/dev/full")

    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def refuse(*_):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", fail)
        with pytest.raises(OSError, match=naming("s.nc", "Input/output error")):
            sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError, match=r"s\.nc.*Permission denied"):
        sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")


def test_a_name_that_netcdf_cannot_have_is_refused(tmp_path):
    for _ in range(2):
        with pytest.raises(ValueError, match="netCDF"):
            sweep(lambda λ, seed: {"one": 1.0}, {"λ": [1, 2]}, executor=InProcess(), store=tmp_path / "s.nc")


def test_large_whole_numbers_are_kept_as_floats(tmp_path):
    """This format of netCDF files has integers of 32 bits."""
    axes = {"n": [1, 3 * 10**9]}
    data = sweep(lambda n, seed: {"one": n}, axes, seed=2**40, executor=InProcess(), store=tmp_path / "s.nc")
    with xarray.open_dataset(tmp_path / "s.nc") as stored:
        assert stored.one.sel(n=3 * 10**9).item() == data.one.sel(n=3 * 10**9).item() == 3e9


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="exist"):
        sweep(slow, AXES, executor=InProcess(), store=tmp_path / "no" / "s.nc")


@pytest.mark.thorough
def test_two_writers_are_refused(tmp_path, whole):
    """A store is locked against this process and others until its sweep is done."""
    first = planned(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")
    with pytest.raises(BlockingIOError, match="another sweep"):
        sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc")
    code = CHILD.format(here=str(HERE), axes=AXES, store=str(tmp_path / "s.nc"), executor="InProcess()")
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert second.stderr.splitlines()[-1].startswith("BlockingIOError: another sweep")
    assert [step.done for step in first][-1] == 12
    assert sweep(slow, AXES, executor=InProcess(), store=tmp_path / "s.nc").identical(whole)


def test_a_study_that_raises_lets_the_store_go(tmp_path):
    def study(i, seed):
        if i == 3:
            raise ArithmeticError("three")
        return {"one": 1.0}

    for _ in range(2):  # a store that stayed locked would refuse the second time
        with pytest.raises(ArithmeticError, match="three"):
            sweep(study, AXES, executor=InProcess(), store=tmp_path / "s.nc")


@pytest.mark.parametrize("at", ["create", "write"])
def test_a_full_disk_is_reported_and_loses_nothing(tmp_path, whole, monkeypatch, at):
    """The system's error is raised when the file is created or a cell is written."""
    store, real, calls = tmp_path / "s.nc", os.pwrite, []

    def full(file, data, place):
        calls.append(place)
        if at == "create" or len(calls) > 15:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data, place)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        kept_then = {"create": "nothing is kept", "write": "written is kept"}
        with pytest.raises(OSError, match=rf"full.*{kept_then[at]}") as caught:
            sweep(slow, AXES, executor=InProcess(), store=store)
    assert caught.value.errno == errno.ENOSPC
    assert not str(caught.value).startswith("[Errno")
    assert kept(store).sum() == (0 if at == "create" else 3)  # three writes create the file, and each cell takes four
    assert (store.stat().st_size == 0) == (at == "create")
    assert sweep(slow, AXES, executor=InProcess(), store=store).identical(whole)


@pytest.mark.thorough
def test_a_disk_that_is_really_full(tmp_path):
    """The system enforces a limit on the size of files."""
    code = f"""
import resource, signal, sys; sys.path.insert(0, {str(HERE)!r})
from studies import slow
from explorer import sweep
from explorer.sweeps import InProcess
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
sweep(slow, {AXES!r}, executor=InProcess(), store={str(tmp_path / "s.nc")!r}, progress=False)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "nothing is kept" in done.stderr
    assert (tmp_path / "s.nc").stat().st_size == 0
