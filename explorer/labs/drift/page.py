"""The Drift lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.pages.declare import Button, Chooser, Column, Flow, Group, Hero, Part, Radio, Small, Takes, Toggle
from explorer.pages.handles import drag_line
from explorer.pages.own.table import OwnData
from explorer.pages.page import LabPage
from explorer.printing import listed
from explorer.workbench.fields import BUNDLED, draws
from explorer.workbench.kernels import has_bandwidth

from .lab import LEAST, TABLES, DriftLab

SEVERAL = ("Several breaks", "Searching ...", "Several breaks")
QUIET = ("+100 series, no change", "Watching ...", "{value} series, no change")


class OwnSeries(OwnData):
    """A table of one's own whose rows are in order of time."""

    about_it = f"Rows must be in order of time, the earliest first. {OwnData.about_it}"
    unordered: tuple[str, tuple[str, ...]] = ("", ())  # the hash of a file, and its dates that go back somewhere

    def _look(self, raw, name):
        preview = super()._look(raw, name)
        dates = [column.name for column in preview.columns if column.dates]
        self.unordered = preview.hash, tuple(column for column in dates if goes_back(raw, column))
        return preview

    def _remark(self):
        """What becomes of columns, and which dates are not in order."""
        seen, names = self.unordered
        if seen != self.preview.hash or not names:
            return super()._remark()
        back = "is not in order" if len(names) == 1 else "are not in order"
        return f"{super()._remark()} {listed(names)} {back}: sort the rows by time, the earliest first."

    def read(self) -> Any:
        """The table; a Refusal where it has fewer rows than a series."""
        table = super().read()
        if table.n < LEAST:
            rows = "1 row" if table.n == 1 else f"{table.n} rows"
            raise Refusal(f"{table.name} has {rows}. A series needs at least {LEAST}.")
        return table


def goes_back(raw: bytes, column: str) -> bool:
    """Whether a date of a file's column is earlier than that of the row before it."""
    try:
        days = read_table(raw, columns=[column], missing="drop", lenient=True).X[:, 0]
    except Refusal:  # no date is left
        return False
    return bool((np.diff(days) < 0).any())


class DriftPage(LabPage):
    """The series with its break on the left, the scan and the watchers on the right."""

    lab_class = DriftLab
    menus: ClassVar[dict[str, Chooser]] = {"level": Radio()}
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button("New series", "draw_sample", "n", "draws a new series", {"variant": "contained"}),
        "segments": Toggle(
            "Several breaks", "search", "b", "searches for several breaks", {"width": 140}, "several", SEVERAL
        ),
        "hundred": Toggle(
            "+100 series, no change", "watch", "s", "watches 100 series without a change", {"width": 180}, words=QUIET
        ),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "at": lambda result: result.lab.changes,
        "size": lambda result: result.lab.changes,
        "bandwidth": has_bandwidth,
        "segments": lambda result: not result.lab.changes,
    }
    left: Part | None = Column(Hero("series", "at", along="series", below=("legend",)))
    right: Part | None = Column("profile", "picture", Small(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Series", "size", Flow("fresh"), more=("kind", "source", "n", "seed")),
        Group("Scan", Flow("segments"), more=("kernel", "bandwidth", "null")),
        Group("Watching", more=("every", Flow("hundred"), "level")),
    )
    data: Any = Takes(OwnSeries, *BUNDLED)

    def grips(self) -> None:
        """The break."""
        figure, s, slider = self.view.hero, self.view.sources, self.sliders["at"].slider
        drag_line(figure, s["series.line"], slider, s["series.stops"], "x")

    def chosen(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu: nothing is made to change in a table, unless one asks for it."""
        changes = super().chosen(name, value)
        if name == "source" and value in TABLES:
            changes["kind"] = "none"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Take a table of one's own; nothing is made to change in another one than the link has named."""
        again = fields.get("hash") == self.lab.hash
        super().use(own, fields if again else {**fields, "kind": "none"})

    def search(self) -> None:
        """Search for several breaks, or for one again."""
        self.move("several", several=not self.lab.several)

    def watch(self) -> None:
        """Watch 100 series without a change, or none any more."""
        self.toggle("samples", 100)
