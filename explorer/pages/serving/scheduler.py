"""Thread pool shared by all pages of a process. Short jobs run first; jobs whose caller has gone are cancelled."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from threading import Condition, Thread
from typing import TypeVar

from explorer.execution.processors import at_most, usable
from explorer.languages import bind_language
from explorer.workbench.cost import LONG

from .process_settings import settle_thread

T = TypeVar("T")


class Scheduler:
    """Threads for the computations of all pages of a process. Each thread computes on one processor.

    Jobs run in the order in which they would end if each began when it was submitted: short jobs overtake long ones,
    and no job waits forever. Threads are created with the first jobs.

    Parameters
    ----------
    threads : int or None, default None
        The number of threads, at least 2. None takes the number of usable processors.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads: int = max(2, threads or usable())
        self._waiting, self._serial, self._changed = [], count(), Condition()
        self._started, self._long = 0, 0

    def submit(
        self, compute: Callable[[], T], seconds: float = 0.0, stale: Callable[[], bool] = lambda: False
    ) -> Future[T]:
        """Submit `compute` and return a Future of its result.

        The job is cancelled if `stale()` is true when a thread becomes free. The thread uses the caller's language.
        `seconds` is the expected run time in seconds.
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
        """Submit `compute` and return its result, or raise its error; return None if the job was stale."""
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
                with at_most(1):  # there are as many threads as processors, so each uses one
                    _answer(future, compute, stale)
            finally:
                with self._changed:
                    self._long -= long
                    self._changed.notify()
            del turn, future, compute, stale  # a waiting thread must not keep a page in memory

    def _next(self):
        """Take the first job that may begin now from the queue, or return None. One thread serves only short jobs."""
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
