"""How much a column differs, in its own units: a difference of medians with its interval, P(a < b), changed shares."""

from __future__ import annotations

import numpy as np

from explorer.types import Vector

from .ties import Ties


def superiority(a: Vector, b: Vector) -> float:
    """P(A < B) + P(A = B) / 2 for a value A of a (n,) and B of b (m,) drawn at random: U / (nm), U of Mann and Whitney.

    1/2 where neither sample tends to larger values.
    """
    rank = Ties.of(np.concatenate([a, b])).midranks()[len(a) :].mean()
    return float((rank - (len(b) + 1) / 2) / len(a))


def median_interval(x: Vector, level: float = 0.05) -> tuple[float, float]:
    """Order statistics between which the median lies with probability 1 - level at least, whatever the distribution.

    x_(k) and x_(n+1-k) for the largest k with P(Bin(n, 1/2) < k) <= level / 2; infinite where no k has that, as of
    five rows at the level 0.05.
    """
    from scipy.special import bdtr  # P(Bin <= k)

    x, n = np.sort(x), len(x)
    below = bdtr(np.arange(n // 2 + 1), n, 0.5)
    k = int(np.searchsorted(below, level / 2, side="right"))
    return (-np.inf, np.inf) if k == 0 else (float(x[k - 1]), float(x[n - k]))


def shift_interval(a: Vector, b: Vector, level: float = 0.05) -> tuple[float, float]:
    """An interval of the difference of medians, b's less a's, that holds it with a probability of about 1 - level.

    Recovered from the two medians' own intervals (Zou and Donner 2008, Stat. Med. 27, 1693): with medians p and q in
    (l, u) and (v, w), q - p - sqrt((q - v)² + (u - p)²) to q - p + sqrt((w - q)² + (p - l)²). It asks nothing of the
    distributions, and as the medians' intervals hold at least what they say, it is seldom too short.
    """
    p, q = float(np.median(a)), float(np.median(b))
    (l, u), (v, w) = median_interval(a, level), median_interval(b, level)
    return q - p - float(np.hypot(q - v, u - p)), q - p + float(np.hypot(w - q, p - l))


def shares(a: Vector, b: Vector, levels: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """level -> (its share in a, its share in b), of codes 0, 1, ... that are positions of levels."""
    each = [np.bincount(codes.astype(int), minlength=len(levels)) / len(codes) for codes in (a, b)]
    return {level: (float(p), float(q)) for level, p, q in zip(levels, *each, strict=True)}


def quartiles(x: Vector) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile."""
    low, middle, high = np.quantile(x, [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)
