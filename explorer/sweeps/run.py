"""A sweep while it runs: cells go out in batches, numbers come back in any order, and each is kept in its place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from itertools import islice
from os import PathLike
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.printing import join_list, truncate
from explorer.processors import usable
from explorer.types import Mask, Vector

from .executors import InProcess, local_processes
from .store import Store
from .whole import DONE
from .work import run_batch

if TYPE_CHECKING:
    from xarray import Dataset

    from .failure import Failure
    from .grid import Grid


BATCH = (
    0.02  # s that a batch takes: cells that end sooner are sent together, and no more than that is lost with a worker
)
WINDOW = 256  # batches that are out at a time: an executor of many workers has enough to do, and memory an end
MOST_NUMBERS = 50_000_000  # of all cells: 400 MB, and three times that while a store or a data set is made of them
TRIES = 3  # pools of our own that may break one after the other without a cell between them


class Progress(NamedTuple):
    """How far a sweep is: cells done of `total`, `kept` of them from the store, seconds since it began.

    >>> from explorer.sweeps import Progress
    >>> progress = Progress(done=30, total=100, kept=10, seconds=4.0)
    >>> progress.rate, progress.remaining
    (5.0, 14.0)
    """

    done: int
    total: int
    kept: int
    seconds: float

    @property
    def rate(self) -> float:
        """Cells a second, of those computed now."""
        return (self.done - self.kept) / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float:
        """Seconds that the rest will take at that rate."""
        return (
            (self.total - self.done) / self.rate if self.rate > 0 else float("inf") if self.done < self.total else 0.0
        )


class Run:
    """Iterate over it to run it; each step is a Progress. `stop` ends it after the batches that are running.

    values   {name: (cells,) numbers}, nan where there is none yet; done, (cells,) flags
    failure  the cell that raised, or None

    >>> from explorer.sweeps import InProcess, Run, planned
    >>> def study(x, seed):
    ...     return {"value": x**2}
    >>> run: Run = planned(study, {"x": [1, 2, 3]}, executor=InProcess())
    >>> [(step.done, step.total) for step in run][-1], run.values["value"].tolist()
    ((3, 3), [1.0, 4.0, 9.0])
    """

    study: Any
    grid: Grid
    executor: Any
    values: dict[str, Vector]
    done: Mask
    store: Store | None
    failure: Failure | None

    def __init__(
        self,
        study: Any,
        grid: Grid,
        dataset: Callable[..., Any],
        key: Mapping[str, str],
        executor: Any = None,
        store: str | PathLike[str] | None = None,
    ) -> None:
        self.study, self.grid, self.executor, self._dataset = study, grid, executor, dataset
        self.values, self.done, self.failure, self._stop = {}, np.zeros(grid.size, bool), None, Event()
        self.store = Store(store, key) if store is not None else None
        if self.store and self.store.kept:
            self.values = self.store.kept
            self.done = self.values.pop(DONE).astype(bool, copy=False)

    def stop(self) -> None:
        """End it, from any thread; what is done is kept."""
        self._stop.set()

    def left(self, option: str = "store=") -> str:
        """What is left of it where it is interrupted, in a sentence; `option` is how its caller names the store."""
        count = int(self.done.sum())
        done = f"{count:,} of {self.grid.size:,} cells {'is' if count == 1 else 'are'}"
        if self.store:
            return f"{done} in {self.store.path}; run it again to go on."
        return f"{done} done, and none is kept: give {option} a file to go on from there."

    def progress(self, start: float, kept: int) -> Progress:
        """How far it is."""
        return Progress(int(self.done.sum()), self.grid.size, kept, perf_counter() - start)

    def dataset(self) -> Dataset:
        """What there is by now, as a data set."""
        try:
            return self._dataset(self.values)
        except MemoryError as error:
            raise self._too_large() from error

    def _too_large(self):
        return Refusal(
            f"the numbers of {self.grid.size:,} cells do not fit in memory; take fewer values or replicates, or make"
            " several sweeps of them."
        )

    def __iter__(self) -> Generator[Progress, None, None]:
        start, kept, tries = perf_counter(), int(self.done.sum()), 0
        try:
            yield self.progress(start, kept)
            while not self.done.all() and not self._stop.is_set():
                before = self.done.sum()
                try:
                    for _ in self._once(self.executor or local_processes()):
                        yield self.progress(start, kept)
                except BrokenExecutor as error:
                    if self.failure is not None:  # the study's own, of processes that it had started
                        raise
                    tries = 1 if self.done.sum() > before else tries + 1
                    if self.executor is not None or tries >= (2 if unloadable(error) else TRIES):
                        left = "the store has them" if self.store else "give the sweep a store to keep them"
                        raise BrokenExecutor(
                            f"{broken(error)}; {self.done.sum()} of {self.grid.size} cells are done: {left}."
                        ) from error
        except MemoryError as error:
            if self.failure is not None:
                raise
            raise self._too_large() from error
        finally:
            if self.store:
                self.store.close()

    def _once(self, executor):
        """Send what is missing to one executor; a step for each batch that came back."""
        missing, out, size = iter(np.flatnonzero(~self.done)), {}, 1
        window, threads = (1, usable()) if isinstance(executor, InProcess) else (WINDOW, 1)
        try:
            while True:
                while len(out) < window and not self._stop.is_set():
                    batch = [(int(i), *self.grid.cell(int(i))) for i in islice(missing, size)]
                    if not batch:
                        break
                    out[executor.submit(run_batch, self.study, batch, threads)] = batch
                if not out:
                    return
                for future in wait(out, return_when=FIRST_COMPLETED).done:
                    del out[future]
                    if future.cancelled():
                        continue
                    cells, seconds, failure = future.result()
                    self._keep(cells)
                    if failure is not None:
                        self._raise(failure)
                    if cells:
                        size = max(1, min(1000, int(BATCH * len(cells) / max(seconds, 1e-6))))
                yield
                if self._stop.is_set():
                    _cancel(out)
        finally:
            _cancel(out)

    def _raise(self, failure):
        """What the study raised, with its cell; from another process with the study's frames there."""
        self.failure = failure
        failure.error.add_note(f"It was raised by the study in the cell {self.grid.said(failure.index)}.")
        if failure.elsewhere and failure.frames:
            failure.error.add_note(f"Its frames there:\n{failure.frames.rstrip()}")
        raise failure.error

    def _keep(self, cells):
        for index, numbers in cells:
            if not self.values:
                if len(numbers) * self.grid.size > MOST_NUMBERS:
                    raise Refusal(
                        f"{self.grid.size:,} cells of {len(numbers)} numbers are more than the {MOST_NUMBERS:,} numbers"
                        " of one sweep, which are all held in memory; let the study return fewer, or make several"
                        " sweeps."
                    )
                self.values = {name: np.full(self.grid.size, np.nan) for name in sorted(numbers)}
                if self.store:
                    self.store.create(self._dataset(self.values, flags=self.done))
            if numbers.keys() != self.values.keys():
                raise Refusal(
                    f"a study returns the same names in every cell: {join_list(sorted(numbers), 120)} in"
                    f" {self.grid.said(index)}, and {join_list(self.values, 120)} elsewhere. Where it has no number, let"
                    " it return nan."
                )
            if self.store:
                self.store.write(index, numbers)
            for name, number in numbers.items():
                self.values[name][index] = number
            self.done[index] = True


def unloadable(error: BaseException) -> bool:
    """Whether the workers could not load the study; new ones may, which look where this process looks by now."""
    return "serialize" in str(error) and error.__cause__ is not None


def broken(error: BaseException) -> str:
    """Why an executor broke."""
    if unloadable(error):
        reason = str(error.__cause__).rstrip(' \n"').splitlines()[-1]
        return f"the worker processes cannot load the study ({truncate(reason)})"
    return "a worker process ended in mid-sweep (killed, or out of memory)"


def _cancel(futures):
    """Take back what has not begun."""
    for future in futures:
        future.cancel()
