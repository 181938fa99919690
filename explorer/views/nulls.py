"""The null distribution of a test as a histogram, and its marks: the statistic, the level, and where A was pinned."""

from __future__ import annotations

import numpy as np

from explorer.marks.nulls import NullAxis as NullAxis

from . import glyphs
from .marks import MOVES


def bars(plot, paint, source, **tail):
    """The shares `top` and, before them, `tail` of a source, whose bars go from `left` to `right`."""
    shape = {"left": "left", "right": "right", "bottom": 0, "source": source, "level": MOVES}
    whole = glyphs.quad(plot, top="top", fill_alpha=0.55, line_width=0.5, line_alpha=0.5, **shape)
    paint(whole.glyph, "kme", "fill_color", "line_color")
    reaching = glyphs.quad(plot, top="tail", fill_alpha=0.9, line_color=None, **tail, **shape)
    return paint(reaching.glyph, "harm", "fill_color", *(["hatch_color"] if "hatch_pattern" in tail else []))


def lines(plot, paint, pinned, limit, observed, threshold="limit"):
    """Where A was pinned, faint; where p reaches the level, dashed (column `threshold`); and the statistic.

    Three sources, which may be one; of a statistic beyond the axis a triangle says so, at height y and of size
    `beyond`.
    """
    kept = glyphs.vspan(plot, "x", source=pinned, line_width=6, line_alpha=0.3)
    paint(kept.glyph, "truth", "line_color")
    dashed = glyphs.vspan(plot, threshold, source=limit, line_width=2, line_dash="dashed", level=MOVES)
    paint(dashed.glyph, "harm", "line_color")
    paint(glyphs.vspan(plot, "x", source=observed, line_width=3, level=MOVES).glyph, "truth", "line_color")
    triangle = glyphs.scatter(
        plot, "x", "y", source=observed, marker="triangle", angle=-np.pi / 2, size="beyond", level=MOVES
    )
    return paint(triangle.glyph, "truth", "fill_color", "line_color")
