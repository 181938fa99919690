"""The Few lab's page."""

from __future__ import annotations

from typing import Any

from explorer.pages.layout.declarations import (
    BESIDE_PLANE,
    OF_PLANE,
    Button,
    Column,
    Conditional,
    Group,
    Handles,
    MainPicture,
    MainSlider,
    PictureSlot,
    Stack,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.markup_pane import Text, html
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.workbench.conditions import having

from .lab import FewLab
from .result import FewResult
from .words import listing

PACE = 180  # the time from one stop of the flow to the next, in milliseconds
AGAIN = ("+100 pairs", "Testing ...", "{value} pairs")


def _in(*pictures):
    return having(picture=pictures)


class FewPage(LabPage):
    """Page with the chosen points or the particles at the left, their errors and how fast those fall at the right."""

    lab_class = FewLab
    list: Text
    buttons = {
        "fresh": Button.new_sample(),
        "back": Button("Points back", "", "b", "puts the points that you moved back", sets={"moved": ""}),
        "hundred": Toggle("+100 pairs", "", "s", "tests 100 more pairs of samples", {"width": 130}, words=AGAIN),
    }
    handles = {"point": Handles("plane.chosen", count=lambda result: len(result.look.points))}
    left = Column(
        MainPicture(
            PictureSlot("main"),
            Stack(
                Conditional(_in("criticisms"), MainSlider("m")),
                Conditional(_in("test"), MainSlider("shift", pace=PACE)),
                Conditional(_in("flow"), MainSlider("steps", pace=PACE)),
            ),
        ),
        flex=OF_PLANE,
    )
    right = Column(PictureSlot("beside"), "picture", PictureSlot(), flex=BESIDE_PLANE)
    groups = (
        Group("Sample", "n", WrapRow("fresh"), more=("source", "noise", "seed")),
        Group("Kernel", "bandwidth", more=("kernel",)),
        Conditional(_in("criticisms"), Group("Chosen points", "method", WrapRow("back"))),
        Conditional(_in("test"), Group("Level and power", WrapRow("hundred"))),
        Conditional(_in("flow"), Group("Flow", "spread")),
    )
    folds = {"Prototypes and criticisms, row by row": ("listing",)}
    data = UserDataSection(Columns())

    def part(self, name: str) -> Any:
        """Return a part of the page, among them the list of prototypes and criticisms."""
        if name == "listing":
            self.list = html("")
            return self.list
        return super().part(name)

    def on_section_opened(self, result: FewResult) -> None:
        """Update the list of prototypes and criticisms."""
        self.list.object = listing(result)

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu's choice. The flow needs the gradient of an RBF kernel."""
        changes = super().on_choice(name, value)
        if name == "picture" and value == "flow":
            changes["kernel"] = "RBF"
        return changes
