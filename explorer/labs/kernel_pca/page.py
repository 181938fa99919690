"""Page of the Kernel PCA lab."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.drag import drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    Part,
    PictureSlot,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.parameter_rows import EstimatorRows, KernelRows
from explorer.pages.page import LabPage
from explorer.pages.user_data.table_widget import UserTable
from explorer.workbench.fields import BUNDLED, draws
from explorer.workbench.kernels import has_bandwidth, kernel_is_free
from explorer.workbench.user_points import moved_to

from .lab import KernelPCALab

VARIANTS = {
    "nothing (KPCA)": "KPCA", "the centre, S-KMSE": "S-centred", "the centre, F-KMSE": "F-centred",
    "the operator, S-COSE": "S-COSE", "the operator, F-COSE": "F-COSE",
}  # fmt: skip


def _clusters(result: Any) -> bool:
    """Return whether clusters are selected."""
    return result.lab.picture == "clusters"


class KernelPCAPage(LabPage):
    """The component over the plane on the left, the pictures that depend on it on the right."""

    lab_class = KernelPCALab
    boxes: tuple[str, ...] = ("samples", "seed")
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample(),
        "auto": AutoButton.of("λ", "lam"),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "bandwidth": has_bandwidth,
        "kernel": kernel_is_free,
        "noise": lambda result: result.lab.toy,
        "lam": lambda result: result.lab.shrinks,
        "auto": lambda result: result.lab.shrinks,
    }
    left: Part | None = Column(MainPicture("plane", "bandwidth", below=("legend",)))
    right: Part | None = Column(
        PictureSlot("beside"),
        "picture",
        PictureSlot(),
        Conditional(_clusters, WrapRow("clusters", "between")),
        flex="1 1 340px",
    )
    groups: tuple[Any, ...] = (
        Group("Sample", "n", WrapRow("fresh"), more=("source", "noise", "samples", "seed")),
        Group("Components", "component", more=("kept", "kernel", KernelRows(KernelPCALab))),
        Group("Shrinkage", more=("variant", EstimatorRows(KernelPCALab, "variant"), "lam", WrapRow("auto"))),
    )
    data: Any = UserDataSection(UserTable, *BUNDLED, grams=True)

    def connect_drag_handles(self) -> None:
        """Make the points of the sample and the cross draggable."""
        s = self.view.sources
        points = {"point": [s["plane.sample"]], "probe": [s["plane.probe"], s["plane.way"]]}
        drag_points(self.view.hero, points, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Move a point of the sample, or the cross, to the place where the user dropped it."""
        if name == "point":
            self.move(name, moved=moved_to(self.lab.moved, *parse_drag(value, len(self.result.X))))
        elif name == "probe":
            _, *place = parse_drag(value, 1)
            self.move(name, at=json.dumps([float(f"{each:.6g}") for each in place]))

    def slider_start(self, name: str) -> float | None:
        """Return the start of λ's slider: the λ of leave-one-out."""
        return self.result.lam if name == "lam" else None
