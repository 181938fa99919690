"""A kernel mean by M-estimation: points that lie far from it weigh less."""

from __future__ import annotations

from typing import Literal

import numpy as np

from explorer.embeddings import Embedding
from explorer.parameters import Choice
from explorer.types import PointsLike, Vector

from .base import Estimator
from .medianofmeans.median import STEPS, STILL, centred, distances, geometric_median


class RobustKME(Estimator):
    """argmin_f sum_i ρ(|k(x_i, .) - f|) for a loss ρ that grows slower than the square; weights sum to one.

    loss  "huber"   ρ(t) = t^2/2 up to a, a t - a^2/2 beyond: a far point pulls with the constant force a. Convex
          "hampel"  ρ' is t up to a, a up to b, falls to 0 at c and stays there: points beyond c weigh nothing

    Kim and Scott 2012, J. Mach. Learn. Res. 13, 2529: iteratively reweighted least squares, weights in proportion to
    ρ'(d)/d at the distances d of the last step, from the geometric median on. a is the median distance of the points to
    that median, b and c are its 75th and 95th percentiles; so there is no free parameter. Up to half of the points move
    it by a bounded amount. For Hampel's loss, which is not convex, it is the minimum that the geometric median leads
    to. Where half of the points or more coincide a is 0 and the estimate is their common value. The rival of
    MedianOfMeans, without blocks.

    >>> from explorer import Gaussian, RobustKME
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> mean = RobustKME(Gaussian(1.0)).embed(X)
    >>> mean.weights.round(3)
    array([0.241, 0.246, 0.246, 0.241, 0.027])
    """

    label = "robust KME"

    loss: Literal["huber", "hampel"] = Choice(
        default="huber", objects=["huber", "hampel"], doc="how a point that lies far away still pulls"
    )

    def embed(self, X: PointsLike) -> Embedding:
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, self._weights(kernel(X)))

    def _weights(self, K):
        """Weights (n,) for a Gram matrix (n, n)."""
        size = np.sqrt(np.maximum(K.diagonal(), 0.0))
        w, K = geometric_median(K), centred(K)
        a, b, c = np.percentile(distances(K, size, w), [50, 75, 95])
        if a == 0:
            return w
        weigh = huber if self.loss == "huber" else hampel
        for _ in range(STEPS):
            pull = weigh(distances(K, size, w), a, b, c)
            moved = pull / pull.sum()
            if np.abs(moved - w).sum() <= STILL:
                return moved
            w = moved
        return w


def huber(d: Vector, a: float, b: float | None = None, c: float | None = None) -> Vector:
    """ρ'(d) / d of Huber's loss, (n,): 1 up to a, a/d beyond."""
    return a / np.maximum(d, a)


def hampel(d: Vector, a: float, b: float, c: float) -> Vector:
    """ρ'(d) / d of Hampel's loss, (n,): 1 up to a, a/d up to b, a (c - d) / ((c - b) d) up to c, and 0."""
    falling = np.where(d <= b, 1.0, 0.0) if c == b else np.clip((c - d) / (c - b), 0.0, 1.0)
    return huber(d, a) * falling
