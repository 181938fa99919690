"""Idle queue: runs pages' deferred updates one at a time, while the event loop has no requests waiting.

An idle update costs as much as several pictures. If many users move controls at once, idle updates would delay answers.
Delayed answers look like pauses, which trigger more idle updates, and throughput falls below that of half as many
visitors.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

PROBE = 0.01  # length of a probe of the event loop, in seconds
BUSY = 0.02  # a probe that ends this many seconds late means that requests are waiting for the event loop
MOST = 5.0  # longest time that an idle update waits, in seconds


class IdleQueue:
    """The idle updates that wait until one event loop is idle."""

    def __init__(self):
        self._waiting, self._looking = {}, None  # function -> the time since when it waits

    def schedule(self, rest: Callable[[], object]) -> None:
        """Call `rest()` once the event loop is idle, or after MOST seconds. Scheduling it again has no effect."""
        self._waiting.setdefault(rest, time.monotonic())
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())

    def cancel(self, rest: Callable[[], object]) -> None:
        """Remove an idle update from the queue."""
        self._waiting.pop(rest, None)

    async def _look(self):
        try:
            while self._waiting:
                start = time.monotonic()
                await asyncio.sleep(PROBE)
                now, (rest, since) = time.monotonic(), next(iter(self._waiting.items()), (None, 0.0))
                if rest is not None and (now - start - PROBE < BUSY or now - since > MOST):
                    del self._waiting[rest]
                    # called by the loop, so that an error in one does not stop the queue
                    asyncio.get_running_loop().call_soon(rest)
        finally:
            self._looking = None


_of_loops = WeakKeyDictionary()


def idle_queue() -> IdleQueue:
    """Return the queue of the running event loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), IdleQueue())
