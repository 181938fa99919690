"""Base page of labs whose two samples may be groups of one of the user's tables, or two tables."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

import panel_material_ui as pmui

from explorer.datasets import load
from explorer.languages import bind_language
from explorer.pages.page import LabPage
from explorer.workbench.fields import BUNDLED
from explorer.workbench.two_samples import known_labels

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

OFFERED = 40  # most groups whose pairs are offered; a longer menu is not usable


class TakesSamples(LabPage):
    """Page of a `UserSamples` lab, with the part "pairs", a menu of two groups.

    It takes the user's data as the slots `two_samples()` read them.

    Parameters
    ----------
    words : mapping of str to str, or None, default None
        Query parameters of the link that opens the page.
    **fields : dict
        Fields of the lab, in a notebook.
    """

    def part(self, name: str) -> Any:
        """Return a part of the page, here also the menu of a table's groups.

        Parameters
        ----------
        name : str
            "pairs", or a part of another page.

        Returns
        -------
        object
            The Panel component.
        """
        if name == "pairs":
            self.pairs: pmui.Select = pmui.Select(label="groups", size="small", width=150, **self.pairs_of_groups())
            self.pairs.param.watch(bind_language(self.regroup), "value")
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

    def use(self, own: Tables, fields: dict[str, Any]) -> None:
        """Use the user's samples. If the fields are those of new data, the lab says how the page opens.

        Parameters
        ----------
        own : Tables
            The samples.
        fields : dict
            The fields that identify them.
        """
        super().use(own, fields | (self.lab.opening(own) if "n" in fields else {}))

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
