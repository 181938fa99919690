"""Outliers, planted on purpose."""

from __future__ import annotations

from typing import Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.languages import message
from explorer.linalg import power_of_two
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import stream
from explorer.types import Points, PointsLike, Rng

KINDS = message(("far cluster", "point mass", "heavy tail"))


@explain_wrong_calls
def contaminate(
    X: PointsLike,
    count: int,
    kind: Literal["far cluster", "point mass", "heavy tail"] = "far cluster",
    distance: float = 10.0,
    rng: Rng = None,
) -> Points:
    """Copy a sample and replace its last rows by outliers.

    Use it to see how an estimate or a test bears outliers. For strings use `datasets.contaminate_strings`.

    The loss of an estimate is still measured to the distribution without outliers.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The sample.
    count : int
        Number of outliers, at most n.
    kind : {"far cluster", "point mass", "heavy tail"}, default "far cluster"
        "far cluster": around one point at that distance, as spread out as X; "point mass": all on that point; "heavy
        tail": scattered by a t-distribution of 2 degrees of freedom that is `distance` times as wide as X.
    distance : float, default 10.0
        Distance from the mean of X, in standard deviations of X (root mean square over the coordinates).
    rng : int, Generator or None, default None
        Seed. The direction, then one outlier after the other, come from the stream "outliers". So one more outlier
        moves one row, and the other rows are X's own.

    Returns
    -------
    ndarray of shape (n, d)
        The contaminated sample.

    Raises
    ------
    ValueError
        If count > n, the kind is unknown, distance <= 0, all rows are equal, or outliers are beyond the floats.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import contaminate
    >>> X = np.arange(6.0)[:, None]
    >>> contaminate(X, 2, "point mass", distance=10.0, rng=0)[:, 0].round(1)
    array([  0. ,   1. ,   2. ,   3. , -14.6, -14.6])
    """
    X = checks.sample(X)
    n = len(X)
    count = checks.whole(count, "count")
    if count > n:
        raise Refusal(
            f"{count} outliers need at least as many rows and X has {n}; take count <= {n} or a larger sample."
        )
    if kind not in KINDS:
        raise Refusal(f"kind must be one of {', '.join(KINDS)}, not {checks.echo(kind)}.")
    if np.ndim(distance):
        raise TypeError(f"distance must be one number of standard deviations, not {checks.echo(distance)}.")
    distance = float(checks.numbers(distance, "distance"))
    if distance <= 0:
        raise Refusal(f"distance must be above 0 standard deviations, not {distance:g}.")
    unit = power_of_two(np.abs(X).max())  # the squares of the scaled points are floats
    mean, spread = unit * (X / unit).mean(axis=0), unit * np.sqrt((X / unit).var(axis=0).mean())
    if count and spread == 0:
        raise Refusal(
            "all rows of X are equal, so there is no standard deviation to measure distance by; vary X first."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        result = _with_outliers(X, count, kind, mean, distance * spread, spread, stream(rng, "outliers"))
    if not np.isfinite(result).all():
        raise Refusal(
            f"outliers {distance:g} standard deviations of {spread:.3g} away are too large for a float; "
            "take a smaller distance, or rescale X."
        )
    return result


def _with_outliers(X, count, kind, mean, away, spread, rng):
    n, d = X.shape
    direction = rng.standard_normal(d)
    point = mean + away * direction / np.linalg.norm(direction)
    result = X.copy()
    for i in range(count):
        noise, scale = rng.standard_normal(d), rng.chisquare(2)
        if kind == "far cluster":
            result[n - 1 - i] = point + spread * noise
        elif kind == "point mass":
            result[n - 1 - i] = point
        else:
            result[n - 1 - i] = mean + away * noise / np.sqrt(scale / 2)
    return result
