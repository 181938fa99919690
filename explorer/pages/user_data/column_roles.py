"""Choice of the columns of a table that are x and y: two menus next to the pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.pages.page import LabPage

from .pairs_widget import UserPairs

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


def ends(names: Sequence[str]) -> Sequence[str]:
    """Return the default columns of x and y: the first and the last name."""
    return [*names[:1], *names[-1:]]


class ColumnRoles:
    """Menus `x`, for several columns, and `y`. They are visible while a lab's pairs come from a table.

    `columns()` returns the names of the table's columns, those of x and those of y. Without names both menus are
    hidden; without x, because a Gram matrix represents it, only the menu of x is hidden. `use(x, y)` receives the lab's
    fields for both after the user has chosen others. y is one column, or several if `groups`.
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
        """Show the lab's current columns."""
        self._quiet = True
        for menu, now in zip((self.x, self.y), self._now(), strict=True):
            menu.param.update(**now)
        self._quiet = False

    def _now(self):
        """Return the current options and values of both menus."""
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
        # not the columns of y, because every column depends on itself
        x = [name for name in self.x.value if name not in y]
        self._use(json.dumps(x) if self.x.visible else "", json.dumps(y) if self._groups else y[0])


class TakesPairs(LabPage):
    """Page of a lab whose pairs may be columns of a table. It has the parts "x", "y" and "own".

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.

    Attributes
    ----------
    tables : tuple of str
        The sources that are tables.
    live : int
        The number of rows of a table that the page opens with.
    with_gram : dict
        The fields that are set if x is a Gram matrix.
    """

    tables: tuple[str, ...] = ()
    live = 100
    with_gram: ClassVar[dict[str, Any]] = {}

    @cached_property
    def roles(self) -> ColumnRoles:
        """The menus of a table's columns."""
        return ColumnRoles(self.table_columns, self.recast, self.lab_class.groups)

    def part(self, name: str) -> Any:
        """Return a part of the page: a menu of the table's columns, or the widget for the user's table.

        Parameters
        ----------
        name : str
            "x", "y", "own", or a part of another page.

        Returns
        -------
        object
            The Panel component.
        """
        if name in ("x", "y"):
            return getattr(self.roles, name)
        if name != "own":
            return super().part(name)
        examples = self.examples(*(t for t in self.tables if t != "file"))
        self.user_data = UserPairs(self.take_table, self.lab.values, examples, shows=ends)
        return self.user_data

    def on_idle(self, result: Any) -> None:
        """Update the menus of the table's columns.

        Parameters
        ----------
        result : Result
            The visible result.
        """
        self.roles.catch_up()

    def table_columns(self) -> tuple[Sequence[str], list[str], list[str]]:
        """Return the names of the table's columns, those of x and those of y; all empty without a table.

        Returns
        -------
        names : sequence of str
            The columns that can be chosen.
        x, y : list of str
            The chosen columns.
        """
        if self.lab.source in self.tables:
            try:
                table = self.lab.the_table()
                x, y = self.lab.roles(table)
                if self.lab.by_gram[0]:
                    return () if self.lab.by_gram[1] else table.names[table.axes :], [], y
                return table.names, x, y
            except Refusal:  # the user's table is not here or lacks the column; the page has reported it
                pass
        return (), [], []

    def recast(self, x: str, y: str) -> None:
        """Use other columns that the user has chosen for x or y.

        Parameters
        ----------
        x, y : str
            The lab's fields of these names.
        """
        self.move(None, x=x, y=y)
        self.rest()

    def take_table(self, table: DataSet, fields: dict[str, Any]) -> None:
        """Use the user's table. Keep the fields x and y if it is the table that the link names, read in the same way.

        Parameters
        ----------
        table : DataSet
            The table.
        fields : dict
            The fields that identify it.
        """
        same = all(fields[name] == getattr(self.lab, name) for name in ("hash", "hash2", "gram"))
        also = {} if same else {"x": "", "y": ""}
        if fields["gram"]:
            also |= self.with_gram
        self.use(table, {**also, **{name: value for name, value in fields.items() if name != "outliers"}})

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu: another source has other columns.

        Parameters
        ----------
        name : str
            The field of the menu.
        value : object
            Its new value.

        Returns
        -------
        dict
            The changed fields, with `name`.
        """
        changes = super().on_choice(name, value)
        if name == "source":
            changes |= {"x": "", "y": ""}
            if value in self.tables and value != "file":
                rows = self.lab.replace(source=value, x="", y="").the_table().n
                changes["n"] = min(rows, self.lab.n if self.lab.source in self.tables else self.live)
        return changes
