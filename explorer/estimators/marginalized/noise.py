"""What a marginalized estimate stands for: the average over noisy copies of the sample, a density, a wider kernel."""

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


DF = 5  # of Student's noise: its fourth moment is finite
# of standard deviation 1
NOISES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Values]] = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "laplace": lambda rng, shape: rng.laplace(0.0, np.sqrt(0.5), shape),
    "student": lambda rng, shape: rng.standard_t(DF, shape) * np.sqrt((DF - 2) / DF),
    "uniform": lambda rng, shape: rng.uniform(-np.sqrt(3), np.sqrt(3), shape),
}


def corrupted(
    X: Points, sigma: Sequence[float] | Vector, copies: int = 100, rng: int | None = None, noise: str = "gaussian"
) -> Matrix:
    """`copies` noisy copies of every point of X (n, d), (n copies, d), all copies of a point next to each other.

    sigma  standard deviation of the noise, a number or one for each coordinate (d,)
    noise  "gaussian", "laplace", "student" with 5 degrees of freedom, or "uniform": independent in every coordinate

    Their plain average KME(kernel).embed(...) tends to the marginalized estimate for any kernel and noise, at a squared
    RKHS distance of mean(E k(x + u, x + u) - E k(x + u, x + v)) / (n copies) on average, u and v independent noise.
    With Gaussian noise the limit is what MKME and MMKME know in closed form.

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
    if not isinstance(noise, str) or noise not in NOISES:
        raise Refusal(f"noise must be one of {', '.join(NOISES)}, not {checks.echo(noise)}.")
    many = np.repeat(X, copies, axis=0)
    return many + sigma * NOISES[noise](stream(rng, "noise"), many.shape)


def density(X: PointsLike, sigma: float | Sequence[float]) -> GaussianMixture:
    """The kernel density estimate (1/n) sum_i N(x_i, diag(σ^2)) of X (n, d), a distribution.

    Its embedding is the marginalized estimate.

    sigma  a number, as MKME's, or (d,), as MMKME's

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
    """How much of the density of X (n, 2) lies in each cell of a plane, for every row of noise, (m, x cells, y cells).

    deviations  (m, 2), or (m, 1) for both coordinates; 0 is taken for 1e-9 of the plane
    x, y        the ends of the cells along both coordinates, increasing
    """

    def along(edges, column, deviation):
        apart = (edges - column[:, None]) / np.maximum(deviation, 1e-9 * np.ptp(edges))[:, None, None]
        return np.diff(ndtr(apart), axis=2)

    across = along(x, X[:, 0], deviations[:, 0])
    return across.transpose(0, 2, 1) @ along(y, X[:, 1], deviations[:, -1]) / len(X)


def _per_coordinate(sigma, d):
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
    """Noisy copies of a sample, and how the average over the first m of them nears the marginalized estimate.

    points    (copies, n, d)
    path      (copies,): squared RKHS distances of the average over the first m from the estimate
    expected  (copies,): what they are on average over the noise
    """

    points: np.ndarray
    path: np.ndarray
    expected: np.ndarray

    __post_init__ = read_only_fields


def copies_path(
    kernel: Gaussian, X: Points, deviations: Vector, copies: int = 50, rng: int | None = None, unit: float = 1.0
) -> CopiesPath:
    """The CopiesPath of X (n, d) with noise of standard deviations (d,), in `unit` of a squared distance.

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
    """Gaussian kernels of two points that are `at` (p,) times θ apart along one coordinate, for every row of noise.

    plain   (p,): k itself
    one     (m, p): its expectation with noise on one point
    both    (m, p): with noise on both points
    """

    at: np.ndarray
    plain: np.ndarray
    one: np.ndarray
    both: np.ndarray

    __post_init__ = read_only_fields


def kernel_slices(bandwidth: float, deviations: Matrix, at: Vector, axis: int = 0) -> KernelSlices:
    """KernelSlices along a coordinate `axis`, for noise of standard deviations (m, d), at distances (p,) in units of θ.

    k_e(r) = prod_l (θ² / (θ² + e_l))^(1/2) exp(-r² / (2 (θ² + e_j))) for r along coordinate j; e doubles for two
    points.
    """

    def along(e):
        ratio = e / bandwidth**2
        height = -0.5 * np.log1p(ratio).sum(axis=1)  # in logs: the product alone underflows in high dimension
        return np.exp(height[:, None] - 0.5 * at**2 / (1 + ratio[:, axis, None]))

    e = np.asarray(deviations, dtype=float) ** 2
    return KernelSlices(at, np.exp(-0.5 * at**2), along(e), along(2 * e))
