"""Which points make up a block: what lies under the pointer in one picture lights up in another.

The browser does it by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.browser import call

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture

REACH = 14  # px around a point


def light_blocks(strip: BokehPicture, pairs: BokehPicture, means: BokehPicture) -> None:
    """Let pictures light each other up: a cell of the Strip its pairs and its mean, a pair its cell and its mean."""
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
