"""The start time of this machine's processes. A short sweep waits longer for their start than for its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from explorer.execution.processors import usable
from explorer.sweeps.executors import are_started
from explorer.sweeps.work import run_batch

if TYPE_CHECKING:
    from explorer.workbench.study import LabStudy


class Start:
    """The seconds until new processes have each computed a fit, or None before that is measured.

    They are measured once for all users, and again by every sweep that had to wait for the processes.
    """

    seconds: float | None

    def __init__(self) -> None:
        self.seconds = None

    def measure(self, study: LabStudy, cell: Mapping[str, Any], seed: int) -> None:
        """Start as many processes as run at a time, compute a cell in each, and end them."""
        from loky import ProcessPoolExecutor

        begun = perf_counter()
        # If they cannot start, the sweep reports that when it runs.
        with suppress(BrokenExecutor, OSError), ProcessPoolExecutor(usable()) as pool:
            fits = [pool.submit(run_batch, study, [(0, cell, seed)]) for _ in range(usable())]
            for fit in fits:
                fit.result()
            self.seconds = perf_counter() - begun

    @property
    def expected(self) -> float | None:
        """The seconds that the next sweep waits: 0 if processes are running, and None if the time is not known yet."""
        return 0.0 if are_started() else self.seconds


START = Start()
