"""A Dask cluster on this machine: a scheduler and two workers, one of which is killed while it computes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from studies import noise, slow

from explorer import sweep
from explorer.sweeps import InProcess, planned

distributed = pytest.importorskip("distributed", reason="a cluster needs dask: pip install kernel-mean-explorer[dask]")

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
HERE = str(Path(__file__).parent)


def started(*command):
    """Start a Dask process that can import the studies."""
    path = os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", *command], env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def cluster(tmp_path):
    """Return (a client, {address: process} of its two workers)."""
    from helpers.server_process import until

    told = tmp_path / "scheduler.json"
    scheduler = started(
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(told),
    )
    until(told.exists, "a scheduler", 60)
    alone = ["--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path)]
    workers = [
        started("distributed.cli.dask_worker", "--scheduler-file", str(told), "--host", "127.0.0.1", *alone)
        for _ in range(2)
    ]
    client = distributed.Client(scheduler_file=str(told))
    client.wait_for_workers(2, timeout=60)
    yield client, workers
    client.close()
    for process in (*workers, scheduler):
        process.kill()
        process.communicate()


def test_a_cluster_gives_the_same_bits(cluster):
    client, _ = cluster
    axes = {"n": [1, 10, 100], "scale": [0.5, 2.0]}
    assert sweep(noise, axes, 5, executor=client.get_executor()).identical(sweep(noise, axes, 5, executor=InProcess()))


def test_a_worker_that_is_killed_loses_nothing(cluster, tmp_path):
    """The other worker computes the lost worker's cells; store and data set have every cell."""
    client, workers = cluster
    axes, killed = {"i": list(range(200))}, False
    run = planned(slow, axes, executor=client.get_executor(), store=tmp_path / "s.nc")
    for step in run:
        if step.done >= 20 and not killed:
            workers[0].send_signal(signal.SIGKILL)
            killed = True
    assert killed
    assert len(client.scheduler_info()["workers"]) == 1
    assert run.dataset().identical(sweep(slow, axes, executor=InProcess()))
    assert sweep(slow, axes, executor=InProcess(), store=tmp_path / "s.nc").identical(run.dataset())


def test_the_picture_of_a_cluster_is_that_of_this_machine(cluster, tmp_path, monkeypatch):
    """One command computes 240 cells on two axes on the cluster: the numbers are those of a serial sweep."""
    from explorer.__main__ import main
    from explorer.plotting import files

    client, _ = cluster
    told = []
    monkeypatch.setattr(files, "contents_of", lambda picture, suffix, title, **wishes: told.append(picture) or b"")
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "cells.toml").write_text(
        'study = "studies:noise"\nreplicates = 4\n[axes]\nn = [1, 10, 100]\n'
        'scale = {start = 0.01, stop = 10.0, num = 20, spacing = "log"}\n'
    )
    command = ["sweep", str(tmp_path / "cells.toml"), "--plot", str(tmp_path / "out.html")]
    main([*command, "--executor", "dask", "--scheduler", client.scheduler.address])
    main([*command, "--executor", "serial"])
    columns = [picture.traverse(lambda each: each.columns(), ["Curve"]) for picture in told]
    assert len(columns[0]) == len(columns[1]) == 6
    for one, other in zip(*columns, strict=True):
        assert one.keys() == other.keys()
        assert all((one[name] == other[name]).all() for name in one)
    monkeypatch.undo()
    main([*command, "--executor", "dask", "--scheduler", client.scheduler.address])
    assert (tmp_path / "out.html").stat().st_size > 1_000_000
