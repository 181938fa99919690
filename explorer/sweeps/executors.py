"""Where cells are computed: in this process, in processes of this machine, or wherever an executor of the user's
leads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

from explorer.processors import usable

if TYPE_CHECKING:
    from loky.reusable_executor import _ReusablePoolExecutor


class InProcess(Executor):
    """Runs what it is given at once, here: for debugging, and for studies too short to be sent anywhere.

    >>> from explorer.sweeps import InProcess
    >>> def square(x):
    ...     return x**2
    >>> InProcess().submit(square, 3).result()
    9
    """

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # as the executors of the standard library do: it is raised by result()
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise
        return future


def local_processes(workers: int | None = None) -> _ReusablePoolExecutor:
    """Processes of this machine, one BLAS thread each.

    They take functions of notebooks too, and end when they are idle.
    """
    from loky import get_reusable_executor

    threads = {
        name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    }
    return get_reusable_executor(max_workers=workers or usable(), timeout=60, env=threads)


def are_started() -> bool:
    """Whether processes of this machine are there, so that what is sent to them need not wait for their start."""
    from loky.backend.process import LokyProcess

    return any(isinstance(child, LokyProcess) for child in active_children())


def end_processes() -> None:
    """End the processes of this machine, with what they compute."""
    if are_started():
        local_processes().shutdown(kill_workers=True)
