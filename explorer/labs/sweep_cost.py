"""What a sweep will cost, from a few cells that are timed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from statistics import mean
from time import perf_counter

BUDGET = 0.6  # s for timing, but for the cell that is under way


@dataclass(frozen=True)
class Cost:
    """Seconds that a fit takes on average, and why a cell that was tried cannot be, or nothing."""

    seconds: float
    refused: str = ""

    def of(self, fits):
        """Seconds that so many take on all cores of this machine."""
        return self.seconds * fits / cores()


def cores():
    """How many processes work at a time."""
    return os.cpu_count() or 1


def cost(lab, stopped):
    """The Cost of a SweepLab's fits, from cells along the diagonal of its grid, the largest values first.

    None if stopped.

    The first is computed twice, as what is loaded for it is loaded once.
    """
    taken, refused, study, start = [], "", lab.study, perf_counter()
    warm = False
    for cell in _diagonal(lab.axes):
        for _ in range(1 if warm else 2):
            if stopped():
                return None
            begun = perf_counter()
            try:
                study.state(lab.seed, **cell).result()
            except ValueError as error:
                refused = refused or str(error)
            else:
                last, warm = perf_counter() - begun, True
        if warm:
            taken.append(last)
        if perf_counter() - start > BUDGET:
            break
    return Cost(mean(taken) if taken else 0.0, refused)


def _diagonal(axes):
    """Cells that go through all axes at once: the last values, then the middle, the first, and the others."""
    count = max(len(each.values) for each in axes)
    order = dict.fromkeys([count - 1, count // 2, 0, *range(count)])
    for i in order:
        yield {each.name: each.values[i * len(each.values) // count] for each in axes}
