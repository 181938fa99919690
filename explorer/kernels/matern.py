"""Matérn kernels: rougher than the Gaussian kernel, smoother than the Laplacian kernel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.parameters import Choice
from explorer.types import Matrix, Points, Values

from .bandwidth import bandwidth_field
from .base import Kernel
from .increments import NEAR, StationaryIncrements, middle, typical
from .mixtures import ScaleMixture, gamma_nodes

ORDERS = (0.5, 1.5, 2.5)
SERIES = 1.0  # z below which 1 - k is summed as a series of positive terms
TERMS = 20  # number of terms of that series: 1 / 20! = 4e-19


class Matern(ScaleMixture):
    r"""Matérn kernel of smoothness 1/2, 3/2 or 5/2.

    Use it for functions of limited smoothness, between `Laplacian` and `Gaussian`.

    .. math::

        k(x, y) = p_\nu(z) e^{-z}, \quad z = \sqrt{2 \nu} \, |x - y| / \theta, \quad
        p_{1/2} = 1, \; p_{3/2} = 1 + z, \; p_{5/2} = 1 + z + z^2/3

    Parameters
    ----------
    bandwidth : float or None, default None
        The bandwidth θ, in units of x: scikit-learn's ``Matern(length_scale=θ, nu=ν)``. None chooses it on the data by
        the median heuristic: ``θ^2 = median of |x_i - x_j|^2 over i < j``.
    nu : {0.5, 1.5, 2.5}, default 1.5
        The smoothness ν: functions of the RKHS have square integrable derivatives up to the order ν + d/2.

    Notes
    -----
    ν -> inf is Gaussian(θ), and in one dimension ν = 1/2 is Laplacian(θ). Calls of earlier versions that pass ν first
    and then a bandwidth, such as Matern(1.5, 2.0), still work.

    It is the mean of Gaussian(θ √g) over g of the Gamma distribution of shape ν and mean 1, as its Fourier transform is
    a Student t density (Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, eq. 4.14 to 4.17).
    Bounded: k(x, x) = 1. Characteristic and universal, as each of those Gaussians is. Its expectations under Gaussian
    noise are a sum over g, exact to 1e-14.

    Examples
    --------
    >>> from explorer import Matern
    >>> Matern(2.0, nu=1.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.4834],
           [0.4834, 1.    ]])
    """

    bandwidth: float | None = bandwidth_field()
    nu: float = Choice(default=1.5, objects=list(ORDERS), doc="smoothness: 1/2, 3/2 or 5/2")

    if not TYPE_CHECKING:  # a type checker reads the signature from the fields

        def __init__(self, *args: float, **kwargs: float | None) -> None:
            if args and _order(args[0]) and ("bandwidth" in kwargs or (len(args) > 1 and not _order(args[1]))):
                args, kwargs = args[1:], {"nu": args[0], **kwargs}
            super().__init__(*args, **kwargs)

    def values(self) -> dict[str, Any]:
        """Return the fields as a plain dict, with ν first: keys, sweeps' streams and printed code depend on this order.

        Returns
        -------
        dict
            The fields by name.
        """
        return {"nu": self.nu, **super().values()}

    @property
    def curvature(self) -> float:
        return self.nu / (self.nu - 1)

    def _scales(self, reach):
        # For points within a bandwidth k - 1 counts. Its part from bandwidth θ √g is about 1/g times that from θ; for
        # ν = 1/2 it is about the total of the bandwidths below a distance.
        return gamma_nodes(self.nu, power=(1.0 if self.nu > 1 else 0.25) if reach < 1 else 0.0)

    def _value(self, S):
        z, first = self._lengths(S)
        return first * np.exp(-z)

    def _less_one(self, S):
        """For small z compute -e^-z (e^z - 1 - z - c z^2), c = 0 or 1/3, from the powers of z left in the bracket."""
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
        """Compute the gradient as for any mixture of Gaussians; ν = 1/2 has none, as it has a kink at equal points.

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points.
        D : ndarray of shape (d, d) or None, default None
            Covariance of the noise of Y; None stands for zero.

        Returns
        -------
        ndarray of shape (n, m, d)
            The gradients by x.

        Raises
        ------
        ValueError
            If ν = 1/2.
        """
        return Kernel.gradient(self, X, Y, D) if self.nu == 0.5 else super().gradient(X, Y, D)

    def _fall(self, S):
        z, _ = self._lengths(S)
        return (3.0 if self.nu == 1.5 else 5 / 3 * (1 + z)) * np.exp(-z)

    def _lengths(self, S):
        """Compute z from squared distances over θ^2, and the polynomial in z before e^-z."""
        z = np.minimum(np.sqrt(2 * self.nu * np.minimum(S, 1e300)), 1e3)  # e^-1000 = 0
        return z, {0.5: 1.0, 1.5: 1 + z, 2.5: 1 + z + z * z / 3}[self.nu]

    def contrast(self, points: Points, variance: float = 0.0) -> Matern | StationaryIncrements:
        """Return `Increments` if 1 - k, which is ``|x - y| / θ`` nearby for ν = 1/2, is small for most of the points.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            Points that weights of sum zero are put on.
        variance : float, default 0.0
            Variance of Gaussians at the points.

        Returns
        -------
        Kernel or Increments
            This kernel k, or its increments k_o from an origin o.
        """
        if self.nu > 1:
            return super().contrast(points, variance)
        origin = middle(points)
        near = typical(points, origin) + math.sqrt(variance) <= NEAR * self.theta()
        return StationaryIncrements(self, origin) if near else self

    def log_mass(self, d: int) -> float:
        """Compute log((2π θ² / ν)^(d/2) Γ(ν + d/2) / Γ(ν)), the logarithm of the kernel's integral.

        Parameters
        ----------
        d : int
            Number of coordinates.

        Returns
        -------
        float
            The logarithm.
        """
        unit = 0.5 * math.log(2 * math.pi / self.nu) + math.log(self.theta())
        return d * unit + math.lgamma(self.nu + d / 2) - math.lgamma(self.nu)


def _order(value):
    return isinstance(value, (int, float)) and value in ORDERS
