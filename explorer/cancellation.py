"""Long work that nobody may want any more: its loops ask between two parts, and end there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("stopped", default=None)


class Cancelled(BaseException):
    """Whoever asked for the work wants it no more; no error, so nothing that catches errors catches it."""


@contextmanager
def cancelled_by(stopped: Callable[[], bool]) -> Iterator[None]:
    """Let the work inside end by NoLongerWanted once `stopped()`.

    >>> with unless(lambda: False):
    ...     go_on()
    """
    token = _stopped.set(stopped)
    try:
        yield
    finally:
        _stopped.reset(token)


def check_cancelled() -> None:
    """Nothing, or NoLongerWanted."""
    stopped = _stopped.get()
    if stopped is not None and stopped():
        raise Cancelled
