"""Page of the density lab."""

from __future__ import annotations

from typing import Any

from explorer.pages.layout.declarations import (
    EVEN,
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
from explorer.pages.layout.parameter_rows import EstimatorRows
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.workbench.conditions import having
from explorer.workbench.user_points import all_moved, moved_to

from .lab import BY_HAND, K_MEANS, LAST, DensityLab

SOURCES = {
    "mixture of four": "mixture", "Student's t": "student", "wine": "wine", "wdbc": "wdbc", "your table": "file",
}  # fmt: skip
PICTURES = {
    "Progress": "progress",
    "Components": "blobs",
    "20\u00a0samples": "samples",
    "Maximum\u00a0entropy": "entropy",
}


def _moved(result):
    """Return whether the user has moved centres, in this sample or in an earlier one."""
    return result.lab.shown_moved or result.lab.moved


class DensityPage(LabPage):
    """Page with the density and its components on the left, and the quality of the fit on the right."""

    lab_class = DensityLab
    buttons = {
        "fresh": Button.new_sample(when=None),
        "mine": Button(
            "Fit from my centres",
            "fit_mine",
            "f",
            "starts the fit at the centres that you moved",
            when=lambda result: result.lab.shown_moved,
        ),
        "back": Button(
            "Centres back",
            "",
            "b",
            "puts the centres that you moved back",
            when=lambda result: result.lab.moved,
            sets={"moved": "", "begin": K_MEANS},
        ),
    }
    handles = {"blob": Handles("plane.blobs", "line.blobs", count=lambda result: result.lab.blobs)}
    left = Column(MainPicture(PictureSlot("main"), "iteration"), flex=EVEN)
    right = Column(
        "picture",
        PictureSlot(),
        PictureSlot("below"),
        Conditional(having(picture="entropy"), "eps"),
        flex=EVEN,
    )
    groups = (
        Group("Sample", "n", WrapRow("fresh"), more=("source", "d", "df", "seed")),
        Group("Kernel mean", "estimator", more=(EstimatorRows(DensityLab), "bandwidth", "blobs")),
        Conditional(_moved, Group("Mixture", WrapRow("mine", "back"))),
    )
    data = UserDataSection(Columns(needs="A density needs coordinates", uses=2))

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Use the user's table, with enough rows held out and no more coordinates than it has."""
        self.lab.own = own
        super().use(own, {**fields, **self.lab.fitting()})

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """Move a component's centre. If the fit starts at the user's centres, the others keep the fit's positions."""
        moved = all_moved(self.result.mixture.means) if self.lab.start_moved else self.lab.moved
        self.move(None, moved=moved_to(moved, row, x, y), begin=K_MEANS)

    def fit_mine(self) -> None:
        """Start the fit at the displayed components, and show its end."""
        if self.result.lab.shown_moved:
            moved = all_moved(self.result.mixture.means)
            self.move(None, moved=moved, begin=BY_HAND, iteration=max(self.lab.iteration, LAST))
