"""The Causes lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, ClassVar

from explorer.checks import Refusal
from explorer.pages.layout.declarations import (
    Button,
    ChoiceWidget,
    Column,
    Conditional,
    Group,
    MainPicture,
    Menu,
    Part,
    PictureSlot,
    Radio,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.table import UserTable
from explorer.printing import short_name
from explorer.workbench.fields import BUNDLED, draws

from .lab import COLUMNS, CausesLab

MORE = ("+100 samples", "Testing ...", "{value} samples")


def column_of(role: str) -> Callable[[Any], dict[str, Any]]:
    """The columns that a table offers for a variable, the usual one as the empty word."""

    def offered(lab: CausesLab) -> dict[str, Any]:
        if lab.toy:
            return {"": ""}
        try:
            table = lab.the_table()
            usual = dict(zip("xyz", lab.replace(**{f"column_{role}": ""}).roles(table), strict=False)).get(role)
        except Refusal:  # the table stayed with its owner, or has too few columns, which the page has said
            return {"": ""}
        return {short_name(name): "" if name == usual else name for name in table.names} | (
            {} if usual else {"none": ""}
        )

    return offered


class CausesPage(LabPage):
    """Three clouds on the left, p of the tests and the arrows that they allow on the right."""

    lab_class = CausesLab
    menus: ClassVar[dict[str, ChoiceWidget]] = {
        "level": Radio(),
        "law": Radio(),
        **{f"column_{role}": Menu(column_of(role)) for role in "xyz"},
    }
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button("New sample", "draw_sample", "n", "draws new rows", {"variant": "contained"}),
        "hundred": Toggle("+100 samples", "repeat", "s", "tests 100 more samples", {"width": 130}, words=MORE),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "hundred": lambda result: result.lab.toy,
        "noise": lambda result: result.lab.toy,
        "direct": lambda result: result.lab.toy,
        "effect": lambda result: result.lab.toy,
        "law": lambda result: result.lab.toy,
        "frequency": lambda result: result.lab.toy and result.lab.effect == "sine",
    }
    left: Part | None = Column(MainPicture("clouds", "bandwidth", below=("legend",)))
    right: Part | None = Column("pvalues", "picture", PictureSlot(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Question", "asks", more=("level",)),
        Group(
            "Rows",
            "n",
            WrapRow("fresh", "hundred"),
            more=("source", "seed", *(Conditional(lambda result: not result.lab.toy, column) for column in COLUMNS)),
        ),
        Group("Effects", "frequency", more=("effect", "noise", "direct", "law")),
    )
    data: Any = UserDataSection(UserTable, *BUNDLED, shows=itemgetter(slice(3)))

    def repeat(self) -> None:
        """Test 100 more samples, or none any more."""
        self.toggle("samples", 100)
