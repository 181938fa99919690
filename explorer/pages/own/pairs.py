"""Which columns of a table are x and y.

Two menus beside the pictures, and a table of one's own that has two columns at least.
"""

from __future__ import annotations

import json

import panel_material_ui as pmui

from explorer.checks import Refusal

from .table import OwnData


class Roles:
    """The menus `x`, of several columns, and `y`; they are there where a lab's pairs come from a table.

    `columns()` gives the names of the table's columns, those that x is and that which y is; no names hide the menus.
    `use(x, y)` gets the lab's words for both when others were chosen.
    """

    def __init__(self, columns, use):
        self._columns, self._use, self._quiet = columns, use, False
        now = self._now()
        self.x = pmui.MultiChoice(label="x", width=260, **now[0])
        self.y = pmui.Select(label="y", size="small", width=200, **now[1])
        for menu in (self.x, self.y):
            menu.param.watch(self._chosen, "value")

    def catch_up(self):
        """Show the columns that the lab has now."""
        self._quiet = True
        for menu, now in zip((self.x, self.y), self._now(), strict=True):
            menu.param.update(**now)
        self._quiet = False

    def _now(self):
        """What the menus hold."""
        names, x, y = self._columns()
        return (
            {"options": list(names), "value": x, "visible": bool(names)},
            {"options": list(names) or [""], "value": y, "visible": bool(names)},
        )

    def _chosen(self, event):
        if not self._quiet and self.x.value and self.y.value:  # y is no x: every column depends on itself
            self._use(json.dumps([name for name in self.x.value if name != self.y.value]), self.y.value)


class OwnPairs(OwnData):
    """OwnData where x and y are columns of one table."""

    def read(self):
        """The chosen table; ValueError where it has no two columns."""
        table = super().read()
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a dependence needs two; choose more columns.")
        return table
