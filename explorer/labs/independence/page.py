"""Page of the Independence lab."""

from __future__ import annotations

from typing import Any

from explorer.pages.interaction.add_points import TakesPoints
from explorer.pages.interaction.drag import parse_drag, show_refusals
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
from explorer.pages.user_data.pairs import pairs
from explorer.pages.user_data.pairs_page import TakesPairs
from explorer.workbench.conditions import having
from explorer.workbench.dcor_check import has_dcor
from explorer.workbench.fields import BUNDLED
from explorer.workbench.user_points import moved_to

from .lab import DRAFT, TABLES, IndependenceLab

FRESH = ("+100 samples", "Testing ...", "{value} samples")
ROBUST = ("RobustKME's weights", "Weighing ...", "RobustKME's weights")
DCOR = ("Compare with dcor", "Running dcor ...", "Compared with dcor")


class IndependencePage(TakesPoints, TakesPairs):
    """Pairs and controls on the left, the null distribution and a smaller picture on the right."""

    lab_class = IndependenceLab
    tables = TABLES
    with_gram = {"sigma": 0.0}  # a Gram matrix has no points that noise could move
    buttons = {
        "fresh": Button.new_sample(does="draws new pairs"),
        "hundred": Toggle("+100 samples", "", "s", "tests 100 fresh samples", {"width": 118}, words=FRESH),
        "once": Button("One shuffle", "shuffle", "b", "permutes the pairing once", {"icon": "shuffle"}),
        "auto": AutoButton.of("σ", "sigma"),
        "auto_eps": AutoButton("auto ε", "", fields=("eps",)),
        "canvas": Button("Draw your own", "canvas", options={"icon": "draw"}),
        "removal": Button(
            "Remove point",
            "remove",
            "Delete",
            "removes the selected point",
            {"icon": "backspace"},
            when=lambda result: result.pairs.placed > 0,
        ),
        "weigh": Toggle("RobustKME's weights", options={"width": 190}, field="robust", words=ROBUST, value=True),
        "ask": Toggle("Compare with dcor", options={"width": 170}, field="peer", words=DCOR, value=True),
    }
    left = Column(MainPicture("sample", "noise"))
    right = Column(
        PictureSlot("beside"),
        "picture",
        PictureSlot(),
        Conditional(having(picture="canonical"), WrapRow("auto_eps", "weigh")),
        Conditional(having(picture="canonical"), "eps"),
        Conditional(lambda result: result.lab.picture == "measures" and has_dcor(), "ask"),
        Conditional(having(picture="ranks"), "rank"),
        flex="1 1 340px",
    )
    groups = (
        Group("Pairs", "n", WrapRow("fresh"), more=(WrapRow("canvas", "removal"), "source", "x", "y", "waves", "seed")),
        Group("Kernel", "bandwidth", more=("kernel", "sigma", WrapRow("auto"), "operator")),
        Group("Test", more=(WrapRow("hundred", "once"), "level", "permutations")),
    )
    data = UserDataSection(*pairs(), examples=("eckerle4", *BUNDLED))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu: only RBF has a σ."""
        changes = super().on_choice(name, value)
        if name == "kernel" and value != "RBF":
            changes["sigma"] = 0.0
        return changes

    def connect_drag_handles(self) -> None:
        """Make the pairs draggable, and the canvas ready for more."""
        s = self.view.sources
        self.take_points({"sample": [s["sample.sample"]], "placed": [s["sample.placed"]]})

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Add pairs to the canvas, or move or select one, as the user did there."""
        if name == "sample":
            self.move(None, moved=moved_to(self.lab.moved, *parse_drag(value, self.result.pairs.drawn)))
        else:
            super().on_drag(name, value)

    def shuffle(self) -> None:
        """Show the next permutation, and none after the last."""
        self.move(None, shuffle=(self.lab.shuffle + 1) % (min(DRAFT, self.lab.resamples) + 1))

    def canvas(self) -> None:
        """Start with an empty canvas."""
        self.move(None, source="drawn", placed="", selected=0, moved="", shuffle=0)

    def automatic(self, name: str) -> float | None:
        """Return the automatic value of a field, None for σ, which each side chooses itself."""
        return None if name == "sigma" else super().automatic(name)

    def slider_start(self, name: str) -> float | None:
        """Return the start of a slider: the ε of leave-one-out, or a σ between those of both sides."""
        if name == "eps" and self.result.draws_canonical and self.result.canonical is not None:
            return self.result.canonical.lam / self.result.unit
        if name != "sigma" or not self.result.enough:
            return None
        a, b = (sigma / median for sigma, median in zip(self.result.sigmas, self.result.medians, strict=True))
        return max((a * b) ** 0.5, 1e-3)
