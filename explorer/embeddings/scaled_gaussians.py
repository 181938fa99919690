"""Fans: points seen at many scales of one covariance, as a scale mixture such as Student's t distribution is made of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.types import Points, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.kernels.increments import Increments

    from .blocks import Block


EPS = np.finfo(float).eps
ENTRIES = 2**22  # of the Gram matrices of all scales, held at once: 32 MB
TILE = 2**24  # of one Gram matrix, held at once: 128 MB


class ScaledGaussians(NamedTuple):
    """sum_q sum_i weights_qi E k(x_i + u_q, .), u_q ~ N(0, scales_q S).

    points (n, d), weights (q, n), covariance S (d, d) or None for point masses, scales (q,)
    """

    points: np.ndarray
    weights: np.ndarray
    covariance: np.ndarray | None
    scales: np.ndarray


def join_scales(blocks: Sequence[Block]) -> list[ScaledGaussians]:
    """The blocks of an embedding, with neighbours at the same points joined where their covariances are in
    proportion.
    """
    if len(blocks) == 1:
        return [_single(blocks[0])]
    joined = []
    for _, group in groupby(blocks, key=lambda b: (b.points.shape, b.points.tobytes(), b.covariance is None)):
        joined += _joined(list(group))
    return joined


def _single(block):
    return ScaledGaussians(block.points, block.weights[None], block.covariance, np.ones(1))


def _joined(group):
    """Fans of blocks at the same points: one of those whose covariances are multiples of the first, one of those that
    are multiples of the next, and so on; from the third on each alone.
    """
    if group[0].covariance is None:
        return [_single(b) for b in group]
    found = []
    while len(group) > 1 and len(found) < 2:
        first = group[0]
        scales = [_proportion(b.covariance, first.covariance) for b in group]
        alike = [(b.weights, s) for b, s in zip(group, scales, strict=True) if s is not None]
        weights, multiples = (np.array(part) for part in zip(*alike, strict=True))
        found.append(ScaledGaussians(first.points, weights, first.covariance, multiples))
        group = [b for b, s in zip(group, scales, strict=True) if s is None]
    return [*found, *(_single(b) for b in group)]


def _proportion(C, S):
    """s with C = s S up to the rounding of a product and a quotient; None where there is none."""
    s = float(np.trace(C) / np.trace(S))
    return s if (np.abs(C - s * S) <= 8 * EPS * np.abs(C)).all() else None


def inner(kernel: Kernel | Increments, a: ScaledGaussians, b: ScaledGaussians) -> tuple[float, float]:
    """<a, b> of two fans, and the sum of its terms' magnitudes, against which rounding is measured."""
    value = size = 0.0
    for v, K, w in _terms(kernel, a, b):
        value += float((v[:, None] @ K @ w[:, :, None]).sum())
        size += float((np.abs(v)[:, None] @ np.abs(K) @ np.abs(w)[:, :, None]).sum())
    return value, size


def values(kernel: Kernel | Increments, group: ScaledGaussians, Y: Points) -> Vector:
    """The values of a group at Y, (m,)."""
    points = ScaledGaussians(Y, np.ones((1, len(Y))), None, np.ones(1))
    return sum(((v[:, None] @ K).sum(axis=(0, 1)) for v, K, _ in _terms(kernel, group, points)), np.zeros(len(Y)))


def _terms(kernel, a, b):
    """Weights (q, n), Gram matrices (q, n, m) and weights (q, m) whose forms add up to <a, b>."""
    if len(a.scales) == len(b.scales) == 1:
        for part, rows in _rows(a, len(b.points)):
            yield part, kernel.expected(rows, a.covariance, b.points, b.covariance)[None], b.weights
        return
    if a is b:  # symmetric: each pair of different scales once, counted twice
        i, j = np.triu_indices(len(a.scales))
        v = np.where(i == j, 1.0, 2.0)[:, None] * a.weights[i]
    else:
        i, j = (k.ravel() for k in np.indices((len(a.scales), len(b.scales))))
        v = a.weights[i]
    K = _at_once(kernel, a, b, i, j)
    if K is not None:
        yield v, K, b.weights[j]
        return
    for q in range(len(i)):
        C, D = (f.covariance if f.covariance is None else f.scales[k] * f.covariance for f, k in ((a, i[q]), (b, j[q])))
        yield v[q : q + 1], kernel.expected(a.points, C, b.points, D)[None], b.weights[j[q : q + 1]]


def _rows(group, m):
    """Weights (q, t) and points (t, d) of a group, by tiles of rows whose Gram matrix with m points is not too large."""
    n, rows = len(group.points), max(1, TILE // m)
    if n <= rows:
        return [(group.weights, group.points)]
    return [(group.weights[:, i : i + rows], group.points[i : i + rows]) for i in range(0, n, rows)]


def _at_once(kernel, a, b, i, j):
    """E k between scales i of a and j of b (q,), (q, n, m); None where there is no way to have it at once."""
    if len(i) * len(a.points) * len(b.points) > ENTRIES:
        return None
    S = b.covariance if a.covariance is None else a.covariance
    s, t = (_multiple(f.covariance, S) for f in (a, b))
    if s is None or t is None:
        return kernel.expected_unlike(a.points, a.scales[i], a.covariance, b.points, b.scales[j], b.covariance)
    return kernel.expected_scales(a.points, s * a.scales[i], b.points, t * b.scales[j], S)


def _multiple(C, S):
    """s with C = s S, 0 for point masses; None where there is none."""
    return 0.0 if C is None else _proportion(C, S)
