"""A grid of number boxes: a small table that the user edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import panel as pn
import panel_material_ui as pmui

from explorer.languages import bind_language
from explorer.pages.layout.declarations import flowing
from explorer.types import Matrix

BOX: dict[str, Any] = {"size": "small", "width": 76, "margin": (6, 4)}
Side: TypeAlias = tuple[str, int, int]  # (name of a row or column, least, most)
NEW = 1  # the number in a new box


class NumberGrid:
    """Number boxes in rows and columns.

    Text that is not a number is passed on unchanged; the caller of `use` reports the error.

    Parameters
    ----------
    use : callable
        Called with all numbers, as a list of rows, after the user has changed one.
    rows, columns : tuple of (str, int, int)
        (name, least, most): what a row or column is called, and the limits for the buttons that add and remove them.
    fixed : int, default 0
        The number of rows that always stay at the end.

    Attributes
    ----------
    parts : Column
        The Panel object of the grid with its buttons.
    """

    def __init__(self, use: Callable[[list[list[Any]]], object], rows: Side, columns: Side, fixed: int = 0) -> None:
        self._use = use
        self._is_updating = False
        self.boxes: dict[tuple[int, int], pmui.TextInput] = {}
        self._sides, self._fixed = (rows, columns), fixed
        self.grid: pn.Column = pn.Column(margin=0)
        self.buttons: dict[tuple[int, bool], pmui.Button] = {}
        for axis, (called, *_) in enumerate(self._sides):
            for more, word in ((True, "add"), (False, "remove")):
                self.buttons[axis, more] = pmui.Button(
                    label=f"{word} {called}",
                    variant="outlined",
                    size="small",
                    on_click=bind_language(lambda event, axis=axis, more=more: self.resize(axis, more)),
                )
        self.parts: pn.Column = pn.Column(self.grid, flowing(*self.buttons.values()), margin=0)

    def show(self, names: Sequence[str], column: str, values: Matrix) -> None:
        """Show numbers in the boxes.

        Parameters
        ----------
        names : sequence of str
            The names of the rows.
        column : str
            The name of the columns; each gets its number, such as "y2".
        values : Matrix of shape (p, q)
            The numbers.
        """
        self._is_updating = True
        if set(self.boxes) != {(i, j) for i in range(len(names)) for j in range(values.shape[1])}:
            self._make(names, column, values.shape[1])
        for (i, j), box in self.boxes.items():
            if box.value != (value := f"{values[i, j]:g}"):
                box.value = value
        for (axis, more), button in self.buttons.items():
            _, least, most = self._sides[axis]
            count = values.shape[axis] - (self._fixed if axis == 0 else 0)
            button.disabled = count >= most if more else count <= least
        self._is_updating = False

    def resize(self, axis: int, more: bool) -> None:
        """Add or remove a row or a column.

        Parameters
        ----------
        axis : {0, 1}
            0 for a row, 1 for a column.
        more : bool
            Whether to add one.
        """
        rows, end = self.rows, len(self.rows) - self._fixed
        if axis == 0:
            rows[end - (not more) : end] = [[NEW] * len(rows[0])] if more else []
        else:
            rows = [[*row, NEW] if more else row[:-1] for row in rows]
        self._use(rows)

    @property
    def rows(self) -> list[list[Any]]:
        """The numbers, row by row."""
        p, q = (k + 1 for k in max(self.boxes))
        return [[_plain(self.boxes[i, j].value) for j in range(q)] for i in range(p)]

    def _make(self, names, column, q):
        self.boxes, lines = {}, []
        for i, name in enumerate(names):
            for j in range(q):
                box = self.boxes[i, j] = pmui.TextInput(label=f"{name} {column}{j + 1}", **BOX)
                box.param.watch(bind_language(self._on_change), "value")
            lines.append(pn.Row(*(self.boxes[i, j] for j in range(q)), margin=(0, 6)))
        self.grid.objects = lines

    def _on_change(self, event):
        if not self._is_updating:
            self._use(self.rows)


def _plain(word):
    """Return the number in a text, as an int if it is whole, or the text if it is not a number."""
    try:
        value = float(word)
    except ValueError:
        return word
    return int(value) if value.is_integer() else value
