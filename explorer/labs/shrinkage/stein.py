"""James and Stein's estimate of the mean of one Gaussian, compared with the ordinary mean: where shrinking began."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from explorer.estimators import james_stein, james_stein_risk
from explorer.types import Points, Vector

DIMENSIONS = (1, 3, 10)  # of the curves that are always drawn; that of 2 is that of 1
FARTHEST = 15.0  # standard errors from 0 at which curves end
THETAS = np.linspace(0.0, FARTHEST, 91)


class Stein(NamedTuple):
    """The positive part's loss on this sample and its expected loss, each relative to the ordinary mean's own.

    The expected one is None where the sample is no sample of the distribution.
    """

    loss: float
    risk: float | None

    @classmethod
    def of(cls, X: Points, truth: Vector, clean: bool) -> Self | None:
        """Of points X (n, d) of variance 1 around the truth (d,), `clean` where none was replaced or moved.

        None where the ordinary mean is the truth itself.
        """
        mean, (n, d) = X.mean(axis=0), X.shape
        loss, plain = (((x - truth) ** 2).sum() for x in (james_stein(mean, 1 / n, positive=True), mean))
        if plain == 0:
            return None
        risk = relative_risk(math.sqrt(n * float(truth @ truth)), d) if clean else None
        return cls(float(loss / plain), risk)

    @property
    def gain(self) -> float | None:
        """What it gains on average, where that is known."""
        return None if self.risk is None else 1 - self.risk


class SteinRisk(NamedTuple):
    """Where a distribution is among James and Stein's expected losses.

    d      its number of coordinates
    theta  |θ|, how far its mean θ lies from 0, in standard errors of the average
    risk   the expected loss there, over the average's
    curve  the same at each of THETAS
    """

    d: int
    theta: float
    risk: float
    curve: np.ndarray

    @classmethod
    def of(cls, d: int, n: int, mean: float) -> Self:
        """Of a distribution with this mean and variance 1 in every coordinate, and samples of n points."""
        theta = mean * math.sqrt(n * d)
        return cls(d, theta, relative_risk(theta, d), risk_curve(d))


def relative_risk(theta: float, d: int) -> float:
    """The positive part's expected loss over the average's, |θ| being `theta` standard errors of the average."""
    return james_stein_risk(theta**2, d, positive=True) / d


@cache  # d is at most 100
def risk_curve(d: int) -> Vector:
    """`relative_risk` at each of THETAS, (91,)."""
    curve = np.array([relative_risk(float(theta), d) for theta in THETAS])
    curve.flags.writeable = False
    return curve


def mean_at(theta: float, d: int, n: int) -> float:
    """The mean in every coordinate that lies so many standard errors from 0, to three digits: a pointer has no more."""
    return float(f"{max(theta, 0.0) / math.sqrt(n * d):.3g}")
