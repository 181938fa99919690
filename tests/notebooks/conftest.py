"""The notebooks run in a process of their own from the suite's start on, beside tests that mostly wait for a browser."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest

# one after the other: each leaves its executed copy, or what ended it
RUN = """
import sys, traceback
from pathlib import Path
import nbformat
from nbclient import NotebookClient
out = Path(sys.argv[1])
for path in map(Path, sys.argv[2:]):
    try:
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3", shutdown_kernel="immediate",
                       resources={"metadata": {"path": path.parent}}).execute()
        nbformat.write(notebook, out / path.name)
    except Exception:
        (out / path.name).with_suffix(".txt").write_text(traceback.format_exc())
"""
STARTED = pytest.StashKey()


def pytest_collection_finish(session):
    wanted = {str(item.callspec.params["path"]) for item in session.items if "executed" in getattr(item, "fixturenames", ())}
    if wanted and not session.config.option.collectonly:
        folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-W", "ignore", "-c", RUN, folder.name, *sorted(wanted)]
        session.config.stash[STARTED] = folder, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def pytest_unconfigure(config):
    if STARTED in config.stash:
        folder, process = config.stash[STARTED]
        process.terminate()  # where the suite ended before they did
        process.wait()
        folder.cleanup()


@pytest.fixture
def executed(request, path):
    """A notebook as it is after its run; the test fails with what ended it."""
    folder, process = request.config.stash[STARTED]
    process.wait(timeout=400)
    ran = Path(folder.name) / path.name
    if not ran.exists():
        pytest.fail(ran.with_suffix(".txt").read_text())
    return nbformat.read(ran, as_version=4)
