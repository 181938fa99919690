"""Shared by all tests."""

import gc
import os

# the suite's matrices are small: threads that wait for one another take a fifth longer than one that works
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_collection_finish(session):
    """What is there once all tests are collected stays to the end: to look through it for garbage took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
