"""Base page of labs whose two samples may be groups of one of the user's tables, or two tables."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import panel_material_ui as pmui

from explorer.datasets import load
from explorer.pages.page import LabPage
from explorer.workbench.fields import BUNDLED
from explorer.workbench.two_samples import known_labels

from .two_samples_widget import SIDES, UserTwoSamples

OFFERED = 40  # most groups whose pairs are offered; a longer menu is not usable


class TakesSamples(LabPage):
    """Page of a `UserSamples` lab, with the parts "own", for the user's data, and "pairs", a menu of two groups.

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.

    Attributes
    ----------
    grams : bool
        Whether the lab also takes a Gram matrix.
    scale : str
        How the numbers of the user's data are scaled at first: a value of the `scale` parameter of `read_tables`.
    sides : tuple of (str, str)
        The labels of the two samples at their upload zones.
    """

    grams: bool = False
    scale: str = "common"
    sides: tuple[str, str] = SIDES

    def part(self, name: str) -> Any:
        """Return a part of the page: the widget for the user's data, or the menu of a table's groups.

        Parameters
        ----------
        name : str
            "own", "pairs", or a part of another page.

        Returns
        -------
        object
            The Panel component.
        """
        if name == "own":
            how = {"grams": self.grams, "opening": self.lab.opening, "scale": self.scale, "sides": self.sides}
            self.user_data = UserTwoSamples(self.use, self.lab.values, self.examples(*BUNDLED), **how)
            return self.user_data
        if name == "pairs":
            self.pairs: pmui.Select = pmui.Select(label="groups", size="small", width=150, **self.pairs_of_groups())
            self.pairs.param.watch(self.regroup, "value")
            return self.pairs
        return super().part(name)

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu: no more points than the table or its groups have.

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
        if name == "source" and value in BUNDLED:
            changes |= self.lab.fitted((load(value),))
        if name == "groups":
            changes |= self.lab.fitted(self.lab.tables_there(), value)
        return changes

    def pairs_of_groups(self) -> dict[str, Any]:
        """Return the options of the menu of groups: all pairs of the table's groups, up to OFFERED groups.

        Returns
        -------
        dict
            The parameters `options`, `value` and `visible` of the menu.
        """
        tables = self.lab.tables_there()
        if not tables or tables[0].target is None:
            return {"options": {"": ""}, "value": "", "visible": False}
        pairs = [list(pair) for pair in combinations(list(known_labels(tables[0]))[:OFFERED], 2)]
        chosen = json.loads(self.lab.groups) if self.lab.groups else pairs[0]
        if chosen not in pairs:
            pairs.append(chosen)
        options = {" and ".join(pair): json.dumps(pair) for pair in pairs}
        return {"options": options, "value": json.dumps(chosen), "visible": True}

    def regroup(self, event: Any) -> None:
        """Compare other groups, unless the menu has only followed the lab.

        Parameters
        ----------
        event : param.parameterized.Event
            The change of the menu.
        """
        if event.new and event.new != self.pairs_of_groups()["value"]:
            self.choose("groups", event.new)

    def on_idle(self, result: Any) -> None:
        """Update the menu of the table's groups.

        Parameters
        ----------
        result : Result
            The visible result.
        """
        self.pairs.param.update(**self.pairs_of_groups())
