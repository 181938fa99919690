"""Paired samples, and the Gram matrix of their pairs' differences."""

from __future__ import annotations

import numpy as np

from explorer.estimators.medianofmeans_coordinates import coordinates
from explorer.kernels import Gaussian
from explorer.kernels.distances import gaussian_differences

from .mmd import two_samples
from .tiled import contrast

MOST = 64  # features beyond which sums over features save nothing against sums over the Gram matrix


def paired(X, Y, kernel=None, at_least=1, purpose="for pairs"):
    """The chosen kernel, and X and Y (n, d): ValueError where they have not the same number of rows."""
    kernel, P, n, m = two_samples(X, Y, kernel, at_least, purpose)
    if n != m:
        raise ValueError(
            f"X has {n} rows and Y has {m}; MONK takes them in pairs (x_i, y_i), so both need the same number: "
            f"leave out {abs(n - m)} of {'X' if n > m else 'Y'}'s at random, or use mmd2."
        )
    return kernel, P[:n], P[n:]


def differences(kernel, X, Y):
    """D (N, N), D_ij = <ψ_i, ψ_j> of ψ_i = k(x_i, .) - k(y_i, .): k(x_i, x_j) + k(y_i, y_j) - k(x_i, y_j) - k(y_i, x_j).

    It is all that MONK needs of the pooled Gram matrix (2N, 2N). Swapping x_i and y_i turns the sign of row and column i.
    """
    seen = contrast(kernel, np.concatenate([X, Y]))
    if seen is kernel and isinstance(kernel, Gaussian) and (D := gaussian_differences(X, Y, kernel.bandwidth)) is not None:
        return D
    D, cross = seen(X) + seen(Y), seen(X, Y)
    D -= cross
    D -= cross.T
    return D


def typical(D):
    """The median |ψ_i|, which a minority of outliers cannot move."""
    return float(np.sqrt(max(np.median(D.diagonal()), 0.0)))


def features(D):
    """ψ as coordinates (N, r) with ψ ψ' = D, r <= 64, or None where D has no such low rank.

    Polynomial(2) in one dimension has r = 2, Gaussian in one dimension about 17; in ten it has none.
    """
    return coordinates(D, min(MOST, len(D)))
