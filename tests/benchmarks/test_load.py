"""Visitors who all move a server slider: `pytest -m benchmark --benchmark-enable tests/benchmarks/test_load.py -s`.

EXPLORER_LOAD_SECONDS makes it longer, and EXPLORER_LOAD_WORKERS serves from more processes than one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import time
from contextlib import AsyncExitStack

import numpy as np
import pytest
from helpers.explorer_server import ExplorerServer
from helpers.protocol import visit

pytestmark = pytest.mark.benchmark

SECONDS = float(os.environ.get("EXPLORER_LOAD_SECONDS", "5"))
WORKERS = os.environ.get("EXPLORER_LOAD_WORKERS", "1")
RATE = 5  # moves a second of each visitor
STOPS = 20  # of the slider n
SEED = 31337000  # seeds from here on, which no page has by chance
RESTS = 60  # seconds in which every page puts its state into its address
SHARE = 0.8  # least rate of answers to 40 visitors, relative to 20: a busy server stays as busy


@pytest.fixture
def server(tmp_path):
    """`explorer serve` with as many processes as are asked for."""
    started = ExplorerServer(tmp_path / "log", "--workers", WORKERS)
    yield started
    started.stop()


async def move(visitor, seconds, seed):
    """Move the slider at the rate until the time is over; the seconds that each answer took."""
    chance, times, end = random.Random(seed), [], time.monotonic() + seconds
    await asyncio.sleep(chance.random() / RATE)
    while time.monotonic() < end:
        times.append(await visitor.ask(n=chance.randrange(STOPS)))
        await asyncio.sleep(max(0.0, 1 / RATE - times[-1]))
    return times


async def load(server, visitors, seconds):
    """Move the sliders of this many visitors.

    Return the seeds that each visitor received, and figures of answers, memory and processor.
    """
    async with AsyncExitStack() as stack:
        before, seeds = server.seconds(), range(SEED, SEED + visitors)
        here = [await stack.enter_async_context(visit(f"{server.url}/shrinkage?seed={seed}", True)) for seed in seeds]
        opened = server.seconds()
        told = await asyncio.gather(*(move(each, seconds, seed) for each, seed in zip(here, seeds, strict=True)))
        moved, memory = server.seconds(), server.memory()
        for each in here:
            await each.ask(n=0)  # which is not where pages open, so that each has another address to tell
        for each, seed in zip(here, seeds, strict=True):
            await each.until(lambda each=each, seed=seed: any(f"seed={seed}" in text for text in each.texts), RESTS)
        heard = [set(map(int, re.findall(r"31337\d\d\d", "".join(each.texts)))) for each in here]
    times = np.concatenate(told)
    return heard, {
        "visitors": visitors,
        "p50": round(float(np.median(times)), 3),
        "p95": round(float(np.quantile(times, 0.95)), 3),
        "most": round(float(times.max()), 3),
        "answers a second": round(len(times) / seconds, 1),
        "processor an answer, ms": round(1000 * (moved - opened) / len(times), 2),
        "processor an opening, s": round((opened - before) / visitors, 2),
        "memory, MB": round(memory / 1e6),
    }


def test_visitors_who_all_move_hear_of_no_other_and_40_get_as_many_answers_as_20(benchmark, server):
    figures = {}

    def loads():
        for visitors in (20, 40):
            heard, figures[visitors] = asyncio.run(load(server, visitors, SECONDS))
            print(json.dumps(figures[visitors]))  # noqa: T201, the figures
            assert heard == [{seed} for seed in range(SEED, SEED + visitors)]

    benchmark.pedantic(loads, rounds=1, iterations=1, warmup_rounds=0)
    benchmark.extra_info.update({str(visitors): each for visitors, each in figures.items()})
    assert figures[40]["answers a second"] > SHARE * figures[20]["answers a second"]
