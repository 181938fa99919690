"""A running sweep: the work of a thread, its numbers so far, and its expected cost."""

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
from explorer.execution.processors import usable
from explorer.record import record
from explorer.sweeps import planned
from explorer.sweeps.executors import are_started

from .starting import START

if TYPE_CHECKING:
    from explorer.sweeps.executors import InProcess
    from explorer.sweeps.run import Progress, Run
    from explorer.workbench.axes import Axis
    from explorer.workbench.study import LabStudy


BUDGET = 0.6  # The longest time for timing fits, in seconds. It may be exceeded by one cell.
SEED = 1  # The seed of the timed cells. Their cost does not depend on it.


@record
class Cells:
    """The numbers of a sweep so far.

    Attributes
    ----------
    values : dict of str to ndarray of shape (fits,)
        The measures, nan for a missing value.
    done : ndarray of shape (fits,)
        The mask of the finished fits.
    seconds : float
        The time that they took.
    """

    values: dict[str, np.ndarray]
    done: np.ndarray
    seconds: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", {name: checks.read_only(values) for name, values in self.values.items()})
        object.__setattr__(self, "done", checks.read_only(self.done))


class SweepRun:
    """The sweep of a SweepLab, stored in a file of a folder if one is given.

    Another Work of the same sweep with the same folder resumes it. A call, in any thread, runs the sweep to its end or
    until `stop`, and returns its cells. It raises the exceptions of `planned`.
    """

    key: Any
    step: Progress | None
    waits: bool
    run: Run

    def __init__(self, lab: Any, folder: str | PathLike[str] | None = None, executor: InProcess | None = None) -> None:
        self.key, self.step = lab.sweep_key, None
        # True until the first fit is done, while the processes are starting.
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
        """End the sweep after the cells that are running. Finished fits are kept."""
        self.run.stop()

    def cells(self) -> Cells:
        """Return the cells so far.

        The flags are copied first, because a number is written before its flag.
        """
        done = self.run.done.copy()
        seconds = 0.0 if self.step is None else self.step.seconds
        return Cells({name: values.copy() for name, values in self.run.values.items()}, done, seconds)


@dataclass(frozen=True)
class Cost:
    """The average seconds of a fit, and the reason why a tried cell is refused, or ""."""

    seconds: float
    refused: str = ""

    def of(self, fits: int) -> float:
        """Return the seconds that `fits` fits take on all cores of this machine."""
        return self.seconds * fits / usable()


def cost_of(study: LabStudy, axes: Sequence[Axis], stopped: Callable[[], bool]) -> Cost | None:
    """Return the cost of a study's fits, or None if stopped.

    They are timed along the diagonal of the axes, the largest values first. The first cell is computed twice, because
    what is loaded for it is loaded only once. If the start time of the processes is still unknown, they compute this
    cell too.
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
    # Scripts and servers that warm up do not wait for an estimate.
    if warm is not None and START.seconds is None and current_thread() is not main_thread():
        START.measure(study, warm, SEED)
    return Cost(mean(taken) if taken else 0.0, refused)


def _diagonal(axes):
    """Yield cells that vary all axes at once: the last values, the middle, the first, and then the others."""
    count = max(len(each.values) for each in axes)
    order = dict.fromkeys([count - 1, count // 2, 0, *range(count)])
    for i in order:
        yield {each.name: each.values[i * len(each.values) // count] for each in axes}
