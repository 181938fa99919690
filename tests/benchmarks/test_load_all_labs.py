"""Visitors spread over all labs, each of whom moves sliders and looks at the pictures now and then.

`pytest -m benchmark --benchmark-enable tests/benchmarks/test_load_all_labs.py -s` prints a table by lab.
EXPLORER_LOAD_SECONDS makes it longer, EXPLORER_LOAD_WORKERS serves from more processes than one, EXPLORER_LOAD_LABS
are the labs' names, separated by spaces, and EXPLORER_LOAD_VISITORS the numbers of visitors.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from contextlib import AsyncExitStack
from itertools import islice

import numpy as np
import pytest
from every_lab import sliders_of
from helpers.explorer_server import ExplorerServer
from helpers.protocol import visit

from explorer.workbench import registry
from explorer.workbench.slider_stops import steps_of

pytestmark = pytest.mark.benchmark

SECONDS = float(os.environ.get("EXPLORER_LOAD_SECONDS", "20"))
WORKERS = os.environ.get("EXPLORER_LOAD_WORKERS", "1")
VISITORS = [int(count) for count in os.environ.get("EXPLORER_LOAD_VISITORS", "20 40").split()]
LABS = os.environ.get("EXPLORER_LOAD_LABS", "").split() or [name for name in registry.names() if name != "sweep"]
PACE = 0.2  # seconds between two moves of a row
MOVES, LOOK = 12, 2.0  # moves in a row, and seconds of pause after them: users are idle half of the time
SETTLED = 6.0  # seconds after the last opening, enough for the pages' deferred stages


@pytest.fixture
def server(tmp_path):
    """`explorer serve` with as many processes as are asked for."""
    started = ExplorerServer(tmp_path / "log", "--workers", WORKERS)
    yield started
    started.stop()


def stops(lab, slider):
    """Return a slider's number of stops."""
    return len(steps_of(registry.entry(lab).lab.fields[slider]))


async def use(visitor, lab, seconds, seed):
    """Move a lab's slider, and in every third row of moves its main one, until the time is over: the answers' times."""
    chance, times, end, row = random.Random(seed), [], time.monotonic() + seconds, 0
    main = registry.entry(lab).lab.slider
    await asyncio.sleep(chance.random() * (MOVES * PACE + LOOK))
    while time.monotonic() < end:
        row += 1
        slider = main if main and row % 3 == 0 else sliders_of(lab)[1]
        at, count = chance.randrange(stops(lab, slider)), stops(lab, slider)
        for _ in range(MOVES):
            at = (at + chance.choice((-1, 1))) % count  # a user drags step by step
            times.append(await visitor.ask(**{slider: at}))
            await asyncio.sleep(max(0.0, PACE - times[-1]))
        await asyncio.sleep(LOOK)
    return times


async def load(server, labs, seconds, seed=0):
    """Open each of the labs for one visitor and move all sliders.

    Return (lab, times of the answers) of each, and figures of all of them.
    """
    async with AsyncExitStack() as stack:
        before, begun = server.seconds(), time.monotonic()
        addresses = [f"{server.url}/{lab}?seed={seed + i}" for i, lab in enumerate(labs)]
        here = await asyncio.gather(*(stack.enter_async_context(visit(address)) for address in addresses))
        took = time.monotonic() - begun
        await asyncio.sleep(SETTLED)
        opened, heard = server.seconds(), sum(each.heard for each in here)
        users = zip(here, labs, strict=True)
        told = await asyncio.gather(*(use(each, lab, seconds, i) for i, (each, lab) in enumerate(users)))
        moved, memory = server.seconds(), server.memory()
        sent = sum(each.heard for each in here) - heard
    times = np.concatenate(told)
    return told, {
        "visitors": len(labs),
        "p50": round(float(np.median(times)), 3),
        "p95": round(float(np.quantile(times, 0.95)), 3),
        "most": round(float(times.max()), 3),
        "answers": len(times),
        "processor an answer, ms": round(1000 * (moved - opened) / len(times), 1),
        "processor an opening, s": round((opened - before) / len(labs), 2),
        "all opened after, s": round(took, 1),
        "kB an answer": round(sent / len(times) / 1000, 1),
        "memory, MB": round(memory / 1e6),
    }


def test_a_class_on_all_labs(benchmark, server):
    figures = {}

    def loads():
        for lab in LABS:  # alone, one after the other: what each of them costs
            _, figures[lab] = asyncio.run(load(server, [lab] * 2, SECONDS / 2, seed=101))
            print(f"{lab:14s}", json.dumps(figures[lab]))  # noqa: T201, the figures
        for visitors in VISITORS:
            labs = list(islice(LABS * visitors, visitors))
            told, figures[str(visitors)] = asyncio.run(load(server, labs, SECONDS, seed=1001))
            print(json.dumps(figures[str(visitors)]))  # noqa: T201, the figures
            for lab in LABS:
                times = np.concatenate([each for each, name in zip(told, labs, strict=True) if name == lab] or [[0.0]])
                p50, p95 = np.quantile(times, (0.5, 0.95))
                print(f"  {lab:14s} p50 {p50:.3f} p95 {p95:.3f} most {times.max():.3f}")  # noqa: T201, the figures

    benchmark.pedantic(loads, rounds=1, iterations=1, warmup_rounds=0)
    benchmark.extra_info.update(figures)
    for visitors in VISITORS:
        assert figures[str(visitors)]["p95"] < 10, "answers wait for one another"
