"""The MONK lab's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.pages.interaction.add_points import TakesPoints
from explorer.pages.interaction.drag import parse_drag, show_refusals
from explorer.pages.interaction.highlight import light_blocks
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    Pictures,
    PictureSlot,
    Stack,
    UserDataSection,
    WrapRow,
)
from explorer.pages.user_data.paired_rows import paired_sides
from explorer.pages.user_data.pairs_page import TakesSides
from explorer.workbench.conditions import having

from .lab import ITERATIONS, MonkLab, draws_others, second_factor, side

if TYPE_CHECKING:
    from explorer.datasets.columns.quantity import Quantity

    from .result import MonkLabResult


STRIPS = (0.06, 1.94)  # the heights between which an outlier may be placed
NEAREST = 0.5  # the least distance from 0 to which planted outliers can be dragged, in units of x


def _pictures(lab):
    """Return the pictures that a state may show. Errors need a known truth, which the user's pairs lack."""
    unknown = lab.laws == "file" and lab.picture != "quantiles"
    return {
        word: name for word, name in type(lab).fields["picture"].words.items() if name != "quantiles" or not unknown
    }


class MonkPage(TakesPoints, TakesSides):
    """Page with the pairs, their blocks and controls at the left, block means and a secondary picture at the right."""

    lab_class = MonkLab
    known = (("cliff", "quantiles"), "estimates")
    beside = "outliers"
    menus = {"picture": Pictures(_pictures)}
    buttons = {
        "fresh": Button.new_sample(when=draws_others),
        "dice": Button("Shuffle blocks", "permute", "b", "draws new blocks", {"icon": "casino"}),
        "on": Button("Step", "go_on", "s", "goes one step on", {"icon": "skip_next"}),
        "take": Button(
            "Remove outlier",
            "remove",
            "Delete",
            "removes the selected outlier",
            {"icon": "backspace"},
            when=having(placed=True),
        ),
        "auto": Button("Lepski's Q", "choose_blocks"),
    }
    left = Column("pairs", MainPicture("strip", "blocks"))
    right = Column(
        "values",
        "picture",
        PictureSlot(),
        Conditional(having(picture="steps"), Stack("iteration", "on")),
        flex="1 1 340px",
    )
    groups = (
        Group(
            "Pairs",
            "outliers",
            WrapRow("fresh", "take"),
            more=("distance", "laws", "x", "y", "planted", "n", "shift", "d", "seed"),
        ),
        Group("Blocks", WrapRow("dice"), more=(WrapRow("auto"), "method")),
        Group("Kernel", more=("kernel", "bandwidth")),
    )
    data = UserDataSection(*paired_sides())

    def connect_drag_handles(self) -> None:
        """Enable outliers on the canvas, and highlight a block together with its pairs."""
        s, pictures = self.view.sources, self.view.pictures
        light_blocks(pictures["strip"], pictures["pairs"], pictures["values"])
        self.take_points({"placed": [s["pairs.placed"]]}, {"planted": [s["pairs.planted"]]}, STRIPS)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Handle outliers that were added to the canvas, dragged or selected there."""
        if name == "planted":
            self._lead(*parse_drag(value, len(self.view.sources["pairs.planted"].data["x"])))
        else:
            super().on_drag(name, value)

    def _lead(self, row, x, height):
        """Move all planted outliers with the one that was dragged."""
        far = second_factor(self.lab.planted) if side(height) == "Q" else 1.0
        self.move("distance", distance=float(f"{max(x, NEAREST) / far:.6g}"))

    def quantities(self, result: MonkLabResult) -> dict[str, Quantity | None]:
        """Return the quantities of fields: the planted outliers' distance is in units of the drawn column.

        So is the bandwidth if there is no other column.
        """
        first = result.axis._replace(dates=False) if result.sides else None
        alone = first is not None and result.pairs.X.shape[1] == 1 and first.is_scaled
        return {"distance": first, "bandwidth": first if alone else None}

    def permute(self) -> None:
        """Draw other blocks."""
        self.move(None, partition=self.lab.partition + 1)

    def go_on(self) -> None:
        """Show the next iteration, and after the last the first."""
        self.move("iteration", iteration=self.lab.iteration % ITERATIONS + 1, picture="steps")

    def choose_blocks(self) -> None:
        """Set the number of blocks that Lepski's method advises, unless the user has changed the pairs by that time."""
        result = self.result

        def take(blocks: int) -> None:
            if result.pairs is self.result.pairs:
                self.move("blocks", blocks=blocks)

        self.in_thread(result.advised_blocks, take)
