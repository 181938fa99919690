"""Page of the Drift lab."""

from __future__ import annotations

from explorer.pages.interaction.drag import drag_line
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Group,
    MainPicture,
    PictureSlot,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.pages.user_data.time_column import TimeColumn
from explorer.workbench.conditions import having

from .lab import LEAST, DriftLab

OPEN = 1000  # the page opens with this many rows of the user's table: more would be slow to follow the controls
SEVERAL = ("Several breaks", "Searching ...", "Several breaks")
QUIET = ("+100 series, no change", "Watching ...", "{value} series, no change")


class DriftPage(LabPage):
    """The series with its break on the left, the scan and the watchers on the right."""

    lab_class = DriftLab
    buttons = {
        "fresh": Button.new_sample("New series", "draws a new series"),
        "segments": Toggle(
            "Several breaks",
            "",
            "b",
            "searches for several breaks",
            {"width": 140},
            "several",
            SEVERAL,
            value=True,
            when=having(changes=False),
        ),
        "hundred": Toggle(
            "+100 series, no change", "", "s", "watches 100 series without a change", {"width": 180}, words=QUIET
        ),
    }
    with_table = {"kind": "none"}  # nothing is made to change in a table unless the user asks for it
    left = Column(MainPicture("series", "at", along="series", whole=True))
    right = Column("profile", "picture", PictureSlot(), flex="1 1 340px")
    groups = (
        Group("Series", "size", WrapRow("fresh"), more=("kind", "source", "n", "seed")),
        Group("Scan", WrapRow("segments"), more=("kernel", "bandwidth", "null")),
        Group("Watching", more=("every", WrapRow("hundred"), "level")),
    )
    data = UserDataSection(Columns(), TimeColumn(least=LEAST, opens=OPEN))

    def connect_drag_handles(self) -> None:
        """Make the break draggable."""
        figure, s, slider = self.view.hero, self.view.sources, self.sliders["at"].slider
        drag_line(figure, s["series.line"], slider, s["series.stops"], "x")
