"""Stein kernel of a model, and its sums over the pairs of a sample, a strip of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import MOST, SLACK, WIDE
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Kernel
from explorer.kernels.distances import squared_distances
from explorer.types import Mask, Matrix, Points, Vector

ENTRIES = 2**18  # number of entries of a strip: 2 MB


def stein_kernel(kernel: Kernel, X: Points, scores: Matrix, Y: Points, others: Matrix) -> Matrix:
    """Return h(x_i, y_j), (n, m), for points X (n, d), Y (m, d) and the model's score s at them.

    h(x, y) = <s(x), s(y)> k + <s(x), ∇_y k> + <s(y), ∇_x k> + Σ_j ∂²k / ∂x_j ∂y_j, which is
    ``<s(x), s(y)> φ + 2 φ' <s(y) - s(x), x - y> - 2 d φ' - 4 |x - y|^2 φ''`` for ``k = φ(|x - y|^2)``. Its expectation
    over x from the model is 0 for every y, whatever the constant of the density. Liu, Lee and Jordan 2016, A kernelized
    Stein discrepancy for goodness-of-fit tests, theorem 3.6.
    """
    S = squared_distances(X, Y)
    with np.errstate(over="ignore", invalid="ignore"):
        value, first, second = kernel.radial(S)
        along = np.einsum("ij,ij->i", X, scores)[:, None] + np.einsum("ij,ij->i", Y, others)
        turn = X @ others.T + scores @ Y.T - along - X.shape[1]
        h = (scores @ others.T) * value + 2 * first * turn - 4 * S * second
    if not (np.abs(h) < MOST / len(Y) ** 2).all():
        raise Refusal(
            f"the Stein kernel of {kernel!r} overflows at these points, whose scores reach"
            f" {max(np.abs(scores).max(), np.abs(others).max()):.3g}; rescale the points, or take a larger bandwidth."
        )
    return h


class SteinSums(NamedTuple):
    """Sums of h over a sample.

    `apart` is Σ_{i≠j} h(x_i, x_j), `diagonal` is Σ_i h(x_i, x_i), `magnitude` is ``Σ_{i≠j} |h(x_i, x_j)|``, and `forms`
    (B,) holds Σ_{i≠j} e_i e_j h(x_i, x_j) of each row of signs e.
    """

    apart: float
    diagonal: float
    magnitude: float
    forms: Vector


def stein_sums(kernel: Kernel, X: Points, scores: Matrix, signs: Mask | None = None) -> SteinSums:
    """Return the SteinSums of X (n, d) with its scores (n, d); signs (B, n) are true for +1, and None gives no forms.

    It takes O(n^2 (d + B)) time, and no (n, n) matrix is stored.
    """
    n, apart, diagonal, magnitude = len(X), 0.0, 0.0, 0.0
    forms = np.zeros(0 if signs is None else len(signs))
    centred = X - X.mean(axis=0)  # h depends on differences alone, and these keep their digits far from 0
    for rows in _strips(n):
        h = stein_kernel(kernel, centred[rows], scores[rows], centred, scores)
        own = np.arange(rows.start, rows.stop)
        diagonal += float(h[own - rows.start, own].sum())
        h[own - rows.start, own] = 0.0
        apart += float(h.sum())
        magnitude += float(np.abs(h).sum())
        if signs is not None:
            for start in range(0, len(signs), WIDE):
                e = 2.0 * signs[start : start + WIDE] - 1.0
                forms[start : start + WIDE] += np.einsum("bj,bj->b", e[:, rows] @ h, e)
    return SteinSums(apart, diagonal, magnitude, forms)


def tie_tolerance(magnitude: float, n: int) -> float:
    """Return the largest difference that rounding may leave between equal means over pairs: 64 eps of what they sum."""
    return SLACK * magnitude / (n * (n - 1))


def _strips(n: int) -> Iterator[slice]:
    """Yield slices of rows 0 to n."""
    rows = max(1, ENTRIES // n)
    for start in range(0, n, rows):
        check_cancelled()
        yield slice(start, min(start + rows, n))
