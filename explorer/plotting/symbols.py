"""Embeddings whose points are neither on a line nor in a plane: weights in their order, or values at symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks import Axis, Columns, bars, chart, segments

from .drawings import Drawing

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


MOST = 40  # largest number of labelled symbols; beyond it those of the largest values are drawn, and the title says so
LONG = 5  # largest number of characters of a label that is not rotated


def of_weights(embedding: Embedding, role: str, label: str) -> Drawing:
    """Draw the weights of the points in their order, as stems."""
    weights, d = embedding.weights, embedding.points.shape[1]
    columns = Columns(x=np.arange(len(weights)), y=weights)
    stems = segments(columns, role, y=0, to_y="y", width=2, alpha=0.8, label=label, hover={})
    x, y = Axis("row of the points", name="row"), Axis("weight", name="w")
    title = f"The weights of {len(weights)} points of {d} coordinates, in their order"
    return Drawing(chart(title, x, y, [stems]))


def of_symbols(embedding: Embedding, role: str, label: str) -> Drawing:
    """Draw the function's values at its distinct points, with the sum of the weights at each."""
    rows = [tuple(point) for point in embedding.points.tolist()]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    symbols = sorted(first)
    values = embedding(embedding.points[[first[row] for row in symbols]])
    place = {row: j for j, row in enumerate(symbols)}
    weights = np.zeros(len(symbols))
    np.add.at(weights, [place[row] for row in rows], embedding.weights)
    value, look = Axis("f(x)", name="f"), {"label": label, "hover": {"w": "sum of weights"}}
    if embedding.kernel.space == "row numbers":
        columns = Columns(x=np.array([row[0] for row in symbols]), y=values, w=weights)
        stems = segments(columns, role, y=0, to_y="y", width=2, alpha=0.8, **look)
        title = f"Values at the {len(symbols)} rows of the Gram matrix that are points"
        return Drawing(chart(title, Axis("row of the Gram matrix", name="row"), value, [stems]))
    title = f"Values at the {len(symbols)} symbols"
    if len(symbols) > MOST:
        kept = np.sort(np.argsort(-np.abs(values), kind="stable")[:MOST])
        symbols, values, weights = [symbols[i] for i in kept], values[kept], weights[kept]
        title = f"Values at {MOST} of {len(place)} symbols, the largest"
    words = _words(symbols)
    angle = 60 if max(map(len, words)) > LONG and len(words) > 8 else 0
    columns = Columns(x=np.array(words, dtype=object), y=values, w=weights)
    heights = bars(columns, role, fill=0.75, **look)
    return Drawing(chart(title, Axis("x", name="symbol"), value, [heights], names_angle=angle))


def _words(symbols):
    """Return the labels of symbols, which are tuples of columns: short if that is unique, otherwise in full."""
    for written in ("{:.6g}", "{!r}"):
        words = [", ".join(written.format(v) if isinstance(v, float) else str(v) for v in row) for row in symbols]
        if len(set(words)) == len(words):
            break
    return words
