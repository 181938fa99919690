"""MMD gradient flow: a cloud of points flows into a target, down the gradient of the witness between them."""

from __future__ import annotations

import numbers
from typing import TypeAlias

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.blocks import Block
from explorer.embeddings.forms import gradient_at
from explorer.estimators import KME
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.types import PointsLike, Rng, Values, VectorLike

Target: TypeAlias = PointsLike | Embedding


@explain_wrong_calls
def mmd_flow(
    points: PointsLike,
    target: Target,
    kernel: Kernel | None = None,
    *,
    steps: int = 100,
    step: float = 1.0,
    noise: float | VectorLike = 0.0,
    rng: Rng = None,
) -> Values:
    """Move points towards a target by gradient descent of the MMD, and return their positions after each step.

    Use it for points that may lie anywhere. To choose some of the points that there are, use `herd` or `thin`.

    Parameters
    ----------
    points : array_like of shape (n, d)
        The points at the start.
    target : array_like of shape (m, d) or Embedding
        A sample, whose kernel mean is its plain average, or an Embedding, such as law.embed(kernel).
    kernel : Kernel or None, default None
        A kernel with a gradient: Gaussian and others, see Kernel.gradient. None is the embedding's, or ``Gaussian()``.
        An automatic bandwidth is the median of points and sample together, and does not change during the flow.
    steps : int, default 100
        The number of steps, at least 1.
    step : float, default 1.0
        The length of a step, above 0, in squared units of the points over units of k. Under Gaussian(θ) and a target of
        weights that are positive and sum to one, no step of up to 2θ²/3 raises the MMD, if there is no noise.
    noise : float or array_like of shape (steps,), default 0.0
        Standard deviation of the noise added to the points where the gradient is taken, in units of the points, 0 or
        more, or one for each step. It frees points that are stuck where the witness is flat: under a narrow kernel,
        points far from the target have no gradient.
    rng : int or None, default None
        Seed of the noise.

    Returns
    -------
    ndarray of shape (steps + 1, n, d)
        The points at the start and after each step. Their MMD is KME(kernel).embed(result[t]).distance(μ).

    Raises
    ------
    Refusal
        If the target has other columns, the kernel has no gradient, or the steps are so long that points overflow.

    Notes
    -----
    x_i becomes x_i - step ∇f(x_i + noise u_i), where f = (1/n) Σ_j k(x_j, .) - μ is the witness between the points and
    the target's kernel mean μ, and u_i ~ N(0, I). Without noise this is gradient descent of MMD²/2, by steps of n times
    `step`.

    References
    ----------
    Arbel, Korba, Salim and Gretton 2019, Maximum Mean Discrepancy Gradient Flow (NeurIPS 32).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, mmd2, mmd_flow
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (50, 1)), rng.normal(3.0, 1.0, (80, 1))
    >>> found = mmd_flow(X, Y, Gaussian(2.0), steps=200, step=2.0)
    >>> found.shape, round(mmd2(found[0], Y, Gaussian(2.0)), 3), round(mmd2(found[-1], Y, Gaussian(2.0)), 3)
    ((201, 50, 1), 0.836, -0.006)
    """
    steps = checks.whole(steps, "steps", 1)
    step = _above_zero(step)
    spreads = _spreads(noise, steps)
    X, mean = _start(points, target, kernel)
    mean.kernel.gradient(X[:1], X[:1])  # raises for text and kernels without a gradient, before points become floats
    kernel, shares, drawn = mean.kernel, np.full(len(X), 1 / len(X)), stream(rng, "noise")
    pull = (-1.0 * mean).blocks
    found = np.empty((steps + 1, *X.shape))
    found[0] = X
    for t, spread in enumerate(spreads):
        check_cancelled()
        X = found[t]
        at = X + spread * drawn.standard_normal(X.shape) if spread else X
        with np.errstate(over="ignore", invalid="ignore"):
            found[t + 1] = X - step * gradient_at(kernel, (Block(X, shares, None), *pull), at)
        if not np.isfinite(found[t + 1]).all():
            raise Refusal(f"points leave the floats after {t + 1} steps of {step:g}; take a shorter step.")
    return found


def _start(points, target, kernel):
    """Return the checked points at the start, and the target's kernel mean."""
    if isinstance(target, Embedding):
        if kernel is not None and kernel != target.kernel:
            raise Refusal(
                f"the target's kernel is {checks.echo(target.kernel)} and the one given is {checks.echo(kernel)};"
                " leave kernel at None, or give both the same."
            )
        X = target.kernel.points(frames.in_order(points, target.columns, ("points", "the target")), "points")
        checks.same_dimension(X, target.blocks[0].points, ("points", "the target"))
        return X, target
    kernel = Gaussian() if kernel is None else kernel
    points, target = frames.together((points, target), ("points", "target"))
    X, Y = kernel.points(points, "points"), kernel.points(target, "target")
    checks.same_dimension(X, Y, ("points", "target"))
    return X, KME(select(kernel, np.concatenate([X, Y]), "points")).embed(Y)


def _above_zero(step):
    """Return the checked length of a step."""
    if isinstance(step, (bool, np.bool_)) or not isinstance(step, numbers.Real):
        raise checks.WrongType(f"step must be a number above 0, not {checks.echo(step)}.")
    length = float(step)
    if not 0 < length < np.inf:
        raise Refusal(f"step must be finite and above 0, not {checks.echo(step)}; such as 1.")
    return length


def _spreads(noise, steps):
    """Return the standard deviation of each step's noise, (steps,)."""
    spreads = checks.numbers(noise, "noise")
    if spreads.shape not in ((), (steps,)):
        raise Refusal(f"noise has shape {spreads.shape}; give one number, or one for each of the {steps} steps.")
    if (spreads < 0).any():
        raise Refusal(f"noise holds {spreads.min():.4g}, and a standard deviation is 0 or more; give none below 0.")
    return np.broadcast_to(spreads, steps)
