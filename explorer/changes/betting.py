"""Bets on numbers that are uniform on [0, 1] and independent while nothing changes: nobody gets rich by them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.types import Matrix, Rows, Vector

DEPTH = 3  # halvings of [0, 1]: 8 bins
EACH = 32  # rows from one start of bettors to the next
LIFE = 4  # starts that a bettor lives for, times the largest power of 2 that divides the number of its own


class Bettors(NamedTuple):
    """Bettors of one start, DEPTH of them on each of K sequences.

    end      the row at which they stop, inf for never
    counts   (K, 2 bins), how often each node had been met when they began
    capital  (K, DEPTH), the logarithm of what they have
    """

    end: float
    counts: Rows
    capital: Matrix


class Bets:
    """K sequences of wealth, each 1 at the start, by bets on one sequence of numbers p in [0, 1].

    A bettor of depth D cuts [0, 1] into halves, these into halves, D times, and at each cut stakes on either half in
    proportion to how often p fell there since it began, each count with 1/2 more: (c + 1/2) / (c + c' + 1) is
    multiplied by 2 where p falls there. Its density of p integrates to 1 whatever p was before, so that the capital is
    a martingale where the p are uniform and independent.

    Nobody knows when a change comes. The j-th of the bettors, who begin at row 32 j, get 1/sqrt(j+1) - 1/sqrt(j+2) of
    the first wealth, which add up to 1, and what is not yet given out is kept. Those that stop keep what they have. The
    first ones never stop, and of the others few live long: at row n some 2 log2(n / 32) are active.
    """

    def __init__(self, K: int) -> None:
        self.K, self.n = K, 0
        self.counts = np.zeros((K, 2 << DEPTH), int)  # of the nodes: 1 is [0, 1], 2 and 3 its halves, and so on
        self.active: list[Bettors] = []
        self.kept = np.full(K, -math.inf)  # the logarithm of what those that stopped have

    @property
    def cash(self) -> float:
        """What no bettor has got yet."""
        starts = -(-self.n // EACH)
        return 1 / math.sqrt(starts + 1)

    def take(self, p: Matrix) -> Matrix:
        """Bet on rows p (m, K): the logarithms of the K wealths after each, (m, K)."""
        bins = np.minimum((p * (1 << DEPTH)).astype(int), (1 << DEPTH) - 1)
        return np.concatenate(
            [self._take(some) for some in np.split(bins, range(-self.n % EACH, len(bins), EACH)) if len(some)]
        )

    def _take(self, bins):
        """Of rows up to the next start of bettors."""
        if self.n % EACH == 0:
            self._begin(self.n // EACH)
        m, sequences = len(bins), np.arange(self.K)
        nodes = (bins[..., None] + (1 << DEPTH)) >> np.arange(DEPTH, -1, -1)  # from [0, 1] down to the bin, (m, K, D+1)
        met = np.zeros((m + 1, *self.counts.shape), int)
        np.put_along_axis(met[1:], nodes, 1, axis=2)
        np.cumsum(met, axis=0, out=met)
        self.n += m
        cash = math.log(self.cash)
        counts = np.array([each.counts for each in self.active])
        before = np.take_along_axis(self.counts + met[:-1], nodes, axis=2)
        since = before - counts[:, sequences[:, None], nodes]  # (bettors, m, K, D+1)
        gains = np.log(2 * (since[..., 1:] + 0.5) / (since[..., :-1] + 1)).cumsum(axis=-1)
        capital = np.array([each.capital for each in self.active])[:, None]
        capital = np.concatenate([capital, gains], axis=1).cumsum(axis=1)[:, 1:]
        self.counts = self.counts + met[-1]
        self.active = [each._replace(capital=last) for each, last in zip(self.active, capital[:, -1], strict=True)]
        aside = np.broadcast_to(np.logaddexp(self.kept, cash), (m, self.K))
        return np.logaddexp(aside, _log_sum(np.moveaxis(capital, 0, -1).reshape(m, self.K, -1)))

    def _begin(self, j):
        """Stop the bettors whose time is over, and pay those of the j-th start."""
        for each in self.active:
            if each.end <= self.n:
                self.kept = np.logaddexp(self.kept, _log_sum(each.capital))
        self.active = [each for each in self.active if each.end > self.n]
        end = math.inf if j == 0 else self.n + EACH * LIFE * (j & -j)
        stake = math.log((1 / math.sqrt(j + 1) - 1 / math.sqrt(j + 2)) / DEPTH)
        self.active.append(Bettors(end, self.counts.copy(), np.full((self.K, DEPTH), stake)))


def _log_sum(logs: Matrix) -> Vector:
    """log sum exp over the last axis."""
    top = logs.max(axis=-1)
    return top + np.log(np.exp(logs - top[..., None]).sum(axis=-1))
