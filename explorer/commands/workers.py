"""Worker processes that serve the same sockets: they start together, are replaced if one dies, and end together."""

from __future__ import annotations

import gc
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from explorer.checks import Refusal

GRACE = 5  # seconds that a worker may take to end before it is killed


class Workers:
    """Processes that run `serve(worker)`, which returns after the worker has been signalled to end.

    A worker that ends before it is ready would end again, so all workers are stopped. A worker that has served before
    is replaced.

    Attributes
    ----------
    count : int
        The number of workers.
    serve : callable
        Called in each process with its Worker.
    """

    count: int
    serve: Callable[..., Any]

    def __init__(self, count: int, serve: Callable[..., Any]) -> None:
        self.count, self.serve = count, serve
        self._numbers = {}  # process id -> number of the worker
        self._ready = mmap.mmap(-1, count)  # shared memory with one byte per worker: 1 once it serves
        self._loads = Loads(count)
        self._signals, self._heard = os.pipe()
        # Only the parent keeps this end open. If the parent ends for any reason, it is closed, and every worker
        # notices.
        self._leash, self._parent_end = os.pipe()

    def run(self) -> None:
        """Start and supervise the workers.

        Returns in the parent at the end, and in each worker when that worker has ended.
        """
        os.set_blocking(self._heard, False)
        signal.set_wakeup_fd(self._heard)  # signals are read from a pipe, whichever thread they interrupt
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(each, lambda *_: None)
        gc.freeze()  # loaded objects stay in shared memory; a collection would write into them
        try:
            if any(self._start(number) for number in range(self.count)):
                return
            while os.read(self._signals, 1)[0] == signal.SIGCHLD:
                if any(self._start(number) for number in self._ended()):
                    return
        finally:
            self._stop()

    def _start(self, number):
        """Fork a worker. Returns True in the worker, after it has served, and False in the parent."""
        self._ready[number] = 0
        self._loads.has(number, 0)
        sys.stdout.flush()  # otherwise the worker would print the buffer a second time
        pid = os.fork()
        if pid:
            self._numbers[pid] = number
            return False
        self._numbers.clear()  # the other workers are the parent's children
        signal.set_wakeup_fd(-1)
        for each in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(each, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches every process, and the parent passes it on
        os.close(self._parent_end)
        self.serve(Worker(number, self.count, self._leash, self._ready, self._loads))
        return True

    def _ended(self):
        """Yield the numbers of the workers that have ended, so that they are started again."""
        for pid, number in list(self._numbers.items()):
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                del self._numbers[pid]
                why = _why(os.waitstatus_to_exitcode(status))
                if not self._ready[number]:
                    raise Refusal(f"worker {number + 1} of {self.count} {why} before it could serve; all are ended.")
                print(f"Worker {number + 1} {why}; a new one replaces it.", file=sys.stderr, flush=True)  # noqa: T201
                yield number

    def _stop(self):
        """End every worker; called in the parent."""
        for pid in self._numbers:
            os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + GRACE
        while self._numbers:
            if time.monotonic() > end:
                for pid in self._numbers:
                    os.kill(pid, signal.SIGKILL)
            for pid in list(self._numbers):
                if os.waitpid(pid, os.WNOHANG)[0]:
                    del self._numbers[pid]
            time.sleep(0.01)


class Worker:
    """A worker process's view of itself and of the other workers.

    Attributes
    ----------
    number, count : int
        The worker's number, counted from 0, and the number of workers.
    leash : int or None
        File descriptor that reads as ended when the parent ends; None without a parent.
    loads : Loads
        The numbers of sessions of all workers.
    """

    number: int
    count: int
    leash: Any
    loads: Any

    def __init__(self, number: int, count: int, leash: Any, ready: bytearray | mmap.mmap, loads: Any = None) -> None:
        self.number, self.count, self.leash, self._ready = number, count, leash, ready
        self.loads = Loads(count) if loads is None else loads

    def is_ready(self) -> None:
        """Report to the parent that this worker serves."""
        self._ready[self.number] = 1


class Loads:
    """Number of sessions of each worker, including those on their way to it, in shared memory.

    Each number is written by one worker only, so no update is lost, and a busy worker is counted as well.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        # Each worker's sessions; the pages that each has taken; and a row per worker of the pages it has given to the
        # others.
        self._table = memoryview(mmap.mmap(-1, 8 * count * (count + 2))).cast("q")

    def has(self, number: int, sessions: int) -> None:
        """Record the number of a worker's sessions."""
        self._table[number] = sessions

    def took(self, number: int) -> None:
        """Record that a worker has taken a page from another."""
        self._table[self._count + number] += 1

    def gave(self, giver: int, number: int) -> None:
        """Record that a worker has given a page to another."""
        self._table[self._count * (2 + giver) + number] += 1

    def of(self, number: int) -> int:
        """Return the number of a worker's sessions plus the pages that were given to it and not yet taken."""
        given = sum(self._table[self._count * (2 + giver) + number] for giver in range(self._count))
        return self._table[number] + given - self._table[self._count + number]


def _why(code):
    """Return how a process ended, as the predicate of a sentence."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
