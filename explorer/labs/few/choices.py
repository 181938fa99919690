"""Points that represent a sample: the rows that each method chooses, their weights, and the error of their mean."""

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


ROUNDING = 1e-14  # the rounding error, relative to |μ|², of a difference of such squares if both means are equal
STARTS, ROUNDS = 3, 30  # the starts and iterations of kernel k-means
CRITICISMS = 5


class Mean(NamedTuple):
    """The kernel mean μ of all points.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The points.
    kernel : Kernel
        The kernel.
    alike : Kernel or Increments
        The kernel, or its increments. Weights that sum to one have the same distances under both.
    values : ndarray of shape (n,)
        μ at the points under `alike`.
    heights : ndarray of shape (n,)
        μ at the points under the kernel.
    square : float
        |μ|².
    spread : float
        E |k(x, .) - μ|² of a random point x, times n / (n - 1).
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
        """Compute the kernel mean of points.

        Parameters
        ----------
        kernel : Kernel
            The kernel.
        X : ndarray of shape (n, d)
            The points.

        Returns
        -------
        Mean
            The kernel mean.
        """
        alike = kernel.contrast(X)
        K = alike(X)
        values, square = K.mean(axis=1), float(K.mean())
        spread = float(K.diagonal().mean() - square) * len(X) / max(len(X) - 1, 1)
        heights = values if alike is kernel else kernel(X).mean(axis=1)
        return cls(X, kernel, alike, values, heights, square, spread)

    def error(self, Z: Points, weights: Vector) -> float:
        """Compute the RKHS distance from μ to the kernel mean of weighted points.

        Parameters
        ----------
        Z : ndarray of shape (m, d)
            The points.
        weights : ndarray of shape (m,)
            Their weights, which sum to one.

        Returns
        -------
        float
            The distance.
        """
        reach = float(weights @ self.alike(Z, self.X).mean(axis=1))
        square = self.square - 2 * reach + float(weights @ self.alike(Z) @ weights)
        return float(np.sqrt(square)) if square > ROUNDING * self.square else 0.0

    def random(self, counts: Vector | float) -> Vector:
        """Compute the root mean square of `error` over all choices of different rows with equal weights.

        Parameters
        ----------
        counts : ndarray of shape (k,) or float
            The numbers of rows.

        Returns
        -------
        ndarray of shape (k,)
            A root for each number.
        """
        return np.sqrt(np.maximum(self.spread * (1 / np.asarray(counts, float) - 1 / len(self.X)), 0.0))

    def drawn(self, count: int) -> float:
        """Compute the root mean square of `error` of rows that are drawn at random with replacement.

        Parameters
        ----------
        count : int
            The number of rows.

        Returns
        -------
        float
            The root.
        """
        return float(np.sqrt(max(self.spread, 0.0) * (1 - 1 / len(self.X)) / count))

    def worth(self, error: float) -> float:
        """Return the number of random rows that have an error. All n rows have the error 0.

        Parameters
        ----------
        error : float
            The root mean square error of the rows.

        Returns
        -------
        float
            The number, which need not be whole.
        """
        return 1 / (error**2 / self.spread + 1 / len(self.X)) if self.spread > 0 else float(len(self.X))


class Chosen(NamedTuple):
    """Rows of a sample, shape (m,), and their weights, shape (m,), which sum to one."""

    rows: np.ndarray
    weights: np.ndarray

    @classmethod
    def alike(cls, rows: Rows) -> Self:
        """Return rows with equal weights."""
        return cls(rows, np.full(len(rows), 1 / len(rows)))


class Look(NamedTuple):
    """The numbers that a state shows of some chosen points.

    Attributes
    ----------
    chosen : Chosen
        The rows and their weights.
    points : ndarray of shape (m, d)
        The points. Those that the user has moved are at their new positions.
    error, before : float
        Their MMD to the sample, with and without the user's moves.
    witness : ndarray of shape (n,)
        μ minus their kernel mean, at the sample.
    image : ndarray of shape (g,)
        The witness over the plane.
    rows : ndarray of shape (c,)
        The criticisms.
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
        """Return the numbers of chosen rows and the user's moves.

        `heights`, shape (g,), are the values of μ at the points `ground`, shape (g, d).
        """
        X, kernel, Z = mean.X, mean.kernel, apply(mean.X[chosen.rows], moved)
        witness = mean.heights - kernel(X, Z) @ chosen.weights
        image = heights - kernel(ground, Z) @ chosen.weights
        rows = choose_criticisms(kernel, X, witness, CRITICISMS, is_none_of(X, Z))
        error = mean.error(Z, chosen.weights)
        before = mean.error(X[chosen.rows], chosen.weights) if moved else error
        return cls(chosen, Z, error, before, witness, image, rows)


def thinned_choice(mean: Mean, count: int, seed: int) -> Chosen:
    """Return the rows that kernel thinning keeps: `count` rows, from repeated halving of all rows."""
    return Chosen.alike(thin(mean.X, count, mean.kernel, method="kernel-thinning", rng=seed).rows)


def cluster_choice(mean: Mean, count: int, seed: int) -> Chosen:
    """Return the row nearest to each cluster mean of kernel k-means; its weight is the share of rows in the cluster."""
    X = mean.X
    fit = KernelKMeans(count, mean.kernel, rng=seed, starts=STARTS, iterations=ROUNDS).fit(X)
    gap = fit.kernel_.diagonal(X)[:, None] - 2 * np.stack([each(X) for each in fit.means_], axis=1)
    gap[fit.labels_[:, None] != np.arange(count)] = np.inf  # each row represents its own cluster only
    return Chosen(gap.argmin(axis=0), np.bincount(fit.labels_, minlength=count) / len(X))


def in_random_order(n: int, seed: int) -> Rows:
    """Return all n rows in the order in which random ones are taken."""
    return stream(seed, "random rows").permutation(n)
