"""An embedding: the function on a line, over the plane or at symbols, with the weights of its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Product
from explorer.marks import Axis, Columns, area, bars, by, chart, curve, dots, segments
from explorer.marks.roles import LESS, MORE

from . import places
from .axes import coordinates
from .drawings import Drawing
from .images import image
from .roles import checked_role, own_dash

if TYPE_CHECKING:
    from explorer.embeddings.embedding import Embedding


STEM = 0.25  # length of the largest weight's stem, as a share of the function's largest magnitude
LARGEST, SMALLEST = 16.0, 6.0  # diameter in px of the largest weight's disc, among few and among many points
VALUE = Axis("f(x)", name="f")
WEIGHTED = 300.0  # px² that discs of equal weights cover together, per root of their number
MOST = 40  # largest number of labelled symbols; beyond it those of the largest values are drawn, and the title says so
LONG = 5  # largest number of characters of a label that is not rotated


def of_embedding(
    embedding: Embedding, role: str = "kme", label: str = "", names: Any = None, grid: int | None = None
) -> Drawing:
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
    drawing : Drawing
        In one dimension the curve with the weights as stems, in two an image with the points. Otherwise the weights in
        their order, or the values at symbols.
    """
    checked_role(role)
    kernel, points = embedding.kernel, embedding.points
    if not _of_numbers(kernel, points):
        drawn = _at_symbols if kernel.space in ("categories", "strings", "row numbers") else _in_order
        return drawn(embedding, role, label)
    d = points.shape[1]
    if d > 2:
        return _in_order(embedding, role, label)
    return (_on_line if d == 1 else _over_plane)(
        embedding, role, label, coordinates(names or embedding.columns, d), grid
    )


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
    x, weights = embedding.points[:, 0], embedding.weights
    low, high = places.reach(x, _spreads(embedding)[:, 0], embedding.kernel.length_scale)
    at = places.along(low, high, x, grid)
    f = embedding(at[:, None])
    top, most = float(np.abs(f).max()) or 1.0, float(np.abs(weights).max())
    function = Columns(x=at, y=f, above=np.maximum(f, 0), below=np.minimum(f, 0))
    stems = Columns(x=x, low=np.zeros(len(x)), stem=STEM * top * weights / (most or 1.0), w=weights)
    marks = [
        curve(function, role, dash=own_dash(role), label=label),
        segments(stems, role, to_y="stem", width=1.5, alpha=0.7, hover={"stem": "stem", "w": "weight"}),
    ]
    if f.min() < 0 < f.max():
        parts = ((MORE, "above"), (LESS, "below"))
        marks = [*(area(function, colour, high=part, fill=0.35) for colour, part in parts), *marks]
    title = f"{_size(embedding)}; stems are weights, the largest {_largest(weights):.3g}"
    (across,) = names
    return Drawing(chart(title, across, VALUE, marks))


def _over_plane(embedding, role, label, names, grid):
    """Draw the function's values as an image, and the points, filled if their weight is positive and hollow if not."""
    X, weights = embedding.points, embedding.weights
    spreads, length = _spreads(embedding), embedding.kernel.length_scale
    reaches, frame = places.frame([places.reach(X[:, j], spreads[:, j], length) for j in range(2)])
    x, y, pairs = places.plane(reaches, grid)
    marks = [image(x, y, embedding(pairs).reshape(len(y), len(x)), VALUE, label)]
    most = float(np.abs(weights).max()) or 1.0
    largest = float(np.clip(WEIGHTED / len(X), SMALLEST**2, LARGEST**2) / most)
    for sign, chosen in (("", weights >= 0), ("negative weight", weights < 0)):
        if chosen.any():
            w, (fill, width) = weights[chosen], (0.0, 1.5) if sign else (0.75, 0.5)
            # the area of a disc is proportional to |weight|
            columns = Columns(x=X[chosen, 0], y=X[chosen, 1], w=w, size=np.sqrt(np.abs(w) * largest))
            look: Any = {"fill": fill, "width": width, "label": sign or label, "hover": {"w": "weight"}}
            marks.append(dots(columns, role, size=by("size"), **look))
    across, up = names
    return Drawing(chart(f"{_size(embedding)}, area = |weight|", across, up, marks, **frame))


def _in_order(embedding, role, label):
    """Draw the weights of the points in their order, as stems."""
    weights, d = embedding.weights, embedding.points.shape[1]
    columns = Columns(x=np.arange(len(weights)), y=weights)
    stems = segments(columns, role, y=0, to_y="y", width=2, alpha=0.8, label=label, hover={})
    x, y = Axis("row of the points", name="row"), Axis("weight", name="w")
    title = f"The weights of {len(weights)} points of {d} coordinates, in their order"
    return Drawing(chart(title, x, y, [stems]))


def _at_symbols(embedding, role, label):
    """Draw the function's values at its distinct points, with the sum of the weights at each."""
    rows = [tuple(point) for point in embedding.points.tolist()]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    symbols = sorted(first)
    values = embedding(embedding.points[[first[row] for row in symbols]])
    place = {row: j for j, row in enumerate(symbols)}
    weights = np.zeros(len(symbols))
    np.add.at(weights, [place[row] for row in rows], embedding.weights)
    look: Any = {"label": label, "hover": {"w": "sum of weights"}}
    if embedding.kernel.space == "row numbers":
        columns = Columns(x=np.array([row[0] for row in symbols]), y=values, w=weights)
        stems = segments(columns, role, y=0, to_y="y", width=2, alpha=0.8, **look)
        title = f"Values at the {len(symbols)} rows of the Gram matrix that are points"
        return Drawing(chart(title, Axis("row of the Gram matrix", name="row"), VALUE, [stems]))
    title = f"Values at the {len(symbols)} symbols"
    if len(symbols) > MOST:
        kept = np.sort(np.argsort(-np.abs(values), kind="stable")[:MOST])
        symbols, values, weights = [symbols[i] for i in kept], values[kept], weights[kept]
        title = f"Values at {MOST} of {len(place)} symbols, the largest"
    words = _words(symbols)
    angle = 60 if max(map(len, words)) > LONG and len(words) > 8 else 0
    columns = Columns(x=np.array(words, dtype=object), y=values, w=weights)
    heights = bars(columns, role, fill=0.75, **look)
    return Drawing(chart(title, Axis("x", name="symbol"), VALUE, [heights], names_angle=angle))


def _words(symbols):
    """Return the labels of symbols, which are tuples of columns: short if that is unique, otherwise in full."""
    for written in ("{:.6g}", "{!r}"):
        words = [", ".join(written.format(v) if isinstance(v, float) else str(v) for v in row) for row in symbols]
        if len(set(words)) == len(words):
            break
    return words


def _size(embedding):
    n = len(embedding.weights)
    return "1 point" if n == 1 else f"{n} points"


def _largest(weights):
    return float(weights[np.argmax(np.abs(weights))])
