"""A page whose two samples may be groups of one table of one's own, or two tables."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import panel_material_ui as pmui

from explorer.datasets import load
from explorer.pages.page import LabPage
from explorer.workbench.fields import BUNDLED
from explorer.workbench.two_samples import known_labels

from .two_samples import SIDES, UserTwoSamples

OFFERED = 40  # groups of which any two are offered: more pairs than that nobody looks through


class TakesSamples(LabPage):
    """The parts "own", where data of one's own come in, and "pairs", a menu of two groups, of a page of `OwnSamples`.

    grams  whether the lab takes a Gram matrix too
    scale  how numbers of one's own are scaled at first, in the words of `read_tables`
    sides  what the samples are called where their files are chosen
    """

    grams: bool = False
    scale: str = "common"
    sides: tuple[str, str] = SIDES

    def part(self, name: str) -> Any:
        """The data of one's own, and the menu of the groups of a table."""
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
        """Also what one choice asks of another: of a table no more points than it has."""
        changes = super().on_choice(name, value)
        if name == "source" and value in BUNDLED:
            changes |= self.lab.fitted((load(value),))
        if name == "groups":
            changes |= self.lab.fitted(self.lab.tables_there(), value)
        return changes

    def pairs_of_groups(self) -> dict[str, Any]:
        """The pairs of groups that the table has, as a menu's options."""
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
        """Take other groups, unless the menu only follows the lab."""
        if event.new and event.new != self.pairs_of_groups()["value"]:
            self.choose("groups", event.new)

    def on_idle(self, result: Any) -> None:
        """The groups of the table."""
        self.pairs.param.update(**self.pairs_of_groups())
