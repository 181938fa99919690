"""The Few lab's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    MainSlider,
    Part,
    PictureSlot,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.markup_pane import Text, html
from explorer.pages.page import LabPage
from explorer.pages.user_data.table_widget import UserTable
from explorer.workbench.fields import BUNDLED, draws
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.user_points import moved_to

from .lab import FewLab
from .result import FewResult
from .words import listing

PACE = 180  # the time from one stop of the flow to the next, in milliseconds
AGAIN = ("+100 pairs", "Testing ...", "{value} pairs")


def _in(*pictures):
    return lambda result: result.lab.picture in pictures


class FewPage(LabPage):
    """Page with the chosen points or the particles at the left, their errors and how fast those fall at the right."""

    lab_class = FewLab
    list: Text
    boxes: tuple[str, ...] = ("seed",)
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample(),
        "back": Button("Points back", "put_back", "b", "puts the points that you moved back"),
        "hundred": Toggle(
            "+100 pairs", "test_more", "s", "tests 100 more pairs of samples", {"width": 130}, words=AGAIN
        ),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "back": lambda result: result.lab.moved,
        "noise": lambda result: result.lab.toy,
        "bandwidth": has_bandwidth,
    }
    left: Part | None = Column(
        PictureSlot("main"),
        Conditional(_in("criticisms"), MainSlider("m")),
        Conditional(_in("test"), MainSlider("shift", pace=PACE)),
        Conditional(_in("flow"), MainSlider("steps", pace=PACE)),
        "legend",
    )
    right: Part | None = Column(PictureSlot("beside"), "picture", PictureSlot(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Sample", "n", WrapRow("fresh"), more=("source", "noise", "seed")),
        Group("Kernel", "bandwidth", more=("kernel",)),
        Conditional(_in("criticisms"), Group("Chosen points", "method", WrapRow("back"))),
        Conditional(_in("test"), Group("Level and power", WrapRow("hundred"))),
        Conditional(_in("flow"), Group("Flow", "spread")),
    )
    folds: ClassVar[dict[str, tuple[str, ...]]] = {"Prototypes and criticisms, row by row": ("listing",)}
    data: Any = UserDataSection(UserTable, *BUNDLED)

    def part(self, name: str) -> Any:
        """Return a part of the page, among them the list of prototypes and criticisms."""
        if name == "listing":
            self.list = html("")
            return self.list
        return super().part(name)

    def on_section_opened(self, result: FewResult) -> None:
        """Update the list of prototypes and criticisms."""
        self.list.object = listing(result)

    def connect_drag_handles(self) -> None:
        """Connect the chosen points."""
        drag_points(self.view.figures["plane"], {"point": [self.view.sources["plane.chosen"]]}, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Handle a drag of a chosen point."""
        if name == "point":
            self.move(name, moved=moved_to(self.lab.moved, *parse_drag(value, len(self.result.look.points))))

    def put_back(self) -> None:
        """Move the chosen points back to where the method has them."""
        self.move(None, moved="")

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu's choice. The flow needs the gradient of an RBF kernel."""
        changes = super().on_choice(name, value)
        if name == "picture" and value == "flow":
            changes["kernel"] = "RBF"
        return changes

    def test_more(self) -> None:
        """Test 100 more pairs of samples, or remove these tests."""
        self.toggle("samples", 100)
