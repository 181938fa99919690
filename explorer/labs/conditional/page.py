"""Page of the conditional lab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets import NODES
from explorer.pages.interaction.drag import drag_line, drag_points, parse_drag, show_refusals
from explorer.pages.layout.declarations import (
    AutoButton,
    Button,
    Column,
    Conditional,
    Group,
    MainPicture,
    MainSlider,
    PictureSlot,
    Radio,
    Stack,
    UserDataSection,
    WrapRow,
)
from explorer.pages.layout.markup_pane import html
from explorer.pages.user_data.pairs import pairs
from explorer.pages.user_data.pairs_page import TakesPairs
from explorer.pages.widgets.number_grid import NumberGrid
from explorer.workbench.conditions import having
from explorer.workbench.fields import TABLES, draws

from .lab import LEAST, LEFT, SIDES, ConditionalLab, from_pairs
from .words import tables

if TYPE_CHECKING:
    from explorer.datasets.columns.quantity import Quantity
    from explorer.datasets.dataset import DataSet
    from explorer.pages.layout.markup_pane import Text

    from .result import ConditionalResult


PACE = 180  # time between two steps of the path, in ms
NEAR = 2.9  # largest absolute value that a dragged node can get; a node dragged beyond it is not observed
LOWEST = 0.05  # smallest standard deviation of a prior that is dragged


def _in(*pictures):
    return having(picture=pictures)


_of_numbers = _in("cut", "bayes", "filter", "tree")


class ConditionalPage(TakesPairs):
    """Page with the pairs, the path or the table on the left, and the results on the right."""

    lab_class = ConditionalLab
    tables = TABLES
    editor: NumberGrid
    operators: Text
    rules: Text
    boxes = ("prior_mean", "prior_sd", "seed")
    menus = {"prediction": Radio()}
    buttons = {
        "fresh": Button.new_sample(when=lambda result: draws(result) or result.lab.picture != "cut"),
        "auto": AutoButton.of("λ", "lam"),
        "only": Button(
            "Only this node",
            "forget_others",
            "o",
            "removes the values observed at other nodes",
            when=lambda result: len(result.lab.evidence) > 1,
        ),
        "next": Button("Step", "step_on", ".", "goes on by one time step", {"icon": "skip_next"}),
    }
    top = "picture"
    left = Column(
        MainPicture(
            PictureSlot("main"),
            Stack(
                Conditional(_in("table"), "editor"),
                Conditional(_in("cut", "bayes"), MainSlider("at")),
                Conditional(_in("filter"), MainSlider("time", "next", pace=PACE)),
                Conditional(_in("table"), MainSlider("seen")),
                Conditional(_in("tree"), MainSlider("value")),
            ),
        ),
        Conditional(_in("table"), "operators"),
    )
    right = Column(PictureSlot("beside"), PictureSlot("below"), Conditional(_in("table"), "rules"), flex="1 1 340px")
    groups = (
        Conditional(
            _of_numbers,
            Group(
                "Sample",
                "n",
                WrapRow("fresh"),
                more=(Conditional(from_pairs, "source"), Conditional(_in("filter"), "path"), "x", "y", "seed"),
            ),
        ),
        Conditional(
            _of_numbers,
            Group(
                "Kernels and λ",
                "lam",
                WrapRow("auto"),
                more=("bandwidth", Conditional(_in("bayes", "filter"), "lam_posterior")),
            ),
        ),
        Conditional(_in("bayes"), Group("Prior", "prior_gap", more=("prior_mean", "prior_sd", "printed"))),
        Conditional(_in("tree"), Group("Tree", "node", WrapRow("only"), more=("link",))),
        Conditional(_in("filter"), Group("Sensor", "sensor", more=("prediction",))),
    )
    data = UserDataSection(*pairs())

    def part(self, name: str) -> Any:
        """Return a part of the page: the table's editor, its operators, and the results of the rules."""
        if name == "editor":
            self.editor = NumberGrid(self.edit, ("x", *SIDES), ("y", *SIDES), fixed=1)
            return self.editor.parts
        if name == "operators":
            self.operators = html("")
            return self.operators
        if name == "rules":
            self.rules = html("")
            return self.rules
        return super().part(name)

    def on_result(self, result: ConditionalResult) -> None:
        """Show the result's table in the editor, and its operators."""
        if result.lab.picture == "table":
            rows = [f"x{i + 1}" for i in range(len(result.lab.table_counts))]
            numbers: Any = np.vstack([result.lab.table_counts, json.loads(result.lab.chances)])
            self.editor.show([*rows, "prior"], "y", numbers)
            self.operators.object, self.rules.object = tables(result)

    def edit(self, rows: list[list[Any]]) -> None:
        """Apply a change of the table or of its prior that the user typed."""
        counts, chances = (json.dumps(part, separators=(",", ":")) for part in (rows[:-1], rows[-1]))
        # clear earlier messages: a number that is typed back changes no field, so nothing else clears them
        self.chrome.say([])
        self.move(None, counts=counts, chances=chances, seen=min(self.lab.seen, len(rows) - 1))

    def connect_drag_handles(self) -> None:
        """Connect the drag handles: the line at x, that at λ, the nodes of the tree, and the prior."""
        s, figures = self.view.sources, self.view.figures
        drag_line(figures["cut"], s["cut.line"], self.sliders["at"].slider, s["cut.stops"], "x")
        drag_line(figures["score"], s["score.line"], self.sliders["lam"].slider, s["score.score"], "x")
        drag_points(figures["tree"], {"nodes": [s["tree.grips"]]}, self.pacer)
        drag_points(figures["bayes"], {"prior": [s["bayes.prior"]], "known": [s["bayes.known"]]}, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """Apply a drag of the prior's mean, of its end, of x, or of a node's value."""
        if name == "nodes" and self.lab.picture == "tree":
            row, x, _ = parse_drag(value, len(NODES))
            self.observe(NODES[row], x)
            return
        if self.result.units is None or name not in ("known", "prior"):
            return  # the drag arrived after its picture was replaced
        row, x, y = parse_drag(value, 1 if name == "known" else 2)
        (mean_x, sd_x), (mean_y, sd_y) = self.result.units
        if name == "known":
            self.move("at", at=_rounded((x - mean_x) / sd_x))
        elif row == 0:
            self.move("prior_mean", prior_mean=_rounded((y - mean_y) / sd_y))
        else:
            sd = (y - mean_y) / sd_y - self.lab.prior_mean
            self.move("prior_sd", prior_sd=max(_rounded(abs(sd)), LOWEST))

    def observe(self, node: str, x: float) -> None:
        """Set the value of a node whose handle was dragged. A handle dragged back to the right forgets the value."""
        value = _rounded(min(max(x, -NEAR), NEAR))
        if node == self.lab.node:
            self.move("value", value=value)
            return
        others = {each: told for each, told in self.lab.evidence.items() if each not in (node, self.lab.node)}
        if x < NEAR:
            others[node] = value
        self.move(None, others=json.dumps(others, separators=(",", ":")) if others else "")

    def forget_others(self) -> None:
        """Forget the values at other nodes."""
        self.move(None, others="")

    def use(self, own: DataSet, fields: dict[str, Any]) -> None:
        """Use the user's table. If the picture is the filter, its rows become the path."""
        known = fields["hash"] == self.lab.hash
        super().use(own, fields | ({"picture": "cut"} if fields["hash2"] else {}))
        if self.lab.picture == "filter" and self.lab.source == "file" and not known:
            self.move(None, path="rows", n=max(LEAST, min(int(0.7 * own.n), own.n - 1 - LEFT)))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the changes that follow a choice. A path that is no longer visible stops playing."""
        if name == "picture":
            self._pause()
        return super().on_choice(name, value)

    def step_on(self) -> None:
        """Go one time further along the path."""
        stops = [stop for stop in self.sliders["time"].steps if stop > self.lab.time]
        if self.lab.picture == "filter" and stops:
            self.move("time", time=stops[0])

    def _pause(self):
        for each in self.players.values():
            each.playing = False

    def quantities(self, result: ConditionalResult) -> dict[str, Quantity | None]:
        """Return the quantities of the fields for x and the prior, which are along columns of a table."""
        if result.units is None:
            return {}
        if result.lab.joint:
            return dict.fromkeys(("at", "prior_mean", "prior_sd", "prior_gap"))
        x, y = (m.over(*unit) for m, unit in zip(result.pairs.on_axes, result.units, strict=True))
        length = y._replace(centre=0.0, dates=False)
        return {"at": x, "prior_mean": y, "prior_sd": length, "prior_gap": length}

    def slider_start(self, name: str) -> float | None:
        """Return λ by leave-one-out as the start of its slider."""
        return self.result.lam if name == "lam" else None


def _rounded(value):
    """Round to three decimals, the precision of a drag."""
    return round(float(value), 3)
