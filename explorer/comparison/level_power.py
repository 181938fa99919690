"""Power of the test of a category of many levels, from random counts of its levels.

The counts are drawn once. The effect of another change or other numbers of rows is computed from them.
"""

from __future__ import annotations

import math

import numpy as np

from explorer.discrepancy.columns.categories import ManyLevels
from explorer.execution.cancellation import check_cancelled
from explorer.types import Matrix, Vector

from .power import POWER, RowsNeeded, least

COUNTS = 2**17  # random counts of levels of each sample, over all draws
FEWEST, MOST = 60, 1000  # least and largest number of random samples
LARGEST = 2.0**30  # largest multiple of the available rows


def share_of_many(totals: Vector, n: int, m: int, threshold: float, power: float = POWER) -> float:
    """Return the least change of the most frequent level's share that a category's test detects with this power.

    It is `detectable_share` for the statistic of `ManyLevels`. `totals` (L,) are the counts of the pooled rows, whose
    shares represent a. In b the share of the most frequent level is δ larger, or smaller if it is above one half, and
    the others lose or gain in proportion. Return inf if no change would be detected.
    """
    p = totals / totals.sum()
    top = int(p.argmax())
    if p[top] == 1:
        return math.inf
    first, second = _draws(p, p, n, m)
    larger = p[top] <= 0.5
    moving = m - second[:, top] if larger else second[:, top]  # rows that may change their level
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
    """Return the rows that would detect the difference between counts (L,) of two samples, see `rows_needed`.

    |p - q|² is too large by chance: by (1/n + 1/m)(1 - Σ h²) on average, where h are the pooled shares. The difference
    is assumed to have the observed direction, and to be smaller by this amount. With c times the rows, random shares
    deviate from those of the population by 1 / √c as much.
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
    """Return random counts of n rows with shares p (L,) and of m rows with shares q, shape (draws, L) each."""
    draws = int(np.clip(COUNTS // len(p), FEWEST, MOST))
    rng = np.random.default_rng(0)
    return rng.multinomial(n, p, draws).astype(float), rng.multinomial(m, q, draws).astype(float)


def _reaching(first: Matrix, second: Matrix, threshold: float) -> float:
    """Return the share of pairs of counts (draws, L) whose statistic reaches the threshold."""
    check_cancelled()
    found = ManyLevels.of_totals(first + second).statistics(first, first.sum(axis=1))
    return float(np.mean(found >= threshold))
