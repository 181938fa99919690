"""Numbers of threads: BLAS uses one inside each call, and large work is split into parts that run in parallel.

Several BLAS threads wait for one another in small products, and much longer if other processes are busy. So BLAS is
limited to one thread while a function of this library computes. Work that is large enough is cut into parts whose size
does not depend on the machine, so the number of threads changes no bit of a result.
"""

from __future__ import annotations

import contextvars
import functools
import inspect
import math
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from explorer.execution.cancellation import check_cancelled

P = ParamSpec("P")
R = TypeVar("R")
Piece = TypeVar("Piece")
Held = TypeVar("Held", bound=type)

TOGETHER = 2**11  # rows of points whose Gram matrices, 32 MB each, are computed in parallel, one per thread
PAYS = 0.02  # seconds of work in one thread from which on several threads save time
PIECE = 5e-4  # least seconds per part: with shorter parts, Python's threads wait for one another at each numpy call
# environment variables with which users set an upper limit
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
GROUPS, OWN_GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
# operators of embeddings and kernels that compute products
OPERATORS = ("__call__", "__matmul__", "__sub__", "__add__")

_most: contextvars.ContextVar[int | None] = contextvars.ContextVar("most", default=None)


@contextmanager
def at_most(most: int) -> Iterator[None]:
    """Use at most `most` threads while the block runs; see `explorer.threads`.

    Parameters
    ----------
    most : int
        The largest number of threads.

    Yields
    ------
    None
        Nothing.
    """
    token = _most.set(most)
    try:
        yield
    finally:
        _most.reset(token)


def at_once() -> int:
    """Return the number of threads to use: the least of the limits set by the user, the environment and the system."""
    said = [int(text) for name in LIMITS if (text := os.environ.get(name, "")).isdecimal() and int(text) > 0]
    return min([usable(), *said])


def usable() -> int:
    """Return the number of processors to use, as for processes: the least of the limits of the user and the system.

    Returns
    -------
    int
        The number of processors.
    """
    return min(_given(), _most.get() or sys.maxsize)


def _given() -> int:
    """Return the number of processors that the system grants this process, by its affinity and its control groups."""
    count = getattr(os, "process_cpu_count", None) or _affinity
    return max(1, math.ceil(min(count() or 1, _share())))


def _affinity():
    """Return the number of processors that this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # the system has no processor affinities
        return os.cpu_count()


@cache
def _share() -> float:
    """Return the processor time that control groups grant this process, in processors; infinite without a limit."""
    shares = [math.inf]
    for folder in _groups():
        try:
            if (folder / "cpu.max").exists():
                quota, period = (folder / "cpu.max").read_text(encoding="ascii").split()
            else:
                files = (folder / f"cpu.cfs_{name}_us" for name in ("quota", "period"))
                quota, period = (file.read_text(encoding="ascii") for file in files)
            if float(quota) > 0:
                shares.append(float(quota) / float(period))
        except (OSError, ValueError):  # the group has no limit, or its limit is "max"
            continue
    return min(shares)


def _groups() -> Iterator[Path]:
    """Yield the folders of this process's control groups and of their parent groups, of both versions."""
    yield from (GROUPS, GROUPS / "cpu")
    try:
        lines = OWN_GROUPS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        folder = (GROUPS / "cpu" if controllers else GROUPS) / path.lstrip("/")
        yield from (each for each in (folder, *folder.parents) if GROUPS in each.parents)


# ---- BLAS on one thread ----

_lock = threading.Lock()
# .depth is the number of nested calls of this thread that limit BLAS; .held are the libraries that it has limited
_inside = threading.local()
_holders = 0  # number of threads that limit BLAS
# Libraries whose limit applies to the whole process, with their previous numbers of threads.
_shared: list[tuple[Any, int]] = []


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to the calling thread while the block runs, and restore its previous limit afterwards.

    If the limit applies to the whole process, as in OpenBLAS with POSIX threads, BLAS has one thread in the caller's
    other threads, too, until the last of them releases it.

    Yields
    ------
    None
        Nothing.
    """
    _hold()
    try:
        yield
    finally:
        _release()


def limit_threads(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function inside which BLAS computes in the calling thread only.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    callable
        A function with the same signature and result.
    """

    @functools.wraps(function)
    def inside(*args: P.args, **kwargs: P.kwargs) -> R:
        _hold()
        try:
            return function(*args, **kwargs)
        finally:
            _release()

    vars(inside)["__held__"] = True
    return inside


def limit_threads_of_methods(cls: Held) -> Held:
    """Limit BLAS to the calling thread inside the public methods and properties of a class; a class decorator.

    Parameters
    ----------
    cls : type
        The class, which is changed in place.

    Returns
    -------
    type
        The same class.
    """
    for name, value in list(vars(cls).items()):
        if name.startswith("_") and name not in OPERATORS:
            continue
        if inspect.isfunction(value) and not inspect.isgeneratorfunction(value):
            setattr(cls, name, limit_threads(value))
        elif isinstance(value, functools.cached_property):
            value.func = limit_threads(value.func)
        elif isinstance(value, property) and value.fget is not None:
            setattr(cls, name, property(limit_threads(value.fget), value.fset, value.fdel, value.__doc__))
    return cls


def _hold():
    """Limit BLAS for this thread, unless an outer call has done so."""
    global _holders
    _inside.depth = getattr(_inside, "depth", 0) + 1
    if _inside.depth > 1:
        return
    _inside.held = []
    with _lock:
        _holders += 1
        for library in _libraries("scipy.linalg" in sys.modules):
            count = library.get_num_threads()
            if count is not None and count > 1:
                (_inside.held if _limits_a_thread(library) else _shared).append((library, count))
                _limit(library, 1)


def _limit(library, count):
    """Set the number of threads of a library; threadpoolctl obeys one controlling thread, so that is cleared first."""
    forget = getattr(library, "clear_controlling_thread", lambda force: None)
    forget(force=True)
    library.set_num_threads(count)
    forget(force=True)  # so that the next thread can set a limit


def _release():
    """Restore BLAS when the outermost call of this thread ends."""
    global _holders
    _inside.depth -= 1
    if _inside.depth:
        return
    with _lock:
        _holders -= 1
        _restore(_inside.held)
        if _holders == 0:
            _restore(_shared)


def _restore(limited):
    """Restore the previous numbers of threads of libraries, and empty the list."""
    while limited:
        _limit(*limited.pop())


def _forked():
    """Reset the counters in a forked child, where only the forking thread exists."""
    global _lock, _holders
    _lock, _holders = threading.Lock(), int(getattr(_inside, "depth", 0) > 0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@cache
def _limits_a_thread(library):
    """Return whether a library with several threads keeps a limit per calling thread; determined by a trial."""
    count = library.get_num_threads()
    other = threading.Thread(target=_limit, args=(library, 1))
    other.start()
    other.join()
    if library.get_num_threads() == count:
        return True
    _limit(library, count)
    return False


@cache
def _libraries(_with_scipy):
    """Return the loaded BLAS libraries, those of numpy and scipy; the search takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return [each for each in ThreadpoolController().lib_controllers if each.user_api == "blas"]


# ---- parts in parallel ----


def side_by_side(
    function: Callable[[Piece], R], pieces: Iterable[Piece], seconds: float, each: float = math.inf
) -> Iterator[R]:
    """Yield function(piece) for all pieces in order, computed in parallel if that saves time.

    It does if the `seconds` of all pieces and the `each` seconds of one piece are long enough. At most twice as many
    pieces as threads are running or waiting. `function` sees the caller's context variables, but nested calls have one
    thread.

    Parameters
    ----------
    function : callable
        Called with each piece.
    pieces : iterable
        The arguments.
    seconds : float
        Estimated duration of all pieces in one thread, in seconds.
    each : float, default inf
        Estimated duration of one piece, in seconds.

    Yields
    ------
    object
        The results in the order of the pieces.

    Raises
    ------
    Cancelled
        If the computation is cancelled; see `explorer.execution.cancellation`.
    """
    count = at_once()
    if count == 1 or seconds < PAYS or each < PIECE:
        for piece in pieces:
            check_cancelled()
            yield function(piece)
        return
    waiting: list[Future[R]] = []
    with ThreadPoolExecutor(count) as pool:
        try:
            for piece in pieces:
                check_cancelled()
                waiting.append(pool.submit(contextvars.copy_context().run, _alone, function, piece))
                if len(waiting) > 2 * count:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def _alone(function, piece):
    """Compute a piece in a copied context, with one thread."""
    _most.set(1)
    with one_thread():
        return function(piece)
