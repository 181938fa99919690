"""A sweep while it runs: cells go out in batches, numbers come back in any order, and each goes to its place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import nullcontext
from itertools import islice
from os import PathLike
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.execution.processors import usable
from explorer.printing import join_list, truncate
from explorer.types import Mask, Vector

from .checksums import DONE
from .executors import InProcess, interrupts_held, local_processes
from .store import Store
from .work import run_batch

if TYPE_CHECKING:
    from xarray import Dataset

    from .failure import Failure
    from .grid import Grid


BATCH = 0.02  # seconds that a batch takes: short cells are sent together, and a lost worker loses no more than that
WINDOW = 256  # batches that are sent at a time: enough for an executor with many workers, and bounded in memory
MOST_NUMBERS = 50_000_000  # most numbers of all cells: 400 MB, and three times that while a store or data set is made
TRIES = 3  # pools of local processes that may break in a row before a cell is finished


class Progress(NamedTuple):
    """Progress of a sweep: finished cells, cells in all, cells from the store, and time since it began.

    Attributes
    ----------
    done : int
        Number of finished cells.
    total : int
        Number of all cells.
    kept : int
        Number of cells that came from the store.
    seconds : float
        Time since the sweep began, in seconds.

    Examples
    --------
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
        """Cells computed a second, without those from the store."""
        return (self.done - self.kept) / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float:
        """Time that the rest will take at that rate, in seconds."""
        return (
            (self.total - self.done) / self.rate if self.rate > 0 else float("inf") if self.done < self.total else 0.0
        )


class Run:
    """A sweep that runs while it is iterated over; each step is a Progress.

    Parameters
    ----------
    study : callable
        The study.
    grid : Grid
        Its cells.
    dataset : callable
        Makes the data set of the numbers.
    key : dict
        Texts that identify the study and the grid in a store.
    executor : Executor or None, default None
        None is processes of this machine.
    store : str, path or None, default None
        File of the store.
    reuse : bool, default False
        Whether the store's numbers are kept although what the study depends on has changed.

    Attributes
    ----------
    values : dict
        {name: (cells,) numbers}, nan if there is none yet.
    done : ndarray of bool, shape (cells,)
        Cells that are finished.
    failure : Failure or None
        The cell that raised.

    Examples
    --------
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
        reuse: bool = False,
    ) -> None:
        self.study, self.grid, self.executor, self._dataset = study, grid, executor, dataset
        self.values, self.done, self.failure, self._stop = {}, np.zeros(grid.size, bool), None, Event()
        self.store = Store(store, key, reuse) if store is not None else None
        if self.store and self.store.contents:
            self.values = self.store.contents
            self.done = self.values.pop(DONE).astype(bool, copy=False)

    def stop(self) -> None:
        """Stop after the batches that are running; finished cells stay. Any thread may call it."""
        self._stop.set()

    def left(self, option: str = "store=") -> str:
        """Describe what an interrupted run keeps and how to resume it.

        Parameters
        ----------
        option : str, default "store="
            The caller's name of the store argument.

        Returns
        -------
        str
            A sentence.
        """
        count = int(self.done.sum())
        done = f"{count:,} of {self.grid.size:,} cells {'is' if count == 1 else 'are'}"
        if self.store:
            return f"{done} in {self.store.path}; run it again to go on."
        return f"{done} done, and none is kept: give {option} a file to go on from there."

    def progress(self, start: float, kept: int) -> Progress:
        """Return the number of finished cells, of all cells and of those from the store, and the time since the start.

        Parameters
        ----------
        start : float
            Time at which the run began, by `perf_counter`.
        kept : int
            Number of cells that came from the store.

        Returns
        -------
        Progress
            The current progress.
        """
        return Progress(int(self.done.sum()), self.grid.size, kept, perf_counter() - start)

    def dataset(self) -> Dataset:
        """Return the numbers so far as a data set.

        Returns
        -------
        xarray.Dataset
            The numbers, nan for cells that are not finished.
        """
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
                    for _ in self._compute_missing(self.executor or local_processes()):
                        yield self.progress(start, kept)
                except BrokenExecutor as error:
                    if self.failure is not None:  # the study raised it, from processes that it had started
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

    def _compute_missing(self, executor):
        """Send the missing cells to an executor, and yield after each batch that came back."""
        missing, out, size = iter(np.flatnonzero(~self.done)), {}, 1
        window, threads = (1, usable()) if isinstance(executor, InProcess) else (WINDOW, 1)
        try:
            while True:
                while len(out) < window and not self._stop.is_set():
                    batch = [(int(i), *self.grid.cell(int(i))) for i in islice(missing, size)]
                    if not batch:
                        break
                    with interrupts_held() if self.executor is None else nullcontext():
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
        """Raise the study's exception with notes on its cell and, from another process, on the study's frames."""
        self.failure = failure
        failure.error.add_note(f"It was raised by the study in the cell {self.grid.describe(failure.index)}.")
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
                    f" {self.grid.describe(index)}, and {join_list(self.values, 120)} elsewhere. Where it has no"
                    " number, let it return nan."
                )
            if self.store:
                self.store.write(index, numbers)
            for name, number in numbers.items():
                self.values[name][index] = number
            self.done[index] = True


def unloadable(error: BaseException) -> bool:
    """Return whether the workers could not load the study; new workers may, as they get the current import path."""
    return "serialize" in str(error) and error.__cause__ is not None


def broken(error: BaseException) -> str:
    """Return the reason why an executor broke."""
    if unloadable(error):
        reason = str(error.__cause__).rstrip(' \n"').splitlines()[-1]
        return f"the worker processes cannot load the study ({truncate(reason)})"
    return "a worker process ended in mid-sweep (killed, or out of memory)"


def _cancel(futures):
    """Cancel futures that have not begun."""
    for future in futures:
        future.cancel()
