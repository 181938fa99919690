"""Shared by all tests."""

import gc
import os
from pathlib import Path

import pytest

# the suite's matrices are small: threads that wait for one another take a fifth longer than one that works
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """With `-n 2` a module's tests stay together, as they share what is dear to make; and all that drive a browser do."""
    for item in items:
        module = Path(item.path)
        item.add_marker(pytest.mark.xdist_group("browser" if module.parent.name == "browser" else module.stem))


def pytest_collection_finish(session):
    """What is there once all tests are collected stays to the end: to look through it for garbage took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
