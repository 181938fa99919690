"""What the test of a category of many levels could have found: by random counts of its levels.

They are drawn once, and what another change or other numbers of rows would make of them is computed.
"""

from __future__ import annotations

import math

import numpy as np

from explorer.discrepancy.columns.categories import check_cancelled
from explorer.discrepancy.many_levels import ManyLevels
from explorer.types import Matrix, Vector

from .power import POWER, RowsNeeded, least

COUNTS = 2**17  # random counts of the levels of each sample
FEWEST, MOST = 60, 1000  # random samples
LARGEST = 2.0**30  # times the rows at hand


def share_of_many(totals: Vector, n: int, m: int, threshold: float, power: float = POWER) -> float:
    """Return the least change of the most frequent level's share that a category's test finds with this power.

    As `detectable_share` for the statistic of `ManyLevels`: `totals` (L,) are the counts of the pooled rows, whose
    shares stand for a; in b that of the most frequent level is δ larger, or smaller if it is above one half, and the
    others have lost or gained in proportion. inf if no change would be found.
    """
    p = totals / totals.sum()
    top = int(p.argmax())
    if p[top] == 1:
        return math.inf
    first, second = _draws(p, p, n, m)
    larger = p[top] <= 0.5
    moving = m - second[:, top] if larger else second[:, top]  # rows of which each may change
    whole = 1 - p[top] if larger else p[top]
    noise = np.random.default_rng(1).normal(size=len(moving))

    def power_at(change: float) -> float:
        part = change / whole
        moved = np.clip(part * moving + np.sqrt(moving * part * (1 - part)) * noise, 0.0, moving)
        b = second.copy()
        b[:, top] += moved if larger else -moved
        b[:, np.arange(len(p)) != top] *= ((m - b[:, top]) / np.maximum(m - second[:, top], 1.0))[:, None]
        return _reaching(first, np.maximum(b, 0.0), threshold)

    return float(least(power_at, whole, power))


def rows_of_many(first: Vector, second: Vector, threshold: float, power: float = POWER) -> RowsNeeded:
    """Return the rows with which the difference between counts (L,) of two samples would be found, see `rows_needed`.

    |p - q|² is too large by chance: by (1/n + 1/m)(1 - Σ h²) on average, h the pooled shares. The difference is taken
    to have the observed direction, and this much less. With c times the rows, random shares deviate from those of all
    data by 1 / √c as much.
    """
    n, m = float(first.sum()), float(second.sum())
    h, apart = (first + second) / (n + m), second / m - first / n
    T = float(apart @ apart)
    left = T - (1 / n + 1 / m) * (1 - float(h @ h))
    if left <= 0 or math.isinf(threshold):
        return RowsNeeded(math.inf, math.inf, power)
    apart *= math.sqrt(left / T)
    p, q = (np.maximum(each, 0.0) for each in (h - apart * m / (n + m), h + apart * n / (n + m)))
    p, q = p / p.sum(), q / q.sum()
    a, b = (draws / size for draws, size in zip(_draws(p, q, int(n), int(m)), (n, m), strict=True))

    def power_at(times: float) -> float:
        def counts(mean: Vector, draws: Matrix, size: float) -> Matrix:
            shares = np.maximum(mean + (draws - mean) / math.sqrt(times), 0.0)
            return times * size * shares / shares.sum(axis=1)[:, None]

        return _reaching(counts(p, a, n), counts(q, b, m), threshold)

    times = least(power_at, LARGEST, power)
    return RowsNeeded(times * n, times * m, power)


def _draws(p: Vector, q: Vector, n: int, m: int) -> tuple[Matrix, Matrix]:
    """Random counts of n rows of shares p (L,) and of m rows of q, (draws, L) each."""
    draws = int(np.clip(COUNTS // len(p), FEWEST, MOST))
    rng = np.random.default_rng(0)
    return rng.multinomial(n, p, draws).astype(float), rng.multinomial(m, q, draws).astype(float)


def _reaching(first: Matrix, second: Matrix, threshold: float) -> float:
    """The share of pairs of counts (draws, L) whose statistic reaches the threshold."""
    check_cancelled()
    found = ManyLevels.of_totals(first + second).statistics(first, first.sum(axis=1))
    return float(np.mean(found >= threshold))
