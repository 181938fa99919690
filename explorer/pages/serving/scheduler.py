"""Who computes when: a few threads of the process take turns, short work first, and drop what nobody waits for."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from threading import Condition, Thread
from typing import TypeVar

from explorer.languages import bind_language
from explorer.processors import at_most, usable
from explorer.workbench.cost import LONG

from .process_settings import settle_thread

T = TypeVar("T")


class Scheduler:
    """Threads for the work of all pages of a process, each of which computes on one processor.

    Work is taken in the order of the time at which it would be done, had it begun when it was asked for: short work
    overtakes long, and nothing waits for ever. Threads are made with the first work.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads: int = max(2, threads or usable())
        self._waiting, self._serial, self._changed = [], count(), Condition()
        self._started, self._long = 0, 0

    def submit(
        self, compute: Callable[[], T], seconds: float = 0.0, stale: Callable[[], bool] = lambda: False
    ) -> Future[T]:
        """A Future of what `compute()` gives; it is cancelled where `stale()` by the time that its turn comes.

        The thread speaks the language that is spoken here. seconds: about how long it takes
        """
        future, compute = Future(), bind_language(compute)
        with self._changed:
            due = time.monotonic() + seconds
            heapq.heappush(self._waiting, (due, next(self._serial), seconds > LONG, future, compute, stale))
            if self._started < self.threads:
                self._started += 1
                Thread(target=self._work, name=f"explorer-{self._started}", daemon=True).start()
            self._changed.notify()
        return future

    async def run(
        self, compute: Callable[[], T], seconds: float = 0.0, stale: Callable[[], bool] = lambda: False
    ) -> T | None:
        """What `compute()` gives, or raises, once a thread has had its turn; None where it was stale by then."""
        asked = asyncio.wrap_future(self.submit(compute, seconds, stale))
        await asyncio.wait([asked])
        return None if asked.cancelled() else asked.result()

    def _work(self):
        settle_thread()
        while True:
            with self._changed:
                while (turn := self._next()) is None:
                    self._changed.wait()
                *_, long, future, compute, stale = turn
                self._long += long
            try:
                with at_most(1):  # as many threads as processors take turns
                    _answer(future, compute, stale)
            finally:
                with self._changed:
                    self._long -= long
                    self._changed.notify()
            del turn, future, compute, stale  # a thread that waits keeps nobody's page

    def _next(self):
        """The first that may begin now."""
        spare = self._long < self.threads - 1
        kept = []
        while self._waiting:
            turn = heapq.heappop(self._waiting)
            if spare or not turn[2]:
                break
            kept.append(turn)
        else:
            turn = None
        for each in kept:
            heapq.heappush(self._waiting, each)
        return turn


def _answer(future, compute, stale):
    if stale():
        future.cancel()
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(compute())
    except BaseException as error:
        future.set_exception(error)


TURNS = Scheduler()
