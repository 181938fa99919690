"""Inner products and distances of the kernel means of bags, in one pass over the pairs of their pooled points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from scipy.spatial.distance import cdist

from explorer.embeddings.forms import contrast_of
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.learning.estimates import kernel_of
from explorer.linalg import ROUNDING
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import Gram, Matrix

from .means import Means, Part, means_of
from .samples import BagsLike, bags_by_name, checked_bags, chosen_kernel

if TYPE_CHECKING:
    from explorer.kernels.increments import Increments


TILE = 1024  # points on each side of a tile: 8 MB of the kernel's values are in memory at a time


@explain_wrong_calls
def bag_gram(
    bags: BagsLike, kernel: Kernel | None, other: BagsLike | None = None, estimator: Estimator | None = None
) -> Gram:
    """Compute the inner products G_ij = <μ̂_i, μ̂_j> of the kernel means of bags.

    Use it for a learner of your own on bags. `SupportMeasureMachine` and `DistributionRegression` compute it
    themselves.

    Parameters
    ----------
    bags : sequence of array_like of shape (n_i, d), Law or Embedding
        The l bags: samples of any sizes. A bag may also be a distribution, such as GaussianMixture, or an Embedding:
        its kernel mean is then exact.
    kernel : Kernel or None
        The kernel; None is the estimator's, or ``Gaussian()``. An automatic bandwidth is the median heuristic on the
        points of all samples, those of `other` included.
    other : sequence, optional
        Other bags, l' of them, like `bags`.
    estimator : Estimator or None, default None
        Any estimator of a kernel mean; None is KME(). Its open parameter, λ or σ, is chosen on each bag. MKME's noise
        and a distribution's covariance are integrated in closed form.

    Returns
    -------
    ndarray of shape (l, l) or (l, l')
        The inner products.

    Raises
    ------
    Refusal
        If a bag is empty, bags have different widths, or an element is not a bag.

    Notes
    -----
    For plain averages G_ij = (1 / n_i m_j) Σ_pq k(x_p, y_q), the encyclopedia article's expected kernel. The article
    prints K(μ_i, μ_i) for it in its regression (erratum E-11). The computation is one pass over the pairs of all
    points, with never more than some 30 MB of the kernel's values at a time. Bags whose covariances differ, as under
    MKME(), are computed pair by pair.

    Examples
    --------
    >>> from explorer import Linear, bag_gram
    >>> bag_gram([[[1.0], [3.0]], [[5.0]]], Linear())
    array([[ 4., 10.],
           [10., 25.]])
    """
    kernel = kernel_of(kernel, estimator)
    bags, other = bags_by_name(bags, other)
    bags = checked_bags(bags, kernel)
    others = None if other is None else checked_bags(other, kernel, "other")
    if others is not None:
        checked_bags([bags[0], others[0]], kernel, "(bags, other)")  # refuses different widths
    kernel = chosen_kernel(kernel, bags if others is None else [*bags, *others])
    means = means_of(bags, kernel, estimator)
    return inner_products(means, None if others is None else means_of(others, kernel, estimator))


def inner_products(a: Means, b: Means | None = None) -> Gram:
    """Return <μ̂_i, μ̂_j> of the means of a and b, (l, l'); b None is a."""
    if a.kernel.finite_rank:
        F = coordinates(a)
        return F @ (F if b is None else coordinates(b)).T
    return _products(a.kernel, a, b)


def coordinates(means: Means) -> Gram:
    """Return Σ_p w_p E φ(x_p + u_p) of each bag, (l, r), for the features φ of a kernel of finite rank."""
    kernel: Any = means.kernel  # has finite rank
    F = np.zeros((means.count, kernel.rank))
    for part in means.parts:
        for rows in kernel.parts(len(part.points)):
            values = kernel.features(part.points[rows], part.covariance) * part.weights[rows, None]
            starts = _starts(part.bags[rows])
            F[part.bags[rows][starts]] += np.add.reduceat(values, starts, axis=0)
    return F


class Distances:
    """Squared RKHS distances |μ̂_i - μ̂_j|² between kernel means of bags and those that were learnt from.

    If the kernel's values agree in most of their digits, increments are used (`Kernel.contrast`). With the mass m_i and
    τ_i = <e_i, φ(o)> of the increments e_i, |μ̂_i - μ̂_j|² = |e_i - e_j|² + 2 (m_i - m_j)(τ_i - τ_j) + (m_i - m_j)²
    k(o, o). A distance that is only rounding relative to the squared norms counts as 0, and so does one below 0.

    Parameters
    ----------
    means : Means
        The kernel means of the bags that were learnt from.
    """

    finite: bool
    contrast: Kernel | Increments
    fitted: _Side
    within: Matrix | None

    def __init__(self, means: Means) -> None:
        self.means = means
        self.finite = means.kernel.finite_rank
        self.contrast = means.kernel if self.finite else contrast_of(means.kernel, means.parts)
        self.fitted, self.within = self._side(means)

    def _side(self, means):
        """Return the _Side of some means, and the inner products among all of them if these were computed."""
        if self.finite:
            return _Side(means, coordinates(means), None, None), None
        H = _products(self.contrast, means)
        return self._with_squares(means, H.diagonal().copy()), H

    def _with_squares(self, means, squares):
        """Return the _Side of some means with these squared norms."""
        if self.contrast is means.kernel:
            return _Side(means, squares, None, None)
        contrast: Any = self.contrast  # increments
        towards = np.zeros(means.count)
        for part in means.parts:
            np.add.at(towards, part.bags, part.weights * contrast.to_origin(part.points, part.covariance))
        return _Side(means, squares, means.masses, towards)

    def among(self) -> Gram:
        """Return the squared distances among the fitted bags, 0 on the diagonal.

        Returns
        -------
        ndarray of shape (l, l)
            The squared distances.
        """
        D2 = self._squared(self.fitted, self.fitted, self.within)
        np.fill_diagonal(D2, 0.0)
        return D2

    def to(self, means: Means) -> Gram:
        """Return the squared distances of other bags from the fitted ones.

        Parameters
        ----------
        means : Means
            The kernel means of the m other bags.

        Returns
        -------
        ndarray of shape (m, l)
            The squared distances.
        """
        if self.finite:
            return self._squared(_Side(means, coordinates(means), None, None), self.fitted, None)
        squares = np.concatenate([_products(self.contrast, each).diagonal() for each in means.batches()])
        side = self._with_squares(means, squares)
        return self._squared(side, self.fitted, _products(self.contrast, means, self.means))

    def _squared(self, a, b, H) -> Any:
        """Return the squared distances between two sides."""
        if self.finite:
            return cdist(a.squares, b.squares, "sqeuclidean")
        size = a.squares[:, None] + b.squares
        D2 = size - 2 * H
        if a.masses is not None:
            contrast: Any = self.contrast  # increments
            gap = a.masses[:, None] - b.masses
            D2 += 2 * gap * (a.towards[:, None] - b.towards) + gap**2 * contrast.at_origin
        return np.where(np.abs(D2) <= ROUNDING * size, 0.0, np.maximum(D2, 0.0))


class _Side(NamedTuple):
    """One side of a distance matrix: |e_i|² (or coordinates, for a kernel of finite rank), masses and τ, or None."""

    means: Means
    squares: np.ndarray
    masses: np.ndarray | None
    towards: np.ndarray | None


def _products(gram, a, b=None):
    """Return Σ_pq w_p v_q E k(x_p + u, y_q + v) by bags, (l, l'), for the kernel or its increments; b None is a."""
    G = np.zeros((a.count, (a if b is None else b).count))
    for i, part in enumerate(a.parts):
        for other in a.parts[i:] if b is None else b.parts:
            for rows, columns, S in _tiles(gram, part, other, b is None and other is part):
                G[np.ix_(rows, columns)] += S
                if b is None and rows is not columns:  # each pair of different tiles comes once, so add its transpose
                    G[np.ix_(columns, rows)] += S.T
    return (G + G.T) / 2 if b is None else G


def _tiles(gram: Any, a: Part, b: Part, same: bool) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the bags of each pair of tiles, and the sums over them: (rows, columns, (r, c)).

    If both parts are the `same` one, pairs from the diagonal on are given; rows and columns are one object on it.
    """
    left = [_Tile.of(a, start) for start in range(0, len(a.weights), TILE)]
    right = left if same else [_Tile.of(b, start) for start in range(0, len(b.weights), TILE)]
    for i, x in enumerate(left):
        for y in right[i:] if same else right:
            K = _gram(gram, x.points, a.covariance, y.points, b.covariance)
            yield x.bags, y.bags, np.add.reduceat(x.summed(K) * y.weights, y.starts, axis=1)


def _gram(gram, X, C, Y, D):
    """Return the kernel between points with their covariances."""
    if C is None and D is None:
        return gram(X) if X is Y else gram(X, Y)
    return gram.expected(X, C, Y, D)


class _Tile(NamedTuple):
    """Some points of a part: the index at which each bag starts among them, and which bags these are."""

    points: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    bags: np.ndarray

    @classmethod
    def of(cls, part: Part, start: int) -> Self:
        """Return the tile of a part from an index on."""
        rows = slice(start, start + TILE)
        starts = _starts(part.bags[rows])
        return cls(part.points[rows], part.weights[rows], starts, part.bags[rows][starts])

    def summed(self, K: Gram) -> Matrix:
        """Return the weighted sums of K's rows by bags, (r, m): a product for each bag, which reads K once."""
        if len(self.starts) == len(self.weights):
            return self.weights[:, None] * K
        ends = [*self.starts[1:], len(self.weights)]
        return np.stack([self.weights[s:e] @ K[s:e] for s, e in zip(self.starts, ends, strict=True)])


def _starts(bags):
    """Return the indices at which runs of equal entries begin."""
    return np.flatnonzero(np.concatenate([[True], bags[1:] != bags[:-1]]))
