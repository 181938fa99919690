"""Page of the adaptation lab."""

from __future__ import annotations

from typing import Any

from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    Handles,
    MainPicture,
    PictureSlot,
    UserDataSection,
    WrapRow,
)
from explorer.pages.user_data.group_column import two_samples
from explorer.pages.user_data.two_samples_page import TakesSamples
from explorer.workbench.conditions import having
from explorer.workbench.fields import draws

from .lab import USUAL, AdaptationLab

NARROW = 0.25  # bandwidth in medians: the maps need a kernel narrower than the classes


def _draws(result):
    return draws(result) or result.lab.picture in ("domains", "treatment")


def _not_treated(result):
    return result.lab.picture != "treatment"


class AdaptationPage(TakesSamples):
    """Page with source, target and lines on the left, and the error over the shift and the weights on the right."""

    lab_class = AdaptationLab
    buttons = {
        "fresh": Button.new_sample("New samples", "draws new samples", _draws),
    }
    handles = {"groups": Handles("groups.grip"), "target": Handles("plane.grip")}
    left = Column(MainPicture(PictureSlot("main"), "shift"))
    right = Column(PictureSlot("beside"), "picture", PictureSlot(), PictureSlot("below"), flex="1 1 340px")
    groups = (
        Group("Samples", WrapRow("fresh"), more=("source", "pairs", "n", "m", "seed")),
        Conditional(_not_treated, Group("Remedy", "remedy", "bound")),
        Conditional(having(picture="domains"), Group("Domains", "domains", "size")),
        Conditional(having(picture="treatment"), Group("Treatment", "effect", "hidden")),
        Group("Kernel", more=("bandwidth",)),
    )
    data = UserDataSection(*two_samples(sides=("learn from", "use on")))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the changes that follow a choice, including the default remedy for a new kind of change."""
        changes = super().on_choice(name, value)
        if name == "source" and value in USUAL:
            changes["remedy"] = USUAL[value]
        if changes.get("remedy") == "maps":
            changes["bandwidth"] = NARROW
        return changes

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """Set the shift from the position to which the target or the treated group was dragged."""
        if self.lab.change:
            x *= 2 if name == "groups" else 1  # the controls lie equally far on the other side of 0
            self.move("shift", shift=round(min(max(x, -20.0), 20.0), 3))
