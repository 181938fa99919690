"""`python -m explorer serve` in a process of its own: its address, memory, processor time and log."""

from __future__ import annotations

import os
import subprocess
import sys

from helpers.server_process import ROOT, Server, descendants, free_port, until

TICKS = os.sysconf("SC_CLK_TCK")  # of the kernel's clock, in a second


class ExplorerServer(Server):
    """A server started by a command; `options` are those of `explorer serve`."""

    def __init__(self, log, *options, command=("-m", "explorer"), environment=None):
        self.port, self.log = free_port(), log
        self.url = f"http://localhost:{self.port}"
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, *command, "serve", "--no-open", "--port", str(self.port), *options],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
            )
        try:
            until(self._answers, "an answer of the server", 60)
        except BaseException:
            self.stop()
            raise

    @property
    def processes(self):
        """The process and those that it has started."""
        return [self.process.pid, *descendants(self.process.pid)]

    def memory(self, which="VmRSS"):
        """Return the memory of its processes in bytes, or, by VmHWM, the sum of their maxima."""
        return sum(_memory(pid, which) for pid in self.processes)

    def seconds(self):
        """Return the processor time that its processes have taken together."""
        return sum(_seconds(pid) for pid in self.processes)


def _memory(pid, which):
    with open(f"/proc/{pid}/status") as status:
        (kilobytes,) = (line.split()[1] for line in status if line.startswith(f"{which}:"))
    return 1024 * int(kilobytes)


def _seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS
