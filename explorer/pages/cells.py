"""A picture of a matrix whose cells a hand may press: a press picks a cell, a mouse that is held goes on picking."""

from __future__ import annotations

from .handles import when_sized


def pick_cells(figure, pacer, name, source, column="image"):
    """Let a hand pick cells of the image that `source` has in a column; the pacer hears [row, column] under `name`."""
    when_sized(figure, "cells.pick", request=pacer.request, name=name, source=source, column=column)
