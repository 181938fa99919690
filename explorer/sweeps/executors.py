"""Executors: this process, processes of this machine, or any executor that the user provides."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

from explorer.execution.processors import usable

if TYPE_CHECKING:
    from loky.reusable_executor import _ReusablePoolExecutor


class InProcess(Executor):
    """Executor that runs each call at once in this process: for debugging, and for studies too short to be sent.

    Examples
    --------
    >>> from explorer.sweeps import InProcess
    >>> def square(x):
    ...     return x**2
    >>> InProcess().submit(square, 3).result()
    9
    """

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function at once and return a Future with its result.

        Parameters
        ----------
        function : callable
            The function.
        *args, **kwargs
            Its arguments.

        Returns
        -------
        Future
            A finished future.
        """
        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # like the executors of the standard library: result() raises it
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise
        return future


def local_processes(workers: int | None = None) -> _ReusablePoolExecutor:
    """Return the executor of processes of this machine, with one BLAS thread each.

    The processes also take functions that are defined in a notebook, and end when they are idle.

    Parameters
    ----------
    workers : int or None, default None
        Number of processes. None is one for each usable core.

    Returns
    -------
    Executor
        The executor, which is shared by all sweeps.
    """
    from loky import get_reusable_executor

    threads = {
        name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    }
    return get_reusable_executor(max_workers=workers or usable(), timeout=60, env=threads)


def are_started() -> bool:
    """Return whether processes of this machine exist, so that tasks need not wait for their start.

    Returns
    -------
    bool
        Whether there is one.
    """
    from loky.backend.process import LokyProcess

    return any(isinstance(child, LokyProcess) for child in active_children())


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl+C back while processes are started. They inherit that, and so only this process answers Ctrl+C.

    A process that is interrupted while it imports its libraries would print their traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows has none
        yield
        return
    from multiprocessing import resource_tracker

    from loky.backend import resource_tracker as tracker_of_loky

    for tracker in (resource_tracker, tracker_of_loky):  # the start of either lets signals through again
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_processes() -> None:
    """End the processes of this machine, including their running tasks."""
    if not are_started():
        return
    executor = local_processes()
    # loky reports to the future of each waiting task, and its thread fails at one that is cancelled
    for task in list(getattr(executor, "_pending_work_items", {}).values()):
        if task.future.cancelled():
            task.future = Future()
    executor.shutdown(kill_workers=True)
