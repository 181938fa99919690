"""Which columns of a table are x and y.

Two menus beside the pictures, and a table of one's own that has two columns at least.
"""

from __future__ import annotations

import json
from functools import cached_property

import panel_material_ui as pmui

from explorer.checks import Refusal

from .table import OwnData


class Roles:
    """The menus `x`, of several columns, and `y`; they are there where a lab's pairs come from a table.

    `columns()` gives the names of the table's columns, those that x is and those that y is; no names hide the menus.
    `use(x, y)` gets the lab's words for both when others were chosen. y is one column, or several where `groups`.
    """

    def __init__(self, columns, use, groups=False):
        self._columns, self._use, self._groups, self._quiet = columns, use, groups, False
        now = self._now()
        self.x = pmui.MultiChoice(label="x", width=260, **now[0])
        if groups:
            self.y = pmui.MultiChoice(label="y", width=260, **now[1])
        else:
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
        options, seen = list(names), {"visible": bool(names)}
        if not self._groups:
            y, options = (y[0] if y else ""), options or [""]
        return {"options": list(names), "value": x, **seen}, {"options": options, "value": y, **seen}

    def _chosen(self, event):
        if not self._quiet and self.x.value and self.y.value:  # y is no x: every column depends on itself
            y = self.y.value if self._groups else [self.y.value]
            x = json.dumps([name for name in self.x.value if name not in y])
            self._use(x, json.dumps(y) if self._groups else y[0])


class TakesPairs:
    """A page whose lab has pairs that may be columns of a table; it has the parts "x", "y" and "own".

    tables  the sources that are tables; live  the rows of one that the page opens with
    """

    tables, live = (), 100

    @cached_property
    def roles(self):
        """The menus of a table's columns."""
        return Roles(self.table_columns, self.recast, self.lab_class.groups)

    def part(self, name):
        """The menus of a table's columns, and the table of one's own."""
        if name in ("x", "y"):
            return getattr(self.roles, name)
        if name != "own":
            return super().part(name)
        self.own = OwnPairs(self.take_table, self.lab.values, self.examples(*(t for t in self.tables if t != "file")))
        return self.own

    def rested(self, result):
        """The menus of a table's columns follow."""
        self.roles.catch_up()

    def table_columns(self):
        """(names, those that x is, those that y is) of the table's columns; none where there is no table to show."""
        if self.lab.source in self.tables:
            try:
                names = self.lab.the_table().names
                return names, *self.lab.roles(names)
            except Refusal:  # the table stayed with its owner, or has no such column, which the page has said
                pass
        return (), [], []

    def recast(self, x, y):
        """Other columns were chosen by hand for x or y."""
        self.move(None, x=x, y=y)
        self.rest_at_once()

    def take_table(self, table, fields):
        """Take a table of one's own; x and y stay where it is the one that the link names."""
        roles = {} if fields["hash"] == self.lab.hash else {"x": "", "y": ""}
        self.use(table, {**roles, **{name: value for name, value in fields.items() if name != "outliers"}})

    def chosen(self, name, value):
        """The fields that change with a menu: another source has other columns."""
        changes = super().chosen(name, value)
        if name == "source":
            changes |= {"x": "", "y": ""}
            if value in self.tables and value != "file":
                rows = self.lab.replace(source=value, x="", y="").the_table().n
                changes["n"] = min(rows, self.lab.n if self.lab.source in self.tables else self.live)
        return changes


class OwnPairs(OwnData):
    """OwnData where x and y are columns of one table; words are taken where one asks for them."""

    categories = False

    def read(self):
        """The chosen table; ValueError where it has no two columns."""
        table = super().read()
        if table.d < 2:
            raise Refusal(f"{table.name} has one chosen column, and a dependence needs two; choose more columns.")
        return table
