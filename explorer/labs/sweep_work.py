"""A sweep at work: what a thread runs, and what it has by now."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from explorer.sweeps import planned

from .sweep_compute import cells_key
from .sweep_result import Cells


class Work:
    """The sweep of a SweepLab, kept in a file of a folder.

    Another Work of the same sweep there goes on where it stopped.

    Called, by a thread perhaps, it runs to the end or until `stop`. Raises what `planned` raises.
    """

    def __init__(self, lab, folder, executor=None):
        self.key, self.step = cells_key(lab), None
        name = sha256(repr(self.key).encode()).hexdigest()[:20]
        self.run = planned(**lab.call, executor=executor, store=Path(folder) / f"{name}.nc")

    def __call__(self):
        for step in self.run:
            self.step = step

    def stop(self):
        """End it, after the cells that are running; what is done is kept."""
        self.run.stop()

    def cells(self):
        """What there is by now; the flags first, as a number is there before its flag."""
        done = self.run.done.copy()
        seconds = 0.0 if self.step is None else self.step.seconds
        return Cells({name: values.copy() for name, values in self.run.values.items()}, done, seconds)
