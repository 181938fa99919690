"""The Marginalized lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.markup import markup
from explorer.pages.declare import (
    Auto,
    Button,
    Column,
    Flow,
    Group,
    Hero,
    Part,
    Small,
    Takes,
    Toggle,
    When,
)
from explorer.pages.handles import drag_line, listen
from explorer.pages.own.table import OwnData
from explorer.pages.page import LabPage
from explorer.pages.text import html
from explorer.workbench.cost import TABLES
from explorer.workbench.fields import BUNDLED, draws

from .lab import SHAPE, MarginalizedLab


class MarginalizedPage(LabPage):
    """Loss over σ and controls on the left, sample and a small picture on the right."""

    lab_class = MarginalizedLab
    buttons: ClassVar[dict[str, Any]] = {
        "auto": Auto.of("σ", "sigma", *SHAPE),
        "fresh": Button("New sample", "draw_sample", "n", "draws a new sample", {"variant": "contained"}),
        "hundred": Toggle("+100 samples", "repeat", "s", "draws 100 more samples", {"width": 118}),
        "throw": Button("New copies", "throw", "d", "draws other noisy copies", {"margin": (4, 6)}),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "second": lambda result: result.X.shape[1] > 1,
        "d": lambda result: result.lab.source not in TABLES,
        "df": lambda result: result.lab.source == "student",
    }
    left: Part | None = Column(Hero("loss", "sigma", "auto", along="loss", below=("legend",)))
    right: Part | None = Column(
        "sample",
        "picture",
        Small(),
        When(lambda result: result.lab.picture == "dice", "throw"),
        flex="1 1 340px",
    )
    groups: tuple[Any, ...] = (
        Group("Sample", "n", Flow("fresh"), more=(Flow("hundred"), "source", "d", "df", "seed")),
        Group("Kernel", "bandwidth"),
        Group(
            "Noise",
            more=("ground", "heading", "first", "second", When(lambda result: result.X.shape[1] > 2, "others")),
        ),
    )
    data: Any = Takes(OwnData, *BUNDLED, needs="Noise is put on coordinates")

    def part(self, name: str) -> Any:
        """The words above the sliders of MMKME's noise."""
        if name == "heading":
            heading = "MMKME: the σ of each coordinate, as a multiple of σ"
            return html(markup("<div class='trust'>{}</div>", heading), margin=0)
        return super().part(name)

    def grips(self) -> None:
        """The line of σ, and the rims of the discs."""
        s, slider = self.view.sources, self.sliders["sigma"].slider
        drag_line(self.view.hero, s["loss.line"], slider, s["loss.curves"], "sigma")
        listen(self.view.figures["sample"], "rim.rim", discs=s["sample.discs"], stops=s["loss.curves"], slider=slider)

    def throw(self) -> None:
        """Other noisy copies."""
        self.move(None, dice=self.lab.dice + 1, picture="dice")

    def repeat(self) -> None:
        """Draw 100 more samples of the same distribution, or drop them."""
        if self.result.law is None:
            self.refuse(
                "samples", "The distribution behind a table is unknown, so no more samples can be drawn from it."
            )
        else:
            self.toggle("samples", 100)

    def near(self, name: str) -> float | None:
        """What is left to choose itself has its slider wait at the choice."""
        mkme, mmkme = self.result.mkme, self.result.mmkme
        if name == "sigma":
            return min(max(mkme.chosen, 1e-2), 3.0)
        if name not in SHAPE:
            return None
        shape = mmkme.deviations[-1] / (mmkme.chosen * self.result.unit or 1.0)
        place = SHAPE.index(name)
        share = shape[place:] if name == "others" else shape[place : place + 1]
        return min(max(float(share.mean()), 0.05), 5.0) if len(share) else None
