"""Distance covariance and correlation, which are HSIC under the energy kernel."""

from __future__ import annotations

import math

from explorer.kernels import Energy

from .pairing import Pairing


def distance_covariance(X, Y):
    """dCov(X, Y) = sqrt(4 HSIC_b), both kernels Energy(), in units of sqrt(x y).

    The energy kernel (|x| + |x'| - |x - x'|) / 2 centred is -1/2 times the centred distance, so HSIC is a quarter of
    dCov^2 (Sejdinovic et al. 2013, Ann. Stat. 41, 2263). Székely, Rizzo, Bakirov 2007 (Ann. Stat. 35, 2769): 0 for the
    laws exactly where they are independent; of a sample this is the V-statistic, always above 0. Its test is hsic_test
    with both kernels Energy().
    """
    return math.sqrt(max(4 * _energies(X, Y).observed(), 0.0))


def distance_correlation(X, Y):
    """dCov(X, Y) / sqrt(dCov(X, X) dCov(Y, Y)), from 0 to 1, without unit; 0 where one side is constant."""
    paired = _energies(X, Y).paired
    size = math.sqrt(paired.squares[0] * paired.squares[1])
    return math.sqrt(max(paired.whole, 0.0) / size) if size > paired.tolerance else 0.0


def _energies(X, Y):
    return Pairing(X, Y, Energy(), Energy(), "biased", None)
