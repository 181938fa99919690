"""Highlighting of the points of a block: what is under the pointer in one picture is highlighted in another.

The browser does this without the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.browser import call

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture

REACH = 14  # distance in px within which the pointer is at a point


def light_blocks(strip: BokehPicture, pairs: BokehPicture, means: BokehPicture) -> None:
    """Connect pictures: a cell of the strip highlights its pairs and its mean, and a pair its cell and its mean.

    Parameters
    ----------
    strip : BokehPicture
        The strip, with one cell per block.
    pairs : BokehPicture
        The points, in pairs.
    means : BokehPicture
        The means of the blocks.
    """
    args = {
        "cells": strip.sources["cells"],
        "cell": strip.sources["lit_cell"],
        "rows": pairs.sources["rows"],
        "points": pairs.sources["lit"],
        "means": means.sources["values"],
        "bad_means": means.sources["bad_values"],
        "mean": means.sources["lit_mean"],
        "reach": REACH,
        "label": "blocks in the order of their means",
    }
    for picture, under in ((strip, "lighting.cells"), (pairs, "lighting.points")):
        picture.plot.js_on_change("inner_width", call(under, **args))
