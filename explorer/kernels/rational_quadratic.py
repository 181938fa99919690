"""Rational quadratic kernel: Gaussians of many bandwidths at once."""

from __future__ import annotations

import math

import numpy as np

from explorer.parameters import LogNumber
from explorer.types import Matrix

from .bandwidth import bandwidth_field
from .mixtures import ScaleMixture, gamma_nodes


class RationalQuadratic(ScaleMixture):
    r"""Rational quadratic kernel: a mixture of Gaussian kernels of many bandwidths.

    Use it if the data vary at several scales. For one scale use `Gaussian`.

    .. math:: k(x, y) = \Bigl(1 + \frac{|x - y|^2}{2 \alpha \theta^2}\Bigr)^{-\alpha}

    It is scikit-learn's ``RationalQuadratic(length_scale=θ, alpha=α)``.

    Parameters
    ----------
    bandwidth : float or None, default None
        The bandwidth θ, in units of x. None chooses it on the data by the median heuristic: ``θ^2 = median of |x_i -
        x_j|^2 over i < j``.
    alpha : float, default 1.0
        The power α > 0, without a unit.

    Notes
    -----
    It is the mean of ``exp(-g |x - y|^2 / (2 θ^2))`` over g of the Gamma distribution of shape α and mean 1 (Rasmussen
    and Williams 2006, Gaussian Processes for Machine Learning, eq. 4.19 and 4.20). A small α mixes many bandwidths, so
    that far points still share something, and α -> inf is Gaussian(θ). Bounded: k(x, x) = 1. Characteristic and
    universal, as each of those Gaussians is. Its expectations under Gaussian noise are a sum over g, exact to 1e-14.

    Examples
    --------
    >>> from explorer import RationalQuadratic
    >>> RationalQuadratic(2.0, alpha=0.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    bandwidth: float | None = bandwidth_field()
    alpha: float = LogNumber(
        default=1.0,
        bounds=(1e-3, 1e6),
        softbounds=(1e-1, 1e2),
        symbol="α",
        doc="the power that similarity falls by; a small one mixes many length scales",
    )

    def _scales(self, reach):
        g, weights = gamma_nodes(self.alpha, reach)
        with np.errstate(divide="ignore", over="ignore"):
            return 1 / g, weights

    def _value(self, S):
        return np.exp(-self.alpha * np.log1p(S / (2 * self.alpha)))

    def _less_one(self, S):
        return np.expm1(-self.alpha * np.log1p(S / (2 * self.alpha)))

    def radial(self, S: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        rate, value, base = 0.5 / self.theta() ** 2, self.of_pairs(S), 1 + self._in_bandwidths(S) / (2 * self.alpha)
        first = -rate * value / base
        return value, first, -rate * (1 + 1 / self.alpha) * first / base

    def _fall(self, S):
        return np.exp(-(self.alpha + 1) * np.log1p(S / (2 * self.alpha)))

    def log_mass(self, d: int) -> float | None:
        """Compute log((2π α θ²)^(d/2) Γ(α - d/2) / Γ(α)), the logarithm of the kernel's integral.

        Parameters
        ----------
        d : int
            Number of coordinates.

        Returns
        -------
        float or None
            The logarithm, or None if α <= d/2: then the integral is infinite.
        """
        if self.alpha <= d / 2:
            return None
        unit = 0.5 * math.log(2 * math.pi * self.alpha) + math.log(self.theta())
        return d * unit + math.lgamma(self.alpha - d / 2) - math.lgamma(self.alpha)
