"""The Stein witness: where, and in which direction, a sample departs from a model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import MOST
from explorer.kernels import Kernel
from explorer.kernels.distances import squared_distances
from explorer.types import Matrix, PointsLike, Vector

from .model import ModelLike, score_at
from .resamples import checked_points, choose_kernel


class SteinWitness(NamedTuple):
    """The Stein witness at places v (J, d).

    values  g(v), (J, d)
    errors  (J,): the root of the sum of the coordinates' variances, over the points and divided by their number

    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.discrepancy.fit import SteinWitness, stein_witness
    >>> X = np.random.default_rng(0).normal(1.0, 1.0, (50, 1))
    >>> model = GaussianMixture([1.0], [[0.0]], [[1.0]])
    >>> witness: SteinWitness = stein_witness(X, model, [[0.0], [4.0]], Gaussian(1.0))
    >>> witness.values.round(3).tolist(), witness.lengths.round(1).tolist()
    ([[-0.651], [-0.056]], [8.6, 0.7])
    """

    values: np.ndarray
    errors: np.ndarray

    @property
    def lengths(self) -> Vector:
        """|g(v)| over the largest of the errors, (J,): up to about 1.5 where the sample is from the model.

        Over its own error it would be as long far from all points, where a few of them make it.
        """
        sizes = np.sqrt(np.einsum("jd,jd->j", self.values, self.values))
        return sizes / (float(self.errors.max()) or 1.0)


def stein_witness(X: PointsLike, model: ModelLike, places: PointsLike, kernel: Kernel | None = None) -> SteinWitness:
    """The Stein witness of a sample X (n, d) and a model at places v (J, d), a SteinWitness.

    g(v) = mean_i [s(x_i) k(x_i, v) + ∇_x k(x_i, v)], s the model's score, in units of k over units of X. Its
    expectation is E [s(x) - ∇ log q(x)] k(x, v) under the density q of the data (Liu, Lee and Jordan 2016, A kernelized
    Stein discrepancy for goodness-of-fit tests, section 2): it points to where the model has more than the data, and is
    0 where they are the same. The biased KSD² is its squared RKHS norm, Σ_ij h(x_i, x_j) / n². Of all maps in the unit
    ball of that RKHS, moving each point x by a small multiple of g(x) brings the data nearest to the model (Liu and
    Wang 2016, Stein variational gradient descent, section 3).

    model and kernel as in `ksd`; O(n J d). Raises ValueError, TypeError as `ksd` does, and for places of another
    dimension.

    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.discrepancy.fit import stein_witness
    >>> X = np.random.default_rng(0).normal(1.0, 1.0, (50, 1))
    >>> stein_witness(X, GaussianMixture([1.0], [[0.0]], [[1.0]]), [[1.0]], Gaussian(1.0)).values.round(2)
    array([[-0.79]])
    """
    points, there = checked_points(X, 1), checks.sample(places, "places")
    checks.same_dimension(there, points, ("places", "X"))
    scores, kernel = score_at(model, points), choose_kernel(kernel, points)
    return witness_at(kernel, points, scores, there)


def witness_at(kernel: Kernel, X: Matrix, scores: Matrix, places: Matrix) -> SteinWitness:
    """The SteinWitness of points (n, d) with their scores (n, d)."""
    middle = X.mean(axis=0)
    X, places = X - middle, places - middle  # differences alone count, and keep their digits far from 0
    n, S = len(X), squared_distances(X, places)
    with np.errstate(over="ignore", invalid="ignore"):
        value, first, _ = kernel.radial(S)
        values = (value.T @ scores + 2 * (first.T @ X - first.sum(axis=0)[:, None] * places)) / n
        # |s k + 2 φ' (x - v)|^2, term by term, so that no (n, J, d) is stored
        along, turn = np.einsum("ij,ij->i", scores, X), value * first
        squares = np.einsum("ij,ij->i", scores, scores) @ (value * value) + 4 * (first * first * S).sum(axis=0)
        squares += 4 * (along @ turn - np.einsum("jd,jd->j", turn.T @ scores, places))
        variances = squares / n - np.einsum("jd,jd->j", values, values)
    if not (n * squares < MOST).all():
        raise Refusal(
            f"the Stein witness under {kernel!r} overflows at these points, whose scores reach"
            f" {np.abs(scores).max():.3g}; rescale the points, or take a larger bandwidth."
        )
    return SteinWitness(values, np.sqrt(np.maximum(variances, 0.0) / n))
