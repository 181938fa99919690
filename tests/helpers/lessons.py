"""The lessons' notebooks, and their cells by kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LIGHT = 400_000  # bytes of a lesson with its pictures
SOLUTION = "solution"  # the tag of a cell that is folded
every_lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@cache
def read(path):
    """Return a lesson for readers that do not change it."""
    return nbformat.read(path, as_version=4)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose_of(notebook):
    """Return the prose of a lesson, without its code."""
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def is_solution(cell):
    return SOLUTION in cell.metadata.get("tags", ())
