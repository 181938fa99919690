"""The median-of-means estimator of a kernel mean."""

from __future__ import annotations

from typing import Literal, Self

import numpy as np

from explorer.embeddings import Embedding
from explorer.estimators.base import Estimator
from explorer.estimators.selection import values_of
from explorer.parameters import Choice, Whole
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng, Rows, Vector, VectorLike

from .blocks import block_count, block_gram, block_sizes, split, starts
from .median import geometric_median
from .minmax import mon_mean

MEDIANS = {"minmax": mon_mean, "geometric": geometric_median}


class MedianOfMeans(Estimator):
    """Median of the kernel means μ_q of Q blocks, which a minority of outliers cannot move far.

    Use it if you know a bound on the number of outliers: there are to be more than twice as many blocks. If you know
    none, use `RobustKME`.

    The weights are constant on blocks and sum to one.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    blocks : int, default 11
        Q, from 1 to n. 1 is KME; with "geometric" n is the geometric median of the points themselves.
    method : {"minmax", "geometric"}, default "minmax"
        "minmax" is argmin_f sup_g lower-med_q (|f - μ_q|^2 - |g - μ_q|^2): [lerasle2019monk], eq. (5), MONK; see
        `mon_mean`. "geometric" is argmin_f sum_q |f - μ_q|, the geometric median of block means (Minsker 2015,
        Bernoulli 21, 2308), by Weiszfeld's iteration with the step of Vardi and Zhang; see `geometric_median`.

    Notes
    -----
    With fewer than Q / 2 outliers, wherever they are, most blocks are clean and the estimate stays near. You have to
    choose Q: the leave-one-out score depends on every outlier, and on clean data prefers Q = 1. With 4 to 10 times as
    many blocks as outliers the loss is least. If Q does not divide n, the sizes of blocks differ by at most one, and
    each mean divides by its own block's size. For even Q the median is the lower one. Theorem 1 of [lerasle2019monk]
    needs Q = 72 ln(1/η) / δ^2 blocks, 863 at δ = 1/2, η = .05 (erratum E-24).

    Examples
    --------
    >>> from explorer import Gaussian, MedianOfMeans
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> mean = MedianOfMeans(Gaussian(1.0), blocks=5, method="geometric").embed(X)
    >>> mean.weights.round(3)
    array([0.132, 0.361, 0.361, 0.132, 0.014])
    """

    blocks: int = Whole(
        default=11, bounds=(1, None), softbounds=(1, 41), symbol="Q", doc="how many means the median is taken of"
    )
    method: Literal["minmax", "geometric"] = Choice(
        default="minmax",
        objects=list(MEDIANS),
        doc="which median: Lerasle et al. 2019, eq. (5), or the geometric one",
    )

    def embed(self, X: PointsLike, rng: Rng = None) -> Embedding:
        """Return the estimate of the kernel mean, an Embedding at the points of X.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= blocks.
        rng : int or None, default None
            None takes the blocks in the order of the rows, a seed permutes the rows.

        Returns
        -------
        Embedding
            The estimate.
        """
        kernel, X = self._kernel(X)
        blocks = block_count(self.blocks, len(X))
        order = _order(len(X), rng)
        weights = np.empty(len(X))
        weights[order] = self._weights(kernel(X[order]), blocks)[0]
        return Embedding(kernel, X, weights)

    def partition(self, X: Points, rng: int | None = None) -> tuple[Rows, ...]:
        """Return the rows of each block that `embed` takes with the same X and rng.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample.
        rng : int or None, default None
            The seed, as for `embed`.

        Returns
        -------
        tuple of ndarray
            Q index arrays.
        """
        n = len(self._kernel(X)[1])
        return split(_order(n, rng), starts(n, block_count(self.blocks, n)))

    def select(self, X: PointsLike) -> Self:
        return self.replace(kernel=self._kernel(X)[0])

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the leave-one-out score at each number of blocks, by n refits each.

        It is a mean over all points, outliers included, and depends on every outlier, see the class.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample; its blocks are taken in the order of the rows.
        values : array_like of shape (m,)
            The numbers of blocks, 1 <= Q <= n - 1.

        Returns
        -------
        ndarray of shape (m,)
            The scores.
        """
        _, X, K = self._gram(X, 2)
        values = values_of(values, "blocks", "iu", "whole numbers")
        counts = [block_count(int(Q), len(X) - 1, "points, one being left out,") for Q in values]
        return np.array([np.mean([self._left_out(K, i, Q) for i in range(len(X))]) for Q in counts], dtype=float)

    def _weights(self, K, blocks):
        """Return the weights (n,), and |estimate|^2, for a Gram matrix in the order of the blocks."""
        at = starts(len(K), blocks)
        sizes = block_sizes(len(K), at)
        G = block_gram(K, at)
        v = np.ones(1) if blocks == 1 else MEDIANS[self.method](G)
        return np.repeat(v / sizes, sizes), v @ G @ v

    def _left_out(self, K, i, blocks):
        """Return |k(x_i, .) - the estimate from the others|^2."""
        rest = np.delete(np.arange(len(K)), i)
        weights, square = self._weights(K[np.ix_(rest, rest)], blocks)
        return K[i, i] - 2 * weights @ K[i, rest] + square


def _order(n, rng):
    """Return the order of the rows, permuted if there is a seed."""
    return np.arange(n) if rng is None else stream(rng, "blocks").permutation(n)
