"""Several processes that serve the same sockets: they start together, are replaced when one dies, and end together."""

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

GRACE = 5  # seconds that a worker has to end in; after them it is killed


class Workers:
    """Processes that all run `serve(worker)`, which returns when the worker is told to end.

    An unready worker that ends would end again: it ends all of them. One that has served before is replaced.
    """

    count: int
    serve: Callable[..., Any]

    def __init__(self, count: int, serve: Callable[..., Any]) -> None:
        self.count, self.serve = count, serve
        self._numbers = {}  # pid -> which worker it is
        self._ready = mmap.mmap(-1, count)  # shared memory: 1 for each worker that has begun to serve
        self._loads = Loads(count)
        self._signals, self._heard = os.pipe()
        # the parent alone keeps this end open; whatever ends the parent closes it, and every worker sees that
        self._leash, self._hand = os.pipe()

    def run(self) -> None:
        """Start the workers and watch over them; returns in the parent at the end, and in each worker at its own."""
        os.set_blocking(self._heard, False)
        signal.set_wakeup_fd(self._heard)  # a signal is read from a pipe, whichever thread it interrupts
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(each, lambda *_: None)
        gc.freeze()  # what is loaded stays shared memory: a collection would write into it
        try:
            if any(self._start(number) for number in range(self.count)):
                return
            while os.read(self._signals, 1)[0] == signal.SIGCHLD:
                if any(self._start(number) for number in self._ended()):
                    return
        finally:
            self._stop()

    def _start(self, number):
        """Fork a worker; True in the worker, once it has served."""
        self._ready[number] = 0
        self._loads.has(number, 0)
        sys.stdout.flush()  # or the worker would print it once more
        pid = os.fork()
        if pid:
            self._numbers[pid] = number
            return False
        self._numbers.clear()  # the others are the parent's
        signal.set_wakeup_fd(-1)
        for each in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(each, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches every process, and the parent passes it on
        os.close(self._hand)
        self.serve(Worker(number, self.count, self._leash, self._ready, self._loads))
        return True

    def _ended(self):
        """The numbers of the workers that have ended, to be started again."""
        for pid, number in list(self._numbers.items()):
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                del self._numbers[pid]
                why = _why(os.waitstatus_to_exitcode(status))
                if not self._ready[number]:
                    raise Refusal(f"worker {number + 1} of {self.count} {why} before it could serve; all are ended.")
                print(f"Worker {number + 1} {why}; another takes its place.", file=sys.stderr, flush=True)  # noqa: T201
                yield number

    def _stop(self):
        """End every worker, in the parent."""
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
    """What a worker knows of itself: its number, how many there are, and a file that reads as ended with the parent.

    `loads` is what it knows of the others' sessions.
    """

    number: int
    count: int
    leash: Any
    loads: Any

    def __init__(self, number: int, count: int, leash: Any, ready: bytearray | mmap.mmap, loads: Any = None) -> None:
        self.number, self.count, self.leash, self._ready = number, count, leash, ready
        self.loads = Loads(count) if loads is None else loads

    def is_ready(self) -> None:
        """Tell the parent that this worker serves."""
        self._ready[self.number] = 1


class Loads:
    """How many sessions each worker has, with those on their way to it: shared memory.

    Each number has one worker that writes it, so none is lost, and a worker that is busy is counted as well.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        # what each has, how many pages each has taken, and a row for each of how many it has given to whom
        self._table = memoryview(mmap.mmap(-1, 8 * count * (count + 2))).cast("q")

    def has(self, number: int, sessions: int) -> None:
        """A worker has so many sessions."""
        self._table[number] = sessions

    def took(self, number: int) -> None:
        """A worker has taken a page that another gave it."""
        self._table[self._count + number] += 1

    def gave(self, giver: int, number: int) -> None:
        """A worker has given a page to another."""
        self._table[self._count * (2 + giver) + number] += 1

    def of(self, number: int) -> int:
        """The sessions that a worker has, and those that it was given and has yet to take."""
        given = sum(self._table[self._count * (2 + giver) + number] for giver in range(self._count))
        return self._table[number] + given - self._table[self._count + number]


def _why(code):
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
