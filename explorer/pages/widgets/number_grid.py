"""A grid of number boxes: a small table that one edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import panel as pn
import panel_material_ui as pmui

from explorer.pages.layout.declarations import flowing
from explorer.types import Matrix

BOX: dict[str, Any] = {"size": "small", "width": 76, "margin": (6, 4)}
Side: TypeAlias = tuple[str, int, int]  # what a row or a column is called, least, most
NEW = 1  # what a box holds that was just added


class NumberGrid:
    """Boxes in rows and columns; `use(rows)` gets all numbers, as lists, once one is typed. `parts` is Panel's own.

    rows, columns  (what one is called, least, most): buttons add and remove them
    fixed          how many rows at the end stay the last

    What is no number is handed on as the word that it is: who gets it says what is wrong.
    """

    def __init__(self, use: Callable[[list[list[Any]]], object], rows: Side, columns: Side, fixed: int = 0) -> None:
        self._use = use
        self._quiet = False
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
                    on_click=lambda event, axis=axis, more=more: self.resize(axis, more),
                )
        self.parts: pn.Column = pn.Column(self.grid, flowing(*self.buttons.values()), margin=0)

    def show(self, names: Sequence[str], column: str, values: Matrix) -> None:
        """Show numbers (p, q), the rows by their names, the columns by a word and their place, such as "y2"."""
        self._quiet = True
        if set(self.boxes) != {(i, j) for i in range(len(names)) for j in range(values.shape[1])}:
            self._make(names, column, values.shape[1])
        for (i, j), box in self.boxes.items():
            if box.value != (value := f"{values[i, j]:g}"):
                box.value = value
        for (axis, more), button in self.buttons.items():
            _, least, most = self._sides[axis]
            count = values.shape[axis] - (self._fixed if axis == 0 else 0)
            button.disabled = count >= most if more else count <= least
        self._quiet = False

    def resize(self, axis: int, more: bool) -> None:
        """Add or remove a row (0) or a column (1)."""
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
                box.param.watch(self._changed, "value")
            lines.append(pn.Row(*(self.boxes[i, j] for j in range(q)), margin=(0, 6)))
        self.grid.objects = lines

    def _changed(self, event):
        if not self._quiet:
            self._use(self.rows)


def _plain(word):
    """The number that a word is, a whole one as such; the word itself where it is none."""
    try:
        value = float(word)
    except ValueError:
        return word
    return int(value) if value.is_integer() else value
