"""Noisy copies of a sample, the kernel density estimate and the wider kernels behind a marginalized estimate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from explorer import checks
from explorer.checks import Refusal, read_only_fields
from explorer.embeddings import Embedding, GaussianMixture
from explorer.printing import printed
from explorer.record import record
from explorer.rng import stream
from explorer.types import Matrix, Points, PointsLike, Values, Vector

if TYPE_CHECKING:
    from explorer.kernels.gaussian import Gaussian


DF = 5  # degrees of freedom of Student's noise, so that its fourth moment is finite
# The kinds of noise, each of standard deviation 1.
NOISES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Values]] = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "laplace": lambda rng, shape: rng.laplace(0.0, np.sqrt(0.5), shape),
    "student": lambda rng, shape: rng.standard_t(DF, shape) * np.sqrt((DF - 2) / DF),
    "uniform": lambda rng, shape: rng.uniform(-np.sqrt(3), np.sqrt(3), shape),
}


def corrupted(
    X: Points, sigma: Sequence[float] | Vector, copies: int = 100, rng: int | None = None, noise: str = "gaussian"
) -> Matrix:
    """Return `copies` noisy copies of every point; all copies of a point are next to each other.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample.
    sigma : float or array_like of shape (d,)
        Standard deviation of the noise, one for all coordinates or one for each.
    copies : int, default 100
        The number of copies of each point.
    rng : int or None, default None
        Seed of the noise.
    noise : {"gaussian", "laplace", "student", "uniform"}, default "gaussian"
        The distribution of the noise, independent in every coordinate; "student" has 5 degrees of freedom.

    Returns
    -------
    ndarray of shape (n copies, d)
        The copies.

    Raises
    ------
    Refusal
        If an argument is outside its range.

    Notes
    -----
    The plain average KME(kernel).embed(...) of the copies tends to the marginalized estimate for any kernel and noise,
    at a squared RKHS distance of mean(E k(x + u, x + u) - E k(x + u, x + v)) / (n copies) on average, where u and v are
    independent noise. MKME and MMKME have the limit for Gaussian noise in closed form.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KME, MKME, Gaussian
    >>> from explorer.estimators import corrupted
    >>> X, kernel = np.array([[0.0], [1.0], [2.0]]), Gaussian(1.0)
    >>> copies = corrupted(X, 0.5, copies=500, rng=0)
    >>> copies.shape, round(KME(kernel).embed(copies).distance(MKME(kernel, 0.5).embed(X)), 2)
    ((1500, 1), 0.01)
    """
    X, copies = checks.sample(X), checks.whole(copies, "copies", 1)
    sigma = _per_coordinate(sigma, X.shape[1])
    checks.one_of(noise, "noise", NOISES)
    many = np.repeat(X, copies, axis=0)
    return many + sigma * NOISES[noise](stream(rng, "noise"), many.shape)


def density(X: PointsLike, sigma: float | Sequence[float]) -> GaussianMixture:
    """Return the kernel density estimate (1/n) sum_i N(x_i, diag(σ^2)), a distribution.

    Its embedding is the marginalized estimate.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample.
    sigma : float or array_like of shape (d,)
        A number as MKME's, or one for each coordinate as MMKME's.

    Returns
    -------
    GaussianMixture
        The distribution.

    Examples
    --------
    >>> from explorer import MKME, Gaussian
    >>> from explorer.estimators import density
    >>> X = [[0.0], [1.0], [3.0]]
    >>> law = density(X, 0.5)
    >>> law.logpdf([[0.0], [2.0]]).round(3).tolist()
    [-1.197, -2.63]
    >>> mean = law.embed(Gaussian(1.0))
    >>> round(mean.distance(MKME(Gaussian(1.0), 0.5).embed(X)), 6)
    0.0
    """
    X = checks.sample(X)
    return GaussianMixture(np.full(len(X), 1 / len(X)), X, _per_coordinate(sigma, X.shape[1]) ** 2)


def cell_masses(X: Points, deviations: Matrix, x: Vector, y: Vector) -> Values:
    """Return the mass of the kernel density estimate in each cell of a plane, for every row of noise.

    Parameters
    ----------
    X : ndarray of shape (n, 2)
        The sample.
    deviations : ndarray of shape (m, 2) or (m, 1)
        The standard deviations, one column for both coordinates or one for each; 0 counts as 1e-9 of the plane.
    x, y : ndarray
        The ends of the cells along both coordinates, increasing.

    Returns
    -------
    ndarray of shape (m, x cells, y cells)
        The masses.
    """

    def along(edges, column, deviation):
        apart = (edges - column[:, None]) / np.maximum(deviation, 1e-9 * np.ptp(edges))[:, None, None]
        return np.diff(ndtr(apart), axis=2)

    across = along(x, X[:, 0], deviations[:, 0])
    return across.transpose(0, 2, 1) @ along(y, X[:, 1], deviations[:, -1]) / len(X)


def _per_coordinate(sigma, d):
    """Return checked standard deviations, one for each coordinate."""
    sigma = checks.numbers(sigma, "sigma")
    if sigma.ndim and sigma.shape != (d,):
        raise Refusal(
            f"sigma has shape {sigma.shape}; give one standard deviation, or one for each of the {d} coordinates."
        )
    if (sigma < 0).any():
        raise Refusal(f"sigma holds {sigma.min():g}; a standard deviation is never below 0.")
    return np.broadcast_to(sigma, (d,))


@printed
@record
class CopiesPath:
    """Noisy copies of a sample, and the distances of their averages from the marginalized estimate.

    Attributes
    ----------
    points : ndarray of shape (copies, n, d)
        The copies.
    path : ndarray of shape (copies,)
        Squared RKHS distances between the average over the first m copies and the estimate.
    expected : ndarray of shape (copies,)
        The expectations of `path` over the noise.
    """

    points: np.ndarray
    path: np.ndarray
    expected: np.ndarray

    __post_init__ = read_only_fields


def copies_path(
    kernel: Gaussian, X: Points, deviations: Vector, copies: int = 50, rng: int | None = None, unit: float = 1.0
) -> CopiesPath:
    """Draw noisy copies of a sample, and compute how far the average over the first m copies is from the estimate.

    Parameters
    ----------
    kernel : Gaussian
        The kernel.
    X : ndarray of shape (n, d)
        The sample.
    deviations : ndarray of shape (d,)
        The standard deviations of the noise.
    copies : int, default 50
        The number of copies.
    rng : int or None, default None
        Seed of the noise.
    unit : float, default 1.0
        The unit of the squared distances.

    Returns
    -------
    CopiesPath
        The copies and their distances.

    Notes
    -----
    On average |average - μ̃|² = (1 - E k(x + u, x + v)) / (n m), for a stationary kernel.
    """
    n, d = X.shape
    deviations = np.broadcast_to(deviations, (d,))
    points = corrupted(X, deviations, copies, rng).reshape(n, copies, d).swapaxes(0, 1)
    within = np.empty((copies, copies))
    for c in range(copies):
        rows = kernel(points[c], points[: c + 1].reshape(-1, d))
        within[c, : c + 1] = within[: c + 1, c] = rows.reshape(n, c + 1, n).mean(axis=(0, 2))
    estimate = Embedding(kernel, X, np.full(n, 1 / n), deviations**2)
    across = estimate(points.reshape(-1, d)).reshape(copies, n).mean(axis=1)
    m, pairs = np.arange(1, copies + 1), kernel.noisy_pairs(X)
    drops = pairs.drops(deviations[None] ** 2)
    square = within.cumsum(axis=0).cumsum(axis=1).diagonal() / m**2 - 2 * across.cumsum() / m + pairs.square(drops)
    return CopiesPath(points, np.maximum(square, 0.0) / unit, drops.same[0] / (n * m) / unit)


@printed
@record
class KernelSlices:
    """Gaussian kernels of two points at distances along one coordinate, for every row of noise.

    Attributes
    ----------
    at : ndarray of shape (p,)
        The distances, in units of the bandwidth θ.
    plain : ndarray of shape (p,)
        The kernel k itself.
    one : ndarray of shape (m, p)
        The expectation of k with noise on one point.
    both : ndarray of shape (m, p)
        The expectation of k with noise on both points.
    """

    at: np.ndarray
    plain: np.ndarray
    one: np.ndarray
    both: np.ndarray

    __post_init__ = read_only_fields


def kernel_slices(bandwidth: float, deviations: Matrix, at: Vector, axis: int = 0) -> KernelSlices:
    """Return the KernelSlices along a coordinate.

    Parameters
    ----------
    bandwidth : float
        The kernel's bandwidth θ.
    deviations : ndarray of shape (m, d)
        The standard deviations of the noise.
    at : ndarray of shape (p,)
        The distances, in units of θ.
    axis : int, default 0
        The coordinate.

    Returns
    -------
    KernelSlices
        The slices.

    Notes
    -----
    k_e(r) = prod_l (θ² / (θ² + e_l))^(1/2) exp(-r² / (2 (θ² + e_j))) for r along coordinate j; e doubles for two
    points.
    """

    def along(e):
        ratio = e / bandwidth**2
        height = -0.5 * np.log1p(ratio).sum(axis=1)  # in logs: the product alone underflows in high dimension
        return np.exp(height[:, None] - 0.5 * at**2 / (1 + ratio[:, axis, None]))

    e = np.asarray(deviations, dtype=float) ** 2
    return KernelSlices(at, np.exp(-0.5 * at**2), along(e), along(2 * e))
