"""The Fit lab's page."""

from __future__ import annotations

import math
from typing import Any

from explorer.pages.layout.declarations import (
    BESIDE_PLANE,
    OF_PLANE,
    Button,
    Column,
    Group,
    Handles,
    MainPicture,
    Menu,
    PictureSlot,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns

from .lab import FitLab


def families(lab: FitLab) -> dict[str, str]:
    """Return the models of the menu. A link's model is among them if there is one."""
    words = type(lab).fields["family"].words
    return {word: name for word, name in words.items() if name != "given" or lab.given}


def components(result: Any) -> int:
    """Return the number of the model's components."""
    return len(result.model.means)


class FitPage(LabPage):
    """Page with the model over the data at the left, the null distribution and p by bandwidth at the right."""

    lab_class = FitLab
    menus = {"family": Menu(families)}
    buttons = {
        "fresh": Button.new_sample(),
        "back": Button(
            "Model back", "", "b", "puts the components that you moved back", sets={"moved": "", "width": 1.0}
        ),
    }
    handles = {name: Handles(f"plane.{name}", f"line.{name}", count=components) for name in ("centres", "rims")}
    with_table = {"family": "fitted"}
    left = Column(MainPicture(PictureSlot("main"), "bandwidth"), flex=OF_PLANE)
    right = Column("null", "picture", PictureSlot(), flex=BESIDE_PLANE)
    groups = (
        Group("Data", "n", WrapRow("fresh"), more=("source", "d", "apart", "share", "df", "seed")),
        Group("Model", "family", WrapRow("back"), more=("width", "blobs", "fitted_on")),
        Group("Test", "kernel", more=("level",)),
    )
    data = UserDataSection(Columns(needs="A model needs coordinates", uses=2))

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """Handle a drag of a centre, or of an edge, which changes the width of the whole model."""
        if name == "centres":
            return super().on_point(name, row, x, y)
        result, (low, high) = self.result, type(self.lab).fields["width"].bounds
        away = math.dist((x, y)[: result.lab.d], result.model.means[row])
        return self.move("width", width=float(f"{min(max(away / result.radii[row], low), high):.3g}"))

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Load the user's table. A link that names the table keeps its sizes and its model."""
        again = fields.get("hash") == self.lab.hash
        self.lab.own = own
        super().use(own, fields if again else {**fields, **self.lab.fitting()})
