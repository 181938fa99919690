"""Gauss quadrature of distributions: few points with positive weights that replace one in an integral."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh_tridiagonal

from explorer.types import Vector


def laguerre(alpha: float, n: int) -> tuple[Vector, Vector]:
    """Return n nodes x > 0 and weights of the Gamma distribution x^α e^(-x) / Γ(α + 1), α > -1.

    The rule is exact for polynomials of degree 2n - 1.
    """
    k = np.arange(1.0, n)
    return _nodes(2 * np.arange(n) + alpha + 1, np.sqrt(k * (k + alpha)))


def jacobi(beta: float, n: int) -> tuple[Vector, Vector]:
    """Return n nodes in (0, 1) and weights of the Beta distribution (β + 1) u^β, β > -1: exact up to degree 2n - 1."""
    k = np.arange(1.0, n)
    first = (beta + 1) / (beta + 2)
    centre = 0.5 + beta**2 / (2 * (2 * k + beta) * (2 * k + beta + 2))
    # (2k + β - 1) divides k + β at k = 1, but it would be 0/0 for β = -1
    ratio = np.divide(k + beta, 2 * k + beta - 1, out=np.ones_like(k), where=k > 1)
    off = k**2 * (k + beta) * ratio / ((2 * k + beta) ** 2 * (2 * k + beta + 1))
    return _nodes(np.concatenate([[first], centre]), np.sqrt(off))


def charlier(mean: float, n: int) -> tuple[Vector, Vector]:
    """Return n nodes and weights of the Poisson distribution of a mean >= 0, exact for polynomials of degree 2n - 1.

    The nodes x >= 0 are not whole numbers, so an integrand needs a smooth form between them.

    Parameters
    ----------
    mean : float
        The mean.
    n : int
        Number of nodes.

    Returns
    -------
    nodes, weights : ndarray of shape (n,)
        The rule.
    """
    nodes, weights = _nodes(np.arange(n) + mean, np.sqrt(np.arange(1.0, n) * mean))
    return np.maximum(nodes, 0.0), weights  # rounding may put the smallest one below 0


def compress(x: Vector, p: Vector, n: int) -> tuple[Vector, Vector]:
    """Return at most n nodes and weights that integrate polynomials of degree 2n - 1 as the points x with masses p do.

    x and p have shape (m,). Lanczos on diag(x) from sqrt(p), with each vector orthogonalised twice against all before
    it, keeps the nodes real and the weights positive. There are fewer nodes if fewer already give the points'
    distribution exactly to rounding.
    """
    Q, centre, off = np.empty((n, len(x))), [], []
    v = np.sqrt(p / p.sum())
    for k in range(n):
        Q[k] = v
        v = x * v
        centre.append(v @ Q[k])
        for _ in range(2):
            v = v - (Q[: k + 1] @ v) @ Q[: k + 1]
        off.append(np.linalg.norm(v))
        if off[-1] <= 1e-14 * np.abs(x).max():
            break
        v /= off[-1]
    nodes, weights = _nodes(np.array(centre), np.array(off[: len(centre) - 1]))
    return np.clip(nodes, x.min(), x.max()), weights  # rounding may put a node outside the points' range


def _nodes(centre, off):
    """Return the rule of Golub and Welsch from the recurrence's matrix.

    Nodes are its eigenvalues, weights the squared first components of its eigenvectors.
    """
    nodes, U = eigh_tridiagonal(centre, off)
    return nodes, U[0] ** 2
