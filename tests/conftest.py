"""Shared by all tests."""

import gc
import os

# two cores are shared by the whole suite: BLAS threads of several processes would only fight
os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")


def pytest_collection_finish(session):
    """What is there once all tests are collected stays to the end: to look through it for garbage took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
