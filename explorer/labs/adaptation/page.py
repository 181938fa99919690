"""Page of the adaptation lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    Part,
    PictureSlot,
    WrapRow,
)
from explorer.pages.user_data.two_samples_page import TakesSamples
from explorer.workbench.fields import draws

from .lab import USUAL, AdaptationLab

NARROW = 0.25  # bandwidth in medians: the maps need a kernel narrower than the classes


def _not_treated(result):
    return result.lab.picture != "treatment"


class AdaptationPage(TakesSamples):
    """Page with source, target and lines on the left, and the error over the shift and the weights on the right."""

    lab_class = AdaptationLab
    sides: tuple[str, str] = ("learn from", "use on")
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample("New samples", "draws new samples"),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": lambda result: draws(result) or result.lab.picture in ("domains", "treatment"),
        "bound": lambda result: result.lab.bounded,
        **dict.fromkeys(("shift", "domains", "effect", "hidden"), lambda result: result.lab.change),
    }
    left: Part | None = Column(MainPicture(PictureSlot("main"), "shift", below=("legend",)))
    right: Part | None = Column(PictureSlot("beside"), "picture", PictureSlot(), PictureSlot("below"), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Samples", WrapRow("fresh"), more=("source", "pairs", "n", "m", "seed")),
        Conditional(_not_treated, Group("Remedy", "remedy", "bound")),
        Conditional(lambda result: result.lab.picture == "domains", Group("Domains", "domains", "size")),
        Conditional(lambda result: result.lab.picture == "treatment", Group("Treatment", "effect", "hidden")),
        Group("Kernel", more=("bandwidth",)),
    )
    data = "own"

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the changes that follow a choice, including the default remedy for a new kind of change."""
        changes = super().on_choice(name, value)
        if name == "source" and value in USUAL:
            changes["remedy"] = USUAL[value]
        if changes.get("remedy") == "maps":
            changes["bandwidth"] = NARROW
        return changes

    def connect_drag_handles(self) -> None:
        """Connect the drag handles of the target and of the groups."""
        drag_points(self.view.figures["groups"], {"groups": [self.view.sources["groups.grip"]]}, self.pacer)
        drag_points(self.view.figures["plane"], {"target": [self.view.sources["plane.grip"]]}, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Set the shift from the position to which the target or the treated group was dragged."""
        if name in ("target", "groups") and self.lab.change:
            _, x, _ = parse_drag(value, 1)
            x *= 2 if name == "groups" else 1  # the controls lie equally far on the other side of 0
            self.move("shift", shift=round(min(max(x, -20.0), 20.0), 3))
