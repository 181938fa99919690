"""HSIC of pairs with weights: a pair of weight 3 counts as three equal pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK, centred, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE, contrast_gram
from explorer.types import Points, Rng, Rows, Values, Vector

from .centred_grams import StoredGram, of_sums
from .permutation_null import sums

if TYPE_CHECKING:
    from explorer.kernels import Kernel


class WeightedPairs:
    """HSIC of n pairs with weights w (n,), W = sum w, from the Gram matrices K and L of both sides.

    With p = w / W and A = HKH', H = I - 1p', the biased HSIC is sum_ij D_ij L_ij for D_ij = p_i A_ij p_j. The rows of D
    sum to 0, so L need not be centred by weights: they stay with x when y is permuted, and the mean under them changes.
    For the unbiased HSIC `of_sums` gets the sums of W pairs, including the diagonal of L centred by w.
    """

    statistic: str
    total: float
    p: Values
    of_x: Values
    tolerance: float
    y: StoredGram
    x: StoredGram

    def __init__(self, kernels: tuple[Kernel, Kernel], X: Points, Y: Points, w: Vector, statistic: str) -> None:
        if len(X) > LARGE:
            raise Refusal(f"weights of pairs store both Gram matrices of {len(X)} pairs; give at most {LARGE}.")
        self.statistic, self.total = statistic, float(w.sum())
        if statistic == "unbiased" and not self.total > 3:
            raise Refusal(
                f"statistic='unbiased' counts weights as pairs, and weights sum to {self.total:.4g}, which must be more"
                " than 3; give weights that count pairs, or take statistic='biased', which depends on their ratios"
                " alone."
            )
        K, L = contrast_gram(kernels[0], X), contrast_gram(kernels[1], Y)
        self.p, self.y = w / self.total, StoredGram(L)
        A = centred(K, w)
        self.of_x, self.x = np.diag(A) * self.p, StoredGram(self.p[:, None] * A * self.p)
        # the rounding of D is relative to a norm of at most `size`
        size = float(self.p @ self.p) * float(np.abs(K).max())
        x, y = (float(np.linalg.norm(side.A)) for side in (self.x, self.y))
        self.tolerance = SLACK * (x * y + size * y + x * self.y.size)
        if statistic == "unbiased":
            diagonal = SLACK * float(np.abs(K).max() * np.abs(L).max())
            self.tolerance = (self.total * self.tolerance + 4 * diagonal) / (self.total - 3)

    def observed(self) -> float:
        """Return the statistic of the given pairs."""
        return float(self.values([np.arange(len(self.p))[None]], 1)[0])

    def null(self, count: int, rng: Rng, groups: Rows | None = None) -> Vector:
        """Return the statistics of `count` orders of y (count,); each x keeps its weight."""
        return self.values(permutations(len(self.p), count, rng, groups), count)

    def values(self, orders: Iterable[Rows], count: int) -> Vector:
        """Return the statistic of each of `count` orders, which come in batches (b, n)."""
        orders = list(orders)
        whole = sums(self.x, self.y, orders, count)[0]
        if self.statistic == "biased":
            return whole
        W = self.total
        diagonal, traces = np.concatenate([self._diagonals(order) for order in orders], axis=1)
        return of_sums(W**2 * whole, W * diagonal, W**2 * traces, W, "unbiased")

    def _diagonals(self, order):
        """Return sum_i p_i A_ii B_ii and sum_i p_i A_ii sum_i p_i B_ii, (b,) each; B is L in this order, w-centred."""
        B = self.y.A
        shares = np.empty(order.shape)
        np.put_along_axis(shares, order, np.broadcast_to(self.p, order.shape), axis=1)
        mean = shares @ B
        middle = np.einsum("bj,bj->b", shares, mean)
        diagonal = np.take_along_axis(self.y.diagonal - 2 * mean, order, axis=1) + middle[:, None]
        return np.stack([diagonal @ self.of_x, self.of_x.sum() * (diagonal @ self.p)])
