"""Hooks and fixtures of all tests."""

import gc
import os
import re
import signal
import sys

import numpy as np
import pytest
from case_selection import leave_other_shares, leave_other_turns
from case_selection import pytest_addoption as pytest_addoption
from case_selection import pytest_pycollect_makeitem as pytest_pycollect_makeitem
from case_selection import pytest_runtest_call as pytest_runtest_call
from hypothesis import settings
from threadpoolctl import threadpool_limits

# One thread is a fifth faster than several, because the suite's matrices are small. The limit is for numpy, which is
# loaded already; the variable is for libraries that load later, and for other processes.
threadpool_limits(int(os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")), user_api="blas")
# an example has no time limit, because other processes may take the machine
settings.register_profile("explorer", deadline=None)
settings.load_profile("explorer")
# background processes of a script ignore Ctrl+C, and so would the processes that tests start and interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)
# jsonschema would build a grammar of web addresses, which takes a second per worker and which no lesson needs
sys.modules.setdefault("rfc3987_syntax", None)


STATES = ("tests/conformance/test_words", "tests/labs/test_every_", "tests/labs/test_labs_formulas", "tests/svg/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Schedule a module's tests on one worker, because they share expensive objects.

    The same holds for tests of one lab's states, presets and steps, which share results, and for tests that drive a
    browser, because starting it and a server takes seconds. Thorough browser tests are split into two halves.
    """
    from xdist.scheduler import LoadScopeScheduling

    halves = "not thorough" not in config.option.markexpr

    class Modules(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            module = nodeid.split("::")[0]
            if "browser/" in module:
                return "browser, i to z" if halves and module >= "tests/browser/test_browser_i" else "browser"
            lab = re.search(r"::\w+\[(?:\w+-)?(\w+)(?:: |\])", nodeid) if module.startswith(STATES) else None
            return lab[1] if lab else module

    config.option.loadscopereorder = False  # the browser's come first, as they take longest
    return Modules(config, log)


# kernels made of other kernels: outside tests/kernels they are tested only in the thorough run
MADE_OF_OTHERS = {
    "matern 5/2, automatic",
    "sum of stationary",
    "multiple",
    "gaussians' product",
    "polynomials' product",
    "product of sums",
    "product without a closed form",
    "product of sums over columns",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests of kernels made of others as thorough, except in tests/kernels; apply `--share` and `--turn`."""
    for item in items:
        case = getattr(item, "callspec", None)
        if case and item.path.parent.name != "kernels" and MADE_OF_OTHERS & set(case.id.split("-")):
            item.add_marker("thorough")
        if item.get_closest_marker("slow") and config.getoption("turn") is None:
            item.add_marker(pytest.mark.timeout(0))
    leave_other_shares(config, items)
    leave_other_turns(config, items)
    keep_folders_together(items)


def keep_folders_together(items):
    """Keep each folder's modules together after shuffling, because they share browsers; browser tests come first."""
    places = {folder: place for place, folder in enumerate(dict.fromkeys(item.path.parent for item in items))}
    items.sort(key=lambda item: (item.path.parent.name != "browser", places[item.path.parent]))


def pytest_collection_finish(session):
    """Record the state of the modules' random generators, and exclude all imported objects from garbage collection.

    Searching these objects for garbage took an eighth of the time.
    """
    for module in {item.module for item in session.items}:
        GENERATORS[module] = [
            (each, each.bit_generator.state) for each in vars(module).values() if isinstance(each, np.random.Generator)
        ]
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """Print the seed of the random order at the end, because with `-q` pytest prints no header."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"The order of this run: --randomly-seed={seed}")


GENERATORS = {}  # test module -> its random generators, each with its state after the import


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Reset the generators of a test's module, so that its draws do not depend on the tests that ran before it."""
    for generator, state in GENERATORS[item.module]:
        generator.bit_generator.state = state
