"""How soon a page is there, and what it costs.

`pytest -m benchmark --benchmark-enable tests/benchmarks/test_opening.py -s`
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers.browsing import DESK, launched
from helpers.explorer_server import ExplorerServer
from helpers.protocol import fetch, pulled, token_of, visit

from explorer.workbench import registry

pytestmark = pytest.mark.benchmark

CLASS = 10  # visitors who open a page at once
WAITS = 7.0  # times one visitor's wait that the median of them may take: a server that took one at a time gives 5.5
SOON = 0.5  # of the time that a page takes: a headline that came with the page's models would take all of it
HOME, LAB = 3.0, 2.0  # times `import panel, holoviews`, until home's page is there, and from then until a lab's is
PAGE = 1 / 3  # of the processor time of that import, which a page may cost
LOADED = [sys.executable, "-c", "import panel, holoviews"]
SAYS = ".says:not(:has-text('Computing'))"
WHOLE = "!document.getElementById('early') && window.Bokeh?.documents[0]?.is_idle"


@pytest.fixture
def server(tmp_path):
    """`explorer serve`, started and ready to answer."""
    started = ExplorerServer(tmp_path / "log")
    yield started
    started.stop()


def opening_seconds(context, url):
    """Return the seconds until a page's headline can be read, and until all of the page is there."""
    tab = context.new_page()
    start = time.perf_counter()
    tab.goto(url, wait_until="commit")
    tab.locator(SAYS).first.wait_for()
    says = time.perf_counter() - start
    tab.wait_for_function(WHOLE)
    taken = says, time.perf_counter() - start
    tab.close()
    return taken


def test_a_headline_is_there_before_its_page(benchmark, server):
    """Cold: a browser that has fetched nothing, and of the server's first page a server that has opened none."""
    taken = {}

    def open_all():
        with launched() as browser:
            for name in registry.names():
                context = browser.new_context(viewport=DESK)
                taken[name] = [opening_seconds(context, f"{server.url}/{name}") for _ in range(4)]
                context.close()

    benchmark.pedantic(open_all, rounds=1)
    for name, each in taken.items():
        (cold, *warm), (cold_whole, *whole) = zip(*each, strict=True)
        print(  # noqa: T201, the table
            f"{name:14s} headline cold {cold:.2f} s, then {' '.join(f'{t:.2f}' for t in warm)}; all of the page"
            f" {cold_whole:.2f} s, then {' '.join(f'{t:.2f}' for t in whole)}"
        )
    assert np.median([says / whole for each in taken.values() for says, whole in each]) < SOON


async def document(server, seed):
    """Return the seconds until a page's document is there."""
    async with visit(f"{server.url}/shrinkage?seed={seed}") as visitor:
        return visitor.whole


async def documents_at_once(server, count, seed):
    """Return the seconds of `document` for visitors who arrive at the same time."""
    return await asyncio.gather(*(document(server, seed + i) for i in range(count)))


def test_a_class_that_opens_at_once_does_not_wait_one_for_the_other(benchmark, server):
    figures = {}

    def open_together():
        asyncio.run(at_rest(server))
        alone = [asyncio.run(document(server, 100 + i)) for i in range(5)]
        figures["alone"] = float(np.median(alone))
        figures["class"] = np.sort(asyncio.run(documents_at_once(server, CLASS, 1000)))

    benchmark.pedantic(open_together, rounds=1)
    alone, among = figures["alone"], figures["class"]
    print(  # noqa: T201, the figures
        f"alone {alone:.2f} s; of {CLASS} at once the first {among[0]:.2f}, half {np.median(among):.2f}, all"
        f" {among[-1]:.2f}"
    )
    assert np.median(among) < WAITS * alone


def test_home_is_there_soon_after_the_start_and_a_lab_soon_after_it(benchmark, tmp_path):
    """Cold: Python has compiled nothing; warm: all that the cold start loaded."""
    taken = {}

    def start_all():
        for workers in (1, 2):
            compiled = {"PYTHONPYCACHEPREFIX": str(tmp_path / f"compiled-{workers}")}
            for state in ("cold", "warm"):
                start = time.perf_counter()
                subprocess.run(LOADED, env={**os.environ, **compiled}, check=True)
                loaded = time.perf_counter() - start
                start = time.perf_counter()
                server = ExplorerServer(tmp_path / "log", "--workers", str(workers), environment=compiled)
                try:
                    times = [asyncio.run(arrival_time(f"{server.url}/{page}")) - start for page in ("", "shrinkage")]
                finally:
                    server.stop()
                taken[f"{workers} workers, {state}"] = loaded, *times

    benchmark.pedantic(start_all, rounds=1)
    for case, (loaded, home, lab) in taken.items():
        print(f"{case}: import panel, holoviews {loaded:.2f} s; home {home:.2f}, /shrinkage {lab:.2f}")  # noqa: T201
        assert home < HOME * loaded, case
        assert lab - home < LAB * loaded, case


async def arrival_time(url):
    """Return the moment at which a page's document has come."""
    async with pulled(url, token_of(await fetch(url))):
        return time.perf_counter()


def test_a_page_costs_a_part_of_what_its_libraries_take_to_load(benchmark, server):
    figures = {}

    def open_all():
        asyncio.run(at_rest(server))
        for name in registry.names():
            before = os.times()
            subprocess.run(LOADED, check=True)
            after = os.times()
            loaded = after.children_user + after.children_system - sum(before[2:4])
            pages = [asyncio.run(processor_seconds(server, f"{server.url}/{name}")) for _ in range(4)]
            figures[name] = float(np.median(pages)), loaded

    benchmark.pedantic(open_all, rounds=1)
    for name, (page, loaded) in figures.items():
        print(  # noqa: T201, the table
            f"{name:14s} {page:.2f} s of processor, {page / loaded:.2f} of import panel, holoviews ({loaded:.2f})"
        )
    assert [name for name, (page, loaded) in figures.items() if page >= PAGE * loaded] == []


async def processor_seconds(server, url):
    """Return the processor time that a server takes for a page that is opened and left to rest."""
    before = server.seconds()
    async with visit(url):
        await at_rest(server)
    return server.seconds() - before


async def at_rest(server):
    """Return once a server has computed nothing for a while."""
    while True:
        before = server.seconds()
        await asyncio.sleep(0.6)
        if server.seconds() - before < 0.03:
            return
