"""Shared by all tests."""

import gc
import os
from zlib import crc32

import pytest

# the suite's matrices are small: threads that wait for one another take a fifth longer than one that works
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `-n 2` a module's tests stay together, as they share what is dear to make.

    And so do all that drive a browser.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Modules(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            module = nodeid.split("::")[0]
            return "browser" if "browser/" in module else module

    config.option.loadscopereorder = False  # the browser's come first, as they take longest
    return Modules(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test marked `thorough(but=k)`, k of its cases run by default."""
    families = {}
    for item in items:
        if (mark := item.get_closest_marker("thorough")) and mark.kwargs:
            families.setdefault((item.parent.nodeid, item.originalname), []).append(item)
    for cases in families.values():
        but = cases[0].get_closest_marker("thorough").kwargs["but"]
        # by their names' checksums, so that no period of the parameters meets one of the choice
        for item in sorted(cases, key=lambda item: crc32(item.name.encode()))[:but]:
            item.own_markers = [mark for mark in item.own_markers if mark.name != "thorough"]


def pytest_collection_finish(session):
    """What is there once all tests are collected stays to the end.

    To look through it for garbage took an eighth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
