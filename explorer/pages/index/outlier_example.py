"""Two samples that differ, one reading of which is wrong: what two tests say wherever that reading lies.

The samples are those of the lab /twosample, which opens at any of these states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.discrepancy import TestResult, mmd_test
from explorer.kernels import Gaussian, Linear
from explorer.types import Points
from explorer.workbench import registry
from explorer.workbench.links import address
from explorer.workbench.user_points import moved_to

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.workbench.lab import Lab

N, SHIFT, SEED, LEVEL, RESAMPLES = 50, 0.5, 59, 0.05, 999
ROW = 0  # of P: the reading that goes astray
STOPS = tuple(float(x) for x in np.round(np.arange(-2.4, 12.1, 0.2), 1))  # where the reading may lie
START = 11.4
# as the lab calls them: the plain test's, and the robust one's
KERNELS: dict[str, Kernel] = {"LIN": Linear(), "RBF": Gaussian()}


class Stop(NamedTuple):
    """What there is to see with the reading at one place: the mean of P with it, and the tests by the lab's kernels."""

    reading: float
    mean: float
    tests: dict[str, TestResult]

    def differ(self, kernel: str) -> bool:
        """Whether a test finds the difference."""
        return self.tests[kernel].pvalue <= LEVEL


def lab(kernel: str = "RBF", **fields: Any) -> Lab:
    """The state of the lab that compares the samples by a kernel."""
    own = registry.entry("twosample").lab
    return own(source="shift", d=1, size=SHIFT, n=N, m=N, seed=SEED, kernel=kernel, **fields)


def samples(reading: float | None = None) -> tuple[Points, Points]:
    """P with its reading there, or where it was drawn, and Q: two arrays (n, 1)."""
    state: Any = lab()
    P, Q = (law.sample(N, seed) for law, seed in zip(state.the_laws(), state.seeds, strict=True))
    if reading is not None:
        P[ROW] = reading
    return P, Q


def stop(reading: float) -> Stop:
    """Both tests with the reading at a place."""
    P, Q = samples(reading)
    tests = {name: mmd_test(P, Q, kernel, n_resamples=RESAMPLES, rng=SEED) for name, kernel in KERNELS.items()}
    return Stop(reading, float(P.mean()), tests)


def stops() -> tuple[Stop, ...]:
    """Both tests at every place, in order."""
    return tuple(stop(reading) for reading in STOPS)


def link(kernel: str, reading: float) -> str:
    """Where the lab opens at one of these tests."""
    return address("twosample", lab(kernel, moved_p=moved_to("", ROW, reading, 0.0)))
