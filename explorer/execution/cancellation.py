"""Cancellation of long computations: their loops check between two steps whether the caller still wants the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("stopped", default=None)


class Cancelled(BaseException):
    """Raised when the caller has cancelled a computation. A BaseException, so that no handler of errors catches it."""


@contextmanager
def cancelled_by(stopped: Callable[[], bool]) -> Iterator[None]:
    """Make computations in the block end with Cancelled once `stopped()` is true, for this block or one around it.

    Parameters
    ----------
    stopped : callable
        Returns whether the computation was cancelled.

    Yields
    ------
    None
        Nothing.

    Examples
    --------
    >>> with cancelled_by(lambda: False):
    ...     check_cancelled()
    """
    outer = _stopped.get()
    token = _stopped.set(stopped if outer is None else lambda: outer() or stopped())
    try:
        yield
    finally:
        _stopped.reset(token)


def check_cancelled() -> None:
    """Raise Cancelled if the current computation was cancelled."""
    stopped = _stopped.get()
    if stopped is not None and stopped():
        raise Cancelled
