"""Overhead of a sweep relative to its study, and gain of a second core: `pytest -m benchmark --benchmark-enable`."""

import statistics
import subprocess
import sys
from functools import partial

import pytest
from test_speed import seconds

from explorer import sweep
from explorer.sweeps import InProcess
from explorer.sweeps.executors import local_processes

pytestmark = pytest.mark.benchmark

CELLS = 20_000


def nothing(i, seed):
    return {"zero": 0.0}


def busy(i, seconds, seed):
    """Work for a core, of that many seconds of its time."""
    from time import process_time

    end = process_time() + seconds
    while process_time() < end:
        pass
    return {"one": 1.0}


@pytest.mark.parametrize("stored", [False, True], ids=["no store", "store"])
def test_the_engine_costs_at_most_a_millisecond_a_cell(benchmark, tmp_path, stored):
    axes = {"i": list(range(CELLS))}
    runs = [
        seconds(
            partial(
                sweep,
                nothing,
                axes,
                executor=InProcess(),
                store=tmp_path / f"{k}.nc" if stored else None,
                progress=False,
            )
        )
        for k in range(3)
    ]
    each = statistics.median(runs) / CELLS
    benchmark.extra_info.update(seconds_a_cell=each)
    benchmark.pedantic(lambda: None)
    assert each <= 1e-3


def bare_process_seconds(processes):
    """Return the seconds that this many bare processes take, each with 3 s of processor time."""
    loop = "import time; end = time.process_time() + 3\nwhile time.process_time() < end: pass"

    def run():
        for each in [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(processes)]:
            each.wait()

    return seconds(run)


def test_two_cores_gain_1_6(benchmark):
    """More than 20 s of work: on one worker, then on two.

    Where others use the cores, two bare processes gain less, too: then nine tenths of what those gain."""
    there_is = 2 * bare_process_seconds(1) / bare_process_seconds(2)
    axes, study = {"i": list(range(220))}, partial(busy, seconds=0.1)
    taken = {}
    for workers in (1, 2):
        executor = local_processes(workers)
        sweep(study, {"i": [0, 1]}, executor=executor, progress=False)  # the workers are there
        taken[workers] = seconds(partial(sweep, study, axes, executor=executor, progress=False))
    there_is = min(there_is, 2 * bare_process_seconds(1) / bare_process_seconds(2))
    benchmark.extra_info.update(ratio=taken[1] / taken[2], bare=there_is, seconds=taken[1])
    benchmark.pedantic(lambda: None)
    assert taken[1] > 20
    assert taken[1] / taken[2] >= min(1.6, 0.9 * there_is)
