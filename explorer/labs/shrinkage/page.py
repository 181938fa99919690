"""The Shrinkage lab's page."""

from __future__ import annotations

from typing import Any

from explorer.pages.interaction.drag import drag_line
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    Column,
    Conditional,
    Group,
    Handles,
    MainPicture,
    MainSlider,
    Menu,
    PictureSlot,
    Stack,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.parameter_rows import EstimatorRows, KernelRows
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.workbench.conditions import having
from explorer.workbench.fields import draws

from .functions.values import probe_at
from .lab import LAWS, ShrinkageLab, centre_at
from .stein import mean_at

STEIN = {"source": "gaussian", "kernel": "LIN"}  # the fields that James and Stein's estimate needs
PROBED = ("values", "fits")  # the pictures of the function f = k(., t)
with_kernel, of_one_mean = having(only_stein=False), having(source=("gaussian", "student"))
WIDE = 2.0  # a bandwidth at which the exponential kernel's expectations are finite for most distributions of the lab


class ShrinkagePage(LabPage):
    """Page with losses or James-Stein's risk and controls at the left, the sample and another picture at the right."""

    lab_class = ShrinkageLab
    buttons = {
        "auto": AutoButton.of("λ", "lam"),
        "fresh": Button.new_sample(when=lambda result: draws(result) or result.lab.outliers > 0),
        "hundred": Toggle.more_samples(),
    }
    handles = {
        "theta": Handles("stein.theta"),
        "point": Handles("sample.sample", "sample.weights", count=lambda result: len(result.X)),
        "blob": Handles("sample.target"),
        "t": Handles(*(f"{name}.probe" for name in PROBED)),
    }
    menus = {"kernel": Menu(lambda lab: lab.kernels_that_fit())}
    left = Column(
        MainPicture(
            PictureSlot("loss"),
            Stack(
                Conditional(with_kernel, MainSlider("lam", "auto", along="loss")),
                Conditional(of_one_mean, MainSlider("mean")),
            ),
        )
    )
    right = Column(
        "sample",
        Conditional(with_kernel, "picture"),
        PictureSlot(),
        Conditional(having(only_stein=False, picture="errors"), "delta"),
        Conditional(having(only_stein=False, picture=PROBED), "probe"),
        flex="1 1 340px",
    )
    groups = (
        Group(
            "Sample",
            "n",
            WrapRow("fresh"),
            more=(WrapRow("hundred"), "source", "d", "df", "outliers", "distance", "kind", "seed"),
        ),
        Group("Kernel", "bandwidth", more=("kernel", KernelRows(ShrinkageLab))),
        Group(
            "Estimators",
            more=(
                "estimators",
                "filter",
                "target",
                "weights",
                "selection",
                "multiples",
                "bayesian",
                "beside",
                EstimatorRows(ShrinkageLab, "beside"),
            ),
        ),
    )
    data = UserDataSection(Columns(grams=True))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu's choice.

        No loss is finite under a narrow exponential kernel, so that kernel comes with a wide bandwidth. James and Stein
        estimate the mean of one Gaussian.
        """
        changes = super().on_choice(name, value)
        if name == "kernel" and self.lab.kernel != value == "EXP" and self.lab.source in LAWS:
            changes["bandwidth"] = max(self.lab.bandwidth, WIDE)
        if name == "estimators" and value == "james-stein":
            changes |= STEIN
        elif value != STEIN.get(name, value):
            changes["estimators"] = "kernel"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Load the user's data. The page then shows S-KMSE and F-KMSE."""
        super().use(own, {**fields, "estimators": "kernel"})

    def connect_drag_handles(self) -> None:
        """Connect the line of λ, the true mean under James-Stein's risk, the points of the sample, and the blob."""
        super().connect_drag_handles()
        s, slider = self.view.sources, self.sliders["lam"].slider
        drag_line(self.view.figures["loss"], s["loss.line"], slider, s["loss.curves"], "lam")

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """Handle a drag of a point of the sample, of the blob, or of the true mean."""
        if name == "point":
            super().on_point(name, row, x, y)
        elif name == "blob":
            self.move(name, target_at=centre_at(x, y))
        elif name == "theta":
            self.move(name, mean=mean_at(x, self.lab.d, self.lab.n))
            self._put_back("stein.theta")
        else:
            self.move(name, probe=probe_at(x, self.result.drawn.X))
            self._put_back(f"{self.lab.picture}.probe")

    def _put_back(self, name):
        """Move a dot that the browser has dragged off its curve back to the curve."""
        here: Any = self.view.sources[name]
        here.data = dict(here.data)

    def slider_start(self, name: str) -> float | None:
        """Return S-KMSE's choice of λ. The slider starts there if λ is automatic."""
        return min(max(self.result.simple.chosen, 1e-4), 1e2) if name == "lam" else None
