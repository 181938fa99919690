"""Which columns of a table are x and y: two menus beside the pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.pages.page import LabPage

from .pairs import UserPairs

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


def ends(names: Sequence[str]) -> Sequence[str]:
    """The columns that are x and y at first: of some names the first and the last."""
    return [*names[:1], *names[-1:]]


class ColumnRoles:
    """The menus `x`, of several columns, and `y`; they are there where a lab's pairs come from a table.

    `columns()` gives the names of the table's columns, those that x is and those that y is; no names hide the menus,
    and no x, where a Gram matrix stands for it, hides its own.
    `use(x, y)` gets the lab's words for both when others were chosen. y is one column, or several where `groups`.
    """

    def __init__(
        self,
        columns: Callable[[], tuple[Sequence[str], list[str], list[str]]],
        use: Callable[[str, str], object],
        groups: bool = False,
    ) -> None:
        self._columns, self._use, self._groups, self._quiet = columns, use, groups, False
        now = self._now()
        self.x: pmui.MultiChoice = pmui.MultiChoice(label="x", width=260, **now[0])
        if groups:
            self.y: pmui.MultiChoice | pmui.Select = pmui.MultiChoice(label="y", width=260, **now[1])
        else:
            self.y = pmui.Select(label="y", size="small", width=200, **now[1])
        for menu in (self.x, self.y):
            menu.param.watch(self._chosen, "value")

    def catch_up(self) -> None:
        """Show the columns that the lab has now."""
        self._quiet = True
        for menu, now in zip((self.x, self.y), self._now(), strict=True):
            menu.param.update(**now)
        self._quiet = False

    def _now(self):
        """What the menus hold."""
        names, x, y = self._columns()
        options, seen = list(names), {"visible": bool(names)}
        of_x = {"options": list(names), "value": x, "visible": bool(names and x)}
        if not self._groups:
            y, options = (y[0] if y else ""), options or [""]
        return of_x, {"options": options, "value": y, **seen}

    def _chosen(self, event):
        if self._quiet or not self.y.value or (self.x.visible and not self.x.value):
            return
        y = self.y.value if self._groups else [self.y.value]
        x = [name for name in self.x.value if name not in y]  # y is no x: every column depends on itself
        self._use(json.dumps(x) if self.x.visible else "", json.dumps(y) if self._groups else y[0])


class TakesPairs(LabPage):
    """A page whose lab has pairs that may be columns of a table; it has the parts "x", "y" and "own".

    tables     the sources that are tables; live  the rows of one that the page opens with
    with_gram  the fields that are so where x is a Gram matrix
    """

    tables: tuple[str, ...] = ()
    live = 100
    with_gram: ClassVar[dict[str, Any]] = {}

    @cached_property
    def roles(self) -> ColumnRoles:
        """The menus of a table's columns."""
        return ColumnRoles(self.table_columns, self.recast, self.lab_class.groups)

    def part(self, name: str) -> Any:
        """The menus of a table's columns, and the table of one's own."""
        if name in ("x", "y"):
            return getattr(self.roles, name)
        if name != "own":
            return super().part(name)
        examples = self.examples(*(t for t in self.tables if t != "file"))
        self.user_data = UserPairs(self.take_table, self.lab.values, examples, shows=ends)
        return self.user_data

    def on_idle(self, result: Any) -> None:
        """The menus of a table's columns follow."""
        self.roles.catch_up()

    def table_columns(self) -> tuple[Sequence[str], list[str], list[str]]:
        """(names, those that x is, those that y is) of the table's columns; none where there is no table to show."""
        if self.lab.source in self.tables:
            try:
                table = self.lab.the_table()
                x, y = self.lab.roles(table)
                if self.lab.by_gram[0]:
                    return () if self.lab.by_gram[1] else table.names[table.axes :], [], y
                return table.names, x, y
            except Refusal:  # the table stayed with its owner, or has no such column, which the page has said
                pass
        return (), [], []

    def recast(self, x: str, y: str) -> None:
        """Other columns were chosen by hand for x or y."""
        self.move(None, x=x, y=y)
        self.rest()

    def take_table(self, table: DataSet, fields: dict[str, Any]) -> None:
        """Take a table of one's own; x and y stay where it is the one that the link names, read as it says."""
        same = all(fields[name] == getattr(self.lab, name) for name in ("hash", "hash2", "gram"))
        also = {} if same else {"x": "", "y": ""}
        if fields["gram"]:
            also |= self.with_gram
        self.use(table, {**also, **{name: value for name, value in fields.items() if name != "outliers"}})

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu: another source has other columns."""
        changes = super().on_choice(name, value)
        if name == "source":
            changes |= {"x": "", "y": ""}
            if value in self.tables and value != "file":
                rows = self.lab.replace(source=value, x="", y="").the_table().n
                changes["n"] = min(rows, self.lab.n if self.lab.source in self.tables else self.live)
        return changes
