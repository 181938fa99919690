"""Layers of a picture: what is drawn above what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks import Band, Box, Mark, ReferenceLine, TextLabel
from explorer.markup import joined

from .shapes import drawn

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .shapes import Canvas


IMAGES = ("image", "shades", "mesh")


def layers(sheet: Canvas) -> list[Markup]:
    """Return a picture's SVG in layers, from below.

    They are images, fixed boxes, lines and bands, marks, and marks that follow the slider. Marks of a pinned result are
    left out, because none is pinned.
    """
    return _drawn(sheet, [*sheet.picture.background, *(each for each in sheet.picture.marks if not _is_pinned(each))])


def wordless(sheet: Canvas) -> Markup:
    """Return a picture without text, and without the marks of sources with text, which mean nothing without it."""
    every = [each for each in sheet.picture.marks if not _is_pinned(each) and not isinstance(each, TextLabel)]
    worded = {each.source for each in every if isinstance(each, Mark) and each.kind == "words"}
    silent = (each for each in every if not (isinstance(each, Mark) and each.source in worded))
    return joined(_drawn(sheet, [*sheet.picture.background, *silent]))


def _is_pinned(each):
    """Return whether a mark shows a pinned result."""
    return isinstance(each, Mark) and each.pinned


def _drawn(sheet, every):
    """Return the layers of these marks."""
    with np.errstate(all="ignore"):  # values without a position are not drawn
        return [joined(drawn(sheet, each) for each in every if _layer(each) == place) for place in range(5)]


def _layer(each):
    """Return the number of a mark's layer."""
    if isinstance(each, Mark):
        return 0 if each.kind in IMAGES else 4 if each.follows_slider else 3
    return 1 if isinstance(each, Box) else 2 if isinstance(each, (ReferenceLine, Band)) else 3
