"""The Adaptation lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.declare import Button, Column, Flow, Group, Hero, Part, Small, When
from explorer.pages.handles import drag_points, dragged, telling
from explorer.pages.own.samples import TakesSamples
from explorer.workbench.fields import draws

from .lab import USUAL, AdaptationLab

SOURCES = {
    "covariate shift": "covariate", "target shift": "target", "location-scale": "location-scale",
    "concept shift": "concept", "wine": "wine", "wdbc": "wdbc", "your data": "file",
}  # fmt: skip
NARROW = 0.25  # × median: maps are found by a kernel that is narrower than the classes
PICTURES = {"Weights": "weights", "Bound\u00a0B": "bound", "20\u00a0samples": "samples", "Domains": "domains"}


class AdaptationPage(TakesSamples):
    """Source, target and lines on the left, the error over the shift and the weights on the right."""

    lab_class = AdaptationLab
    sides: tuple[str, str] = ("learn from", "use on")
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button("New samples", "draw_sample", "n", "draws new samples", {"variant": "contained"}),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": lambda result: draws(result) or result.lab.picture == "domains",
        "bound": lambda result: result.lab.bounded,
        "shift": lambda result: result.lab.change is not None,
        "domains": lambda result: result.lab.change is not None,
    }
    left: Part | None = Column(Hero(Small("main"), "shift", below=("legend",)))
    right: Part | None = Column(Small("beside"), "picture", Small(), Small("below"), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Samples", Flow("fresh"), more=("source", "pairs", "n", "m", "seed")),
        Group("Remedy", "remedy", "bound", more=("bandwidth",)),
        When(lambda result: result.lab.picture == "domains", Group("Domains", "domains", "size")),
    )
    data = "own"

    def chosen(self, name: str, value: Any) -> dict[str, Any]:
        """Also the remedy that a change asks for."""
        changes = super().chosen(name, value)
        if name == "source" and value in USUAL:
            changes["remedy"] = USUAL[value]
        if changes.get("remedy") == "maps":
            changes["bandwidth"] = NARROW
        return changes

    def grips(self) -> None:
        """The target."""
        drag_points(self.view.figures["plane"], {"target": [self.view.sources["plane.grip"]]}, self.pacer)

    @telling
    def put(self, name: str, value: Any) -> None:
        """The target was dragged to a place."""
        if name == "target" and self.lab.change:
            _, x, _ = dragged(value, 1)
            self.move("shift", shift=round(min(max(x, -20.0), 20.0), 3))
