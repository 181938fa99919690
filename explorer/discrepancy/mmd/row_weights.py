"""Weights of rows: a row of weight 3 counts as three equal rows, and keeps its weight when rows are permuted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import BATCH, SLACK, CentredGram
from explorer.discrepancy.resampling.tiled_gram import ENTRIES, TiledGram
from explorer.types import Mask, Rows, Values, Vector, Weights

if TYPE_CHECKING:
    from explorer.estimators import Estimator


def row_weights(values: Values | None, n: int, name: str) -> Weights:
    """Return weights (n,) of n rows, as `checks.counts` reads them; ones if `values` is None."""
    return np.ones(n) if values is None else checks.counts(values, n, name)


def refuse_other_averages(estimator: Estimator | None, approximation: str | None = None) -> None:
    """Raise a Refusal if weights of rows are combined with an estimator's weights, or with a kernel of finite rank."""
    if estimator is not None and not estimator.plain:
        raise Refusal(
            f"weights of rows count them in the plain average, and the estimator is {type(estimator).__name__}; leave"
            " estimator at None, or the weights."
        )
    if approximation is not None:
        raise Refusal(
            f"weights of rows need the kernel itself, and approximation={approximation!r} replaces it by another;"
            " leave approximation at None, or repeat the rows."
        )


def refuse_few(sums: Sequence[float] | Vector, statistic: str, where: str = "") -> None:
    """Raise a Refusal if the unbiased statistic would divide by 0 or less: it counts weights as rows and needs two."""
    for total, name in zip(sums, ("weights_x", "weights_y"), strict=True):
        if statistic == "unbiased" and not total > 1:
            raise Refusal(
                f"statistic='unbiased' counts weights as rows, and {name} sum to {total:.4g}{where}, which must be more"
                " than 1; give weights that count rows, or take statistic='biased', which depends on their ratios"
                " alone."
            )


def least_sums(w: Vector, n: int, groups: Rows | None = None) -> Vector:
    """Return the least total weight of the first and of the second sample, (2,), over all permutations of rows.

    The rows have weights w (N,), and the first n of them are the first sample. With `groups`, codes (N,), rows are
    permuted within each group only.
    """
    codes = np.zeros(len(w), dtype=int) if groups is None else groups
    first = np.arange(len(w)) < n
    totals = np.zeros(2)
    for code in np.unique(codes):
        rows = np.sort(w[codes == code])
        count = np.count_nonzero(first[codes == code])
        totals += rows[:count].sum(), rows[: len(rows) - count].sum()
    return totals


def weighted_mmd2(gram: CentredGram | TiledGram, S: Mask, w: Vector, statistic: str) -> Weights:
    """Compute MMD² (B,) of each split S (B, N) of rows with weights w (N,), from a Gram matrix centred by the weights.

    The rows of w_i K_ij w_j sum to 0, so its sums over either sample are equal, and have the opposite sign between
    both. Let C and D be the weights of the lighter and of the heavier sample, a_i = w_i / C the shares of the lighter
    one, q = a'Ka, d and e the means of K_ii in both, and r = C/D. Then the biased MMD² is V = q (1 + r)^2 and the
    unbiased one U = (q - d/C) / (1 - 1/C) + (r^2 q - e/D) / (1 - 1/D) + 2rq. Summed over the heavier sample, q would be
    a small difference of large sums.
    """
    wide = max(BATCH, ENTRIES // len(w))
    parts = (S[start : start + wide] for start in range(0, len(S), wide))
    return np.concatenate([_values(gram, part, w, statistic) for part in parts])


def _values(gram, S, w, statistic):
    """Return the MMD² of each split of a batch, by the formulas of `weighted_mmd2`."""
    shares, C, D = _lighter(S, w)
    (q, d), r = gram.forms(shares), C / D
    if statistic == "biased":
        return q * (1 + r) ** 2
    e = (float(gram.diagonal @ w) - d * C) / D
    return (q - d / C) / (1 - 1 / C) + (r**2 * q - e / D) / (1 - 1 / D) + 2 * r * q


def _lighter(S, w):
    """Return the shares (B, N) of the sample that weighs less in each split, its weight, and that of the other."""
    first = S @ w
    light = np.where((2 * first <= w.sum())[:, None], S, ~S) * w
    C = light.sum(axis=1)
    return light / C[:, None], C, (w - light).sum(axis=1)


def weighted_tolerance(gram: CentredGram | TiledGram, S: Mask, w: Vector, statistic: str) -> float:
    """Return the largest difference that rounding may leave between equal values of `weighted_mmd2` for splits S.

    It is 64 eps times a bound of the terms that they sum. With a, the shares of the lighter sample, and V, the biased
    statistic, of `weighted_mmd2`: at most ``|a|^2 |K|_F`` is in a'Ka (Cauchy and Schwarz), four times that in V.
    Centring makes K larger by at most ``(1 + sqrt(N) |w| / sum w)^2``.
    """
    wide = max(BATCH, ENTRIES // len(w))
    spread, least = 0.0, math.inf
    for start in range(0, len(S), wide):
        shares, C, _ = _lighter(S[start : start + wide], w)
        spread, least = max(spread, float(np.square(shares).sum(axis=1).max())), min(least, float(C.min()))
    centring = (1 + math.sqrt(len(w)) * float(np.linalg.norm(w / w.sum()))) ** 2
    divided = 1 - 1 / least if statistic == "unbiased" else 1.0
    return SLACK * 4 * spread * (1 + centring) * gram.size / divided
