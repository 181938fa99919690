"""Stein witness: the places at which a sample departs from a model, and the direction."""

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
    """Stein witness at places v (J, d).

    Attributes
    ----------
    values : ndarray of shape (J, d)
        g(v).
    errors : ndarray of shape (J,)
        Root of the sum of the coordinates' variances, over the points and divided by their number.

    Examples
    --------
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
        """Length ``|g(v)|`` over the largest of the errors, shape (J,); up to about 1.5 for a sample of the model.

        Over its own error it would be as large far from all points, where a few of them determine it.
        """
        sizes = np.sqrt(np.einsum("jd,jd->j", self.values, self.values))
        return sizes / (float(self.errors.max()) or 1.0)


def stein_witness(X: PointsLike, model: ModelLike, places: PointsLike, kernel: Kernel | None = None) -> SteinWitness:
    """Compute the Stein witness of a sample and a model at given places.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample.
    model : object or callable
        Model with a score, as in `ksd`.
    places : array_like of shape (J, d)
        Places v.
    kernel : Kernel or None, default None
        Kernel, as in `ksd`.

    Returns
    -------
    SteinWitness
        The witness, in units of k over units of X, and its errors.

    Raises
    ------
    Refusal, TypeError
        As `ksd`, and if the places have another dimension.

    Notes
    -----
    The witness is g(v) = mean_i [s(x_i) k(x_i, v) + ∇_x k(x_i, v)], where s is the model's score. Its expectation is E
    [s(x) - ∇ log q(x)] k(x, v) under the density q of the data (Liu, Lee and Jordan 2016, A kernelized Stein
    discrepancy for goodness-of-fit tests, section 2). It points to where the model has more mass than the data, and is
    0 if they are the same. The biased KSD² is its squared RKHS norm, Σ_ij h(x_i, x_j) / n². Of all maps in the unit
    ball of that RKHS, moving each point x by a small multiple of g(x) brings the data nearest to the model (Liu and
    Wang 2016, Stein variational gradient descent, section 3). The cost is O(n J d).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, GaussianMixture
    >>> from explorer.discrepancy.fit import stein_witness
    >>> X = np.random.default_rng(0).normal(1.0, 1.0, (50, 1))
    >>> stein_witness(X, GaussianMixture([1.0], [[0.0]], [[1.0]]), [[1.0]], Gaussian(1.0)).values.round(2)
    array([[-0.79]])
    """
    points, places = checked_points(X, 1), checks.sample(places, "places")
    checks.same_dimension(places, points, ("places", "X"))
    scores, kernel = score_at(model, points), choose_kernel(kernel, points)
    return witness_at(kernel, points, scores, places)


def witness_at(kernel: Kernel, X: Matrix, scores: Matrix, places: Matrix) -> SteinWitness:
    """Return the SteinWitness of points (n, d) with their scores (n, d)."""
    middle = X.mean(axis=0)
    X, places = X - middle, places - middle  # only differences matter; centred points keep their digits far from 0
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
