"""The leave-one-out objective E|φ(X) - g|² next to the loss |μ - g|², and the cost of its scores."""

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


ENOUGH = 0.25  # seconds of refits from which the time of all refits is extrapolated


@printed
class Objective(NamedTuple):
    """Numbers that give E|φ(X) - g|² = |μ - g|² + nΔ of any estimate g of μ, in units of the empirical mean's loss.

    An estimator minimises the left side, the objective; |μ - g|² is the loss. Both sides are least at the same g (paper
    002, section 3, whose δ is μ̂: erratum 29). A leave-one-out score estimates the left one, for estimates from n - 1
    points.

    Attributes
    ----------
    unit : float
        The empirical mean's loss, or its estimate by leave-one-out if the true distribution is not known.
    gap : float or None
        nΔ = E k(X, X) - |μ|², the same for every g; None if it is not known.
    level : float
        The empirical mean's leave-one-out score.
    step : float
        The unit of the scores of a `RegularisationPath`, in units of `unit`.
    """

    unit: float
    gap: float | None
    level: float
    step: float

    @classmethod
    def of(cls, summary: Summary, truth: Truth | None, loss: float | None) -> Self:
        """Return the numbers of a sample.

        Parameters
        ----------
        summary : Summary
            The sample's `Summary`.
        truth : Truth or None
            The true distribution, if it is known.
        loss : float or None
            The empirical mean's loss, if it is known.

        Returns
        -------
        Objective
            The unit, nΔ, and the empirical mean's score.
        """
        estimated = summary.gap / (summary.n - 1) or 1.0
        unit = estimated if loss is None else loss
        gap = None if truth is None else summary.n * truth.variance / unit
        return cls(unit, gap, float(summary.loocv(0.0)) / unit, estimated / unit)

    def scores(self, path: RegularisationPath) -> Vector:
        """Return an estimator's leave-one-out scores at several λ as estimates of E|φ(X) - g|², in units of `unit`.

        Parameters
        ----------
        path : RegularisationPath
            The estimator's losses and scores at m + 1 values of λ. Its scores are relative to the empirical mean's.

        Returns
        -------
        ndarray of shape (m + 1,)
            The scores, converted.
        """
        return self.level + (path.score - 1) * self.step


@printed
class Pace(NamedTuple):
    """Seconds that F-KMSE's leave-one-out scores at m values of λ take on this machine.

    Attributes
    ----------
    m : int
        The number of values of λ.
    closed : float
        Seconds from one eigendecomposition, measured.
    refits : float
        Seconds by n refits at each λ, extrapolated from as many as fit into a quarter of a second.
    """

    m: int
    closed: float
    refits: float

    @classmethod
    def of(cls, K: Gram, lams: Vector, stopped: Callable[[], bool]) -> Self | None:
        """Measure how many seconds F-KMSE's leave-one-out scores take on a Gram matrix, in closed form and by n refits.

        Parameters
        ----------
        K : ndarray of shape (n, n)
            The Gram matrix.
        lams : ndarray of shape (m,)
            Values of λ in the matrix's units; only those above 0 count.
        stopped : callable
            Returns whether the measurement has been cancelled.

        Returns
        -------
        Pace or None
            The seconds; None if the measurement was cancelled.
        """
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
    """Return |k(x_i, .) - F-KMSE of the other points|² by a refit, for λ > 0 in units of the Gram matrix K (n, n)."""
    rest = np.arange(len(K)) != i
    among = K[np.ix_(rest, rest)]
    weights = np.linalg.solve(among + lam * np.eye(len(among)), among.mean(axis=1))
    return float(K[i, i] - 2 * K[i, rest] @ weights + weights @ among @ weights)
