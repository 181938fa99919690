"""An estimator along its parameter on a sample: its leave-one-out score or its exact loss, and the chosen value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.embeddings import Law
from explorer.kernels import Gaussian
from explorer.marks import Columns, chart, curve, vertical_lines
from explorer.parameters import Whole
from explorer.types import PointsLike, VectorLike

from .axes import axis_of
from .drawings import Drawing
from .intervals import WIDE, decades
from .roles import own_dash, role_of_model

if TYPE_CHECKING:
    from explorer.estimators import Estimator


STEPS = 41  # number of values between the ends of the parameter's slider


def of_estimator(
    estimator: Estimator, X: PointsLike | None = None, law: Law | None = None, values: VectorLike | None = None
) -> Drawing:
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
    drawing : Drawing
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
    name, symbol = type(estimator).label or type(estimator).__name__, field.symbol or field.name
    role = role_of_model(name)
    best = float(getattr(chosen, field.name))
    x = axis_of(field, field.name, log=decades(values, WIDE))
    y = axis_of(what, "score" if "score" in what else "loss")
    marks = [curve(Columns(x=values, y=heights), role, dash=own_dash(role), label=name)]
    if math.isfinite(best) and values[0] <= best <= values[-1]:
        word = f"{symbol} = {best:.3g}" + ("" if estimator.settled else " chosen by leave-one-out")
        marks.append(vertical_lines(Columns(x=np.array([best])), label=word, follows_slider=False))
    return Drawing(chart(f"{name}, {symbol} = {best:.3g}", x, y, marks))
