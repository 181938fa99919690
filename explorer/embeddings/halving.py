"""Steps of kernel thinning: halves of nearly the same kernel mean, and rows swapped for better ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from explorer.execution.cancellation import check_cancelled
from explorer.types import Matrix, Points, Rows, Vector

FAILURE = 0.5  # probability, over all pairs together, that some coin's probability would have to exceed 1
QUARTERED = 512  # smallest number of rows whose quarters are compressed separately; fewer rows are halved at once
WIDER = 8  # the last rows are thinned from this many times as many
STORED = 2048  # largest number of rows whose Gram matrix is stored: 32 MB
ENTRIES = 2**20  # inner products of pairs computed at a time: 8 MB for each of five matrices


Between: TypeAlias = Callable[[Rows, Rows], Matrix]  # (n,) and (m,) rows -> the kernel's values between them, (n, m)


def between_rows(contrast: Any, points: Points) -> Between:
    """Return a function that gives a kernel's values between rows of points.

    It uses one Gram matrix if the points are few.

    Parameters
    ----------
    contrast : Kernel or Increments
        The kernel, or what replaces it if weights sum to zero (`Kernel.contrast`).
    points : ndarray of shape (n, d)
        The points.

    Returns
    -------
    callable
        Takes two arrays of row numbers and returns the matrix of values.
    """
    if len(points) <= STORED:
        K = contrast(points)
        return lambda first, second: K[np.ix_(first, second)]
    return lambda first, second: contrast(points[first], points[second])


def halve(between: Between, rows: Rows, failure: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Split rows into two halves, each (⌊r/2⌋,), whose sums of features k(x, .) are close to each other.

    Pairs of consecutive rows x, x' are split one after the other. ψ is the second half's sum of features minus the
    first half's, α = <ψ, k(x, .) - k(x', .)>, b is the norm of its second argument and a = max(b σ √(2 log(2 /
    failure)), b²). x joins the second half and x' the first with probability min(1, (1 - α / a)_+ / 2), otherwise the
    other way round. Then σ² grows by b² (1 + (b² - 2a) σ² / a²)_+, from 0. Dwivedi and Mackey 2021, Kernel Thinning
    (COLT), algorithm 1a: one round of KT-SPLIT, where `failure` is δ of each pair. The last of an odd number of rows
    joins neither half.

    Parameters
    ----------
    between : callable
        Kernel values between rows, see `between_rows`.
    rows : ndarray of shape (r,)
        Row numbers.
    failure : float
        Probability of failure for each pair.
    rng : numpy.random.Generator
        Source of the coins.

    Returns
    -------
    first, second : ndarray
        The halves.
    """
    half = len(rows) // 2
    pairs = np.stack([rows[0 : 2 * half : 2], rows[1 : 2 * half : 2]])
    coins, reach = rng.random(half), 2 * math.log(2 / failure)
    leads, variance = np.zeros(half), 0.0  # α that each pair would have as the next one, and σ²
    wide = max(1, ENTRIES // max(half, 1))
    for start in range(0, half, wide):
        check_cancelled()
        part, rest = pairs[:, start : start + wide], pairs[:, start:]
        K = between(part.ravel(), rest.ravel()).reshape(2, part.shape[1], 2, -1)
        D = K[0, :, 0] - K[0, :, 1] - K[1, :, 0] + K[1, :, 1]
        for i in range(len(D)):
            j = start + i
            square = max(float(D[i, i]), 0.0)  # rounding may leave a number just below 0
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
    """Choose r / 2^halvings of r rows with nearly their kernel mean; r and both counts are powers of two.

    If there are many rows, quarters are compressed by one halving less and joined, and a fair coin chooses one half of
    the result: COMPRESS of Shetty, Dwivedi and Mackey 2022, Distribution Compression in Near-Linear Time (ICLR),
    algorithm 1. Few rows, and those whose quarters cannot be halved as often, are halved again and again. With s rows
    left, this takes O(s² log r) values of the kernel, instead of the O(r²) of halving all rows at once.
    """
    if halvings == 0:
        return rows
    quarters = len(rows) >= max(QUARTERED, 2 ** (halvings + 1))
    parts = np.split(rows, 4) if quarters else [rows]
    # `failure` is divided among the levels of halvings, within each among its calls, and there among the pairs
    each = failure * (halvings - 1) / halvings / len(parts)
    joined = np.concatenate([compress_rows(between, part, halvings - 1, rng, each) for part in parts])
    halves = halve(between, joined, failure / halvings / (len(joined) // 2), rng)
    return halves[rng.integers(2)]


def coreset(contrast: Any, points: Points, rows: Rows, halvings: int, rng: np.random.Generator) -> Rows:
    """Choose r / 2^halvings of r rows of the points with nearly their kernel mean: compressed, thinned and swapped.

    First the rows are compressed to some eight times as many as are returned, or to 512 if that is more. Then halves of
    halves of them are chosen, and swapped for others of them: KT-SPLIT and KT-SWAP, the last steps of COMPRESS++ of
    Shetty, Dwivedi and Mackey 2022. With s rows chosen, this takes O(s² log r) values of the kernel.

    Parameters
    ----------
    contrast : Kernel or Increments
        The kernel k, or its increments k_o from an origin o, see `Kernel.contrast`.
    points : ndarray of shape (n, d)
        The points.
    rows : ndarray of shape (r,)
        Row numbers.
    halvings : int
        How often the number of rows is halved.
    rng : numpy.random.Generator
        Source of the coins.

    Returns
    -------
    ndarray of shape (r / 2^halvings,)
        The chosen row numbers.
    """
    count, size = len(rows), len(rows) >> halvings
    wide = min(count, max(WIDER * size, QUARTERED))
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
    """Replace each row in order by the one of all n that leaves the least distance to a target.

    KT-SWAP of Dwivedi and Mackey 2021, algorithm 1b.

    Parameters
    ----------
    column : callable
        Maps i to k(x_j, x_i) for all points x_j, shape (n,).
    diagonal : ndarray of shape (n,)
        The values k(x_i, x_i).
    values : ndarray of shape (n,)
        The target's values <μ, k(x_i, .)>.
    rows : ndarray of shape (m,)
        Row numbers.
    again : bool, default False
        Whether a row may occur more than once.

    Returns
    -------
    ndarray of shape (m,)
        The new row numbers.
    """
    rows, m, sums = rows.copy(), len(rows), np.zeros(len(values))
    free = np.ones(len(values), dtype=bool)
    for row in rows:
        sums += column(row)
    free[rows] = again
    for i, row in enumerate(rows):
        sums -= column(row)
        # m² times the squared distance depends on the new row by this term, as it does in herding
        growth = diagonal + 2 * (sums - m * values)
        best = int(np.argmin(np.where(free, growth, np.inf)))
        if free[best] and growth[best] < growth[row]:
            rows[i], free[row], free[best] = best, True, again
        sums += column(rows[i])
    return rows
