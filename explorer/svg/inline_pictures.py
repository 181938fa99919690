"""Small pictures for notebook cells, drawn by the same marks as the pictures of pages and files.

Lines and text take the colour of the surrounding text, so that a picture is legible on light and dark pages. Every
picture is an image whose description is the sentence shown with it. Its numbers are those of the object: the tooltip of
a mark that stands for one value shows that value. The marks are imported when the first picture is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.types import Matrix, Points, Rows, Values, Vector

if TYPE_CHECKING:
    from explorer.markup import Markup


def null(test: Any, label: str) -> Markup:
    """Draw the null distribution of a test result with its statistic and the threshold at level 0.05."""
    from explorer.marks.nulls import OneTest, little_null
    from explorer.svg import draw_for_notebook

    return draw_for_notebook(little_null, OneTest.of(test), label)


def histogram(values: Vector, observed: float, label: str, name: str = "observed") -> Markup:
    """Draw the counts of values of shape (B,) in bins, and a line at the observed value."""
    return _drawn("counts", label, values, observed, name)


def bars(values: Vector, label: str, marked: int | None = None) -> Markup:
    """Draw values of shape (m,) as bars from 0, in their order; one may be marked."""
    return _drawn("bars", label, values, marked)


def intervals(
    names: Sequence[Any] | np.ndarray, middles: Vector, halfwidths: Vector, label: str, marked: int | None = None
) -> Markup:
    """Draw intervals middle ± halfwidth, shape (m,) each, next to each other with their names; one may be marked."""
    return _drawn("intervals", label, names, middles, halfwidths, marked)


def curve(xs: Vector | Rows, ys: Vector, label: str, log: bool = False) -> Markup:
    """Draw a line through (x, y), shape (m,) each; `log` makes the x axis logarithmic."""
    return _drawn("path", label, xs, ys, log)


def lines(xs: Vector, ys: Matrix, called: str, label: str, log: bool = False) -> Markup:
    """Draw lines through (x, y) with y of shape (k, m) and NaN for gaps; later lines are darker. `called` names y."""
    return _drawn("lines", label, xs, ys, called, log)


def points(X: Points, weights: Vector, label: str) -> Markup:
    """Draw points (n, 1) as stems with their weights as heights, or (n, 2) as discs of that area, hollow if < 0."""
    return _drawn("stems" if np.shape(X)[1] == 1 else "discs", label, X, weights)


def ellipses(weights: Vector, means: Matrix, covariances: Values, label: str) -> Markup:
    """Draw Gaussians in the plane: one standard deviation about each mean (c, 2), with weights (c,) as opacity."""
    return _drawn("gaussians", label, weights, means, covariances)


def share(part: float, label: str) -> Markup:
    """Draw a share of a whole, from 0 to 1, as a bar."""
    return _drawn("share", label, part)


def scan(result: Any, label: str) -> Markup:
    """Draw the profile of a scan with its largest value, its breaks and the threshold at level 0.05."""
    from explorer.marks.changes import OneScan, little_profile
    from explorer.svg import draw_for_notebook

    return draw_for_notebook(little_profile, OneScan(result, 0.05), label)


def wealth(monitor: Any, label: str) -> Markup:
    """Draw the wealth of a Monitor over time on a logarithmic axis."""
    from explorer.marks.changes import little_wealth
    from explorer.svg import draw_for_notebook

    return draw_for_notebook(little_wealth, monitor, label)


def _drawn(name, label, *numbers):
    """Draw a picture of `marks.thumbnails`."""
    from explorer.marks import thumbnails
    from explorer.svg import draw_for_notebook

    picture = getattr(thumbnails, name)
    return draw_for_notebook(picture, picture.of(*numbers), label)
