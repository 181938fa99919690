"""What of a picture lies above what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks import Band, Box, Mark, ReferenceLine, TextLabel
from explorer.markup import joined

from .shapes import drawn

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .shapes import Canvas


IMAGES = ("image", "shades")


def layers(sheet: Canvas) -> list[Markup]:
    """(images, boxes that stay, rules and tints, marks, what moves) of a picture as SVG, from below.

    What is kept of a pinned result is not there, as no result is pinned.
    """
    return _drawn(sheet, [*sheet.picture.grounds, *(each for each in sheet.picture.marks if not _kept(each))])


def wordless(sheet: Canvas) -> Markup:
    """All of it without words, and without the marks of a source that has words: they say nothing without them."""
    every = [each for each in sheet.picture.marks if not _kept(each) and not isinstance(each, TextLabel)]
    worded = {each.source for each in every if isinstance(each, Mark) and each.kind == "words"}
    silent = (each for each in every if not (isinstance(each, Mark) and each.source in worded))
    return joined(_drawn(sheet, [*sheet.picture.grounds, *silent]))


def _kept(each):
    return isinstance(each, Mark) and each.pinned


def _drawn(sheet, every):
    with np.errstate(all="ignore"):  # what has no place leaves no mark
        return [joined(drawn(sheet, each) for each in every if _layer(each) == place) for place in range(5)]


def _layer(each):
    if isinstance(each, Mark):
        return 0 if each.kind in IMAGES else 4 if each.follows_slider else 3
    return 1 if isinstance(each, Box) else 2 if isinstance(each, (ReferenceLine, Band)) else 3
