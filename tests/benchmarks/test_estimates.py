"""Estimated against measured cost of a result, over states drawn from all fields of every lab.

`pytest -m benchmark --benchmark-enable tests/benchmarks/test_estimates.py -s` prints seconds of the processor, those of
the estimate over those measured. EXPLORER_ESTIMATES is the number of states drawn of each lab.
"""

from __future__ import annotations

import json
import math
import os
import time
from functools import partial

import numpy as np
import pytest
from helpers import random_states
from threadpoolctl import threadpool_limits

from explorer.checks import Refusal
from explorer.datasets.named_sets.bundled import BUNDLED
from explorer.datasets.named_sets.loading import load
from explorer.workbench import registry
from explorer.workbench.cost import SLOWER, refuse_too_much, seconds

pytestmark = pytest.mark.benchmark

STATES = int(os.environ.get("EXPLORER_ESTIMATES", "60"))
LEAST = 0.2  # seconds; smaller times are not compared
MOST, MOST_LATE = 4.0, 12.0  # seconds; states with a larger estimate are skipped, so that the study ends
FACTOR = 2.0
ASTRAY = 0.15  # share of states, at least two, that may miss the factor: their iterations end sooner, or later
LOWEST = 0.4  # least estimate, as a share of the measured time
REFERENCE = 0.0136 * SLOWER  # seconds of `yardstick` on the core that estimates refer to
LABS = [name for name in registry.names() if name != "sweep"]  # whose cells are other labs' states


def yardstick():
    """Return the seconds of typical work of a result: exponentials, products, a decomposition, and Python steps."""
    X = np.random.default_rng(0).normal(size=(300, 300))
    symmetric, held, times = X + X.T, np.empty_like(X), []
    for _ in range(7):
        begun = time.process_time()
        for _ in range(10):
            np.matmul(X, X, out=held)
            np.exp(np.negative(np.abs(held, out=held), out=held), out=held)
        np.linalg.eigvalsh(symmetric)
        sum(i * i for i in range(60_000))
        times.append(time.process_time() - begun)
    return min(times)


def timed(compute):
    """Return the seconds of the processor, and what it gives."""
    begun = time.process_time()
    value = compute()
    return time.process_time() - begun, value


def measured_seconds(lab):
    """Return the seconds of a result and of its deferred stages, or None if computing it raises a Refusal."""
    try:
        at_once, result = timed(lab.result)
        late = 0.0
        while names := result.pending():
            late += timed(partial(lab.work().finish, names[0]))[0]
            result = lab.result()
    except Refusal:
        return None
    return at_once, late


def affordable_state(name, rng):
    """Return a state that a page may show and a test can afford."""
    while True:
        lab = random_states.state(name, rng)
        if seconds(lab.cost) > MOST or seconds(lab.cost, late=True) > MOST_LATE:
            continue
        try:
            refuse_too_much(lab.cost)
        except Refusal:
            continue
        return lab


@pytest.fixture
def large(monkeypatch):
    """States of all sizes; the tables that come with the package are loaded already."""
    monkeypatch.setattr(random_states, "CAPS", {"n": math.inf})
    for table in BUNDLED:
        load(table)
    with threadpool_limits(1, user_api="blas"):  # as in a process that serves
        yield


@pytest.mark.parametrize("name", LABS)
@pytest.mark.usefixtures("large")
def test_estimates_are_within_a_factor_of_two(name, benchmark):
    registry.entry(name).lab().result(wait=True)  # what is loaded and compiled once
    rng, slower, ratios = np.random.default_rng(29), yardstick() / REFERENCE, []

    def study():
        for lab in (affordable_state(name, rng) for _ in range(STATES)):
            took = measured_seconds(lab)
            if took is None:
                continue
            for late, taken in enumerate(took):
                estimate, taken = seconds(lab.cost, bool(late)), taken / slower
                if max(estimate, taken) > LEAST:
                    ratios.append(estimate / taken)
                    plain = type(lab)().flat()
                    fields = {key: each[:40] for key, each in lab.flat().items() if plain.get(key) != each}
                    told = f"{('at once', 'late')[late]:7s} {estimate:7.2f} {taken:7.2f} {ratios[-1]:6.2f}"
                    print(told, json.dumps(fields))  # noqa: T201, the figures

    benchmark.pedantic(study, rounds=1, iterations=1, warmup_rounds=0)
    astray = sum(not 1 / FACTOR < ratio < FACTOR for ratio in ratios)
    figures = {"states": len(ratios), "astray": astray}
    figures |= {"lowest": round(min(ratios, default=1.0), 2), "highest": round(max(ratios, default=1.0), 2)}
    benchmark.extra_info.update(figures | {"slower": round(slower, 2)})
    print(name, json.dumps(figures | {"this machine is slower": round(slower, 2)}))  # noqa: T201, the figures
    assert astray <= max(2, ASTRAY * len(ratios))
    assert figures["lowest"] > LOWEST
