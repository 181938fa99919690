"""Gaussian integrals of products: E exp(-δ'Λδ / 2) exp(p / s) q(p) for p = <x, y>, δ = x - y and a polynomial q.

x ~ N(., C) and y ~ N(., D) are independent, or y is x. With z = (x, y) and p = z'Jz / 2 both exponentials are of
quadratic forms: each gives a Gaussian z of another mean and covariance, and a factor. The mean of q(p) under the last
one comes from the cumulants of a quadratic form, for z ~ N(μ, QQ'), K = Q'JQ and g = Q'Jμ

    κ_1 = (tr K + μ'Jμ) / 2,   κ_n = (n-1)! / 2 tr K^n + n! / 2 g'K^(n-2) g

(Mathai and Provost 1992, Quadratic Forms in Random Variables, theorem 3.2b.1). Covariances enter as factors, so that
singular ones need no special case, and nothing is subtracted from C to get what remains of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial
from typing import NamedTuple

import numpy as np

from explorer.kernels.gaussian_noise import log_widening, root_of
from explorer.types import Matrix, Points, Vector


class Tilted(NamedTuple):
    """Gaussians z_i ~ N(μ_i, QQ') of one covariance, each times a mass: densities that exponential factors have tilted.

    A normal density times the exponential of a quadratic form is another normal density times a number, its mass.

    Attributes
    ----------
    mean : ndarray of shape (N, D)
        The means μ_i.
    factor : ndarray of shape (D, r)
        The factor Q of the covariance.
    log_mass : ndarray of shape (N,)
        Logarithms of the masses; 0 before the first factor.
    """

    mean: np.ndarray
    factor: np.ndarray
    log_mass: np.ndarray


def pairs_of(X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Tilted:
    """Return z = (x_i, y_j) for all pairs, (nm, 2d), with the covariances C of x and D of y."""
    n, m, d = len(X), len(Y), X.shape[1]
    factors = [np.zeros((d, 0)) if S is None else root_of(S) for S in (C, D)]
    Q = np.zeros((2 * d, sum(F.shape[1] for F in factors)))
    Q[:d, : factors[0].shape[1]] = factors[0]
    Q[d:, factors[0].shape[1] :] = factors[1]
    return Tilted(np.hstack([np.repeat(X, m, axis=0), np.tile(Y, (n, 1))]), Q, np.zeros(n * m))


def points_of(X: Points, C: Matrix) -> Tilted:
    """Return z = x_i, (n, d), with the covariance C."""
    return Tilted(X, np.zeros((X.shape[1], 0)) if C is None else root_of(C), np.zeros(len(X)))


def tilt_gaussian(z: Tilted, lengths: Vector) -> Tilted:
    """Multiply the densities of z = (x, y) by exp(-Σ_l (x_l - y_l)^2 / (2 θ_l^2)), lengths θ (d,)."""
    d = len(lengths)
    with np.errstate(over="ignore"):
        delta = np.clip((z.mean[:, :d] - z.mean[:, d:]) / lengths, -1e150, 1e150)
        F = (z.factor[:d] - z.factor[d:]) / lengths[:, None]
    U, s, V = np.linalg.svd(F)
    r = len(s)
    along = delta @ U
    with np.errstate(over="ignore"):
        squares = np.square(along)
    shrunk = 1 / np.hypot(1.0, s)
    squares[:, :r] *= shrunk**2
    moved = along[:, :r] * (s * shrunk**2) @ V[:r]
    rotated = z.factor @ V.T
    rotated[:, :r] *= shrunk
    log_mass = z.log_mass - 0.5 * squares.sum(axis=1) - 0.5 * log_widening(s**2, 1.0).sum()
    return Tilted(z.mean - moved @ z.factor.T, rotated, log_mass)


def tilt_exponential(z: Tilted, J: Matrix, scale: float) -> tuple[Tilted | None, float]:
    """Multiply the densities of z by exp(z'Jz / (2 s)), s the scale; also return the largest eigenvalue of Q'JQ / s.

    That eigenvalue has to be below 1. If it is not, the mean is infinite and the result is (None, eigenvalue).
    """
    gamma, W = np.linalg.eigh(z.factor.T @ J @ z.factor / scale)
    top = gamma[-1] if len(gamma) else 0.0
    if top >= 1:
        return None, top
    Q = (z.factor @ W) / np.sqrt(1 - gamma)
    with np.errstate(over="ignore", invalid="ignore"):
        Jm = z.mean @ J / scale
        b = Jm @ Q
        log_mass = 0.5 * (np.einsum("ij,ij->i", z.mean, Jm) + np.square(b).sum(axis=1) - np.log1p(-gamma).sum())
        return Tilted(z.mean + b @ Q.T, Q, z.log_mass + log_mass), top


def mean_of_powers(z: Tilted, J: Matrix, factors: Sequence[tuple[float, int]]) -> Vector:
    """Compute E Π_i (p + c_i)^(n_i) for p = z'Jz / 2 under each of N Gaussians z, (N,).

    `factors` holds the pairs (c_i, n_i). The masses that tilts left in z are not applied. The value comes from the
    moments of p + c_1.
    """
    shift, degree = factors[0][0], sum(n for _, n in factors)
    with np.errstate(over="ignore", invalid="ignore"):
        moments = _moments(z, J, shift, degree)
        polynomial = np.ones(1)
        for c, n in factors:
            polynomial = np.convolve(polynomial, [comb(n, k) * (c - shift) ** (n - k) for k in range(n + 1)])
        return sum((a * moment for a, moment in zip(polynomial, moments, strict=True) if a), np.zeros(()))


def _moments(z, J, shift, degree):
    """Compute E (p + shift)^n for n = 0 ... degree, a list of (N,)."""
    gamma, W = np.linalg.eigh(z.factor.T @ J @ z.factor)
    Jm = z.mean @ J
    g2 = np.square(Jm @ z.factor @ W)
    cumulants = [0.5 * (gamma.sum() + np.einsum("ij,ij->i", z.mean, Jm)) + shift]
    for n in range(2, degree + 1):
        along = g2 @ gamma ** (n - 2)
        cumulants.append(0.5 * factorial(n - 1) * (gamma**n).sum() + 0.5 * factorial(n) * along)
    moments = [np.ones(len(z.mean))]
    for n in range(1, degree + 1):
        terms = (comb(n - 1, j - 1) * cumulants[j - 1] * moments[n - j] for j in range(1, n + 1))
        moments.append(sum(terms, np.zeros(len(z.mean))))
    return moments


def swap(d: int) -> Matrix:
    """Return the matrix J (2d, 2d) of p = <x, y> for z = (x, y)."""
    J = np.zeros((2 * d, 2 * d))
    J[:d, d:] = J[d:, :d] = np.eye(d)
    return J
