"""James and Stein's estimate of the mean of one Gaussian, compared with the ordinary mean: the origin of shrinkage."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from explorer.estimators import james_stein, james_stein_risk
from explorer.types import Points, Vector

DIMENSIONS = (1, 3, 10)  # Dimensions whose curves are always drawn. The curve of d = 2 is that of d = 1.
FARTHEST = 15.0  # the curves end at this distance from 0, in standard errors
THETAS = np.linspace(0.0, FARTHEST, 91)


class Stein(NamedTuple):
    """The positive part's loss on this sample and its expected loss, each relative to the ordinary mean's.

    The expected loss is None if the sample has been changed, so that the distribution did not produce it.
    """

    loss: float
    risk: float | None

    @classmethod
    def of(cls, X: Points, truth: Vector, clean: bool) -> Self | None:
        """Return the losses on points X, shape (n, d), of variance 1 around the truth, shape (d,).

        `clean` states that no point was replaced or moved. The result is None if the ordinary mean equals the truth.
        """
        mean, (n, d) = X.mean(axis=0), X.shape
        loss, plain = (((x - truth) ** 2).sum() for x in (james_stein(mean, 1 / n, positive=True), mean))
        if plain == 0:
            return None
        risk = relative_risk(math.sqrt(n * float(truth @ truth)), d) if clean else None
        return cls(float(loss / plain), risk)

    @property
    def gain(self) -> float | None:
        """The expected gain, or None if it is unknown."""
        return None if self.risk is None else 1 - self.risk


class SteinRisk(NamedTuple):
    """A distribution's place among James and Stein's expected losses.

    Attributes
    ----------
    d : int
        The number of coordinates.
    theta : float
        |θ|, the distance of the mean θ from 0, in standard errors of the average.
    risk : float
        The expected loss there, relative to the average's.
    curve : ndarray of shape (91,)
        The relative expected loss at each of THETAS.
    """

    d: int
    theta: float
    risk: float
    curve: np.ndarray

    @classmethod
    def of(cls, d: int, n: int, mean: float) -> Self:
        """Return the place of a distribution with mean `mean` and variance 1 in each coordinate, for n points."""
        theta = mean * math.sqrt(n * d)
        return cls(d, theta, relative_risk(theta, d), risk_curve(d))


def relative_risk(theta: float, d: int) -> float:
    """Return the positive part's expected loss relative to the average's.

    Parameters
    ----------
    theta : float
        |θ|, the distance of the true mean from 0, in standard errors of the average.
    d : int
        The number of coordinates.

    Returns
    -------
    float
        The relative expected loss.
    """
    return james_stein_risk(theta**2, d, positive=True) / d


@cache  # there are at most 100 values of d
def risk_curve(d: int) -> Vector:
    """Return `relative_risk` at each of THETAS, shape (91,)."""
    curve = np.array([relative_risk(float(theta), d) for theta in THETAS])
    curve.flags.writeable = False
    return curve


def mean_at(theta: float, d: int, n: int) -> float:
    """Return the value of each of d equal coordinates of a mean whose distance from 0 is `theta` standard errors.

    Parameters
    ----------
    theta : float
        |θ|, the distance of the mean from 0, in standard errors of the average.
    d : int
        The number of coordinates.
    n : int
        The number of points in a sample.

    Returns
    -------
    float
        The mean to three digits. A pointer is not more precise.
    """
    return float(f"{max(theta, 0.0) / math.sqrt(n * d):.3g}")
