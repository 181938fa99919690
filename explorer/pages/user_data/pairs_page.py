"""Pages of labs of pairs: two menus next to the pictures choose the columns of a table that are x and y."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import DataSet
from explorer.languages import bind_language
from explorer.pages.page import LabPage
from explorer.workbench.two_samples import sizes

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

# fields that two samples set, and columns leave empty
KIND: dict[str, Any] = {"group": "", "file2": "", "rows2": 0, "hash2": ""}
FRESH: dict[str, Any] = {"x": "", "y": "", "placed": "", "selected": 0}  # fields that are reset for other pairs


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
            menu.param.watch(bind_language(self._chosen), "value")

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


class PairsPage(LabPage):
    """Page of a lab whose pairs may be columns of a table. It has the parts "x" and "y".

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
    """

    tables: tuple[str, ...] = ("file",)
    live = 100

    @cached_property
    def roles(self) -> ColumnRoles:
        """The menus of a table's columns."""
        return ColumnRoles(self.table_columns, self.recast, self.lab_class.groups)

    def part(self, name: str) -> Any:
        """Return a part of the page, here also a menu of the table's columns.

        Parameters
        ----------
        name : str
            "x", "y", or a part of another page.

        Returns
        -------
        object
            The Panel component.
        """
        return getattr(self.roles, name) if name in ("x", "y") else super().part(name)

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


class TakesPairs(PairsPage):
    """Page of a lab of pairs that takes one table of the user, as the slots `pairs()` read it.

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.

    Attributes
    ----------
    with_gram : dict
        The fields that are set if x is a Gram matrix.
    """

    with_gram: ClassVar[dict[str, Any]] = {}

    def use(self, own: DataSet, fields: dict[str, Any]) -> None:
        """Use the user's table. Keep the fields x and y if it is the table that the link names, read in the same way.

        Parameters
        ----------
        own : DataSet
            The table.
        fields : dict
            The fields that identify it.
        """
        same = all(fields[name] == getattr(self.lab, name) for name in ("hash", "hash2", "gram"))
        also = {} if same else {"x": "", "y": ""}
        if fields["gram"]:
            also |= self.with_gram
        super().use(own, {**also, **{name: value for name, value in fields.items() if name != "outliers"}})


class TakesSides(PairsPage):
    """Page of a lab of PairedTables, which takes the user's pairs as the slots `paired_sides()` read them.

    The field `laws` of its lab says where the pairs come from, and `blocks` is at most the number of pairs.

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.

    Attributes
    ----------
    known : tuple
        (names, name): the pictures that need the true distributions, and the picture that replaces them for other data.
    """

    known: tuple[Any, ...] = ()  # (pictures that need the truth, their replacement)

    def use(self, own: DataSet | Tables, fields: dict[str, Any]) -> None:
        """Use the user's data: set the number of pairs, no more blocks than pairs, and a picture that needs no truth.

        Fields that the link set for these very pairs are kept. n is at most the number of rows that both sides have.

        Parameters
        ----------
        own : DataSet or Tables
            A table of pairs, or two samples.
        fields : dict
            The fields that identify them.
        """
        n = min(fields.get("n", self.lab.n), own.n if isinstance(own, DataSet) else min(sizes(own)))
        fresh = {**FRESH, **self._without_truth()} if "n" in fields else {}  # otherwise the link named these data
        blocks = min(self.lab.blocks, n - (n + 1) % 2)
        super().use(own, {**KIND, **fresh, **fields, "laws": "file", "n": n, "blocks": blocks})

    def _without_truth(self):
        """Return the change of the picture if the visible one needs the true distributions."""
        names, other = self.known
        return {"picture": other} if self.lab.picture in names else {}

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu; the user's data are identified again.

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
        if name == "laws" and value == "file" and self.lab.own is not None:
            changes = {**self.naming, **self.lab.fitting(), **self._without_truth(), **changes}
        return changes
