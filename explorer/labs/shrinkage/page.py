"""The Shrinkage lab's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_line, drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    ChoiceWidget,
    Column,
    Conditional,
    Group,
    MainSlider,
    Menu,
    Part,
    PictureSlot,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.parameter_rows import EstimatorRows, KernelRows
from explorer.pages.page import LabPage
from explorer.pages.user_data.table_widget import UserTable
from explorer.workbench.fields import BUNDLED, draws
from explorer.workbench.kernels import has_bandwidth, kernel_is_free
from explorer.workbench.user_points import moved_to

from .functions.values import probe_at
from .lab import LAWS, ShrinkageLab, centre_at
from .stein import mean_at

STEIN = {"source": "gaussian", "kernel": "LIN"}  # the fields that James and Stein's estimate needs
PROBED = ("values", "fits")  # the pictures of the function f = k(., t)
WIDE = 2.0  # a bandwidth at which the exponential kernel's expectations are finite for most distributions of the lab


def _with_kernel(result):
    """Return whether S-KMSE and F-KMSE are shown."""
    return not result.lab.only_stein


def _of_one_mean(result):
    """Return whether the distribution has a mean that the user can move."""
    return result.lab.source in ("gaussian", "student")


class ShrinkagePage(LabPage):
    """Page with losses or James-Stein's risk and controls at the left, the sample and another picture at the right."""

    lab_class = ShrinkageLab
    buttons: ClassVar[dict[str, Any]] = {
        "auto": AutoButton.of("λ", "lam"),
        "fresh": Button.new_sample(),
        "hundred": Toggle("+100 samples", "repeat", "s", "draws 100 more samples", {"width": 118}),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": lambda result: draws(result) or result.lab.outliers > 0,
        "bandwidth": has_bandwidth,
        "kernel": kernel_is_free,
        "mean": _of_one_mean,
        "d": lambda result: result.lab.toy,
        "df": lambda result: result.lab.source == "student",
        **dict.fromkeys(("lam", "auto", "filter", "target", "weights", "selection", "beside"), _with_kernel),
    }
    menus: ClassVar[dict[str, ChoiceWidget]] = {"kernel": Menu(lambda lab: lab.kernels_that_fit())}
    left: Part | None = Column(
        PictureSlot("loss"),
        Conditional(_with_kernel, MainSlider("lam", "auto", along="loss")),
        Conditional(_of_one_mean, MainSlider("mean")),
        "legend",
    )
    right: Part | None = Column(
        "sample",
        Conditional(_with_kernel, "picture"),
        PictureSlot(),
        Conditional(lambda result: _with_kernel(result) and result.lab.picture == "errors", "delta"),
        Conditional(lambda result: _with_kernel(result) and result.lab.picture in PROBED, "probe"),
        flex="1 1 340px",
    )
    groups: tuple[Any, ...] = (
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
    data: Any = UserDataSection(UserTable, *BUNDLED, grams=True)

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
        s, figures, slider = self.view.sources, self.view.figures, self.sliders["lam"].slider
        drag_line(figures["loss"], s["loss.line"], slider, s["loss.curves"], "lam")
        drag_points(figures["stein"], {"theta": [s["stein.theta"]]}, self.pacer)
        points = {"point": [s["sample.sample"], s["sample.weights"]], "blob": [s["sample.target"]]}
        drag_points(figures["sample"], points, self.pacer)
        for name in PROBED:
            drag_points(figures[name], {"t": [s[f"{name}.probe"]]}, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Handle a drag of a point of the sample, of the blob, or of the true mean."""
        if name == "point":
            self.move(name, moved=moved_to(self.lab.moved, *parse_drag(value, len(self.result.X))))
        elif name == "blob":
            _, *place = parse_drag(value, 1)
            self.move(name, target_at=centre_at(*place))
        elif name == "theta":
            _, theta, _ = parse_drag(value, 1)
            self.move(name, mean=mean_at(theta, self.lab.d, self.lab.n))
            self._put_back("stein.theta")
        elif name == "t":
            _, x, _ = parse_drag(value, 1)
            self.move(name, probe=probe_at(x, self.result.drawn.X))
            self._put_back(f"{self.lab.picture}.probe")

    def _put_back(self, name):
        """Move a dot that the browser has dragged off its curve back to the curve."""
        here: Any = self.view.sources[name]
        here.data = dict(here.data)

    def repeat(self) -> None:
        """Draw 100 more samples of the same distribution, or remove them."""
        if self.result.law is None:
            self.refuse(
                "samples", "The distribution behind a table is unknown, so no more samples can be drawn from it."
            )
        else:
            self.toggle("samples", 100)

    def slider_start(self, name: str) -> float | None:
        """Return S-KMSE's choice of λ. The slider starts there if λ is automatic."""
        return min(max(self.result.simple.chosen, 1e-4), 1e2) if name == "lam" else None
