"""What kernel thinning is made of: halves of nearly the same kernel mean, and rows swapped for better ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from explorer.stopping import check_cancelled
from explorer.types import Matrix, Points, Rows, Vector

FAILURE = 0.5  # the probability, over all pairs together, that some coin would have needed more than certainty
QUARTERED = 512  # rows from which quarters are compressed by themselves; fewer are halved as they are
WIDER = 8  # times as many rows as are kept, from which the last ones are thinned
STORED = 2048  # rows up to which their Gram matrix is stored: 32 MB
ENTRIES = 2**20  # of inner products of pairs at a time: 8 MB for each of five matrices


Between: TypeAlias = Callable[[Rows, Rows], Matrix]  # (n,) and (m,) rows -> the kernel's values between them, (n, m)


def between_rows(contrast: Any, points: Points) -> Between:
    """The values of a kernel between rows of points, looked up in one Gram matrix where the points are few.

    contrast   the kernel, or what stands for it where weights sum to zero (`Kernel.contrast`)
    """
    if len(points) <= STORED:
        K = contrast(points)
        return lambda first, second: K[np.ix_(first, second)]
    return lambda first, second: contrast(points[first], points[second])


def halve(between: Between, rows: Rows, failure: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Two halves of some rows, each (⌊r/2⌋,), whose sums of features k(x, .) lie near to each other.

    Pairs of consecutive rows x, x' are parted one after the other. With ψ the second half's sum of features less the
    first's, α = <ψ, k(x, .) - k(x', .)>, b its second argument's norm and a = max(b σ √(2 log(2 / failure)), b²), x
    joins the second half and x' the first with probability min(1, (1 - α / a)_+ / 2), else the other way round; then
    σ² grows by b² (1 + (b² - 2a) σ² / a²)_+, from 0. Dwivedi and Mackey 2021, Kernel Thinning (COLT), algorithm 1a:
    one round of KT-SPLIT, where `failure` is δ of each pair. The last of an odd number of rows joins neither half.
    """
    half = len(rows) // 2
    pairs = np.stack([rows[0 : 2 * half : 2], rows[1 : 2 * half : 2]])
    coins, reach = rng.random(half), 2 * math.log(2 / failure)
    leads, variance = np.zeros(half), 0.0  # α of each pair, were it the next one; σ²
    wide = max(1, ENTRIES // max(half, 1))
    for start in range(0, half, wide):
        check_cancelled()
        part, rest = pairs[:, start : start + wide], pairs[:, start:]
        K = between(part.ravel(), rest.ravel()).reshape(2, part.shape[1], 2, -1)
        D = K[0, :, 0] - K[0, :, 1] - K[1, :, 0] + K[1, :, 1]
        for i in range(len(D)):
            j = start + i
            square = max(float(D[i, i]), 0.0)  # rounding may leave a little less
            limit = max(math.sqrt(square * variance * reach), square)
            swapped = limit > 0 and coins[j] < (1 - leads[j] / limit) / 2
            if limit > 0:
                variance += square * max(1 + (square - 2 * limit) * variance / limit**2, 0.0)
            if swapped:
                pairs[:, j] = pairs[::-1, j]
                leads[j:] += D[i, i:]
            else:
                leads[j:] -= D[i, i:]
    return pairs[0], pairs[1]


def compress_rows(
    between: Between, rows: Rows, halvings: int, rng: np.random.Generator, failure: float = FAILURE
) -> Rows:
    """r / 2^halvings of r rows, with nearly their kernel mean; r and both counts are powers of two.

    Of many rows, quarters are compressed by one halving less and joined, and a fair coin takes one half of what they
    make: COMPRESS of Shetty, Dwivedi and Mackey 2022, Distribution Compression in Near-Linear Time (ICLR), algorithm 1.
    Few rows, and those of which quarters cannot be halved as often, are halved again and again. With s rows left, O(s²
    log r) values of the kernel, in place of the O(r²) of halving all rows at once.
    """
    if halvings == 0:
        return rows
    quarters = len(rows) >= max(QUARTERED, 2 ** (halvings + 1))
    parts = np.split(rows, 4) if quarters else [rows]
    # every level of halvings has its share of `failure`, and in it every call, and every pair
    each = failure * (halvings - 1) / halvings / len(parts)
    joined = np.concatenate([compress_rows(between, part, halvings - 1, rng, each) for part in parts])
    halves = halve(between, joined, failure / halvings / (len(joined) // 2), rng)
    return halves[rng.integers(2)]


def coreset(contrast: Any, points: Points, rows: Rows, halvings: int, rng: np.random.Generator) -> Rows:
    """r / 2^halvings of r rows of the points, with nearly their kernel mean: compressed, thinned and swapped.

    Some eight times as many rows as are to be kept, or 512 if these are more, are compressed; halves of halves of them
    are then kept, and swapped for others of them: KT-SPLIT and KT-SWAP, as COMPRESS++ of Shetty, Dwivedi and Mackey
    2022 ends. With s rows kept, O(s² log r) values of the kernel.
    """
    count, kept = len(rows), len(rows) >> halvings
    wide = min(count, max(WIDER * kept, QUARTERED))
    first = (count // wide).bit_length() - 1
    if first:
        rows = rows[compress_rows(between_rows(contrast, points[rows]), np.arange(count), first, rng)]
    P, every = points[rows], np.arange(wide)
    between = between_rows(contrast, P)
    chosen = compress_rows(between, every, halvings - first, rng)
    parts = [every[i : i + STORED] for i in range(0, wide, STORED)]
    values = np.sum([between(part, every).sum(axis=0) for part in parts], axis=0) / wide
    diagonal = contrast.expected_diagonal(P, None)
    return rows[swap_rows(lambda i: between(every[i : i + 1], every)[0], diagonal, values, chosen)]


def swap_rows(
    column: Callable[[int], Vector], diagonal: Vector, values: Vector, rows: Rows, again: bool = False
) -> Rows:
    """The rows (m,), each in turn replaced by the one of all n that leaves the least distance to a target.

    KT-SWAP of Dwivedi and Mackey 2021, algorithm 1b.

    column    i -> k(x_j, x_i) for all points x_j, (n,)
    diagonal  k(x_i, x_i), (n,)
    values    the target's, <μ, k(x_i, .)>, (n,)
    again     whether a row may be there more than once
    """
    rows, m, sums = rows.copy(), len(rows), np.zeros(len(values))
    free = np.ones(len(values), dtype=bool)
    for row in rows:
        sums += column(row)
    free[rows] = again
    for i, row in enumerate(rows):
        sums -= column(row)
        # m² times the squared distance depends on the row that comes in by this, as it does in herding
        growth = diagonal + 2 * (sums - m * values)
        best = int(np.argmin(np.where(free, growth, np.inf)))
        if free[best] and growth[best] < growth[row]:
            rows[i], free[row], free[best] = best, True, again
        sums += column(rows[i])
    return rows
