"""Power of a column's test: the least shift or change of a share that it detects, and the rows that one needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from explorer.discrepancy.columns.scores import number_scores, scale_scores
from explorer.execution.cancellation import check_cancelled
from explorer.printing import format_number, percent, printed
from explorer.types import Matrix, Vector

POWER = 0.8
DRAWS = 4096  # quasi-random draws, which give a power to about .002
QUANTILES = 5000  # quantiles that replace a longer column: the same three digits as all of 200,000 rows
STEPS = 10  # bisections after the last halving, for three digits
SMALLEST = 2.0**-40  # least change that is searched for, relative to the largest
MOST = 2.0**30  # largest multiple of the available rows


def detectable_shift(x: Vector, n: int, m: int, threshold: float, power: float = POWER) -> float:
    """Return the least shift of b, in the units of a number column, that the column's test detects with this power.

    The test rejects if T, the squared difference of mean `number_scores` of pooled midranks, reaches the threshold. The
    column's pooled values x (N,) represent the distribution F of a; in b each value is δ larger. If x + δ lies between
    two of the values, b has one of the two, at random, with mean x + δ: whole numbers stay whole, and a shift of .3
    moves 30 % of the rows by 1. The power therefore grows from the level on, with ties too.

    If most rows have one value and the others a fine scale, such as amounts that are mostly zero, any shift of all rows
    moves that value first, and the answer is as small as the gap next to it: `detectable_share` of the rows that have
    the value is more informative.

    Return inf if a shift by the column's whole range would not be detected, and for a constant column. O(N log N);
    beyond 5000 values as many quantiles replace them.
    """
    x = np.sort(x)
    if len(x) > QUANTILES:
        x = x[((np.arange(QUANTILES) + 0.5) * (len(x) / QUANTILES)).astype(int)]
    size = np.abs(x[[0, -1]]).max()
    values, counts = np.unique(x / size if size > 0 else x, return_counts=True)
    if len(values) == 1:
        return math.inf
    span, steps = values[-1] - values[0], np.arange(1, len(values))
    grid = np.concatenate([values, values[-1] + span * steps / len(steps)])  # the largest values need room to move up
    p = np.concatenate([counts / len(x), np.zeros(len(steps))])

    def power_at(shift):
        q = move_mass(p, np.interp(grid + shift, grid, np.arange(len(grid))))
        return power_of(*rank_difference(p, q, n, m), threshold)

    return float(size * least(power_at, span, power))


def move_mass(p: Vector, to: Vector) -> Vector:
    """Return probabilities p (G,) after each has moved to a position from 0 to G - 1, shared by its two neighbours."""
    below = np.minimum(to.astype(int), len(p) - 2)
    part = to - below
    return np.bincount(below, p * (1 - part), len(p)) + np.bincount(below + 1, p * part, len(p))


def rank_difference(p: Vector, q: Vector, n: int, m: int) -> tuple[Vector, Matrix]:
    """Return mean (K,) and covariance (K, K) of b's mean scores minus a's, for the distributions p and q (G,).

    n rows have the probabilities p, and m rows q, of the same ordered values; ranks are those of (np + mq) / (n + m).
    The covariance ignores that the ranks are estimated: this changes no shift by more than 3 %.
    """
    h = (n * p + m * q) / (n + m)
    return mean_difference(number_scores(np.cumsum(h) - h / 2), p, q, n, m)


def detectable_share(
    codes: Vector, levels: int, n: int, m: int, threshold: float, power: float = POWER, ordered: int = 0
) -> float:
    """Return the least change of the most frequent level's share that a category's test detects with this power.

    The test rejects if T, the squared difference of mean `level_scores`, reaches the threshold. The pooled codes 0, 1,
    ... (N,) represent a. In b the share of the most frequent level is δ larger, or δ smaller if it is above one half,
    and the other levels lose or gain in proportion to their shares. If the first levels are the `ordered` steps of a
    scale, the scores are `scale_scores`.

    Return inf if a change to 1, or to 0, would not be detected, and for a column of one level.
    """
    p = np.bincount(np.asarray(codes, dtype=int), minlength=levels) / len(codes)
    ordered = int(np.count_nonzero(p[:ordered]))
    p = p[p > 0]
    if len(p) == 1:
        return math.inf
    top = p.argmax()
    away = np.where(np.arange(len(p)) == top, 1.0, -p / (1 - p[top]))  # change of each share per unit of the top one
    direction = 1 if p[top] <= 0.5 else -1

    def power_at(change):
        q = p + direction * change * away
        h = (n * p + m * q) / (n + m)
        scores = scale_scores(h, ordered) if ordered else np.diag(1 / np.sqrt(h))
        return power_of(*mean_difference(scores, p, q, n, m), threshold)

    return float(least(power_at, max(p[top], 1 - p[top]), power))


def mean_difference(scores: Matrix, p: Vector, q: Vector, n: int, m: int) -> tuple[Vector, Matrix]:
    """Return mean and covariance of the mean score of m draws from q (G,) minus that of n from p; scores (G, K)."""
    return (q - p) @ scores, covariance(scores, p) / n + covariance(scores, q) / m


def covariance(scores: Matrix, p: Vector) -> Matrix:
    """Return the covariance (K, K) of scores (G, K) that have probabilities p (G,)."""
    centred = scores - p @ scores
    return centred.T @ (p[:, None] * centred)


@printed
class RowsNeeded(NamedTuple):
    """Rows of a and of b with which an observed difference would be detected; inf if no number of rows suffices."""

    a: float
    b: float
    power: float = POWER

    def __str__(self) -> str:
        return self._sentence()

    def _sentence(self):
        if math.isinf(self.a):
            return "The observed difference is no larger than chance makes it: no number of rows can be read from it."
        rows = f"about {format_number(math.ceil(self.a))} rows in a and {format_number(math.ceil(self.b))} in b"
        chance = f"detect it with {percent(self.power)} power"
        return f"If the true difference is as large as the observed one, {rows} {chance}."


def rows_needed(
    difference: Vector, spread: Matrix, n: int, m: int, threshold: float, power: float = POWER
) -> RowsNeeded:
    r"""Return the rows, in the ratio n : m, with which a test detects the observed difference of mean scores.

    `difference` (K,) is b's mean scores minus a's; the test rejects if T = |difference|² reaches the threshold.
    `spread` (K, K) is the covariance of the pooled scores.

    T is too large by chance: its expectation is :math:`|\mu|^2 + \operatorname{tr}(spread) (1/n + 1/m)`, where μ is the
    difference of the populations. So μ is assumed to have the observed direction, and |μ|² is T minus that term. With c
    times the rows the threshold is 1/c as large, and c is the least for which P(\|√c μ + G\|² >= threshold) reaches the
    power, G normal with covariance spread (1/n + 1/m). If T is no larger than chance makes it, no number of rows
    suffices: inf. The answer is rough if the difference is not far from chance: T itself then varies as much as |μ|².
    """
    spread = spread * (1 / n + 1 / m)
    T = float(difference @ difference)
    left = T - float(np.trace(spread))
    if left <= 0:
        return RowsNeeded(math.inf, math.inf, power)
    mean = difference * math.sqrt(left / T)
    times = least(lambda c: power_of(math.sqrt(c) * mean, spread, threshold), MOST, power)
    return RowsNeeded(times * n, times * m, power)


def power_of(mean: Vector, spread: Matrix, threshold: float) -> float:
    """Return P(|mean + G|² >= threshold), G normal with mean 0 and covariance `spread` (K, K), by fixed draws."""
    check_cancelled()
    gamma, V = np.linalg.eigh(spread)
    G = normal_draws(len(mean)) * np.sqrt(np.maximum(gamma, 0.0))
    return float(np.mean(np.square(G + mean @ V).sum(axis=1) >= threshold))


@lru_cache(maxsize=16)
def normal_draws(K: int) -> Matrix:
    """Return quasi-random standard normal vectors, shape (DRAWS, K)."""
    from scipy.stats import qmc  # imported late, since a verdict does not need it

    return qmc.MultivariateNormalQMC(np.zeros(K), rng=np.random.default_rng(0)).random(DRAWS)


def least(power_at: Callable[[float], float], most: float, power: float) -> float:
    """Return the least change up to `most` that has this power, to three digits; inf if `most` has less power."""
    if power_at(most) < power:
        return math.inf
    high = most
    while high > SMALLEST * most and power_at(high / 2) >= power:
        high /= 2
    low = high / 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if power_at(middle) >= power:
            high = middle
        else:
            low = middle
    return high
