"""The Marginalized lab's page."""

from __future__ import annotations

import math
from typing import Any

from explorer.checks import Refusal
from explorer.markup import markup
from explorer.pages.interaction.drag import drag_line, listen, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    AutoButton,
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
from explorer.pages.layout.markup_pane import html
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.workbench.conditions import having

from .lab import AXES, SHAPE, MarginalizedLab


class MarginalizedPage(LabPage):
    """Page with the loss over σ and controls at the left, the sample and a secondary picture at the right."""

    lab_class = MarginalizedLab
    buttons = {
        "auto": AutoButton.of("σ", "sigma", *SHAPE),
        "fresh": Button.new_sample(),
        "hundred": Toggle.more_samples(),
        "throw": Button("New copies", "throw", "d", "draws other noisy copies", {"margin": (4, 6)}),
    }
    left = Column(MainPicture("loss", "sigma", "auto", along="loss"))
    right = Column(
        "sample",
        "picture",
        PictureSlot(),
        Conditional(having(picture="dice"), "throw"),
        flex="1 1 340px",
    )
    groups = (
        Group("Sample", "n", WrapRow("fresh"), more=(WrapRow("hundred"), "source", "d", "df", "seed")),
        Group("Kernel", "bandwidth"),
        Group(
            "Noise",
            more=(
                "ground",
                "third",
                *(Conditional(having(third="full"), name) for name in AXES),
                Conditional(having(third="local"), "neighbours"),
                "heading",
                "first",
                "second",
                Conditional(lambda result: result.X.shape[1] > 2, "others"),
            ),
        ),
    )
    data = UserDataSection(Columns(needs="Noise is put on coordinates"))

    def part(self, name: str) -> Any:
        """Return a part of the page, among them the heading of the sliders of MMKME's noise."""
        if name == "heading":
            heading = "MMKME: the σ of each coordinate, as a multiple of σ"
            return html(markup("<div class='trust'>{}</div>", heading), margin=0)
        return super().part(name)

    def connect_drag_handles(self) -> None:
        """Connect the line of σ, the ends of the ellipse's axes, and the rims of the discs."""
        s, slider = self.view.sources, self.sliders["sigma"].slider
        drag_line(self.view.hero, s["loss.line"], slider, s["loss.curves"], "sigma")
        listen(
            self.view.figures["sample"],
            "rim.noise",
            discs=s["sample.discs"],
            stops=s["loss.curves"],
            slider=slider,
            sources=[s["sample.axes"]],
            groups=[[0]],
            names=["axis"],
            request=self.pacer.request,
        )

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Handle a drag of an end of the ellipse's long or short axis."""
        if name == "axis":
            row, *place = parse_drag(value, 2)
            self.move(name, **axes_at(self.result, row, place))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu's choice. Only one source has a known measurement error."""
        changes = super().on_choice(name, value)
        if name == "third" and value == "known":
            changes["source"] = "measured"
        elif name == "source" and value != "measured" and self.lab.third == "known":
            changes["third"] = "none"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Load the user's data, whose measurement error is unknown."""
        super().use(own, {**fields, **({"third": "none"} if self.lab.third == "known" else {})})

    def throw(self) -> None:
        """Draw new noisy copies."""
        self.move(None, dice=self.lab.dice + 1, picture="dice")

    def slider_start(self, name: str) -> float | None:
        """Return the automatic choice of a field. Its slider starts there."""
        mkme, mmkme = self.result.mkme, self.result.mmkme
        if name == "sigma":
            return min(max(mkme.chosen, 1e-2), 3.0)
        if name in AXES:
            return _axis_start(self.result, name)
        if name not in SHAPE:
            return None
        shape = mmkme.deviations[-1] / (mmkme.chosen * self.result.unit or 1.0)
        place = SHAPE.index(name)
        share = shape[place:] if name == "others" else shape[place : place + 1]
        return min(max(float(share.mean()), 0.05), 5.0) if len(share) else None


def axes_at(result: Any, row: int, place: Any) -> dict[str, float]:
    """Return the fields of the ellipse whose long axis (row 0) or short axis (row 1) ends at a point, to three digits.

    σ is fixed. If leave-one-out chose it again for each shape, the axis would move away from the pointer.
    """
    third = result.third
    if third is None or third.axes is None or not third.path.sigmas[result.row]:
        raise Refusal("Without noise, at σ = 0, the ellipse has no axes to drag; take a larger σ.")
    sigma = float(f"{third.path.sigmas[result.row]:.3g}")
    s = sigma * result.unit
    x, y = (float(at - middle) for at, middle in zip(place, result.X.mean(axis=0)[:2], strict=True))
    long, across, _ = third.axes
    length, angle = math.hypot(x, y) / s, math.degrees(math.atan2(y, x)) - 90 * row
    long, across = (length, across) if row == 0 else (long, length)
    tilt = angle % 180.0  # an axis has no sign, so the tilt is taken modulo 180 degrees
    rounded = {"long": f"{long:.3g}", "across": f"{across:.3g}", "tilt": f"{tilt:.1f}"}
    return {"sigma": sigma, **{name: min(float(each), 1e3) for name, each in rounded.items()}}


def _axis_start(result, name):
    """Return the value at which the slider of an automatic axis starts."""
    if result.third is None or result.third.axes is None:
        return None
    value = result.third.axes[AXES.index(name)]
    return max(value, 1.0) if name == "tilt" else min(max(value, 0.05), 5.0)
