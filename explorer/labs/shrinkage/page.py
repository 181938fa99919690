"""The Shrinkage lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.declare import Auto, Button, Column, Flow, Group, Hero, Part, Small, Tabs, Takes, Toggle, When
from explorer.pages.handles import drag_line, drag_points, dragged, telling
from explorer.pages.own.table import OwnData
from explorer.pages.page import LabPage
from explorer.workbench.by_hand import moved_to
from explorer.workbench.cost import TABLES
from explorer.workbench.fields import BUNDLED, draws
from explorer.workbench.kernels import has_bandwidth, kernel_is_free

from .lab import LAWS, ShrinkageLab, centre_at

WIDE = 2.0  # bandwidth under which the exponential kernel's expectations are finite for most distributions here


class ShrinkagePage(LabPage):
    """Loss over λ and controls on the left, sample and a small picture on the right."""

    lab_class = ShrinkageLab
    buttons: ClassVar[dict[str, Any]] = {
        "auto": Auto.of("λ", "lam"),
        "fresh": Button("New sample", "draw_sample", "n", "draws a new sample", {"variant": "contained"}),
        "hundred": Toggle("+100 samples", "repeat", "s", "draws 100 more samples", {"width": 118}),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": lambda result: draws(result) or result.lab.outliers > 0,
        "bandwidth": has_bandwidth,
        "kernel": kernel_is_free,
        "mean": lambda result: result.lab.source in ("gaussian", "student"),
        "d": lambda result: result.lab.source not in TABLES,
        "df": lambda result: result.lab.source == "student",
    }
    left: Part | None = Column(Hero("loss", "lam", "auto", axis=True, below=("legend",)))
    right: Part | None = Column(
        "sample",
        Tabs("picture"),
        Small(),
        When(lambda result: result.lab.picture == "errors", "delta"),
        flex="1 1 340px",
    )
    groups: tuple[Any, ...] = (
        Group(
            "Sample",
            "n",
            Flow("fresh", "hundred"),
            more=(
                "source",
                "d",
                "mean",
                "df",
                "outliers",
                "distance",
                "kind",
                "seed",
            ),
        ),
        Group("Kernel", "bandwidth", "kernel"),
        Group("Estimators", more=("filter", "target", "weights", "selection")),
    )
    data: Any = Takes(OwnData, *BUNDLED, grams=True)

    def chosen(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu: under a narrow exponential kernel no loss is finite."""
        changes = super().chosen(name, value)
        if name == "kernel" and value == "EXP" and self.lab.source in LAWS:
            changes["bandwidth"] = max(self.lab.bandwidth, WIDE)
        return changes

    def grips(self) -> None:
        """The line of λ, the points of the sample, and the blob."""
        s = self.view.sources
        drag_line(self.view.hero, s["loss.line"], self.sliders["lam"].slider, s["loss.curves"], "lam")
        points = {"point": [s["sample.sample"], s["sample.weights"]], "blob": [s["sample.target"]]}
        drag_points(self.view.pictures["sample"].plot, points, self.pacer)

    @telling
    def put(self, name: str, value: Any) -> None:
        """A point of the sample, or the blob, was dragged to a place."""
        if name == "point":
            self.move(name, moved=moved_to(self.lab.moved, *dragged(value, len(self.result.X))))
        elif name == "blob":
            _, *place = dragged(value, 1)
            self.move(name, target_at=centre_at(*place))

    def repeat(self) -> None:
        """Draw 100 more samples of the same distribution, or drop them."""
        if self.result.law is None:
            self.refuse(
                "samples", "The distribution behind a table is unknown, so no more samples can be drawn from it."
            )
        else:
            self.toggle("samples", 100)

    def near(self, name: str) -> float | None:
        """λ on automatic: the slider waits at S-KMSE's choice."""
        return min(max(self.result.simple.chosen, 1e-4), 1e2) if name == "lam" else None
