"""What can wait until nobody else does: one page's rest at a time, in moments when no question queues.

A rest costs as much as several pictures. Where many hands move at a time, rests would make the answers late, late
answers look like rests, and so on until there are fewer answers than with half as many visitors.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

PROBE = 0.01  # s that a look at the event loop takes
BUSY = 0.02  # s by which a look that comes late tells of a queue
MOST = 5.0  # s that a rest waits for a quiet moment


class IdleQueue:
    """The rests that wait for a quiet moment of one event loop."""

    def __init__(self):
        self._waiting, self._looking = {}, None  # what to call -> since when

    def schedule(self, rest: Callable[[], object]) -> None:
        """Call `rest()` in a quiet moment, or after MOST seconds; once, however often it is asked for."""
        self._waiting.setdefault(rest, time.monotonic())
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())

    def cancel(self, rest: Callable[[], object]) -> None:
        """Do not call it after all."""
        self._waiting.pop(rest, None)

    async def _look(self):
        try:
            while self._waiting:
                start = time.monotonic()
                await asyncio.sleep(PROBE)
                now, (rest, since) = time.monotonic(), next(iter(self._waiting.items()), (None, 0.0))
                if rest is not None and (now - start - PROBE < BUSY or now - since > MOST):
                    del self._waiting[rest]
                    asyncio.get_running_loop().call_soon(rest)  # one that fails keeps no other from its turn
        finally:
            self._looking = None


_of_loops = WeakKeyDictionary()


def idle_queue() -> IdleQueue:
    """The Quiet of the event loop that runs."""
    return _of_loops.setdefault(asyncio.get_running_loop(), IdleQueue())
