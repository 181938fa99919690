"""Page of the DNA lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.pages.interaction.select_cell import pick_cells
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Group,
    MainPicture,
    Menu,
    Radio,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.markup_pane import html
from explorer.pages.layout.theme import NARROW
from explorer.pages.page import LabPage
from explorer.pages.user_data.strings import Strings

from .lab import DnaLab, pair_at
from .lab import groups as named_classes
from .words import equation, letters

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

    from .result import DnaResult


# the square is as large as the column allows next to its names and its colour bar
TALL = f"""
:host {{ --tall: clamp(300px, min(max(58vh, var(--share)), 37vw), 900px); }}
{NARROW} {{ :host {{ --tall: 74vw; }} }}
"""


class DnaPage(LabPage):
    """The Gram matrix and the sliders on the left, both tests, the profile and a pair of reads on the right."""

    lab_class = DnaLab
    sums: Text
    pair: Text
    menus = {"picture": Radio(), "level": Menu()}
    buttons = {
        "fresh": Button.new_sample("Other reads", "draws other reads", when=None),
        "hundred": Toggle("+100 samples", "", "s", "draws 100 more samples", {"width": 118}),
    }
    left = Column(MainPicture("gram", "contaminated"), flex="1 1 500px")
    right = Column("tests", "sums", "profile", flex="1 1 480px")
    groups = (
        Group(
            "Reads",
            "n",
            WrapRow("fresh"),
            more=(WrapRow("hundred"), "source", "classes", "compare", "picture", "kind", "longer", "seed"),
        ),
        Group(
            "Kernel and tests",
            "decay",
            more=("length", "normalized", "blocks", "shuffles", "flips", "method", "level"),
        ),
        Group("Selected pair of reads", "pair"),
    )
    data = UserDataSection(Strings(named_classes), examples=("synthetic",))

    def part(self, name: str) -> Any:
        """Return a part of the page, here also MMD² as a sum and a pair of reads letter by letter."""
        if name == "sums":
            self.sums = html("", min_height=52)
            return self.sums
        if name == "pair":
            self.pair = html("", min_height=110)
            return self.pair
        return super().part(name)

    def on_result(self, result: DnaResult) -> None:
        """Show MMD² with every result."""
        self.sums.object = equation(result)

    def on_idle(self, result: DnaResult) -> None:
        """Show the letters of the pair once the page is idle."""
        self.pair.object = letters(result)

    def connect_drag_handles(self) -> None:
        """Make the cells of the Gram matrix selectable, and the picture taller, so that its square is large."""
        figure = self.view.figures["gram"]
        figure.stylesheets = [*figure.stylesheets, TALL]
        pick_cells(self.view.pictures["gram"].plot, self.pacer, "cell", self.view.sources["gram.gram"])

    def on_drag(self, name: str, value: Any) -> None:
        """Show the two reads of a pressed cell at once."""
        drawn = self.result.drawn
        there = (
            isinstance(value, list) and len(value) == 2 and all(type(k) is int and 0 <= k < len(drawn) for k in value)
        )
        if name == "cell" and there:  # the picture may have changed since the browser sent the request
            row, column = drawn[value]
            self.move(name, pair=pair_at(row, column, self.result.n))
            self.on_idle(self.result)

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu; the user's reads are only selected again if still named."""
        strings = self.lab.own
        if name == "source" and strings is not None and strings.hash == self.lab.hash:
            return {name: value}
        return super().on_choice(name, value)
