"""Expectations of the Gaussian kernel between points that carry noise of any covariance, at any bandwidth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.spatial.distance import cdist

from explorer.linalg import ROUNDING, lapack, pivoted_cholesky
from explorer.types import Gram, Matrix, Points, Values, Vector

from .base import total
from .distances import exponentials, squared_distances

REGULAR = 1e4  # largest tr A^(-1) for which Cholesky's factor of A, of unit diagonal, gives twelve digits
WIDE = 1e-2  # tr S over θ^2 below which log|I + S/θ^2| is computed from eigenvalues
NEAR = 1e3  # largest coordinate in standard deviations: to rotate before subtracting costs 1e-13 of it
FAR = 60.0  # standard deviations beyond which the kernel is 0: e^(-60^2 / 2) underflows
ENTRIES = 2**18  # pairs times coordinates computed at a time: 2 MB
SMALL = 16  # largest number of coordinates for which factors of covariances are cached: 128 of them take 0.5 MB


def noisy_gram(X: Points, Y: Points, theta: float, C: Matrix | None, D: Matrix | None) -> Gram:
    """Compute |I + S/θ^2|^(-1/2) exp(-(x-y)'(S + θ^2 I)^(-1)(x-y)/2), (n, m), with S = C + D.

    C and D are (d, d) or None, but not both None.
    """
    return exponentials(noisy_exponent(X, Y, theta, C, D))


def noisy_exponent(X: Points, Y: Points, theta: float, C: Matrix | None, D: Matrix | None) -> Matrix:
    """Compute the logarithm of `noisy_gram`, without cancellation if it is small."""
    S = total(C, D)
    if S is None:
        return -0.5 / theta**2 * squared_distances(X, Y)
    variances = np.maximum(S.diagonal(), 0.0)  # rounding may leave a number just below 0
    if np.count_nonzero(S) == np.count_nonzero(S.diagonal()):  # no coordinate is coupled to another
        squares = _apart(X, Y, 1 / (theta**2 + variances))
        log_scale = -0.5 * log_widening(variances, theta).sum()
    else:
        whiten, log_scale = _regular(S, theta) or _singular(C, D, theta)
        squares = _whitened(X, Y, whiten, np.sqrt(variances.sum() + len(S) * theta**2))
    return np.subtract(log_scale, 0.5 * squares)


def noisy_grams(X: Points, Y: Points, theta: float, S: Points, scales: Vector) -> Values:
    """Compute `noisy_gram` of S times each of `scales` (q,), (q, n, m), by one decomposition of S."""
    gamma, U = principal_axes(S)
    variances = np.multiply.outer(scales, gamma)
    with np.errstate(over="ignore"):
        apart = (X[:, None] - Y).reshape(-1, X.shape[1])
        squares = (
            np.square(_turned(apart, U, np.sqrt(variances.sum(axis=1).max() + theta**2)))
            @ (1 / (theta**2 + variances)).T
        )
    K = exponentials(-0.5 * (squares + log_widening(variances, theta).sum(axis=1)))
    return K.T.reshape(len(variances), len(X), len(Y))


def log_widening(variances: Values, theta: float) -> Values:
    """Compute log(1 + v/θ^2) of variances v, of their shape; the quotient itself may overflow."""
    ratio, top = np.sqrt(variances) / theta, 1e8
    return np.log1p(np.minimum(ratio, top) ** 2) + 2 * np.log(np.maximum(ratio, top) / top)


def principal_axes(*covariances: Matrix | None) -> tuple[Vector, Matrix]:
    """Compute eigenvalues (d,) and eigenvectors (d, d) of a sum of covariances, small ones as exactly as large ones.

    The sum is F F', where F puts a factor of each covariance next to the others. Jacobi's method finds the singular
    values of F to their own relative precision, however different its columns are (Drmač and Veselić 2008, SIAM J.
    Matrix Anal. 29, 1322). An eigenvalue of the rounded sum would be known to eps of the largest only, which is much
    compared with the square of a narrow bandwidth.
    """
    F = np.concatenate([root_of(C) for C in covariances if C is not None], axis=1)
    d, r = F.shape
    tall = np.zeros((max(d, r), d))
    tall[:r] = F.T
    # joba "F", jobu "N", jobv "V": no left vectors, and nothing small is dropped
    singular, _, V, scale, _, _ = lapack.dgejsv(tall, joba=2, jobu=3, jobv=0)
    return (singular * (scale[0] / scale[1])) ** 2, V


def root_of(C: Matrix) -> Matrix:
    """Compute F (d, r) with F F' = C (d, d).

    A covariance that is singular up to its rounding, coordinate by coordinate, is treated as singular.
    """
    s = np.sqrt(np.maximum(C.diagonal(), 0.0))
    varying = np.flatnonzero(s)
    correlation = C[np.ix_(varying, varying)] / s[varying] / s[varying, None]
    F = np.zeros((len(C), len(varying)))
    part = pivoted_cholesky(np.ones(len(varying)), correlation.__getitem__, tolerance=len(C) * ROUNDING).F
    F[varying, : part.shape[1]] = s[varying, None] * part
    return F[:, : part.shape[1]]


def _regular(S, theta):
    """Compute W (d, d) with W W' = (S + θ^2 I)^(-1), and log|I + S/θ^2|^(-1/2), by Cholesky; None if that loses digits.

    It loses eps tr A^(-1), where A is the matrix scaled to a unit diagonal: units of the coordinates do not matter.
    """
    return _factored(S, theta) if len(S) > SMALL else _factored_cached(S.tobytes(), len(S), theta)


@lru_cache(maxsize=128)  # a distribution's Gaussians are paired with every sample that it is compared with
def _factored_cached(S, d, theta):
    return _factored(np.frombuffer(S).reshape(d, d), theta)


def _factored(S, theta):
    M = S + theta**2 * np.eye(len(S))
    try:
        L = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:  # the rounded matrix is not positive definite
        return None
    W = lapack.dtrtri(L, lower=1)[0].T
    if M.diagonal() @ np.square(W).sum(axis=1) > REGULAR:
        return None
    if np.trace(S) > WIDE * theta**2:
        return W, np.log(theta * W.diagonal()).sum()
    # the logarithm is small: computed from eigenvalues it has the digits that a quotient near 1 lacks
    return W, -0.5 * log_widening(np.maximum(np.linalg.eigvalsh(S), 0.0), theta).sum()


def _singular(C, D, theta):
    """Compute `_regular` for every covariance and bandwidth, from the principal axes of S = C + D."""
    gamma, U = principal_axes(C, D)
    return U / np.sqrt(theta**2 + gamma), -0.5 * log_widening(gamma, theta).sum()


def _apart(X, Y, weights):
    """Compute sum_l weights_l (x_il - y_jl)^2, (n, m), from differences."""
    if (weights == weights[0]).all():
        return weights[0] * squared_distances(X, Y)
    return cdist(X, Y, "sqeuclidean", w=weights)


def _whitened(X, Y, W, reach):
    """Compute |W'(x_i - y_j)|^2, (n, m); `reach` is a standard deviation that no direction exceeds."""
    points = np.concatenate([X, Y])
    half = len(Y) // 2
    with np.errstate(over="ignore", invalid="ignore"):
        centre = np.partition(Y, half, axis=0)[half]  # with a median most points keep their digits anywhere
        z = (points - centre) @ W
    if (np.abs(z) < NEAR).all():  # false if one is nan
        return squared_distances(z[: len(X)], z[len(X) :])
    rows, squares = max(1, ENTRIES // Y.size), np.empty((len(X), len(Y)))
    for i in range(0, len(X), rows):
        with np.errstate(over="ignore"):
            apart = (X[i : i + rows, None] - Y).reshape(-1, X.shape[1])
            squares[i : i + rows] = np.square(_turned(apart, W, reach)).sum(axis=1).reshape(-1, len(Y))
    return squares


def _turned(apart, W, reach):
    """Multiply differences of points (p, d) by W (d, d); infinite if they are too long for a kernel value above 0."""
    far = np.abs(apart).max(axis=1) > FAR * reach
    turned = np.where(far[:, None], 0.0, apart) @ W
    turned[far] = np.inf
    return turned
