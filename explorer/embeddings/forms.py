"""The bilinear form of blocks of Gaussians and points, for a kernel or, if its digits cancel, for its increments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels.increments import Increments
from explorer.kernels.low_rank.finite import FiniteRank
from explorer.linalg import ROUNDING
from explorer.types import Matrix, Points, Vector

from .scaled_gaussians import TILE, inner, join_scales, values

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel

    from .blocks import Block


SLOPES = 2**20  # derivatives by a coordinate computed at a time: 8 MB


def form(kernel: Kernel, blocks: Sequence[Block], others: Sequence[Block]) -> tuple[float, float]:
    """Compute <e, f> = Σ_ij w_i v_j E k(x_i + u_i, y_j + v_j), and the sum of its terms' magnitudes.

    The second number is the scale of rounding errors. If `contrast_of` gives increments from an origin o, e = e_o + m
    φ(o) with the sum m of its weights, and e_o the same weights on increments: <e, f> = <e_o, f_o> + m <f_o, φ(o)> + l
    <e_o, φ(o)> + m l k(o, o). A kernel of finite rank needs no pairs of points: there the form is the inner product of
    sums of features.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    blocks, others : sequence of Block
        The blocks of e and f.

    Returns
    -------
    value, size : float
        The inner product, and the sum of magnitudes.
    """
    if isinstance(kernel, FiniteRank):
        e = coordinates(kernel, blocks)
        f = e if others is blocks else coordinates(kernel, others)
        return float(e @ f), float(np.abs(e) @ np.abs(f))
    contrast = contrast_of(kernel, blocks if others is blocks else (*blocks, *others))
    value, size = over_pairs(contrast, blocks, others)
    if isinstance(contrast, Increments):
        (m, e), (l, f) = ((_mass(each), _to_origin(each, contrast)) for each in (blocks, others))
        parts = (m * f, l * e, m * l * contrast.at_origin)
        value, size = value + sum(parts), size + sum(map(abs, parts))
        size += contrast.lost * _size(blocks) * _size(others)
    return value, size


def over_pairs(contrast: Kernel | Increments, blocks: Sequence[Block], others: Sequence[Block]) -> tuple[float, float]:
    """Compute Σ_ij w_i v_j E k(x_i + u_i, y_j + v_j) and the sum of its terms' magnitudes, over all pairs.

    Parameters
    ----------
    contrast : Kernel or Increments
        The kernel k, or its increments k_o from an origin o, see `Kernel.contrast`.
    blocks, others : sequence of Block
        The blocks of both embeddings.

    Returns
    -------
    value, size : float
        The inner product, and the sum of magnitudes.
    """
    value = size = 0.0
    groups = join_scales(blocks)
    for i, a in enumerate(groups):
        # <e, e> is symmetric, so each pair of different groups is computed once and counted twice
        for b in groups[i:] if others is blocks else join_scales(others):
            times = 2 if others is blocks and b is not a else 1
            terms, magnitudes = inner(contrast, a, b)
            value += times * terms
            size += times * magnitudes
    return value, size


def values_at(kernel: Kernel, blocks: Sequence[Block], Y: Points) -> Vector:
    """Compute <e, k(y_j, .)> at points.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    blocks : sequence of Block
        The blocks of e.
    Y : ndarray of shape (m, d)
        The points.

    Returns
    -------
    ndarray of shape (m,)
        The values.
    """
    if isinstance(kernel, FiniteRank):
        e = coordinates(kernel, blocks)
        return np.concatenate([kernel.features(Y[part]) @ e for part in kernel.parts(len(Y))])
    contrast, groups = contrast_of(kernel, blocks), join_scales(blocks)
    rows = max(1, TILE // max(len(group.points) for group in groups))
    if len(Y) <= rows:
        return _values(contrast, blocks, groups, Y)
    tiles = (Y[i : i + rows] for i in range(0, len(Y), rows))
    return np.concatenate([_values(contrast, blocks, groups, tile) for tile in tiles])


def _values(contrast, blocks, groups, Y):
    total = sum((values(contrast, group, Y) for group in groups), np.zeros(len(Y)))
    if not isinstance(contrast, Increments):
        return total
    return total + _to_origin(blocks, contrast) + _mass(blocks) * (contrast.to_origin(Y, None) + contrast.at_origin)


def gradient_at(kernel: Kernel, blocks: Sequence[Block], Y: Points) -> Matrix:
    """Compute Σ_i w_i ∇_y E k(y_j, x_i + u_i) at points.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    blocks : sequence of Block
        The blocks.
    Y : ndarray of shape (m, d)
        The points y_j.

    Returns
    -------
    ndarray of shape (m, d)
        The gradients.
    """
    total = np.zeros(Y.shape)
    for b in blocks:
        rows = max(1, SLOPES // b.points.size)
        for start in range(0, len(Y), rows):
            part = slice(start, start + rows)
            total[part] += np.einsum("jid,i->jd", kernel.gradient(Y[part], b.points, b.covariance), b.weights)
    return total


def coordinates(kernel: FiniteRank, blocks: Sequence[Block]) -> Vector:
    """Compute Σ_i w_i E φ(x_i + u_i) for the features φ of a kernel of finite rank.

    Parameters
    ----------
    kernel : FiniteRank
        The kernel.
    blocks : sequence of Block
        The blocks.

    Returns
    -------
    ndarray of shape (r,)
        The sum of features.
    """
    return sum((kernel.sum_features(b.points, b.weights, b.covariance) for b in blocks), np.zeros(kernel.rank))


def contrast_of(kernel: Kernel, blocks: Sequence[Any]) -> Kernel | Increments:
    """Return `Kernel.contrast` for the Gaussians and points that carry nine tenths of the blocks' weight.

    Heavy tails put some points far away with hardly any weight; these do not decide how to distinguish the others.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    blocks : sequence of Block
        The blocks.

    Returns
    -------
    Kernel or Increments
        The kernel k, or its increments k_o from an origin o, see `Kernel.contrast`.
    """
    weights = np.abs(np.concatenate([b.weights for b in blocks]))
    heaviest = np.argsort(-weights, kind="stable")
    most = 1 + np.searchsorted(np.cumsum(weights[heaviest]), 0.9 * weights.sum())
    points = np.concatenate([b.points for b in blocks])[heaviest[:most]]
    traces = [0.0 if b.covariance is None else np.trace(b.covariance) for b in blocks]
    variances = np.repeat(traces, [len(b.weights) for b in blocks])[heaviest[:most]]
    return kernel.contrast(points, float(np.sort(variances)[len(variances) // 2]))


def _mass(blocks):
    """Sum all weights; return 0 if the sum is only the rounding of weights that should sum to 0."""
    weights = np.concatenate([b.weights for b in blocks])
    mass = math.fsum(weights)
    return mass if abs(mass) > ROUNDING * np.abs(weights).sum() else 0.0


def _size(blocks):
    """Sum all weights' magnitudes."""
    return sum(float(np.abs(b.weights).sum()) for b in blocks)


def _to_origin(blocks, contrast):
    """Compute <e_o, φ(o)> of the blocks' increments e_o."""
    return float(sum(b.weights @ contrast.to_origin(b.points, b.covariance) for b in blocks))
