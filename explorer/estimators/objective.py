"""What leave-one-out estimates, E|φ(X) - g|² beside the loss |μ - g|², and what its scores cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.printing import printed
from explorer.types import Gram, Vector

from .flexible import FKMSE
from .spectrum import Spectrum

if TYPE_CHECKING:
    from explorer.estimators.paths import Truth
    from explorer.estimators.simple import Summary

    from .paths import RegularisationPath


ENOUGH = 0.25  # s of refits, from whose pace the time of all of them is told


@printed
class Objective(NamedTuple):
    """E|φ(X) - g|² = |μ - g|² + nΔ of any estimate g, in units of the empirical mean's loss.

    Both sides are least at the same g (paper 002, section 3, whose δ is μ̂: erratum 29), and a leave-one-out score
    estimates the left one, of estimates from n - 1 points.

    unit   the empirical mean's loss; its estimate by leave-one-out where no true distribution is known
    gap    nΔ = E k(X, X) - |μ|², the same for every g; None where it is not known
    level  the empirical mean's leave-one-out score
    step   what a score of a `Path` counts in
    """

    unit: float
    gap: float | None
    level: float
    step: float

    @classmethod
    def of(cls, summary: Summary, truth: Truth | None, loss: float | None) -> Self:
        """From a sample's `Summary`, its `Truth` or None, and the empirical mean's loss or None."""
        estimated = summary.gap / (summary.n - 1) or 1.0
        unit = estimated if loss is None else loss
        gap = None if truth is None else summary.n * truth.variance / unit
        return cls(unit, gap, float(summary.loocv(0.0)) / unit, estimated / unit)

    def scores(self, path: RegularisationPath) -> Vector:
        """The leave-one-out scores of a `Path`, each an estimate of E|φ(X) - g|²."""
        return self.level + (path.score - 1) * self.step


@printed
class Pace(NamedTuple):
    """How long F-KMSE's scores at m values of λ take on this machine, in seconds.

    closed  from one eigendecomposition, measured
    refits  by n refits at each λ, told from as many as fit into a quarter of a second
    """

    m: int
    closed: float
    refits: float

    @classmethod
    def of(cls, K: Gram, lams: Vector, stopped: Callable[[], bool]) -> Self | None:
        """For a Gram matrix K (n, n) at those of λ (m,), in its units, that are above 0; None once `stopped()`."""
        lams = lams[lams > 0]
        start = time.perf_counter()
        FKMSE().score(Spectrum(K))(lams)
        closed = time.perf_counter() - start
        pairs = ((i, lam) for i in range(len(K)) for lam in lams)
        start, done = time.perf_counter(), 0
        for i, lam in pairs:
            if stopped():
                return None
            refit_score(K, i, lam)
            done += 1
            if time.perf_counter() - start > ENOUGH:
                break
        return cls(len(lams), closed, (time.perf_counter() - start) * len(K) * len(lams) / done)


def refit_score(K: Gram, i: int, lam: float) -> float:
    """|k(x_i, .) - F-KMSE of the other points|² by a refit, for λ > 0 in units of the Gram matrix K (n, n)."""
    rest = np.arange(len(K)) != i
    among = K[np.ix_(rest, rest)]
    weights = np.linalg.solve(among + lam * np.eye(len(among)), among.mean(axis=1))
    return float(K[i, i] - 2 * K[i, rest] @ weights + weights @ among @ weights)
