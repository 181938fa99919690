"""A picture of a matrix whose cells a hand may press: a press picks a cell, a mouse that is held goes on picking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .drag import when_sized

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from .request_pacing import Pacer


def pick_cells(figure: figure, pacer: Pacer, name: str, source: ColumnDataSource, column: str = "image") -> None:
    """Let a hand pick cells of the image that `source` has in a column; the pacer hears [row, column] under `name`."""
    when_sized(figure, "cells.pick", request=pacer.request, name=name, source=source, column=column)
