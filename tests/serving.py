"""A lab's page, served as users serve it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 20  # seconds that a slow machine may take; a passing test hardly waits


def until(condition, what="it", seconds=PATIENCE):
    """Wait for a condition to hold, and give its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(0.05)  # what asks more often takes the processor from the browser that it asks
    return value


class Server:
    """`panel serve apps/*.py`, as users start it; `url` is where the addresses of the labs begin."""

    def __init__(self, log):
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.url, self.log = f"http://localhost:{self.port}", log
        apps = sorted(str(app.relative_to(ROOT)) for app in (ROOT / "apps").glob("*.py"))
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "panel", "serve", *apps, "--port", str(self.port)],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "BOKEH_RESOURCES": "server"},
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
        """What the log holds of tracebacks, errors and Bokeh's complaints about a document."""
        entries = re.split(r"\n(?=\d{4}-\d\d-\d\d )", self.log.read_text())
        # a page that closes while it is written to is nobody's fault
        kept = [entry for entry in entries if not entry.rstrip().endswith("WebSocketClosedError")]
        return [entry for entry in kept if re.search(r"Traceback|ERROR|[EW]-1\d\d\d", entry)]

    @contextmanager
    def asleep(self):
        """The server answers nobody."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
