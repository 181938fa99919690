"""Bets on numbers that are uniform or normal while nothing changes: only a change makes a large wealth likely."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from explorer.types import Matrix, Rows, Vector

DEPTH = 3  # halvings of [0, 1], which make 8 bins
TAIL = 64  # the first and the last 1/TAIL of [0, 1] are bet on by themselves
EACH = 32  # rows from one start of bettors to the next
SHIFTS = (0.1, 1.0)  # standard deviations of the shifts that are bet on
LIFE = 4  # life of a bettor in starts, divided by the largest power of 2 that divides the number of its own start


class Bettors(NamedTuple):
    """Bettors of one start, DEPTH + 1 of them on each of K sequences.

    Attributes
    ----------
    end : float
        Row at which they stop, inf for never.
    counts : ndarray of shape (K, nodes)
        How often each node had been visited when they began.
    capital : ndarray of shape (K, DEPTH + 1)
        Logarithm of their wealth.
    """

    end: float
    counts: Rows
    capital: Matrix


class Bets:
    """Wealth of bets on K sequences of numbers p in [0, 1], each 1 at the start.

    A bettor of depth D cuts [0, 1] into halves, these into halves, D times. At each cut it stakes on either half in
    proportion to how often p fell there since it began, each count plus 1/2: the wealth is multiplied by 2 (c + 1/2) /
    (c + c' + 1) if p falls into the half with count c. One more bettor bets on rare rows: on the first and the last
    1/64 of [0, 1] and the part between them, with factor (c + 32 w) / (c + c' + c'' + 32) over a part's length w. The
    bettors' densities of p integrate to 1 for any past, so that the wealth is a martingale if the p are uniform and
    independent.

    The time of a change is unknown. The j-th bettors, who begin at row 32 j, get 1/sqrt(j+1) - 1/sqrt(j+2) of the
    initial wealth. These shares add up to 1, and the part not yet given out stays in reserve. Bettors that stop keep
    their wealth. The first bettors never stop, and of the others few live long: at row n about 2 log2(n / 32) are
    active.
    """

    def __init__(self, K: int) -> None:
        self.K, self.n = K, 0
        # Counts of the nodes: 1 is [0, 1], 2 and 3 are its halves, and so on; last the three parts of the rare rows.
        self.counts = np.zeros((K, (2 << DEPTH) + 3), int)
        self.active: list[Bettors] = []
        self.stopped = np.full(K, -math.inf)  # logarithm of the wealth of the bettors that have stopped

    @property
    def cash(self) -> float:
        """Share of the initial wealth that no bettor has got yet."""
        starts = -(-self.n // EACH)
        return 1 / math.sqrt(starts + 1)

    def take(self, p: Matrix) -> Matrix:
        """Bet on rows p (m, K) and return the logarithms of the K wealths after each row, shape (m, K)."""
        bins = np.minimum((p * (1 << DEPTH)).astype(int), (1 << DEPTH) - 1)
        nodes = (bins[..., None] + (1 << DEPTH)) >> np.arange(DEPTH, -1, -1)  # from [0, 1] down to the bin, (m, K, D+1)
        part = (p >= 1 / TAIL).astype(int) + (p >= 1 - 1 / TAIL)
        nodes = np.concatenate([nodes, part[..., None] + (2 << DEPTH)], axis=-1)
        parts = np.split(nodes, range(-self.n % EACH, len(nodes), EACH))
        return np.concatenate([self._take(some) for some in parts if len(some)])

    def _take(self, nodes):
        """Bet on rows up to the next start of bettors."""
        if self.n % EACH == 0:
            self._begin(self.n // EACH)
        m, sequences = len(nodes), np.arange(self.K)
        met = np.zeros((m + 1, *self.counts.shape), int)
        np.put_along_axis(met[1:], nodes, 1, axis=2)
        np.cumsum(met, axis=0, out=met)
        self.n += m
        cash = math.log(self.cash)
        counts = np.array([each.counts for each in self.active])
        before = np.take_along_axis(self.counts + met[:-1], nodes, axis=2)
        since = before - counts[:, sequences[:, None], nodes]  # (bettors, m, K, D+2)
        halves = np.log(2 * (since[..., 1:-1] + 0.5) / (since[..., :-2] + 1)).cumsum(axis=-1)
        length = np.where(nodes[..., -1] == (2 << DEPTH) + 1, 1 - 2 / TAIL, 1 / TAIL)
        rare = np.log((since[..., -1] + TAIL / 2 * length) / ((since[..., 0] + TAIL / 2) * length))
        gains = np.concatenate([halves, rare[..., None]], axis=-1)
        capital = np.array([each.capital for each in self.active])[:, None]
        capital = np.concatenate([capital, gains], axis=1).cumsum(axis=1)[:, 1:]
        self.counts = self.counts + met[-1]
        self.active = [each._replace(capital=last) for each, last in zip(self.active, capital[:, -1], strict=True)]
        aside = np.broadcast_to(np.logaddexp(self.stopped, cash), (m, self.K))
        return np.logaddexp(aside, _log_sum(np.moveaxis(capital, 0, -1).reshape(m, self.K, -1)))

    def _begin(self, j):
        """Stop the bettors whose time is over, and pay those of the j-th start."""
        for each in self.active:
            if each.end <= self.n:
                self.stopped = np.logaddexp(self.stopped, _log_sum(each.capital))
        self.active = [each for each in self.active if each.end > self.n]
        end = math.inf if j == 0 else self.n + EACH * LIFE * (j & -j)
        stake = math.log((1 / math.sqrt(j + 1) - 1 / math.sqrt(j + 2)) / (DEPTH + 1))
        self.active.append(Bettors(end, self.counts.copy(), np.full((self.K, DEPTH + 1), stake)))


class Shifts:
    r"""Wealth, 1 at the start, of bets that the means of K numbers z are no longer 0 from some row on.

    A bettor who begins before row s bets that z_s, z_{s+1}, ... are N(μ, 1), with μ ~ N(0, τ²). After n of them with
    sum S, the likelihood ratio to N(0, 1) is

    .. math:: \exp\Bigl( \frac{\tau^2 S^2}{2 (1 + n \tau^2)} \Bigr) \Big/ \sqrt{1 + n \tau^2}

    (Robbins 1970, Annals of Mathematical Statistics 41); the wealth is the mean over τ in SHIFTS and over the K
    numbers. If each z is N(0, 1) for any past, this is a martingale, also if the K numbers of one row depend on one
    another. The s-th bettor, s = 1, 2, ..., gets 1/√s - 1/√(s+1) of the initial wealth, and the part not yet given out
    stays in reserve.
    """

    def __init__(self, K: int) -> None:
        self.sums = np.zeros((0, K))  # sum of z since each bettor began

    def take(self, z: Vector) -> float:
        """Bet on a row z (K,) and return the logarithm of the wealth after it. The cost is O(K s) at the s-th row."""
        self.sums = np.concatenate([self.sums, np.zeros((1, len(z)))]) + z
        rows = len(self.sums)
        n, start = np.arange(rows, 0, -1), np.arange(1, rows + 1)
        shares = np.log((1 / np.sqrt(start) - 1 / np.sqrt(start + 1)) / (len(SHIFTS) * len(z)))
        logs = [-0.5 * math.log(rows + 1)]
        for tau in SHIFTS:
            wide = (1 + n * tau**2)[:, None]
            ratios = np.square(tau * self.sums) / (2 * wide) - 0.5 * np.log(wide)
            logs.append(float(_log_sum((ratios + shares[:, None]).ravel())))
        return float(_log_sum(np.array(logs)))


def _log_sum(logs: Matrix) -> Vector:
    """Return log sum exp over the last axis."""
    top = logs.max(axis=-1)
    return top + np.log(np.exp(logs - top[..., None]).sum(axis=-1))
