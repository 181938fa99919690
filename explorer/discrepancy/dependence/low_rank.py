"""HSIC of very many pairs by kernels of finite rank, and its test: all shifts of one side at about the cost of one.

The pairs are put in a random order and cut into blocks, and the blocks of y are shifted around a circle. If x and y are
independent, all shifts are equally likely, as all orders are. The shifts are a subset of the permutations that is
closed under composition, so the test keeps its level. The cross-covariances under every shift are a circular
correlation, which Fourier transforms turn into one product for each frequency.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.kernels.low_rank.residual import WHOLE, limit_of_size, random_rows
from explorer.rng import stream
from explorer.types import Points, Rng, Rows, Values, Vector

from .centred_grams import StoredGram, of_sums

if TYPE_CHECKING:
    from explorer.kernels.low_rank.finite import FiniteRank

HELD = 2**20  # number of entries of a block of features that is transformed at a time: 8 MB
MOST = 128  # largest rank of either side: cross-covariances under 1000 shifts take 130 MB


class LowRankPairs:
    """Pairs (x_i, y_i), X (n, d) and Y (n, e), under kernels of finite rank r and s; no array of size (n, r) is stored.

    `lows` are the kernels of both sides, and `statistic` is "biased" or "unbiased".
    """

    lows: tuple[Any, Any]
    statistic: str
    n: int

    def __init__(self, lows: tuple[FiniteRank, FiniteRank], X: Points, Y: Points, statistic: str) -> None:
        for low in lows:
            if low.rank > MOST:
                raise Refusal(
                    f"HSIC by kernels of finite rank takes a rank of {MOST} at most, not {low.rank}; give such a rank."
                )
        self.lows, self.sides, self.statistic, self.n = lows, (X, Y), statistic, len(X)
        ones = np.full(self.n, 1 / self.n)
        self._means = [low.sum_features(Z, ones) for low, Z in zip(lows, self.sides, strict=True)]

    def observed(self) -> float:
        """Return HSIC of the pairs."""
        return float(self._of(*self._cross(np.arange(self.n), 1))[0])

    def test(self, n_resamples: int, rng: Rng) -> tuple[float, Vector, float]:
        """Return HSIC of the pairs and of `n_resamples` random shifts of y's blocks, (B,), and the tolerance for ties.

        There are at least B + 1 blocks of n // (B + 1) rows each. Fewer rows than a block are left over and stay in
        their pairs. No two shifts are alike, which needs more than B pairs.
        """
        generator = stream(rng, "permutation")
        order = generator.permutation(self.n)
        blocks = self.n // (self.n // (n_resamples + 1))
        cross, diagonal, traces = self._cross(order, blocks)
        values = self._of(cross, diagonal, traces)
        shifts = 1 + generator.permutation(blocks - 1)[:n_resamples]
        # |A|_F |B|_F, the magnitudes that a sum of n² products has, are at most the traces
        tolerance = 3 * SLACK * traces[0] * traces[1] / self.n**2
        return float(values[0]), values[shifts], tolerance

    def _of(self, cross, diagonal, traces):
        """Return HSIC of pairings."""
        whole = np.square(cross).sum(axis=(1, 2))
        return of_sums(whole, diagonal, traces[0] * traces[1], self.n, self.statistic)

    def _features(self, side, rows):
        """Return the centred features of some rows, (len(rows), r)."""
        if not len(rows):
            return np.zeros((0, self.lows[side].rank))
        return self.lows[side].features(self.sides[side][rows]) - self._means[side]

    def _cross(self, order: Rows, blocks: int) -> tuple[Values, Vector, tuple[float, float]]:
        """Return F'G (blocks, r, s) and ``Σ_i |f_i|² |g_i|²`` (blocks,) of every shift of blocks, and both traces."""
        r, s = (low.rank for low in self.lows)
        length = self.n // blocks
        rows, left = order[: blocks * length].reshape(blocks, length), order[blocks * length :]
        cross = np.zeros((blocks // 2 + 1, r, s), complex)
        own = np.zeros(blocks // 2 + 1, complex)
        traces = np.zeros(2)
        wide = max(1, HELD // (blocks * max(r, s)))
        for start in range(0, length, wide):
            part = rows[:, start : start + wide]
            F, G = (self._features(side, part.ravel()).reshape(*part.shape, -1) for side in (0, 1))
            f, g = (np.square(each).sum(axis=2) for each in (F, G))
            traces += f.sum(), g.sum()
            hat_f, hat_g = (np.fft.rfft(each, axis=0) for each in (f, g))
            own += np.einsum("kp,kp->k", hat_f.conj(), hat_g)
            hat_F, hat_G = (np.fft.rfft(each, axis=0) for each in (F, G))
            cross += hat_F.conj().transpose(0, 2, 1) @ hat_G
        F, G = (self._features(side, left) for side in (0, 1))
        f, g = (np.square(each).sum(axis=1) for each in (F, G))
        traces += f.sum(), g.sum()
        found = np.fft.irfft(cross, blocks, axis=0) + F.T @ G
        return found, np.fft.irfft(own, blocks) + f @ g, (float(traces[0]), float(traces[1]))

    def error(self, rng: Rng) -> float:
        """Return the distance of HSIC from that of the kernels themselves: exact up to 1500 pairs, else a 99 % limit.

        The limit comes from unbiased estimates by 32 random parts of 400 pairs each.
        """
        if self.n <= WHOLE:
            return abs(self._missed(np.arange(self.n)))
        return limit_of_size([self._missed(rows) for rows in random_rows(self.n, stream(rng, "points tried"))])

    def _missed(self, rows):
        """Estimate HSIC by the kernels minus that by the kernels of finite rank, for n pairs, from some of them."""
        (low_x, low_y), (X, Y) = self.lows, (Z[rows] for Z in self.sides)
        exact = _of_some(StoredGram(low_x.kernel(X)), StoredGram(low_y.kernel(Y)), self.n, self.statistic)
        return exact - _of_some(StoredGram(low_x(X)), StoredGram(low_y(Y)), self.n, self.statistic)


def _of_some(x: StoredGram, y: StoredGram, n: int, statistic: str) -> float:
    """Estimate HSIC of n pairs from the pairs of two sides; if these are n, it is their HSIC."""
    whole, diagonal, traces = float(np.vdot(x.A, y.A)), float(x.diagonal @ y.diagonal), x.trace * y.trace
    if x.n == n:
        return of_sums(whole, diagonal, traces, n, statistic)
    unbiased = of_sums(whole, diagonal, traces, x.n, "unbiased")
    if statistic == "unbiased":
        return unbiased
    return unbiased * (n - 3) / n + diagonal / (x.n * (n - 2)) - traces / (x.n**2 * (n - 1) * (n - 2))
