"""Points that carry Gaussian noise at many scales of one covariance, as in a scale mixture such as Student's t."""

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
ENTRIES = 2**22  # entries of the Gram matrices of all scales that are in memory at once: 32 MB
TILE = 2**24  # entries of one Gram matrix that are in memory at once: 128 MB


class ScaledGaussians(NamedTuple):
    """Sum over q and i of weights_qi E k(x_i + u_q, .), u_q ~ N(0, scales_q S).

    Attributes
    ----------
    points : ndarray of shape (n, d)
        The points x_i.
    weights : ndarray of shape (q, n)
        The weights.
    covariance : ndarray of shape (d, d) or None
        The covariance S, or None for point masses.
    scales : ndarray of shape (q,)
        The scales.
    """

    points: np.ndarray
    weights: np.ndarray
    covariance: np.ndarray | None
    scales: np.ndarray


def join_scales(blocks: Sequence[Block]) -> list[ScaledGaussians]:
    """Join neighbouring blocks of an embedding at the same points if their covariances are proportional.

    Parameters
    ----------
    blocks : sequence of Block
        The blocks.

    Returns
    -------
    list of ScaledGaussians
        The joined blocks.
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
    """Join blocks at the same points whose covariances are multiples of the first block's.

    The blocks that remain are joined with the next one in the same way; from the third group on each block stays alone.
    """
    if group[0].covariance is None:
        return [_single(b) for b in group]
    groups = []
    while len(group) > 1 and len(groups) < 2:
        first = group[0]
        scales = [_proportion(b.covariance, first.covariance) for b in group]
        alike = [(b.weights, s) for b, s in zip(group, scales, strict=True) if s is not None]
        weights, multiples = (np.array(part) for part in zip(*alike, strict=True))
        groups.append(ScaledGaussians(first.points, weights, first.covariance, multiples))
        group = [b for b, s in zip(group, scales, strict=True) if s is None]
    return [*groups, *(_single(b) for b in group)]


def _proportion(C, S):
    """Return s with C = s S up to the rounding of a product and a quotient, or None if there is none."""
    s = float(np.trace(C) / np.trace(S))
    return s if (np.abs(C - s * S) <= 8 * EPS * np.abs(C)).all() else None


def inner(kernel: Kernel | Increments, a: ScaledGaussians, b: ScaledGaussians) -> tuple[float, float]:
    """Compute <a, b> of two groups, and the sum of its terms' magnitudes, the scale of rounding errors.

    Parameters
    ----------
    kernel : Kernel or Increments
        The kernel k, or its increments k_o from an origin o, see `Kernel.contrast`.
    a, b : ScaledGaussians
        The groups.

    Returns
    -------
    value, size : float
        The inner product, and the sum of magnitudes.
    """
    value = size = 0.0
    for v, K, w in _terms(kernel, a, b):
        value += float((v[:, None] @ K @ w[:, :, None]).sum())
        size += float((np.abs(v)[:, None] @ np.abs(K) @ np.abs(w)[:, :, None]).sum())
    return value, size


def values(kernel: Kernel | Increments, group: ScaledGaussians, Y: Points) -> Vector:
    """Compute the values of a group at points.

    Parameters
    ----------
    kernel : Kernel or Increments
        The kernel k, or its increments k_o from an origin o, see `Kernel.contrast`.
    group : ScaledGaussians
        The group.
    Y : ndarray of shape (m, d)
        The points.

    Returns
    -------
    ndarray of shape (m,)
        The values.
    """
    points = ScaledGaussians(Y, np.ones((1, len(Y))), None, np.ones(1))
    return sum(((v[:, None] @ K).sum(axis=(0, 1)) for v, K, _ in _terms(kernel, group, points)), np.zeros(len(Y)))


def _terms(kernel, a, b):
    """Yield weights (q, n), Gram matrices (q, n, m) and weights (q, m) whose forms add up to <a, b>."""
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
    """Split weights (q, t) and points (t, d) of a group into tiles whose Gram matrix with m points is not too large."""
    n, rows = len(group.points), max(1, TILE // m)
    if n <= rows:
        return [(group.weights, group.points)]
    return [(group.weights[:, i : i + rows], group.points[i : i + rows]) for i in range(0, n, rows)]


def _at_once(kernel, a, b, i, j):
    """Compute E k between scales i of a and j of b (q,), (q, n, m), or return None if that takes separate calls."""
    if len(i) * len(a.points) * len(b.points) > ENTRIES:
        return None
    S = b.covariance if a.covariance is None else a.covariance
    s, t = (_multiple(f.covariance, S) for f in (a, b))
    if s is None or t is None:
        return kernel.expected_unlike(a.points, a.scales[i], a.covariance, b.points, b.scales[j], b.covariance)
    return kernel.expected_scales(a.points, s * a.scales[i], b.points, t * b.scales[j], S)


def _multiple(C, S):
    """Return s with C = s S, 0 for point masses, or None if there is none."""
    return 0.0 if C is None else _proportion(C, S)
