"""How soon a page's headline is there: `pytest -m benchmark --benchmark-enable tests/benchmarks/test_opening.py -s`."""

from __future__ import annotations

import asyncio
import time

import numpy as np
import pytest
from browsing import DESK, launched
from explorer_server import ExplorerServer
from protocol import visit

from explorer.workbench import registry

pytestmark = pytest.mark.benchmark

CLASS = 10  # visitors who open a page at once
WAITS = 7.0  # times one visitor's wait that the median of them may take: a server that took one at a time gives 5.5
SOON = 0.5  # of the time that a page takes: a headline that came with the page's models would take all of it
SAYS = ".says:not(:has-text('Computing'))"
WHOLE = "!document.getElementById('early') && window.Bokeh?.documents[0]?.is_idle"


@pytest.fixture
def server(tmp_path):
    """`explorer serve`, as it stands once it answers."""
    started = ExplorerServer(tmp_path / "log")
    yield started
    started.stop()


def opened(context, url):
    """Seconds until a page's headline can be read, and until all of the page is there."""
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
                taken[name] = [opened(context, f"{server.url}/{name}") for _ in range(4)]
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
    """Seconds until a page's document is there."""
    async with visit(f"{server.url}/shrinkage?seed={seed}") as visitor:
        return visitor.whole


async def together(server, count, seed):
    """The same for visitors who come at once."""
    return await asyncio.gather(*(document(server, seed + i) for i in range(count)))


def test_a_class_that_opens_at_once_does_not_wait_one_for_the_other(benchmark, server):
    figures = {}

    def open_together():
        alone = [asyncio.run(document(server, 100 + i)) for i in range(5)]
        figures["alone"] = float(np.median(alone))
        figures["class"] = np.sort(asyncio.run(together(server, CLASS, 1000)))

    benchmark.pedantic(open_together, rounds=1)
    alone, among = figures["alone"], figures["class"]
    print(  # noqa: T201, the figures
        f"alone {alone:.2f} s; of {CLASS} at once the first {among[0]:.2f}, half {np.median(among):.2f}, all"
        f" {among[-1]:.2f}"
    )
    assert np.median(among) < WAITS * alone
