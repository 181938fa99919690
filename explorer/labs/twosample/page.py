"""Page of the Two-sample lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.languages import bind_language
from explorer.pages.interaction.drag import drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    PictureSlot,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.parameter_rows import EstimatorRows, KernelRows
from explorer.pages.user_data.group_column import SCALES, two_samples
from explorer.pages.user_data.two_samples_page import TakesSamples
from explorer.workbench.conditions import having
from explorer.workbench.fields import draws
from explorer.workbench.two_samples import with_dropped
from explorer.workbench.user_points import moved_to

from .lab import TwoSampleLab
from .result import MOST

if TYPE_CHECKING:
    from .result import TwoSampleResult


CHECKS = 200  # repetitions that the self-check button asks for


class TwoSamplePage(TakesSamples):
    """The samples on the left, the null distribution and a smaller picture on the right."""

    lab_class = TwoSampleLab
    without: list[pmui.Button]  # one button per influential row
    buttons = {
        "fresh": Button.new_sample(
            "New samples", "draws new samples", lambda result: draws(result) or result.lab.outliers > 0
        ),
        "check": Toggle(
            "Self-check",
            "check",
            "s",
            "checks the test itself",
            {"width": 118},
            words=("Self-check", "Checking ...", "{value} checks"),
        ),
        "back": Button("Put the rows back", "put_back", options={"variant": "contained"}),
    }
    left = Column(MainPicture(PictureSlot("sample"), "bandwidth"), flex="1.3 1 520px")
    right = Column(
        "null",
        "picture",
        PictureSlot(),
        Conditional(having(picture="rank"), "rank"),
        Conditional(having(picture="rank"), "approximation"),
        Conditional(lambda result: result.lab.dropped, "back"),
        "without",
        flex="1 1 400px",
    )
    groups = (
        Group(
            "Samples",
            "n",
            WrapRow("fresh"),
            more=("pairs", "m", "seed"),
        ),
        Group("Distributions", "size", more=("source", "outliers", "distance", "d")),
        Group("Kernel", more=("kernel", KernelRows(TwoSampleLab))),
        Group(
            "Test",
            more=(
                WrapRow("check"),
                "statistic",
                "block",
                "estimator",
                EstimatorRows(TwoSampleLab),
                "level",
                "permutations",
            ),
        ),
    )
    data = UserDataSection(*two_samples(grams=True, scales=SCALES))

    def part(self, name: str) -> Any:
        """Return a part of the page, here also the buttons that leave a row out."""
        if name == "without":
            self.without = [
                pmui.Button(
                    label="",
                    variant="outlined",
                    size="small",
                    visible=False,
                    on_click=bind_language(lambda event, place=place: self.leave_out(place)),
                )
                for place in range(MOST)
            ]
            return pn.FlexBox(*self.without, gap="6px", margin=(2, 4))
        return super().part(name)

    def connect_drag_handles(self) -> None:
        """Make the points of both samples draggable."""
        for name in ("plane", "line"):
            picture = self.view.pictures[name]
            drag_points(picture.plot, {side: [picture.sources[side]] for side in "PQ"}, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Move a point of P or of Q to the place where the user dropped it."""
        if name not in ("P", "Q"):
            return
        field, rows = f"moved_{name.lower()}", self.result.samples.drawn["PQ".index(name)]
        row, x, y = parse_drag(value, len(rows))
        if len(self.result.samples.names) == 1:
            y = 0.0
        self.move(name, **{field: moved_to(getattr(self.lab, field), rows[row], x, y)})

    def check(self) -> None:
        """Turn the self-check, which tests samples with P = Q, on or off."""
        if self.lab.samples:
            self.move("samples", samples=0)
        else:
            self.move("samples", samples=CHECKS, picture="power")

    def leave_out(self, place: int) -> None:
        """Recompute without one of the most influential rows."""
        rows = self.result.influence
        if rows and place < len(rows):
            self.move("dropped", dropped=with_dropped(self.lab.dropped, self.result.samples.word(rows[place].row)))

    def put_back(self) -> None:
        """Restore all rows that were left out."""
        self.move("dropped", dropped="")

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu, also those that a choice requires of other menus.

        Unequal weights require the biased statistic, and a table has no more points than rows.
        """
        changes = super().on_choice(name, value)
        if name == "estimator" and not self.lab.the_estimator(value).equal_weights:
            changes["statistic"] = "biased"
        if name == "statistic" and value in ("linear time", "blocks"):
            changes |= {"estimator": "KME", "samples": 0}
        return changes

    def on_idle(self, result: TwoSampleResult) -> None:
        """Update the groups of the table, and the buttons of the influential rows."""
        super().on_idle(result)
        rows = result.influence or ()
        for place, button in enumerate(self.without):
            if place < len(rows):  # set the label first: a button that is still being built ignores a change
                button.label = f"without {result.samples.rows[rows[place].row]}"
            button.visible = place < len(rows) and result.lab.picture == "influence"
