"""Points that stand for a sample: which rows each method chooses, their weights, and how far off their mean is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from explorer.learning import KernelKMeans, thin
from explorer.learning.criticisms import choose_criticisms, is_none_of
from explorer.rng import stream
from explorer.types import Points, Rows, Vector
from explorer.workbench.user_points import apply

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.kernels.increments import Increments


ROUNDING = 1e-14  # of |μ|²: what is left of a difference of such squares where both means are equal
STARTS, ROUNDS = 3, 30  # of kernel k-means
CRITICISMS = 5


class Mean(NamedTuple):
    """The kernel mean μ of all points.

    alike    the kernel, or its increments, under which weights that sum to one have the same distances
    values   (n,), μ at the points under `alike`; `heights` (n,), under the kernel
    square   |μ|²
    spread   E |k(x, .) - μ|² of a random point x, times n / (n - 1)
    """

    X: Points
    kernel: Kernel
    alike: Kernel | Increments
    values: np.ndarray
    heights: np.ndarray
    square: float
    spread: float

    @classmethod
    def of(cls, kernel: Kernel, X: Points) -> Self:
        """That of points X (n, d)."""
        alike = kernel.contrast(X)
        K = alike(X)
        values, square = K.mean(axis=1), float(K.mean())
        spread = float(K.diagonal().mean() - square) * len(X) / max(len(X) - 1, 1)
        heights = values if alike is kernel else kernel(X).mean(axis=1)
        return cls(X, kernel, alike, values, heights, square, spread)

    def error(self, Z: Points, weights: Vector) -> float:
        """The RKHS distance from μ to the kernel mean of points Z (m, d) of weights (m,) that sum to one."""
        reach = float(weights @ self.alike(Z, self.X).mean(axis=1))
        square = self.square - 2 * reach + float(weights @ self.alike(Z) @ weights)
        return float(np.sqrt(square)) if square > ROUNDING * self.square else 0.0

    def random(self, counts: Vector | float) -> Vector:
        """The root mean square of `error` over all choices of so many different rows of equal weights."""
        return np.sqrt(np.maximum(self.spread * (1 / np.asarray(counts, float) - 1 / len(self.X)), 0.0))

    def drawn(self, count: int) -> float:
        """The root mean square of `error` of so many rows drawn at random, of which one may come again."""
        return float(np.sqrt(max(self.spread, 0.0) * (1 - 1 / len(self.X)) / count))

    def worth(self, error: float) -> float:
        """How many random rows have this error, in the root mean square: all n have none."""
        return 1 / (error**2 / self.spread + 1 / len(self.X)) if self.spread > 0 else float(len(self.X))


class Chosen(NamedTuple):
    """Rows of a sample (m,) and their weights (m,), which sum to one."""

    rows: np.ndarray
    weights: np.ndarray

    @classmethod
    def alike(cls, rows: Rows) -> Self:
        """Rows of equal weights."""
        return cls(rows, np.full(len(rows), 1 / len(rows)))


class Look(NamedTuple):
    """What a state shows of some chosen points.

    chosen   the rows and their weights
    points   (m, d), where a hand has put them
    error    their MMD to the sample; `before`, without what the hand did
    witness  (n,), μ less their kernel mean, at the sample; `image` (g,), over the plane
    rows     (c,), the criticisms
    """

    chosen: Chosen
    points: np.ndarray
    error: float
    before: float
    witness: np.ndarray
    image: np.ndarray
    rows: np.ndarray

    @classmethod
    def at(cls, mean: Mean, chosen: Chosen, moved: str, ground: Points, heights: Vector) -> Self:
        """Of chosen rows and what a hand moved; `heights` (g,) are μ at the places `ground` (g, d)."""
        X, kernel, Z = mean.X, mean.kernel, apply(mean.X[chosen.rows], moved)
        witness = mean.heights - kernel(X, Z) @ chosen.weights
        image = heights - kernel(ground, Z) @ chosen.weights
        rows = choose_criticisms(kernel, X, witness, CRITICISMS, is_none_of(X, Z))
        error = mean.error(Z, chosen.weights)
        before = mean.error(X[chosen.rows], chosen.weights) if moved else error
        return cls(chosen, Z, error, before, witness, image, rows)


def halved(mean: Mean, count: int, seed: int) -> Chosen:
    """What kernel thinning leaves: `count` rows, all of them halved some times."""
    return Chosen.alike(thin(mean.X, count, mean.kernel, method="kernel-thinning", rng=seed).rows)


def centred(mean: Mean, count: int, seed: int) -> Chosen:
    """The row next to each cluster mean of kernel k-means, with the share of rows that are in its cluster."""
    X = mean.X
    fit = KernelKMeans(count, mean.kernel, rng=seed, starts=STARTS, iterations=ROUNDS).fit(X)
    gap = fit.kernel_.diagonal(X)[:, None] - 2 * np.stack([each(X) for each in fit.means_], axis=1)
    gap[fit.labels_[:, None] != np.arange(count)] = np.inf  # a row stands for its own cluster
    return Chosen(gap.argmin(axis=0), np.bincount(fit.labels_, minlength=count) / len(X))


def in_random_order(n: int, seed: int) -> Rows:
    """All n rows in the order in which random ones are taken."""
    return stream(seed, "random rows").permutation(n)
