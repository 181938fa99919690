"""The Fit lab's page."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    Button,
    ChoiceWidget,
    Column,
    Group,
    MainPicture,
    Menu,
    Part,
    PictureSlot,
    Radio,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.table_widget import UserTable
from explorer.workbench.fields import BUNDLED, TABLES, draws
from explorer.workbench.user_points import moved_to

from .lab import FitLab


def families(lab: FitLab) -> dict[str, str]:
    """Return the models of the menu. A link's model is among them if there is one."""
    words = type(lab).fields["family"].words
    return {word: name for word, name in words.items() if name != "given" or lab.given}


def fitted(result: Any) -> bool:
    """Return whether the model is fitted to points."""
    return result.lab.family == "fitted"


class FitPage(LabPage):
    """Page with the model over the data at the left, the null distribution and p by bandwidth at the right."""

    lab_class = FitLab
    menus: ClassVar[dict[str, ChoiceWidget]] = {"level": Radio(), "family": Menu(families)}
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample(),
        "back": Button("Model back", "put_back", "b", "puts the components that you moved back"),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "back": lambda result: result.lab.moved or result.lab.width != 1,
        "df": lambda result: "student" in (result.lab.source, result.lab.family),
        "apart": lambda result: "two" in (result.lab.source, result.lab.family),
        "share": lambda result: result.lab.source == "two",
        "blobs": fitted,
        "fitted_on": fitted,
    }
    left: Part | None = Column(MainPicture(PictureSlot("main"), "bandwidth", below=("legend",)))
    right: Part | None = Column("null", "picture", PictureSlot(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Data", "n", WrapRow("fresh"), more=("source", "d", "apart", "share", "df", "seed")),
        Group("Model", "family", WrapRow("back"), more=("width", "blobs", "fitted_on")),
        Group("Test", "kernel", more=("level",)),
    )
    data: Any = UserDataSection(UserTable, *BUNDLED, needs="A model needs coordinates", uses=2)

    def connect_drag_handles(self) -> None:
        """Connect the centres and the edges of the model's components."""
        for picture in ("plane", "line"):
            held = {each: [self.view.sources[f"{picture}.{each}"]] for each in ("centres", "rims")}
            drag_points(self.view.figures[picture], held, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Handle a drag of a centre, or of an edge, which changes the width of the whole model."""
        if name not in ("centres", "rims"):
            return
        result = self.result
        row, x, y = parse_drag(value, len(result.model.means))
        if name == "centres":
            self.move(None, moved=moved_to(self.lab.moved, row, x, y))
        else:
            low, high = type(self.lab).fields["width"].bounds
            away = math.dist((x, y)[: result.lab.d], result.model.means[row])
            self.move("width", width=float(f"{min(max(away / result.radii[row], low), high):.3g}"))

    def put_back(self) -> None:
        """Reset the model to its state before the user moved it."""
        self.move(None, moved="", width=1.0)

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu's choice. A model of a table is fitted to it."""
        changes = super().on_choice(name, value)
        if name == "source" and value in TABLES:
            changes["family"] = "fitted"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Load the user's table with a model that is fitted to it. A link that names the table keeps its model."""
        again = fields.get("hash") == self.lab.hash
        self.lab.own = own
        fitting = self.lab.fitting()
        super().use(own, fields if again else {**fields, **fitting})
