"""Page of the Drift lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_line
from explorer.pages.layout.declarations import (
    Button,
    ChoiceWidget,
    Column,
    Group,
    MainPicture,
    Part,
    PictureSlot,
    Radio,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.pages.user_data.time_column import TimeColumn
from explorer.workbench.fields import BUNDLED, TABLES, draws
from explorer.workbench.kernels import has_bandwidth

from .lab import LEAST, DriftLab

OPEN = 1000  # the page opens with this many rows of the user's table: more would be slow to follow the controls
SEVERAL = ("Several breaks", "Searching ...", "Several breaks")
QUIET = ("+100 series, no change", "Watching ...", "{value} series, no change")


class DriftPage(LabPage):
    """The series with its break on the left, the scan and the watchers on the right."""

    lab_class = DriftLab
    menus: ClassVar[dict[str, ChoiceWidget]] = {"level": Radio()}
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample("New series", "draws a new series"),
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
    left: Part | None = Column(MainPicture("series", "at", along="series", below=("legend",)))
    right: Part | None = Column("profile", "picture", PictureSlot(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Series", "size", WrapRow("fresh"), more=("kind", "source", "n", "seed")),
        Group("Scan", WrapRow("segments"), more=("kernel", "bandwidth", "null")),
        Group("Watching", more=("every", WrapRow("hundred"), "level")),
    )
    data: Any = UserDataSection(Columns(), TimeColumn(least=LEAST, opens=OPEN), examples=BUNDLED)

    def connect_drag_handles(self) -> None:
        """Make the break draggable."""
        figure, s, slider = self.view.hero, self.view.sources, self.sliders["at"].slider
        drag_line(figure, s["series.line"], slider, s["series.stops"], "x")

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu. A table is not made to change unless the user asks for it."""
        changes = super().on_choice(name, value)
        if name == "source" and value in TABLES:
            changes["kind"] = "none"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Take the user's table. Nothing is made to change in a table that the link has not named."""
        again = fields.get("hash") == self.lab.hash
        super().use(own, fields if again else {**fields, "kind": "none"})

    def search(self) -> None:
        """Search for several breaks, or for one again."""
        self.move("several", several=not self.lab.several)

    def watch(self) -> None:
        """Watch 100 series without a change, or drop them."""
        self.toggle("samples", 100)
