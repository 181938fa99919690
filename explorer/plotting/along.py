"""An estimator along its parameter on a sample: its leave-one-out score or its exact loss, and the chosen value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.embeddings import Law
from explorer.kernels import Gaussian
from explorer.parameters import Whole
from explorer.types import PointsLike, VectorLike

from .intervals import WIDE, decades
from .style import DASHES, dimension, holoviews, of_arrays, overlay, roles_of, styled, tint

if TYPE_CHECKING:
    from explorer.estimators import Estimator


STEPS = 41  # number of values between the ends of the parameter's slider


def of_estimator(
    estimator: Estimator, X: PointsLike | None = None, law: Law | None = None, values: VectorLike | None = None
) -> Any:
    """Draw the leave-one-out score on X (n, d) along the parameter that the estimator chooses, and its choice.

    Parameters
    ----------
    estimator : Estimator
        An estimator with a parameter to choose.
    X : PointsLike
        The sample, shape (n, d).
    law : Law or None, default None
        The true distribution. If it is given, the exact squared error |estimate - μ|² is drawn instead of the score.
    values : array_like of shape (m,) or None, default None
        Values of the parameter. None takes 41 over the range of its slider.

    Returns
    -------
    overlay : holoviews.Overlay
        The curve and a line at the chosen value.

    Raises
    ------
    WrongType
        If X is missing or `law` is not a distribution.
    Refusal
        If the estimator has no parameter to choose, has one per coordinate, or needs `values`.
    """
    kind, free = type(estimator), estimator.free
    if X is None:
        raise WrongType(f"plot needs a sample for {checks.echo(estimator)}: X=points; plot its embedding otherwise.")
    if free is None or free not in kind.fields:
        raise Refusal(f"{kind.__name__} has no parameter to choose; plot {kind.__name__}(...).embed(X) instead.")
    if law is not None and not isinstance(law, Law):
        raise WrongType(f"law must be a distribution such as GaussianMixture, not {checks.echo(law)}.")
    chosen, field = estimator.select(X), kind.fields[free]
    if not isinstance(getattr(chosen, free), (int, float)):
        raise Refusal(f"{kind.__name__} has one {free} for each coordinate, so no axis shows it; plot its embedding.")
    values = _values(field, values)
    here = chosen.kernel or Gaussian()
    if law is None:
        heights, what = np.asarray(estimator.replace(kernel=here).loocv(X, values)), "leave-one-out score"
    else:
        truth = law.embed(here)
        heights = np.array([_loss(chosen, free, value, X, truth) for value in values.tolist()])
        what = "squared error"
    return _drawn(estimator, chosen, field, values, heights, what)


def _loss(chosen, free, value, X, truth):
    return chosen.replace(**{free: value}).embed(X).distance(truth) ** 2


def _values(field, values):
    """Return the parameter's values (m,), increasing."""
    if values is not None:
        values = np.sort(checks.numbers(values, "values").reshape(-1))
        return values.astype(int) if isinstance(field, Whole) else values
    if field.softbounds is None:
        raise Refusal(f"{field.name} has no usual range; give values, an array of what it may be.")
    low, high = field.softbounds
    if isinstance(field, Whole):
        return np.unique(np.geomspace(max(low, 1), high, STEPS).round().astype(int))
    return np.geomspace(low, high, STEPS) if low > 0 else np.linspace(low, high, STEPS)


def _drawn(estimator, chosen, field, values, heights, what):
    hv, name = holoviews(), type(estimator).label or type(estimator).__name__
    (role,) = roles_of([name])
    x, y = dimension(field, field.name), dimension(what, "score" if "score" in what else "loss")
    log = {"logx": decades(values, WIDE)}
    curve = of_arrays(hv.Curve, (values, heights), kdims=[x], vdims=[y], label=name)
    elements = [styled(curve, color=tint(role), line_width=3, line_dash=DASHES.get(role, "solid"), **log)]
    best = float(getattr(chosen, field.name))
    symbol = field.symbol or field.name
    if math.isfinite(best) and values[0] <= best <= values[-1]:
        word = f"{symbol} = {best:.3g}" + ("" if estimator.settled else " chosen by leave-one-out")
        line = of_arrays(hv.VLines, [best], kdims=[x], label=word)
        elements.append(styled(line, color=tint("truth"), line_width=1.5, line_alpha=0.6, **log))
    return overlay(elements, f"{name}, {symbol} = {best:.3g}")
