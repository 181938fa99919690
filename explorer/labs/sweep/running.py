"""A sweep at work: what a thread runs, what it has by now, and what it will cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from statistics import mean
from threading import current_thread, main_thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.processors import usable
from explorer.record import record
from explorer.sweeps import planned
from explorer.sweeps.executors import are_started

from .starting import START

if TYPE_CHECKING:
    from explorer.sweeps.executors import InProcess
    from explorer.sweeps.run import Progress, Run
    from explorer.workbench.axes import Axis
    from explorer.workbench.study import LabStudy


BUDGET = 0.6  # s for timing, but for the cell that is under way
SEED = 1  # of the cells that are timed: another one would cost the same


@record
class Cells:
    """The numbers of a sweep by now, each (fits,) and nan where there is none, which fits are done, and the seconds it
    took.
    """

    values: dict[str, np.ndarray]
    done: np.ndarray
    seconds: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", {name: checks.read_only(values) for name, values in self.values.items()})
        object.__setattr__(self, "done", checks.read_only(self.done))


class Work:
    """The sweep of a SweepLab, kept in a file of a folder where there is one.

    Another Work of this sweep with this folder goes on where it stopped. Called, by a thread perhaps, it runs to the
    end or until `stop`, and gives its Cells. Raises what `planned` raises.
    """

    key: Any
    step: Progress | None
    waits: bool
    run: Run

    def __init__(self, lab: Any, folder: str | PathLike[str] | None = None, executor: InProcess | None = None) -> None:
        self.key, self.step = lab.sweep_key, None
        # whether no fit is there yet, as the processes are starting
        self.waits = executor is None and not are_started()
        name = sha256(repr(self.key).encode()).hexdigest()[:20]
        store = None if folder is None else Path(folder) / f"{name}.nc"
        self.run = planned(**lab.call, executor=executor, store=store)

    def __call__(self) -> Cells:
        for step in self.run:
            self.step = step
            if self.waits and step.done > step.kept:
                self.waits, START.seconds = False, step.seconds
        return self.cells()

    def stop(self) -> None:
        """End it, after the cells that are running; what is done is kept."""
        self.run.stop()

    def cells(self) -> Cells:
        """The Cells by now; the flags first, as a number is there before its flag."""
        done = self.run.done.copy()
        seconds = 0.0 if self.step is None else self.step.seconds
        return Cells({name: values.copy() for name, values in self.run.values.items()}, done, seconds)


@dataclass(frozen=True)
class Cost:
    """Seconds that a fit takes on average, and why a cell that was tried cannot be, or nothing."""

    seconds: float
    refused: str = ""

    def of(self, fits: int) -> float:
        """Seconds that so many take on all cores of this machine."""
        return self.seconds * fits / usable()


def cost_of(study: LabStudy, axes: Sequence[Axis], stopped: Callable[[], bool]) -> Cost | None:
    """The Cost of a study's fits, from cells along the diagonal of its axes, the largest values first.

    None if stopped. The first is computed twice, as what is loaded for it is loaded once; processes compute it too,
    where nobody knows yet how long these take to start.
    """
    taken, refused, start = [], "", perf_counter()
    warm, last = None, 0.0
    for cell in _diagonal(axes):
        for _ in range(2 if warm is None else 1):
            if stopped():
                return None
            begun = perf_counter()
            try:
                study.state(SEED, **cell).result()
            except Refusal as refusal:
                refused = refused or str(refusal)
            else:
                last, warm = perf_counter() - begun, cell
        if warm is not None:
            taken.append(last)
        if perf_counter() - start > BUDGET:
            break
    # a script waits for no estimate, and neither does a server that warms up
    if warm is not None and START.seconds is None and current_thread() is not main_thread():
        START.measure(study, warm, SEED)
    return Cost(mean(taken) if taken else 0.0, refused)


def _diagonal(axes):
    """Cells that go through all axes at once: the last values, then the middle, the first, and the others."""
    count = max(len(each.values) for each in axes)
    order = dict.fromkeys([count - 1, count // 2, 0, *range(count)])
    for i in order:
        yield {each.name: each.values[i * len(each.values) // count] for each in axes}
