"""Histogram of the errors of a sample and of more samples, with the bound that most of them keep."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .axes import Axis
from .geometry import nothing
from .mark import Mark, Marks, Numbers, boxes, vertical_lines, words
from .old_form import SecondaryPicture

EDGES = np.linspace(0.0, 5.0, 51)  # edges of the bars, in units of 1 / sqrt(n)
LINES = (  # name, role, dash, text and its height
    ("error", "truth", "solid", "this sample", 0.97),
    ("proved", "harm", "dashed", "bound", 0.97),
    ("printed", "harm", "dotted", "as printed", 0.82),
)


def line(name: str, role: str, dash: str, said: str, y: float) -> tuple[Mark, Mark]:
    """Return a line of the picture and its name."""
    upright = vertical_lines("lines", role, name, width=2.5, dash=dash, alpha=1.0, follows_slider=False, label=said)
    return upright, words("lines", role, name, y, says=said, px=11, dx=5)


class Errors(SecondaryPicture):
    """Errors of the plain average: this sample's, those of more samples, and the bound for δ, proved and as printed."""

    name = "errors"
    late = "replicates"
    title = "Error of the plain average and its bound"
    x: ClassVar[Axis] = Axis("|μ̂ − μ| × √n", (0.0, 5.0), {float(i): f"{i}" for i in range(6)})
    y: ClassVar[Axis] = Axis("share of samples", (0.0, 1.05), {0.0: "0", 0.5: "0.5", 1.0: "1"})
    bars: ClassVar[Mark] = boxes("bars", "kme", fill=0.5, inks=("fill", "line"), label="more samples")
    marks: ClassVar[Marks] = (bars, *(m for each in LINES for m in line(*each)))

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        bars, lines = nothing("left", "right", "top"), nothing("error", "proved", "printed")
        if result.bound is not None:
            unit = np.sqrt(len(result.X))
            lines = {name: np.array([getattr(result.bound, name) * unit]) for name in ("error", "proved", "printed")}
            if result.replicates is not None:
                errors = np.sqrt(np.maximum(result.replicates.empirical, 0.0)) * unit
                count = np.histogram(np.minimum(errors, EDGES[-1]), EDGES)[0]
                bars = {"left": EDGES[:-1], "right": EDGES[1:], "top": count / len(errors)}
        return {"bars": bars, "lines": lines}
