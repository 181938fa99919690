"""An embedding: the function on a line or over the plane, with the weights of its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Product

from . import places
from .style import (
    DASHES,
    LESS,
    MORE,
    coordinates,
    dimension,
    holoviews,
    image_colours,
    of_arrays,
    overlay,
    styled,
    tint,
)
from .symbols import of_symbols, of_weights

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding


STEM = 0.25  # length of the largest weight's stem, as a share of the function's largest magnitude
LARGEST, SMALLEST = 16.0, 6.0  # diameter in px of the largest weight's disc, among few and among many points
WEIGHTED = 300.0  # px² that discs of equal weights cover together, per root of their number


def of_embedding(
    embedding: Embedding, role: str = "kme", label: str = "", names: Any = None, grid: int | None = None
) -> Any:
    """Draw an embedding, a difference of embeddings or a witness.

    Parameters
    ----------
    embedding : Embedding
        The function and its points.
    role : str, default "kme"
        The role whose colour the curve and the points have: "kme", "skmse", "fkmse", ...
    label : str, default ""
        The label in the legend of `plot(a) * plot(b)`.
    names : sequence or None, default None
        Names of the coordinates, (d,): texts, or HoloViews dimensions with units. None takes a DataFrame's columns.
    grid : int or None, default None
        The number of places along each coordinate at which the function is drawn.

    Returns
    -------
    overlay : holoviews.Overlay
        In one dimension the curve with the weights as stems, in two an image with the points. Otherwise the weights in
        their order, or the values at symbols.
    """
    tint(role)
    kernel, points = embedding.kernel, embedding.points
    if not _of_numbers(kernel, points):
        drawn = of_symbols if kernel.space in ("categories", "strings", "row numbers") else of_weights
        return drawn(embedding, role, label)
    d = points.shape[1]
    if d > 2:
        return of_weights(embedding, role, label)
    return (_on_line if d == 1 else _over_plane)(
        embedding, role, label, coordinates(names or embedding.columns, d), grid
    )


def value() -> Any:
    """Return the dimension of an embedding's values."""
    return dimension("f(x)", "f")


def _of_numbers(kernel, points):
    """Return whether the points are numbers between which the kernel is defined."""
    parts = [part for _, part in kernel.factors] if isinstance(kernel, Product) else [kernel]
    return points.dtype.kind in "iuf" and all(part.space == "numbers" for part in parts)


def _spreads(embedding):
    """Return the standard deviations of the points' noise along each coordinate, shape (n, d)."""
    C = embedding.covariance
    return np.zeros(embedding.points.shape) if C is None else np.sqrt(np.diagonal(C, axis1=1, axis2=2))


def _on_line(embedding, role, label, names, grid):
    """Draw the function as a curve, filled from 0 if it has both signs, and the weights as stems."""
    hv = holoviews()
    x, weights = embedding.points[:, 0], embedding.weights
    low, high = places.reach(x, _spreads(embedding)[:, 0], embedding.kernel.length_scale)
    at = places.along(low, high, x, grid)
    f = embedding(at[:, None])
    axes = {"kdims": names, "vdims": [value()]}
    elements = []
    if f.min() < 0 < f.max():
        for part, colour, where in ((np.maximum(f, 0), MORE, "above 0"), (np.minimum(f, 0), LESS, "below 0")):
            area = of_arrays(hv.Area, (at, part), label=f"{label}, {where}" if label else where, **axes)
            elements.append(styled(area, color=colour, fill_alpha=0.35, line_alpha=0, show_legend=False))
    curve = of_arrays(hv.Curve, (at, f), label=label, **axes)
    elements.append(styled(curve, color=tint(role), line_width=3, line_dash=DASHES.get(role, "solid")))
    top, most = float(np.abs(f).max()) or 1.0, float(np.abs(weights).max())
    heights = STEM * top * weights / (most or 1.0)
    weight, ends = dimension("weight", "w"), [*names, value(), dimension("", "x end"), dimension("", "stem")]
    stems = of_arrays(hv.Segments, (x, np.zeros(len(x)), x, heights, weights), kdims=ends, vdims=[weight])
    elements.append(styled(stems, color=tint(role), line_width=1.5, line_alpha=0.7, tools=["hover"]))
    return overlay(elements, f"{_size(embedding)}; stems are weights, the largest {_largest(weights):.3g}")


def _over_plane(embedding, role, label, names, grid):
    """Draw the function's values as an image, and the points, filled if their weight is positive and hollow if not."""
    hv = holoviews()
    X, weights = embedding.points, embedding.weights
    spreads, length = _spreads(embedding), embedding.kernel.length_scale
    reaches, frame = places.frame([places.reach(X[:, j], spreads[:, j], length) for j in range(2)])
    x, y, pairs = places.plane(reaches, grid)
    f = embedding(pairs).reshape(len(y), len(x))
    image = of_arrays(hv.Image, (x, y, f), kdims=names, vdims=[value()], label=label)
    elements = [styled(image, tools=["hover"], **image_colours(f), **frame)]
    weight, most = dimension("weight", "w"), float(np.abs(weights).max()) or 1.0
    largest = float(np.clip(WEIGHTED / len(X), SMALLEST**2, LARGEST**2) / most)
    size = (abs(hv.dim("w")) * largest) ** 0.5  # the area of a disc is proportional to |weight|
    for chosen, filled, sign in ((weights >= 0, 0.75, ""), (weights < 0, 0.0, "negative weight")):
        if chosen.any():
            discs = of_arrays(
                hv.Points, (*X[chosen].T, weights[chosen]), kdims=names, vdims=[weight], label=sign or label
            )
            options = {"size": size, "fill_alpha": filled, "line_width": 1.5 if sign else 0.5}
            elements.append(styled(discs, color=tint(role), line_color=tint(role), tools=["hover"], **options, **frame))
    return overlay(elements, f"{_size(embedding)}, area = |weight|")


def _size(embedding):
    n = len(embedding.weights)
    return "1 point" if n == 1 else f"{n} points"


def _largest(weights):
    return float(weights[np.argmax(np.abs(weights))])
