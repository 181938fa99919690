"""The Independence lab as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from explorer.pages.interaction.add_points import TakesPoints
from explorer.pages.interaction.drag import parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    ChoiceWidget,
    Column,
    Conditional,
    Group,
    MainPicture,
    Part,
    PictureSlot,
    Radio,
    Toggle,
    WrapRow,
)
from explorer.pages.user_data.column_roles import TakesPairs
from explorer.workbench.dcor_check import has_dcor
from explorer.workbench.fields import draws
from explorer.workbench.kernels import has_bandwidth
from explorer.workbench.user_points import moved_to

from .lab import DRAFT, DRAWN, TABLES, IndependenceLab

FRESH = ("+100 samples", "Testing ...", "{value} samples")
ROBUST = ("RobustKME's weights", "Weighing ...", "RobustKME's weights")
DCOR = ("Ask dcor too", "Asking dcor ...", "dcor was asked")


def _draws_canonical(result: Any) -> bool:
    """Whether the canonical functions are shown."""
    return result.lab.picture == "canonical"


class IndependencePage(TakesPoints, TakesPairs):
    """Pairs and controls on the left, the null distribution and a smaller picture on the right."""

    lab_class = IndependenceLab
    tables: tuple[str, ...] = TABLES
    with_gram: ClassVar[dict[str, float]] = {"sigma": 0.0}  # only points have noise
    menus: ClassVar[dict[str, ChoiceWidget]] = {"level": Radio(), "permutations": Radio()}
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button("New sample", "draw_sample", "n", "draws new pairs", {"variant": "contained"}),
        "hundred": Toggle("+100 samples", "repeat", "s", "tests 100 fresh samples", {"width": 118}, words=FRESH),
        "once": Button("One shuffle", "shuffle", "b", "permutes the pairing once", {"icon": "shuffle"}),
        "auto": AutoButton.of("σ", "sigma"),
        "auto_eps": AutoButton("auto ε", "", fields=("eps",)),
        "canvas": Button("Draw your own", "canvas", options={"icon": "draw"}),
        "removal": Button("Remove point", "remove", "Delete", "removes the chosen point", {"icon": "backspace"}),
        "weigh": Toggle("RobustKME's weights", "weigh", options={"width": 190}, field="robust", words=ROBUST),
        "ask": Toggle("Ask dcor too", "ask", options={"width": 150}, field="peer", words=DCOR),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "bandwidth": lambda result: has_bandwidth(result) and not result.lab.by_gram[1],
        "kernel": lambda result: not result.lab.by_gram[1],
        "sigma": lambda result: result.lab.takes_noise,
        "noise": lambda result: result.lab.source in DRAWN,
        "waves": lambda result: result.lab.source == "sine",
        "n": lambda result: result.lab.source != "drawn",
        "removal": lambda result: result.pairs.placed > 0,
    }
    left: Part | None = Column(MainPicture("sample", "noise", below=("legend",)))
    right: Part | None = Column(
        PictureSlot("beside"),
        "picture",
        PictureSlot(),
        Conditional(_draws_canonical, WrapRow("auto_eps", "weigh")),
        Conditional(_draws_canonical, "eps"),
        Conditional(lambda result: result.lab.picture == "measures" and has_dcor(), "ask"),
        Conditional(lambda result: result.lab.picture == "ranks", "rank"),
        flex="1 1 340px",
    )
    groups: tuple[Any, ...] = (
        Group("Pairs", "n", WrapRow("fresh"), more=(WrapRow("canvas", "removal"), "source", "x", "y", "waves", "seed")),
        Group("Kernel", "bandwidth", more=("kernel", "sigma", WrapRow("auto"), "operator")),
        Group("Test", more=(WrapRow("hundred", "once"), "level", "permutations")),
    )
    data = "own"

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu: RBF alone has a σ."""
        changes = super().on_choice(name, value)
        if name == "kernel" and value != "RBF":
            changes["sigma"] = 0.0
        return changes

    def connect_drag_handles(self) -> None:
        """The pairs, and a canvas that takes more."""
        s = self.view.sources
        self.take_points({"sample": [s["sample.sample"]], "placed": [s["sample.placed"]]})

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Pairs were added to the canvas, or one was dragged or chosen there."""
        if name == "sample":
            self.move(None, moved=moved_to(self.lab.moved, *parse_drag(value, self.result.pairs.drawn)))
        else:
            super().on_drag(name, value)

    def repeat(self) -> None:
        """Test 100 fresh samples, and independent ones, or none any more."""
        self.toggle("samples", 100)

    def shuffle(self) -> None:
        """Look at the next permutation, after the last at none."""
        self.move(None, shuffle=(self.lab.shuffle + 1) % (min(DRAFT, self.lab.resamples) + 1))

    def ask(self) -> None:
        """Let dcor compute the distance covariance too, or no longer."""
        self.move(None, peer=not self.lab.peer)

    def weigh(self) -> None:
        """Let RobustKME weigh the pairs of the canonical functions, or no longer."""
        self.move(None, robust=not self.lab.robust)

    def canvas(self) -> None:
        """An empty canvas."""
        self.move(None, source="drawn", placed="", selected=0, moved="", shuffle=0)

    def automatic(self, name: str) -> float | None:
        """Each side has a σ of its own."""
        return None if name == "sigma" else super().automatic(name)

    def slider_start(self, name: str) -> float | None:
        """σ or ε by leave-one-out: the slider of σ waits between those of both sides."""
        if name == "eps" and self.result.draws_canonical and self.result.canonical is not None:
            return self.result.canonical.lam / self.result.unit
        if name != "sigma" or not self.result.enough:
            return None
        a, b = (sigma / median for sigma, median in zip(self.result.sigmas, self.result.medians, strict=True))
        return max((a * b) ** 0.5, 1e-3)
