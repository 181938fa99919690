"""Histogram of the errors of a sample and of more samples, with the bound that most of them keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.languages import message

from .axes import Axis
from .mark import Mark, boxes, vertical_lines, words
from .picture import SecondaryPicture, Sources

EDGES = np.linspace(0.0, 5.0, 51)  # edges of the bars, in units of 1 / sqrt(n)
LINES = (  # name, role, dash, text and its height
    ("error", "truth", "solid", message("this sample"), 0.97),
    ("proved", "harm", "dashed", message("bound"), 0.97),
    ("printed", "harm", "dotted", message("as printed"), 0.82),
)


def line(name: str, role: str, dash: str, said: str, y: float) -> tuple[Mark, Mark]:
    """Return a line of the picture and its name."""
    upright = vertical_lines("lines", role, name, width=2.5, dash=dash, alpha=1.0, follows_slider=False, label=said)
    return upright, words("lines", role, name, y, says=said, px=11, dx=5)


@SecondaryPicture(
    "errors",
    deferred="replicates",
    title="Error of the plain average and its bound",
    x=Axis("|μ̂ − μ| × √n", (0.0, 5.0), {float(i): f"{i}" for i in range(6)}),
    y=Axis("share of samples", (0.0, 1.05), {0.0: "0", 0.5: "0.5", 1.0: "1"}),
    marks=(
        boxes("bars", "kme", fill=0.5, inks=("fill", "line"), label="more samples"),
        *(m for each in LINES for m in line(*each)),
    ),
)
def error_bound(result: Any) -> Sources:
    """Draw the errors of the plain average in this and in more samples, and the bound for δ, proved and as printed."""
    bars = lines = None
    if result.bound is not None:
        unit = np.sqrt(len(result.X))
        lines = {name: np.array([getattr(result.bound, name) * unit]) for name in ("error", "proved", "printed")}
        if result.replicates is not None:
            errors = np.sqrt(np.maximum(result.replicates.empirical, 0.0)) * unit
            count = np.histogram(np.minimum(errors, EDGES[-1]), EDGES)[0]
            bars = {"left": EDGES[:-1], "right": EDGES[1:], "top": count / len(errors)}
    return {"bars": bars, "lines": lines}
