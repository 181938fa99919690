"""Page of the distributions lab."""

from __future__ import annotations

from typing import Any

from explorer.pages.interaction.drag import drag_line
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    PictureSlot,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.bag_columns import BagColumns
from explorer.pages.user_data.columns import Columns

from .lab import DistributionsLab

OPENS = {"wine": 6, "wdbc": 20}  # default number of points in a bag of a bundled table


class DistributionsPage(LabPage):
    """Page with the bags along their spread on the left, and the classifier's value on the right."""

    lab_class = DistributionsLab
    buttons = {
        "fresh": Button.new_sample("New bags", "draws new bags", lambda result: not result.whole),
        "next": Button("Next bag", "next_bag", "b", "stretches the next bag"),
        "other": Button(
            "Other class",
            "other_class",
            "c",
            "separates another class from the rest",
            when=lambda result: len(result.classes) > 1,
        ),
        "auto": AutoButton.of("λ", "lam"),
    }
    left = Column(MainPicture("clouds", "spread", along="clouds"))
    right = Column(PictureSlot("beside"), "picture", PictureSlot(), flex="1 1 340px")
    groups = (
        Group(
            "Bags",
            "n",
            WrapRow("fresh", "next"),
            more=("source", "bags", "difference", "bag", WrapRow("other"), "seed"),
        ),
        Group("Kernel means", more=("bandwidth", "estimator")),
        Conditional(lambda result: result.detects, Group("Detector", "nu")),
        Group("Learner", more=("level_two", "learner", "C", "lam", WrapRow("auto"))),
    )
    data = UserDataSection(BagColumns(), Columns(categories=False))

    def connect_drag_handles(self) -> None:
        """Connect the drag handle of the stretched bag to the slider."""
        figure, s, slider = self.view.hero, self.view.sources, self.sliders["spread"].slider
        drag_line(figure, s["clouds.line"], slider, s["clouds.way"], "x")

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the changes that follow a choice: another source has other bags, and a table's class few rows."""
        changes = super().on_choice(name, value)
        if name == "source":
            changes |= {"bag": 1, "label": ""}
            changes["learner"] = "detector" if value == "odd" else "classifier"
            if value in OPENS:
                changes["n"] = min(self.lab.n, OPENS[value])
        return changes

    def next_bag(self) -> None:
        """Stretch the next bag; after the last one follows the first."""
        self.move("bag", bag=self.lab.bag % len(self.result.drawn.bags) + 1)

    def other_class(self) -> None:
        """Separate the next class from the others."""
        if classes := self.result.classes:
            self.move(None, label=classes[(classes.index(self.result.positive_class) + 1) % len(classes)])

    def slider_start(self, name: str) -> float | None:
        """Return λ by leave-one-out as the start of its slider, or None if it is not used."""
        if name != "lam":
            return None
        if self.result.number:
            return self.result.machine.lam_
        return None if self.result.outputs is None else self.result.outputs.lam
