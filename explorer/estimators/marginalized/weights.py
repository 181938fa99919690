"""Weights β that stand in for a marginalized estimate: the nearest sum_i β_i k(x_i, .), and paper 000's Theorems.

The estimate is no such combination (erratum 6): its noise moves it off the span of the k(x_i, .). What a β misses is
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
from explorer.kernels import Gaussian
from explorer.kernels.distances import squared_distances
from explorer.linalg import eigh_psd
from explorer.printing import printed
from explorer.processors import limit_threads
from explorer.record import record
from explorer.types import Matrix, Points, Vector

from .estimators import Marginalized

if TYPE_CHECKING:
    from explorer.kernels import Kernel
    from explorer.kernels.noisy.gaussian import GaussianPairs


RANK = 1e-10  # eigenvalues of K below this share of the largest are left out: they are known to too few digits
SMALLEST = 1e-70  # bandwidth, in units of x, whose fourth power leaves room in a float; the largest is 1 over it


class Projection:
    """Projections on the span of the k(x_i, .): β = K⁺ z for a function with the values z at the points X (n, d).

    kernel  its bandwidth is chosen on X where it is None

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
        """β (n, m) of functions with `values` (n, m) at the points."""
        kept = self.gamma > RANK * self.gamma[-1]
        return self.U[:, kept] @ ((self.U[:, kept].T @ values) / self.gamma[kept, None])

    def weights(self, sigmas: Sequence[float] | Vector) -> Matrix:
        """β (n, m) of MKME's estimates at each σ of `sigmas` (m,): K⁺ L 1/n, L_ij = E k(x_i, x_j + u)."""
        return self.of(values_at_points(self.kernel, self.X, sigmas))

    def filter(self, weights: Matrix) -> Matrix:
        """h (n, m) in β = U diag(h) c / n for K = U diag(γ) U', c = U'1, of `weights` (n, m), beside `gamma` (n,).

        What is kept of each eigendirection of KME: nan where that is rounding. No shrinkage: h is no function of γ
        alone, and above 1 where γ is small, since noise moves mass from the points to what lies between them.
        """
        n = len(self.c)
        known = self.gamma * np.abs(self.c) > n**1.5 * np.finfo(float).eps * self.gamma[-1]
        known &= self.gamma > RANK * self.gamma[-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(known[:, None], n * (self.U.T @ weights) / self.c[:, None], np.nan)


def values_at_points(kernel: Kernel, X: Points, sigmas: Sequence[float] | Vector) -> Matrix:
    """MKME's estimate at the points of X (n, d) for each σ of `sigmas` (m,), (n, m): (1/n) sum_j E k(x_i, x_j + u)."""
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
    """β (n,) of the second-order expansion in the variances e (d,).

    (1 - sum_l e_l / (2 θ^2)) 1/n + K^(-1) K'_e 1/n / (2 θ^4).

    (K'_e)_ij = k(x_i, x_j) sum_l e_l (x_il - x_jl)^2. Paper 000, (11) and (20) with errata 1 to 5: a Gaussian kernel,
    and sum_l e_l far below 2 θ^2, since the error is of the order of its square. `projection` holds the points and
    K^(-1).
    """
    X, theta2 = projection.X, _squared_bandwidth(projection)
    scaled = squared_distances(X * np.sqrt(variances))
    second = projection.of((projection.kernel(X) * scaled).mean(axis=1)[:, None])[:, 0]
    return (1 - variances.sum() / (2 * theta2)) / len(X) + second / (2 * theta2**2)


def as_printed(projection: Projection, sigma: float | Vector) -> Vector:
    """β (n,) of paper 000's Theorem 1, eq. (11), for a number σ, or Theorem 2, eq. (20), for σ (d,), to the letter.

    (θ^2 + s) / (2 θ^2) 1/n - s / (2 θ^4) K^(-1) K' 1/n with s = d σ^2, or the sum of e_l^2 for variances e, and
    K'_ij = exp(-|x_i - x_j| / (2 θ^2)) |x_i - x_j|^2. Half of the first term is lost (erratum 1), the second has the
    wrong sign (2) and a d too many (3), a square is missing (4), and Theorem 2 squares variances (5). At σ = 0 it is
    half of KME.
    """
    X, theta2 = projection.X, _squared_bandwidth(projection)
    sigma = np.asarray(sigma, dtype=float)
    s = X.shape[1] * float(sigma) ** 2 if sigma.ndim == 0 else float((sigma**4).sum())
    D = squared_distances(X)
    second = projection.of((np.exp(-np.sqrt(D) / (2 * theta2)) * D).mean(axis=1)[:, None])[:, 0]
    return (theta2 + s) / (2 * theta2) / len(X) - s / (2 * theta2**2) * second


def _squared_bandwidth(projection):
    """θ², where an expansion in σ²/θ² can be written with it."""
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
    """Weights of three kinds, and what each misses of the estimate.

    estimate              the marginalized estimate itself, an Embedding with noise
    projection, corrected,
    printed               Embeddings without noise at the same points; no weights come nearer than the projection's
    missed                name -> RKHS distance to the estimate, of "KME" too

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
    """The exact projection of a MKME or MMKME estimate from X (n, d), its second-order form, and that form as printed.

    Gaussian kernel. What the estimator leaves open is chosen on X; inverses of K leave out eigenvalues below 1e-10
    γ_max.

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
            f"Theorems 1 and 2 of paper 000 are on the Gaussian kernel, and this one is {checks.echo(kernel)}."
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
    """The weights β of the nearest sum_i β_i k(x_i, .) to MKME's estimate, for every σ of (m,).

    eigenvalues   (n,), of the Gram matrix
    coefficients  (n,): how long KME is along each eigendirection, as a share of its norm
    kept          (m, n): what is kept of that, nan where there is nothing
    sums          (m,), of β
    """

    eigenvalues: np.ndarray
    coefficients: np.ndarray
    kept: np.ndarray
    sums: np.ndarray

    __post_init__ = read_only_fields


def projected_weights(projection: Projection, sigmas: Vector) -> ProjectedWeights:
    """ProjectedWeights of MKME at sigmas (m,), to which MKME itself does not reduce."""
    weights = projection.weights(sigmas)
    along = np.sqrt(projection.gamma) * np.abs(projection.c)
    kept = projection.filter(weights).T
    return ProjectedWeights(projection.gamma, along / np.linalg.norm(along), kept, weights.sum(axis=0))


@printed
@record
class Misses:
    """How far weights lie from MKME's estimate at every σ, (m,), as a share of its norm; nan where that is 0.

    Those of KME, of the projection, of the second-order expansion, and of the same as printed.
    """

    kme: np.ndarray
    projection: np.ndarray
    corrected: np.ndarray
    printed: np.ndarray

    __post_init__ = read_only_fields


def misses(projection: Projection, pairs: GaussianPairs, sigmas: Vector) -> Misses:
    """Misses at sigmas (m,), of a Projection and the `NoisyPairs` of the same sample under a Gaussian kernel.

    |β - μ̃|² = β'Kβ - 2 β'L 1/n + |μ̃|², where L 1/n are the values of the estimate at the points.
    """
    kernel, X, s = projection.kernel, projection.X, np.asarray(sigmas, dtype=float)
    n, d = X.shape
    values = values_at_points(kernel, X, s)
    length = pairs.square(pairs.isotropic(s**2))

    def straight(weights):
        """Weights that are linear in σ²: from those at 0 and at θ."""
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
