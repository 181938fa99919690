"""Selection of a cell in a picture of a matrix, by a click or by dragging with the button pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .drag import when_sized

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from .request_pacing import Pacer


def pick_cells(figure: figure, pacer: Pacer, name: str, source: ColumnDataSource, column: str = "image") -> None:
    """Make the cells of an image selectable.

    Parameters
    ----------
    figure : figure
        The figure of the image.
    pacer : Pacer
        Receives [row, column] from the browser.
    name : str
        The name under which the pacer gets the cell.
    source : ColumnDataSource
        The source of the image.
    column : str, default "image"
        The column of the image.
    """
    when_sized(figure, "cells.pick", request=pacer.request, name=name, source=source, column=column)
