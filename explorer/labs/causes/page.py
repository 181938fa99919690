"""Page of the causes lab."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from explorer.checks import Refusal
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    Menu,
    PictureSlot,
    Radio,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.printing import short_name
from explorer.workbench.conditions import having

from .lab import COLUMNS, CausesLab

MORE = ("+100 samples", "Testing ...", "{value} samples")


def column_of(role: str) -> Callable[[Any], dict[str, Any]]:
    """Return a function of the lab that lists a table's columns for a variable; the default column has value ""."""

    def offered(lab: CausesLab) -> dict[str, Any]:
        if lab.toy:
            return {"": ""}
        try:
            table = lab.the_table()
            usual = dict(zip("xyz", lab.replace(**{f"column_{role}": ""}).roles(table), strict=False)).get(role)
        # The table is not available on this machine or has too few columns. The page has already reported it.
        except Refusal:
            return {"": ""}
        return {short_name(name): "" if name == usual else name for name in table.names} | (
            {} if usual else {"none": ""}
        )

    return offered


class CausesPage(LabPage):
    """Page with three clouds on the left, and p of the tests and the allowed arrows on the right."""

    lab_class = CausesLab
    menus = {
        "law": Radio(),
        **{f"column_{role}": Menu(column_of(role)) for role in "xyz"},
    }
    buttons = {
        "fresh": Button.new_sample(does="draws new rows"),
        "hundred": Toggle("+100 samples", "", "s", "tests 100 more samples", {"width": 130}, words=MORE),
    }
    left = Column(MainPicture("clouds", "bandwidth"))
    right = Column("pvalues", "picture", PictureSlot(), flex="1 1 340px")
    groups = (
        Group("Question", "asks", more=("level",)),
        Group(
            "Rows",
            "n",
            WrapRow("fresh", "hundred"),
            more=("source", "seed", *(Conditional(having(toy=False), column) for column in COLUMNS)),
        ),
        Group("Effects", "frequency", more=("effect", "noise", "direct", "law")),
    )
    data = UserDataSection(Columns(shows=itemgetter(slice(3))))
