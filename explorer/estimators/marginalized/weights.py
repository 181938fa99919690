"""Weights β that approximate a marginalized estimate: the nearest sum_i β_i k(x_i, .), and those of two theorems.

The theorems are 1 and 2 of [xia2021corrupted].

The estimate is not such a combination (erratum 6): its noise moves it off the span of the k(x_i, .). The miss of a β is
the RKHS distance between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal, read_only_fields
from explorer.embeddings import Embedding
from explorer.execution.processors import limit_threads, limit_threads_of_methods
from explorer.kernels import Gaussian
from explorer.kernels.distances import squared_distances
from explorer.linalg import eigh_psd
from explorer.printing import printed
from explorer.record import record
from explorer.types import Matrix, Points, Vector

from .estimators import Marginalized

if TYPE_CHECKING:
    from explorer.kernels import Kernel
    from explorer.kernels.noisy.gaussian import GaussianPairs


RANK = 1e-10  # eigenvalues of K below this share of the largest are left out: they are known to too few digits
SMALLEST = 1e-70  # the smallest bandwidth, in units of x, whose fourth power is safe in a float; the largest is 1 / it


@limit_threads_of_methods
class Projection:
    """Projections on the span of the k(x_i, .): β = K⁺ z for a function with the values z at the points X (n, d).

    `of` projects any functions, by their values z; `weights` projects MKME's estimates at several σ.

    Parameters
    ----------
    kernel : Gaussian
        The kernel; its bandwidth is chosen on X if it is None.
    X : array_like of shape (n, d)
        The points.

    Attributes
    ----------
    gamma : ndarray of shape (n,)
        The eigenvalues of the Gram matrix.
    c : ndarray of shape (n,)
        U'1 for the eigenvectors U.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.estimators import Projection
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> Projection(Gaussian(1.0), X).weights([0.0, 0.5]).round(3).T.tolist()
    [[0.333, 0.333, 0.333], [0.338, 0.288, 0.338]]
    """

    gamma: Vector
    c: Any
    kernel: Gaussian

    def __init__(self, kernel: Gaussian, X: Points) -> None:
        X = kernel.points(X)
        self.kernel, self.X = kernel.select(X), X
        self.gamma, self.U = eigh_psd(self.kernel(X))
        self.c = self.U.sum(axis=0)

    def of(self, values: Matrix) -> Matrix:
        """Return the weights β of the projections of m functions, from their values at the points.

        Parameters
        ----------
        values : ndarray of shape (n, m)
            The values z of each function, a column.

        Returns
        -------
        ndarray of shape (n, m)
            The weights β.
        """
        kept = self.gamma > RANK * self.gamma[-1]
        return self.U[:, kept] @ ((self.U[:, kept].T @ values) / self.gamma[kept, None])

    def weights(self, sigmas: Sequence[float] | Vector) -> Matrix:
        """Return the weights of the projection of MKME's estimate at each σ: K⁺ L 1/n, L_ij = E k(x_i, x_j + u).

        Parameters
        ----------
        sigmas : array_like of shape (m,)
            The values of σ.

        Returns
        -------
        ndarray of shape (n, m)
            The weights β.
        """
        return self.of(values_at_points(self.kernel, self.X, sigmas))

    def filter(self, weights: Matrix) -> Matrix:
        """Return h in β = U diag(h) c / n, for K = U diag(γ) U' and c = U'1.

        Parameters
        ----------
        weights : ndarray of shape (n, m)
            The weights β.

        Returns
        -------
        ndarray of shape (n, m)
            The share that is kept of each eigendirection of KME, in the order of `gamma`; nan if that is rounding. This
            is not shrinkage: h does not depend on γ alone, and is above 1 if γ is small, since noise moves mass from
            the points to the space between them.
        """
        n = len(self.c)
        known = self.gamma * np.abs(self.c) > n**1.5 * np.finfo(float).eps * self.gamma[-1]
        known &= self.gamma > RANK * self.gamma[-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(known[:, None], n * (self.U.T @ weights) / self.c[:, None], np.nan)


def values_at_points(kernel: Kernel, X: Points, sigmas: Sequence[float] | Vector) -> Matrix:
    """Return the values of MKME's estimate at the points, (1/n) sum_j E k(x_i, x_j + u), for each σ.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray of shape (n, d)
        The points.
    sigmas : array_like of shape (m,)
        The values of σ.

    Returns
    -------
    ndarray of shape (n, m)
        The values.
    """
    n, d = X.shape
    v = checks.numbers(sigmas, "sigmas").reshape(-1) ** 2
    if kernel.widened(0.0, d) is None:
        return np.column_stack([Embedding(kernel, X, np.full(n, 1 / n), each)(X) for each in v])
    pairs, columns = kernel.pairs(X), []
    for each in v:
        if (wider := kernel.widened(each, d)) is not None:
            columns.append(wider[1] * wider[0].of_pairs(pairs).mean(axis=1))
    return np.column_stack(columns)


def corrected(projection: Projection, variances: Vector) -> Vector:
    """Return the weights β (n,) of the second-order expansion in the variances e (d,).

    They are (1 - sum_l e_l / (2 θ^2)) 1/n + K^(-1) K'_e 1/n / (2 θ^4), where (K'_e)_ij = k(x_i, x_j) sum_l e_l (x_il -
    x_jl)^2. [xia2021corrupted], (11) and (20) with errata 1 to 5, for a Gaussian kernel and sum_l e_l far below 2 θ^2,
    since the error is of the order of its square. `projection` has the points and K^(-1).
    """
    X, theta2 = projection.X, _squared_bandwidth(projection)
    scaled = squared_distances(X * np.sqrt(variances))
    second = projection.of((projection.kernel(X) * scaled).mean(axis=1)[:, None])[:, 0]
    return (1 - variances.sum() / (2 * theta2)) / len(X) + second / (2 * theta2**2)


def as_printed(projection: Projection, sigma: float | Vector) -> Vector:
    """Return the weights β (n,) of Theorem 1, eq. (11), for a number σ, or Theorem 2, eq. (20), as printed.

    The theorems are those of [xia2021corrupted].

    They are (θ^2 + s) / (2 θ^2) 1/n - s / (2 θ^4) K^(-1) K' 1/n with K'_ij = exp(-|x_i - x_j| / (2 θ^2)) |x_i - x_j|^2.
    s = d σ^2 for Theorem 1, or the sum of e_l^2 over variances e for Theorem 2, where σ has shape (d,). Half of the
    first term is lost (erratum 1), the second has the wrong sign (2) and a d too many (3), a square is missing (4), and
    Theorem 2 squares variances (5). At σ = 0 it is half of KME.
    """
    X, theta2 = projection.X, _squared_bandwidth(projection)
    sigma = np.asarray(sigma, dtype=float)
    s = X.shape[1] * float(sigma) ** 2 if sigma.ndim == 0 else float((sigma**4).sum())
    D = squared_distances(X)
    second = projection.of((np.exp(-np.sqrt(D) / (2 * theta2)) * D).mean(axis=1)[:, None])[:, 0]
    return (theta2 + s) / (2 * theta2) / len(X) - s / (2 * theta2**2) * second


def _squared_bandwidth(projection):
    """Return θ², or raise a Refusal if the expansion in σ²/θ² would overflow."""
    theta = projection.kernel.bandwidth
    if not SMALLEST <= theta <= 1 / SMALLEST:
        raise Refusal(
            f"the expansion divides by θ^4, which needs a bandwidth from {SMALLEST:g} to {1 / SMALLEST:g}, and it is"
            f" {theta:g}; take another one."
        )
    return theta**2


@printed
@dataclass(frozen=True)
class Approximations:
    """Weights of three kinds, and the distance of each from the estimate.

    Attributes
    ----------
    estimate : Embedding
        The marginalized estimate itself, with noise.
    projection, corrected, printed : Embedding
        Embeddings without noise at the same points; no weights come nearer than the projection's.
    missed : dict of str to float
        The RKHS distance to the estimate, by name; "KME" is there, too.

    Examples
    --------
    >>> from explorer import MKME, Gaussian
    >>> from explorer.estimators import approximations
    >>> from explorer.estimators.marginalized.weights import Approximations
    >>> answer: Approximations = approximations(MKME(Gaussian(1.0), 0.5), [[0.0], [1.0], [2.0]])
    >>> answer.projection.weights.round(3).tolist(), answer.corrected.weights.round(3).tolist()
    ([0.338, 0.288, 0.338], [0.335, 0.29, 0.335])
    """

    estimate: Embedding
    projection: Embedding
    corrected: Embedding
    printed: Embedding
    missed: dict[str, float]


@limit_threads
def approximations(estimator: Marginalized, X: Points) -> Approximations:
    """Return the exact projection of an MKME or MMKME estimate, its second-order form, and that form as printed.

    Parameters
    ----------
    estimator : MKME or MMKME
        The estimator, with a Gaussian kernel; its open parameters are chosen on X.
    X : array_like of shape (n, d)
        The sample.

    Returns
    -------
    Approximations
        The weights and their distances. Inverses of K leave out eigenvalues below 1e-10 γ_max.

    Raises
    ------
    TypeError
        If the estimator is not one of the two.
    Refusal
        If the kernel is not Gaussian.

    Examples
    --------
    >>> from explorer import MKME, Gaussian
    >>> from explorer.estimators import approximations
    >>> answer = approximations(MKME(Gaussian(1.0), 0.3), [[0.0], [1.0], [2.0]])
    >>> {name: round(float(missed), 4) for name, missed in answer.missed.items()}
    {'projection': 0.0182, 'corrected': 0.0182, 'printed': 0.385, 'KME': 0.0235}
    """
    if not isinstance(estimator, Marginalized):
        raise TypeError(f"estimator must be MKME or MMKME, not {checks.echo(estimator)}.")
    chosen, kernel, X = estimator._chosen(X)
    if not isinstance(kernel, Gaussian):
        raise Refusal(
            f"Theorems 1 and 2 of Xia et al. 2021 are on the Gaussian kernel, and this one is {checks.echo(kernel)}."
        )
    estimate, projection = chosen.embed(X), Projection(kernel, X)
    weights = {
        "projection": projection.of(estimate(X)[:, None])[:, 0],
        "corrected": corrected(projection, chosen._variances(X.shape[1])),
        "printed": as_printed(projection, chosen.sigma),
        "KME": np.full(len(X), 1 / len(X)),
    }
    made = {name: Embedding(kernel, X, beta) for name, beta in weights.items()}
    missed = {name: embedding.distance(estimate) for name, embedding in made.items()}
    return Approximations(estimate, made["projection"], made["corrected"], made["printed"], missed)


@printed
@record
class ProjectedWeights:
    """The weights β of the sum_i β_i k(x_i, .) nearest to MKME's estimate, for m values of σ.

    Attributes
    ----------
    eigenvalues : ndarray of shape (n,)
        The eigenvalues of the Gram matrix.
    coefficients : ndarray of shape (n,)
        The length of KME along each eigendirection, as a share of its norm.
    kept : ndarray of shape (m, n)
        The share that is kept of that length; nan if the length is 0 or rounding.
    sums : ndarray of shape (m,)
        The sums of β.
    """

    eigenvalues: np.ndarray
    coefficients: np.ndarray
    kept: np.ndarray
    sums: np.ndarray

    __post_init__ = read_only_fields


def projected_weights(projection: Projection, sigmas: Vector) -> ProjectedWeights:
    """Return the ProjectedWeights of MKME at each σ; MKME itself is not such a combination.

    Parameters
    ----------
    projection : Projection
        The projection.
    sigmas : ndarray of shape (m,)
        The values of σ.

    Returns
    -------
    ProjectedWeights
        The weights.
    """
    weights = projection.weights(sigmas)
    along = np.sqrt(projection.gamma) * np.abs(projection.c)
    kept = projection.filter(weights).T
    return ProjectedWeights(projection.gamma, along / np.linalg.norm(along), kept, weights.sum(axis=0))


@printed
@record
class Misses:
    """Distances of weights from MKME's estimate at every σ, as a share of its norm; nan if that is 0.

    Attributes
    ----------
    kme, projection, corrected, printed : ndarray of shape (m,)
        The distances of KME, of the projection, of the second-order expansion, and of that expansion as printed.
    """

    kme: np.ndarray
    projection: np.ndarray
    corrected: np.ndarray
    printed: np.ndarray

    __post_init__ = read_only_fields


def misses(projection: Projection, pairs: GaussianPairs, sigmas: Vector) -> Misses:
    """Return the Misses of a sample under a Gaussian kernel.

    Parameters
    ----------
    projection : Projection
        The projection.
    pairs : GaussianPairs
        The pairs of the same sample.
    sigmas : ndarray of shape (m,)
        The values of σ.

    Returns
    -------
    Misses
        The distances.

    Notes
    -----
    |β - μ̃|² = β'Kβ - 2 β'L 1/n + |μ̃|², where L 1/n are the values of the estimate at the points.
    """
    kernel, X, s = projection.kernel, projection.X, np.asarray(sigmas, dtype=float)
    n, d = X.shape
    values = values_at_points(kernel, X, s)
    length = pairs.square(pairs.isotropic(s**2))

    def straight(weights):
        """Return weights that are linear in σ², from those at 0 and at θ."""
        zero, one = weights(0.0), weights(kernel.bandwidth)
        return zero[:, None] + np.outer(one - zero, (s / kernel.bandwidth) ** 2)

    made = {
        "kme": np.full((n, len(s)), 1 / n),
        "projection": projection.of(values),
        "corrected": straight(lambda sigma: corrected(projection, np.full(d, sigma**2))),
        "printed": straight(lambda sigma: as_printed(projection, sigma)),
    }
    K = kernel(X)

    def share(weights):
        square = (weights * (K @ weights - 2 * values)).sum(axis=0) + length
        missed = np.divide(np.maximum(square, 0.0), length, out=np.full(len(length), np.nan), where=length > 0)
        return np.sqrt(missed)

    return Misses(**{name: share(weights) for name, weights in made.items()})
