"""How many threads compute: one of BLAS inside each call, and pieces of large work side by side.

Small products under several threads of BLAS wait for one another, and far longer if other processes are at work. So
BLAS is held to one thread while a function of ours computes, and work that is large enough is cut into pieces of a size
that does not depend on the machine: the number of threads changes no bit of a result.
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

from .cancellation import check_cancelled

P = ParamSpec("P")
R = TypeVar("R")
Piece = TypeVar("Piece")
Held = TypeVar("Held", bound=type)

TOGETHER = 2**11  # points whose Gram matrices, 32 MB each, are made side by side: as many as threads
PAYS = 0.02  # seconds of work by one thread, from which on threads of our own save more than they cost
PIECE = 5e-4  # and of a piece: of shorter ones, Python's threads wait for one another at each call of numpy
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # what users set: an upper limit
GROUPS, OWN_GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
OPERATORS = ("__call__", "__matmul__", "__sub__", "__add__")  # that compute products, of embeddings and kernels

_most: contextvars.ContextVar[int | None] = contextvars.ContextVar("most", default=None)


@contextmanager
def at_most(most: int) -> Iterator[None]:
    """Let `most` threads compute at once, or fewer: see `explorer.threads`."""
    token = _most.set(most)
    try:
        yield
    finally:
        _most.reset(token)


def at_once() -> int:
    """Return how many threads may compute at once: the least of what the user, the variables and the system say."""
    said = [int(text) for name in LIMITS if (text := os.environ.get(name, "")).isdecimal() and int(text) > 0]
    return min([usable(), *said])


def usable() -> int:
    """Return how many processors may be used, as by processes: the least of what the user and the system say."""
    return min(_given(), _most.get() or sys.maxsize)


def _given() -> int:
    """Return the processors that the system lets this process use: its affinity, and the share that its groups have."""
    count = getattr(os, "process_cpu_count", None) or _affinity
    return max(1, math.ceil(min(count() or 1, _share())))


def _affinity():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # systems without affinities
        return os.cpu_count()


@cache
def _share() -> float:
    """Return the processors' time that control groups give this process, in processors; infinite if they give all."""
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
        except (OSError, ValueError):  # no limit there, or one that is "max"
            continue
    return min(shares)


def _groups() -> Iterator[Path]:
    """Yield the folders of this process's control groups and of those that hold them, of either version."""
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
_inside = threading.local()  # .depth, how many calls of this thread hold BLAS; .held, the libraries that it holds
_holders = 0  # threads that hold BLAS
_shared: list[tuple[Any, int]] = []  # libraries whose limit is one of the whole process, with the threads that they had


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS to the thread that calls it; what it had before comes back once that thread holds it no more.

    If the limit is one of the process, as in OpenBLAS on POSIX threads, the caller's other threads have a BLAS of one
    thread too, until nobody holds it.
    """
    _hold()
    try:
        yield
    finally:
        _release()


def limit_threads(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function inside which BLAS computes in the thread that calls it."""

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
    """Let BLAS compute in the calling thread inside the public methods and properties of a class; return the class."""
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
    """Set the threads of a library, whichever thread asks: threadpoolctl hears one of them alone, until it is told."""
    forget = getattr(library, "clear_controlling_thread", lambda force: None)
    forget(force=True)
    library.set_num_threads(count)
    forget(force=True)  # so that whoever sets a limit next is heard


def _release():
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
    while limited:
        _limit(*limited.pop())


def _forked():
    """Let a child know that the thread that forked it is the only one left."""
    global _lock, _holders
    _lock, _holders = threading.Lock(), int(getattr(_inside, "depth", 0) > 0)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@cache
def _limits_a_thread(library):
    """Whether a library of more than one thread lets each thread of the caller have a limit of its own: it is tried."""
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
    """The BLAS libraries that are loaded, numpy's and scipy's own: to look for them takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return [each for each in ThreadpoolController().lib_controllers if each.user_api == "blas"]


# ---- pieces side by side ----


def side_by_side(
    function: Callable[[Piece], R], pieces: Iterable[Piece], seconds: float, each: float = math.inf
) -> Iterator[R]:
    """Yield function(piece) of all pieces in their order, several at once if that pays.

    It pays if the `seconds` that all pieces take are enough, and those that `each` takes are too. At most twice as many
    are under way or waiting as threads compute. `function` sees the caller's context, in which pieces of pieces have
    one thread.
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
    """Compute a piece in a context of its own."""
    _most.set(1)
    with one_thread():
        return function(piece)
