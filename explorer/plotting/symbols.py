"""Embeddings whose points are neither on a line nor in a plane: weights in their order, or values at symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import dimension, holoviews, of_arrays, overlay, styled, tint

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


MOST = 40  # largest number of labelled symbols; beyond it those of the largest values are drawn, and the title says so
LONG = 5  # largest number of characters of a label that is not rotated


def of_weights(embedding: Embedding, role: str, label: str) -> Any:
    """Draw the weights of the points in their order, as stems."""
    hv, weights = holoviews(), embedding.weights
    axes = {"kdims": [dimension("row of the points", "row")], "vdims": [dimension("weight", "w")]}
    stems = of_arrays(hv.Spikes, (np.arange(len(weights)), weights), label=label, **axes)
    d = embedding.points.shape[1]
    drawn = styled(stems, color=tint(role), line_width=2, line_alpha=0.8, tools=["hover"])
    return overlay([drawn], f"The weights of {len(weights)} points of {d} coordinates, in their order")


def of_symbols(embedding: Embedding, role: str, label: str) -> Any:
    """Draw the function's values at its distinct points, with the sum of the weights at each."""
    hv = holoviews()
    rows = [tuple(point) for point in embedding.points.tolist()]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    symbols = sorted(first)
    values = embedding(embedding.points[[first[row] for row in symbols]])
    place = {row: j for j, row in enumerate(symbols)}
    weights = np.zeros(len(symbols))
    np.add.at(weights, [place[row] for row in rows], embedding.weights)
    measured = [dimension("f(x)", "f"), dimension("sum of weights", "w")]
    options = {"color": tint(role), "tools": ["hover"]}
    if embedding.kernel.space == "row numbers":
        numbers = np.array([row[0] for row in symbols])
        kdims = [dimension("row of the Gram matrix", "row")]
        stems = of_arrays(hv.Spikes, (numbers, values, weights), kdims=kdims, vdims=measured, label=label)
        title = f"Values at the {len(symbols)} rows of the Gram matrix that are points"
        return overlay([styled(stems, line_width=2, line_alpha=0.8, **options)], title)
    title = f"Values at the {len(symbols)} symbols"
    if len(symbols) > MOST:
        kept = np.sort(np.argsort(-np.abs(values), kind="stable")[:MOST])
        symbols, values, weights = [symbols[i] for i in kept], values[kept], weights[kept]
        title = f"Values at {MOST} of {len(place)} symbols, the largest"
    words = _words(symbols)
    bars = of_arrays(hv.Bars, (words, values, weights), kdims=[dimension("x", "symbol")], vdims=measured, label=label)
    turned = {"xrotation": 60} if max(map(len, words)) > LONG and len(words) > 8 else {}
    return overlay([styled(bars, fill_alpha=0.75, line_alpha=0, **turned, **options)], title)


def _words(symbols):
    """Return the labels of symbols, which are tuples of columns: short if that is unique, otherwise in full."""
    for written in ("{:.6g}", "{!r}"):
        words = [", ".join(written.format(v) if isinstance(v, float) else str(v) for v in row) for row in symbols]
        if len(set(words)) == len(words):
            break
    return words
