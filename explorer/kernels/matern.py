"""Matérn's kernels: rougher than the Gaussian, smoother than the Laplacian."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.parameters import Choice, LogNumber
from explorer.types import Matrix, Points, Values

from .base import Kernel
from .increments import NEAR, StationaryIncrements, middle, typical
from .mixtures import ScaleMixture, gamma_nodes

ORDERS = (0.5, 1.5, 2.5)
SERIES = 1.0  # z below which 1 - k is summed as a series of positive terms
TERMS = 20  # 1 / 20! = 4e-19


class Matern(ScaleMixture):
    """k(x, y) = e^-z for ν = 1/2, (1 + z) e^-z for ν = 3/2, (1 + z + z^2/3) e^-z for ν = 5/2, z = √(2ν) |x - y| / θ.

    bandwidth  θ, in units of x: scikit-learn's Matern(length_scale=θ, nu=ν). None chooses the median heuristic on the
               data at hand: θ^2 = median of |x_i - x_j|^2 over i < j
    nu         ν, 0.5, 1.5 or 2.5: functions of the RKHS have derivatives up to the order ν + d/2, squares integrable

    ν -> inf is Gaussian(θ), and in one dimension ν = 1/2 is Laplacian(θ). Calls of earlier versions that give ν first
    and a bandwidth, such as Matern(1.5, 2.0), are still read. It is the mean of Gaussian(θ √g) over g of
    the Gamma distribution of shape ν and mean 1, as its Fourier transform is a Student t density (Rasmussen and
    Williams 2006, Gaussian Processes for Machine Learning, eq. 4.14 to 4.17). Bounded: k(x, x) = 1. Characteristic and
    universal, as each of those Gaussians is. Its expectations under Gaussian noise are a sum over g, exact to 1e-14.

    >>> from explorer import Matern
    >>> Matern(2.0, nu=1.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.4834],
           [0.4834, 1.    ]])
    """

    bandwidth: float | None = LogNumber(
        default=None,
        bounds=(1e-150, 1e150),
        softbounds=(1e-2, 1e1),
        allow_None=True,
        symbol="θ",
        unit="units of x",
        doc="length scale: the distance at which similarity fades",
    )
    nu: float = Choice(default=1.5, objects=list(ORDERS), doc="smoothness: 1/2, 3/2 or 5/2")

    if not TYPE_CHECKING:  # a checker reads the signature from the fields

        def __init__(self, *args: float, **kwargs: float | None) -> None:
            if args and _order(args[0]) and ("bandwidth" in kwargs or (len(args) > 1 and not _order(args[1]))):
                args, kwargs = args[1:], {"nu": args[0], **kwargs}
            super().__init__(*args, **kwargs)

    def values(self) -> dict[str, Any]:
        """The fields as a plain dict: ν comes first, as keys, streams of sweeps and printed code have always had it."""
        return {"nu": self.nu, **super().values()}

    @property
    def curvature(self) -> float:
        return self.nu / (self.nu - 1)

    def _scales(self, reach):
        # of points within a bandwidth k - 1 is what counts, whose part of bandwidth θ √g is about 1/g times that of θ;
        # for ν = 1/2 about as much as the whole of the bandwidths below a distance
        return gamma_nodes(self.nu, power=(1.0 if self.nu > 1 else 0.25) if reach < 1 else 0.0)

    def _value(self, S):
        z, first = self._lengths(S)
        return first * np.exp(-z)

    def _less_one(self, S):
        """For small z = -e^-z (e^z - 1 - z - c z^2), c = 0 or 1/3, by the powers of z left in the bracket."""
        z, first = self._lengths(S)
        if self.nu == 0.5:
            return np.expm1(-z)
        near = np.minimum(z, SERIES)
        c = 0.0 if self.nu == 1.5 else 1 / 3
        series = np.zeros_like(near)
        for power in range(TERMS, 2, -1):
            series = (series + 1) * near / power
        series = near**2 * ((series + 1) / 2 - c)
        return np.where(z < SERIES, -np.exp(-near) * series, first * np.exp(-z) - 1)

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """As of any mixture of Gaussians; ValueError for ν = 1/2, which has a kink where two points meet."""
        return Kernel.gradient(self, X, Y, D) if self.nu == 0.5 else super().gradient(X, Y, D)

    def _fall(self, S):
        z, _ = self._lengths(S)
        return (3.0 if self.nu == 1.5 else 5 / 3 * (1 + z)) * np.exp(-z)

    def _lengths(self, S):
        """z of squared distances over θ^2, and the polynomial in z before e^-z."""
        z = np.minimum(np.sqrt(2 * self.nu * np.minimum(S, 1e300)), 1e3)  # e^-1000 = 0
        return z, {0.5: 1.0, 1.5: 1 + z, 2.5: 1 + z + z * z / 3}[self.nu]

    def contrast(self, points: Points, variance: float = 0.0) -> Matern | StationaryIncrements:
        """Increments where 1 - k, which is |x - y| / θ nearby for ν = 1/2, is small for most of the points (n, d)."""
        if self.nu > 1:
            return super().contrast(points, variance)
        origin = middle(points)
        near = typical(points, origin) + math.sqrt(variance) <= NEAR * self.theta()
        return StationaryIncrements(self, origin) if near else self

    def log_mass(self, d: int) -> float:
        """(2π θ^2 / ν)^(d/2) Γ(ν + d/2) / Γ(ν), in logs."""
        unit = 0.5 * math.log(2 * math.pi / self.nu) + math.log(self.theta())
        return d * unit + math.lgamma(self.nu + d / 2) - math.lgamma(self.nu)


def _order(value):
    return isinstance(value, (int, float)) and value in ORDERS
