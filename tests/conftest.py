"""Hooks and fixtures of all tests."""

import gc
import os
import re
import signal
import sys

import numpy as np
import pytest
from case_selection import leave_other_shares
from case_selection import pytest_addoption as pytest_addoption
from case_selection import pytest_pycollect_makeitem as pytest_pycollect_makeitem
from threadpoolctl import threadpool_limits

# the suite's matrices are small: threads that wait for one another take a fifth longer than one that works. The limit
# is for numpy, which is loaded by now; the variable is for what loads later, and for other processes
threadpool_limits(int(os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")), user_api="blas")
# a script's background process ignores Ctrl+C, and so would all processes that tests start there and interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)
# lessons have no addresses to check, and jsonschema would build a grammar of them, which takes each worker a second
sys.modules.setdefault("rfc3987_syntax", None)


STATES = ("tests/conformance/test_words", "tests/labs/test_every_", "tests/labs/test_labs_formulas", "tests/svg/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Schedule a module's tests on one worker, because they share expensive objects.

    The same goes for tests of one lab's states, presets and steps, which share results, and for those that drive a
    browser, because to start it and a server takes seconds. The many thorough ones are two halves, by the alphabet.
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


# kernels of the catalogue that are made of others: beyond the kernels' own room the thorough run has them
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
    """Leave properties of a kernel's parts to the thorough run if the kernel is made of them; then take a share."""
    for item in items:
        case = getattr(item, "callspec", None)
        if case and item.path.parent.name != "kernels" and MADE_OF_OTHERS & set(case.id.split("-")):
            item.add_marker("thorough")
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))
    leave_other_shares(config, items)
    keep_folders_together(items)


def keep_folders_together(items):
    """Undo what the shuffling of modules does to folders, whose tests share browsers; those in a browser come first."""
    places = {folder: place for place, folder in enumerate(dict.fromkeys(item.path.parent for item in items))}
    items.sort(key=lambda item: (item.path.parent.name != "browser", places[item.path.parent]))


def pytest_collection_finish(session):
    """Keep what the modules hold once they are imported: the states of their generators, and all objects, out of gc.

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
    """Print the seed of the order below what failed: with `-q`, pytest prints no header that has it."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"The order of this run: --randomly-seed={seed}")


GENERATORS = {}  # test module -> its random generators, each with its state after the import


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Reset the generators of a test's module, so that its draws do not depend on the tests that ran before it."""
    for generator, state in GENERATORS[item.module]:
        generator.bit_generator.state = state
