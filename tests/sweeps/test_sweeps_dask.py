"""A cluster on this machine's loopback: a scheduler and two workers, one of which is killed in mid-run."""

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
    """A process of dask's, which knows the studies."""
    path = os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", *command], env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def cluster(tmp_path):
    """A client, and its two workers' processes by their addresses."""
    from serving import until

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
    """Its cells are computed by the other; the store has every one, as the data set does."""
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
