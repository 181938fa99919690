"""Server processes for tests: `panel serve` with the labs, waiting for conditions, and processes by their ids."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds that a slow machine may take; a passing test hardly waits


def until(condition, what="it", seconds=PATIENCE):
    """Wait until a condition is true, and return its value; a KeyError counts as false."""
    end = time.monotonic() + seconds
    while True:
        asked = time.monotonic()
        with suppress(KeyError):  # an untouched page has no fields in its link
            if value := condition():
                return value
        assert asked < end, f"{what} did not happen within {seconds} s"
        time.sleep(max(0.05, 2 * (time.monotonic() - asked)))  # asking takes processor time from the other process


async def until_async(condition, what="it", seconds=PATIENCE):
    """Wait until a condition is true while the event loop goes on."""
    end = time.monotonic() + seconds
    await asyncio.sleep(0)  # what is scheduled begins
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        await asyncio.sleep(0.005)


def free_port():
    """Return a port without a listener."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def descendants(pid):
    """Return the processes that a process has started, and their descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := _stat(int(entry.name))):
            parents[int(entry.name)] = int(stat[1])
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def is_gone(pid):
    """Return whether a process has ended; a zombie counts as ended."""
    stat = _stat(pid)
    return stat is None or stat[0] == "Z"


def _stat(pid):
    """Return the state, the parent and so on of a process, or None if there is none."""
    try:
        # its name stands before them in brackets, and may have any characters
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


class Server:
    """The process `panel serve apps/*.py --index home`. `url` is its address; labs are below it."""

    def __init__(self, log, *options, **environment):
        self.port = free_port()
        self.url, self.log = f"http://localhost:{self.port}", log
        self.start(*options, **environment)

    def start(self, *options, **environment):
        """Start the server, at the same port if it has run before."""
        apps = sorted(str(app.relative_to(ROOT)) for app in (ROOT / "apps").glob("*.py"))
        with self.log.open("a") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "panel", "serve", *apps, "--index", "home", "--port", str(self.port), *options],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "BOKEH_RESOURCES": "server", **environment},
            )
        try:
            until(self._answers, "an answer of the server", 60)
        except BaseException:
            self.stop()
            raise

    def _answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            with urllib.request.urlopen(f"{self.url}/shrinkage") as answer:
                return answer.status == 200
        except OSError:
            return False

    def troubles(self):
        """Return the tracebacks, errors and Bokeh's complaints about a document in the log."""
        # the last line, "Received signal", has no date
        entries = re.split(r"\n(?=\d{4}-\d\d-\d\d |Received signal )", self.log.read_text())
        # a page may close while it is written to; that is not a fault
        kept = [entry for entry in entries if not entry.rstrip().endswith("WebSocketClosedError")]
        return [entry for entry in kept if re.search(r"Traceback|ERROR|[EW]-1\d\d\d", entry)]

    @contextmanager
    def asleep(self):
        """Suspend the server, so that it answers no request."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def kill(self):
        """Kill the server, as a crash does."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stop the server."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
