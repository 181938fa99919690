"""Example of the home page: two different samples with one wrong reading, and two tests at each of its positions.

The samples are those of the lab /twosample, which opens in any of these states.
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
ROW = 0  # row of P that is the wrong reading
STOPS = tuple(float(x) for x in np.round(np.arange(-2.4, 12.1, 0.2), 1))  # positions of the reading
START = 11.4
# by their names in the lab: the kernel of the plain test, and that of the robust one
KERNELS: dict[str, Kernel] = {"LIN": Linear(), "RBF": Gaussian()}


class Stop(NamedTuple):
    """State with the reading at one position: the mean of P with it, and the result of the test with each kernel."""

    reading: float
    mean: float
    tests: dict[str, TestResult]

    def differ(self, kernel: str) -> bool:
        """Return whether the test with a kernel detects the difference."""
        return self.tests[kernel].pvalue <= LEVEL


def lab(kernel: str = "RBF", **fields: Any) -> Lab:
    """Return the state of the lab that compares the samples with a kernel."""
    own = registry.entry("twosample").lab
    return own(source="shift", d=1, size=SHIFT, n=N, m=N, seed=SEED, kernel=kernel, **fields)


def samples(reading: float | None = None) -> tuple[Points, Points]:
    """Return P and Q, each of shape (n, 1). The reading of P is at `reading`, or at its drawn value if that is None."""
    state: Any = lab()
    P, Q = (law.sample(N, seed) for law, seed in zip(state.the_laws(), state.seeds, strict=True))
    if reading is not None:
        P[ROW] = reading
    return P, Q


def stop(reading: float) -> Stop:
    """Return the example's state with the wrong reading at a position: the mean of P and the test with each kernel."""
    P, Q = samples(reading)
    tests = {name: mmd_test(P, Q, kernel, n_resamples=RESAMPLES, rng=SEED) for name, kernel in KERNELS.items()}
    return Stop(reading, float(P.mean()), tests)


def stops() -> tuple[Stop, ...]:
    """Return the example's state with the wrong reading at each of STOPS, in order."""
    return tuple(stop(reading) for reading in STOPS)


def link(kernel: str, reading: float) -> str:
    """Return the address at which the lab opens with one of these tests."""
    return address("twosample", lab(kernel, moved_p=moved_to("", ROW, reading, 0.0)))
