"""Kernel mean by M-estimation: points that lie far from it weigh less."""

from __future__ import annotations

from typing import Literal

import numpy as np

from explorer.embeddings import Embedding
from explorer.parameters import Choice
from explorer.types import PointsLike, Vector

from .base import Estimator
from .medianofmeans.median import STEPS, STILL, centred, distances, geometric_median

TIED = 1e-9  # relative difference of distances that is rounding: points that are equally far out weigh the same


class RobustKME(Estimator):
    """Robust kernel mean: the minimiser of sum_i ρ(|k(x_i, .) - f|) for a loss ρ that grows slower than the square.

    Use it if some rows may be outliers and you do not know how many: it has nothing to choose. Without outliers use
    `KME` or `SKMSE`.

    The weights sum to one.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    loss : {"huber", "hampel"}, default "huber"
        "huber" is ρ(t) = t^2/2 up to a and a t - a^2/2 beyond, which is convex: a far point pulls with the constant
        force a. For "hampel", ρ' is t up to a, a up to b, then falls to 0 at c and stays 0: points beyond c have no
        weight.

    Notes
    -----
    The method is iteratively reweighted least squares from the geometric median on, with weights in proportion to
    ρ'(d)/d at the distances d of the last step. a is the median distance of the points to the geometric median, b and c
    are the 75th and 95th percentiles of these distances, so there is no free parameter. Up to half of the points move
    the estimate by a bounded amount. Hampel's loss is not convex; the estimate is the minimum that the geometric median
    leads to. If half of the points or more coincide, a is 0 and the estimate is their common value. RobustKME is the
    alternative to MedianOfMeans, without blocks.

    References
    ----------
    Kim and Scott 2012, J. Mach. Learn. Res. 13, 2529.

    Examples
    --------
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
        """Return the weights (n,) for a Gram matrix (n, n)."""
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
    """Return ρ'(d) / d of Huber's loss, (n,): 1 up to a, a/d beyond."""
    return a / np.maximum(d, a)


def hampel(d: Vector, a: float, b: float, c: float) -> Vector:
    """Return ρ'(d) / d of Hampel's loss, shape (n,).

    It is 1 up to a, a/d up to b, a (c - d) / ((c - b) d) up to c, and 0 beyond.
    """
    if c - b <= TIED * c:
        return huber(d, a) * (d <= (1 + TIED) * c)
    return huber(d, a) * np.clip((c - d) / (c - b), 0.0, 1.0)
