"""Small pictures of numbers for a notebook cell, by the marks that pages and files are drawn by.

Lines and letters take the colour of the text around them, so that a picture is legible on light and dark pages. Every
picture is an image whose description is the sentence that it is shown with. Numbers in it are those of the object:
where a mark stands for one value, its tooltip says that value. Marks are loaded once something is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.types import Matrix, Points, Rows, Values, Vector

if TYPE_CHECKING:
    from .markup import Markup


def null(test: Any, label: str) -> Markup:
    """The null distribution of a test's result with its statistic, and the threshold at level 0.05."""
    from .marks.nulls import LittleNull, OneTest
    from .svg import draw_for_notebook

    return draw_for_notebook(LittleNull, OneTest.of(test), label)


def histogram(values: Vector, observed: float, label: str, name: str = "observed") -> Markup:
    """The counts of values (B,) in bins, and a line at the observed value."""
    return _drawn("Counts", label, values, observed, name)


def bars(values: Vector, label: str, marked: int | None = None) -> Markup:
    """Bars of values (m,) up and down from 0 in their order; one may be marked."""
    return _drawn("Bars", label, values, marked)


def intervals(
    names: Sequence[Any] | np.ndarray, middles: Vector, halfwidths: Vector, label: str, marked: int | None = None
) -> Markup:
    """Intervals middle ± halfwidth, (m,) each, side by side with their names; one may be marked."""
    return _drawn("Intervals", label, names, middles, halfwidths, marked)


def curve(xs: Vector | Rows, ys: Vector, label: str, log: bool = False) -> Markup:
    """A line through (x, y), (m,) each; `log` spaces x by ratios."""
    return _drawn("Curve", label, xs, ys, log)


def lines(xs: Vector, ys: Matrix, called: str, label: str, log: bool = False) -> Markup:
    """Lines through (x, y), y (k, m) with nan where there is none, the later the darker; `called` is their quantity."""
    return _drawn("Lines", label, xs, ys, called, log)


def points(X: Points, weights: Vector, label: str) -> Markup:
    """Points (n, 1) as stems as high as their weights (n,), or (n, 2) as discs of that area, hollow where negative."""
    return _drawn("Stems" if np.shape(X)[1] == 1 else "Discs", label, X, weights)


def ellipses(weights: Vector, means: Matrix, covariances: Values, label: str) -> Markup:
    """Gaussians in the plane: one standard deviation about each mean (c, 2), as opaque as their weights (c,) are."""
    return _drawn("Gaussians", label, weights, means, covariances)


def share(part: float, label: str) -> Markup:
    """How much of the whole there is, from 0 to 1, as a bar."""
    return _drawn("Share", label, part)


def scan(result: Any, label: str) -> Markup:
    """The profile of a scan with its best split, its breaks, and the threshold at level 0.05."""
    from .marks.changes import LittleProfile, OneScan
    from .svg import draw_for_notebook

    return draw_for_notebook(LittleProfile, OneScan(result, 0.05), label)


def wealth(monitor: Any, label: str) -> Markup:
    """The wealth of a Monitor over time, on a logarithmic axis."""
    from .marks.changes import LittleWealth
    from .svg import draw_for_notebook

    return draw_for_notebook(LittleWealth, monitor, label)


def _drawn(name, label, *numbers):
    """A picture of `marks.little`, drawn."""
    from .marks import thumbnails
    from .svg import draw_for_notebook

    picture = getattr(thumbnails, name)
    return draw_for_notebook(picture, picture.of(*numbers), label)
