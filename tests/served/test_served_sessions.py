"""Sessions that are opened and closed leave nothing behind."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

import pytest
from helpers.explorer_server import ExplorerServer
from helpers.protocol import fetch, visit

from explorer.workbench import registry

TOGETHER = 10  # sessions that are open at a time
PLATEAU = 40  # MB: the allocator swings by 20 from ten sessions to the next, and one page in ten that stays adds 70
LEFT = 60  # seconds that the server may take to drop abandoned sessions


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """Start a server that reports its live objects."""
    script = str(Path(__file__).with_name("instrumented_server.py"))
    started = ExplorerServer(tmp_path_factory.mktemp("watched") / "log", command=(script,))
    yield started
    started.stop()


async def open_and_close(url, labs):
    """Open a page of each of these labs together, move a slider of the first kind, and leave."""
    async with AsyncExitStack() as stack:
        pages = [visit(f"{url}/{lab}?seed={i}") for i, lab in enumerate(labs)]
        visitors = await asyncio.gather(*(stack.enter_async_context(page) for page in pages))
        await asyncio.gather(*(visitor.ask(bandwidth=7) for visitor in visitors))


def alive(server):
    """Return a server's live objects, once it has no session and no document of a closing one."""
    end = time.monotonic() + LEFT
    while (counts := json.loads(asyncio.run(fetch(f"{server.url}/alive"))))["sessions"] or counts["documents"]:
        assert time.monotonic() < end, f"of visitors who have left there is still: {counts}"
        time.sleep(0.5)
    return counts


def opened_and_closed(server, sessions, labs):
    """Return a server's live objects and its memory in MB, after each ten of `count` sessions."""
    seen = []
    for first in range(0, sessions, TOGETHER):
        asyncio.run(open_and_close(server.url, [labs[i % len(labs)] for i in range(first, first + TOGETHER)]))
        seen.append({**alive(server), "memory": server.memory() / 2**20})
        print(first + TOGETHER, seen[-1])  # noqa: T201, the table
    return seen


@pytest.mark.slow
@pytest.mark.thorough
def test_200_sessions_leave_no_object_behind_and_memory_reaches_a_plateau(watched):
    seen = opened_and_closed(watched, 200, registry.names())
    first, last = seen[1], seen[-1]
    for kind in ("pages", "models"):
        assert last[kind] <= first[kind], f"{kind}: {first[kind]} after 20 sessions, {last[kind]} after 200"
    assert last["threads"] <= max(each["threads"] for each in seen[:10])  # threads are created on demand
    earlier, later = (median(each["memory"] for each in half) for half in (seen[2:10], seen[10:]))
    assert later < earlier + PLATEAU
    assert watched.troubles() == []
