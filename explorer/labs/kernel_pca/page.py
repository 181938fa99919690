"""Page of the Kernel PCA lab."""

from __future__ import annotations

import json

from explorer.pages.layout.declarations import (
    BESIDE_PLANE,
    OF_PLANE,
    AutoButton,
    Button,
    Column,
    Conditional,
    Group,
    Handles,
    MainPicture,
    PictureSlot,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.parameter_rows import EstimatorRows, KernelRows
from explorer.pages.page import LabPage
from explorer.pages.user_data.columns import Columns
from explorer.workbench.conditions import having

from .lab import KernelPCALab

VARIANTS = {
    "nothing (KPCA)": "KPCA", "the centre, S-KMSE": "S-centred", "the centre, F-KMSE": "F-centred",
    "the operator, S-COSE": "S-COSE", "the operator, F-COSE": "F-COSE",
}  # fmt: skip


class KernelPCAPage(LabPage):
    """The component over the plane on the left, the pictures that depend on it on the right."""

    lab_class = KernelPCALab
    boxes = ("samples", "seed")
    buttons = {
        "fresh": Button.new_sample(),
        "auto": AutoButton.of("λ", "lam"),
    }
    handles = {
        "point": Handles("plane.sample", count=lambda result: len(result.X)),
        "probe": Handles("plane.probe", "plane.way"),
    }
    left = Column(MainPicture("plane", "bandwidth"), flex=OF_PLANE)
    right = Column(
        PictureSlot("beside"),
        "picture",
        PictureSlot(),
        Conditional(having(picture="clusters"), WrapRow("clusters", "between")),
        flex=BESIDE_PLANE,
    )
    groups = (
        Group("Sample", "n", WrapRow("fresh"), more=("source", "noise", "samples", "seed")),
        Group("Components", "component", more=("kept", "kernel", KernelRows(KernelPCALab))),
        Group("Shrinkage", more=("variant", EstimatorRows(KernelPCALab, "variant"), "lam", WrapRow("auto"))),
    )
    data = UserDataSection(Columns(grams=True))

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """Move a point of the sample, or the cross, to the place where the user dropped it."""
        if name == "probe":
            self.move(name, at=json.dumps([float(f"{each:.6g}") for each in (x, y)]))
        else:
            super().on_point(name, row, x, y)

    def slider_start(self, name: str) -> float | None:
        """Return the start of λ's slider: the λ of leave-one-out."""
        return self.result.lam if name == "lam" else None
