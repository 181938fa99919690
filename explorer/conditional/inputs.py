"""Checks of the inputs of conditional embeddings and rules: pairs, one point, a prior, a regulariser."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.dependence.pairing import read_weighted_pairs
from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.kernels.low_rank import refuse_rank_alone
from explorer.learner import Learner
from explorer.printing import plural
from explorer.types import Labels, Matrix, Points, PointsLike, Vector, VectorLike, Weights


def regulariser(value: float, name: str) -> float:
    """Return a finite λ above 0 as a float. Refuse other values."""
    value = checks.scalar(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise checks.WrongType(f"{name} must be a number above 0, not {checks.echo(value)}.")
    if not 0 < value < math.inf:
        raise Refusal(f"{name} must be finite and above 0, not {checks.echo(value)}; such as 0.1.")
    return float(value)


class Approximating(Learner):
    """A learner that can replace its kernels by kernels of finite rank."""

    if TYPE_CHECKING:

        def _declared(self) -> None:  # fields of each learner
            self.approximation: Any
            self.rank: int | None

    def _check(self):
        refuse_rank_alone(self.approximation, self.rank)

    def _refuse_weights(self, weights):
        """Refuse weights of rows together with kernels of finite rank."""
        if weights is not None and self.approximation is not None:
            raise Refusal(
                f"weights go with whole kernels, and approximation={self.approximation!r} was given; leave either at"
                " None."
            )


def rows_of(kernel: Kernel, x: PointsLike, points: Points, name: str = "x") -> Labels:
    """Return points x as rows (m, d) of the kernel; x may be one point as (d,), a number or a word.

    The points of the sample, (n, d), tell one point of d coordinates from d points of one coordinate.
    """
    d, shape = points.shape[1], getattr(x, "shape", None)
    shape = np.asarray(x).shape if shape is None else shape
    together: Any = [x] if shape == () or (shape == (d,) and d > 1) else x
    rows = kernel.points(together, name)
    checks.same_dimension(rows, points, (name, "the sample"))
    return rows


def one_point(kernel: Kernel, x: VectorLike, points: Points, name: str = "x") -> Labels:
    """Return the one point x as a row (1, d) of the kernel; x may be (d,), (1, d), a number or a word."""
    rows = rows_of(kernel, x, points, name)
    if len(rows) > 1:
        raise Refusal(f"{name} holds {plural(len(rows), 'point')}, and one is needed; give it as (d,) or (1, d).")
    return rows


class RuleInputs(NamedTuple):
    """Inputs of a rule: pairs (x_i, y_i), kernels, a prior on the space of y, and the pairs' counts or None."""

    X: Points
    Y: Points
    kernel_x: Kernel
    kernel_y: Kernel
    prior: Embedding
    counts: np.ndarray | None = None


def check_inputs(
    X: PointsLike,
    Y: PointsLike,
    prior: Embedding,
    kernel_x: Kernel | None,
    kernel_y: Kernel | None,
    weights: VectorLike | None = None,
) -> RuleInputs:
    """Return the pairs with each side's kernel chosen, and the prior, which has Y's kernel and dimension."""
    (X, Y, (kernel_x, kernel_y)), counts = read_weighted_pairs(X, Y, weights, kernel_x, kernel_y)
    if not isinstance(prior, Embedding):
        raise checks.WrongType(
            f"prior must be an Embedding on the space of y, not {checks.echo(prior)}; a sample's is"
            " KME(kernel_y).embed(sample)."
        )
    if prior.kernel != kernel_y:
        raise Refusal(
            f"the prior's kernel is {checks.echo(prior.kernel)} and that of Y {checks.echo(kernel_y)}; embed the"
            " prior with kernel_y.select(Y), and give that one here."
        )
    checks.same_dimension(prior.points, Y, ("the prior", "Y"))
    return RuleInputs(X, Y, kernel_x, kernel_y, prior, counts)


def point_masses(prior: Embedding, what: str) -> tuple[Matrix, Vector]:
    """Return the points (m, d) and weights (m,) of a prior. Refuse a prior with Gaussians among its points."""
    if prior.covariance is not None:
        raise Refusal(
            f"{what} weighs the prior's points one by one, and this prior has Gaussians, of a covariance of their own;"
            " draw a sample of it and embed that: KME(kernel).embed(law.sample(n, rng=1))."
        )
    return prior.points, prior.weights


def normalise(weights: Weights, what: str) -> Vector:
    """Return weights divided by their sum. Refuse a sum that is not above 0."""
    total = weights.sum()
    if not sums_above_zero(weights):
        raise Refusal(
            f"the weights {what} sum to {total:.3g}, and only a sum above 0 can be made one: nothing like it is in the"
            " sample, or the regularisers are too small for it; take larger ones."
        )
    return weights / total


def sums_above_zero(weights: Weights) -> bool:
    """Return whether the sum of weights is above 0; it is known to a small multiple of eps times their sizes."""
    return bool(weights.sum() > 1e3 * np.finfo(float).eps * np.abs(weights).sum())
