"""The Independence lab as a page."""

from __future__ import annotations

from functools import cached_property

from explorer.checks import Refusal
from explorer.kernels.named import NAMED
from explorer.pages.adding import TakesPoints
from explorer.pages.declare import Button, Choice, Column, Flow, Fold, Menu, Pair, Small, Toggle, When
from explorer.pages.own.pairs import OwnPairs, Roles
from explorer.pages.page import LabPage
from explorer.workbench.by_hand import moved_to
from explorer.workbench.peer import has_dcor

from .lab import DRAFT, SHAPES, TABLES, IndependenceLab

SOURCES = {
    "a ring": "ring", "two crossing lines": "cross", "a sine": "sine", "a fan": "fan", "a line": "line",
    "independent": "none", "drawn by hand": "drawn", "Eckerle4": "eckerle4", "wine": "wine", "wdbc": "wdbc",
    "your data": "file",
}  # fmt: skip
PICTURES = {
    "f,\u00a0g": "pair", "Gram": "gram", "measures": "measures", "ranks": "ranks", "power": "power",
    "columns": "columns",
}  # fmt: skip
FRESH = ("+100 samples", "Testing ...", "{value} samples")
DCOR = ("Ask dcor too", "Asking dcor ...", "dcor was asked")
LIVE = 100  # rows of a bundled table that the page opens with


def _has_bandwidth(result):
    return NAMED[result.lab.kernel].has_bandwidth


class IndependencePage(TakesPoints, LabPage):
    """Pairs and controls on the left, the null distribution and a smaller picture on the right."""

    lab_class = IndependenceLab
    labels = {  # noqa: RUF012, read only
        "noise": "noise of the shape",
        "bandwidth": "bandwidth × median",
        "sigma": "σ × median",
        "n": "n pairs",
        "waves": "waves of the sine",
        "rank": "rank of the kernels",
    }
    menus = {  # noqa: RUF012, read only
        "kernel": Choice("kernel"),
        "picture": Choice("picture", PICTURES),
        "source": Menu("pairs of", SOURCES, 185),
        "level": Choice("level", word="level"),
        "permutations": Choice("permutations", word="permutations"),
    }
    buttons = {  # noqa: RUF012, read only
        "fresh": Button("New sample", "draw_sample", "n", "draws new pairs", {"variant": "contained"}),
        "hundred": Toggle("+100 samples", "repeat", "s", "tests 100 fresh samples", {"width": 118}, words=FRESH),
        "once": Button("One shuffle", "shuffle", "b", "permutes the pairing once", {"icon": "shuffle"}),
        "auto": Button("auto σ", "leave", "a", "leaves σ to leave-one-out"),
        "canvas": Button("Draw your own", "canvas", options={"icon": "draw"}),
        "removal": Button("Remove point", "remove", "Delete", "removes the chosen point", {"icon": "backspace"}),
        "ask": Toggle("Ask dcor too", "ask", options={"width": 150}, field="peer", words=DCOR),
    }
    enabled = {  # noqa: RUF012, read only
        "bandwidth": _has_bandwidth,
        "sigma": _has_bandwidth,
        "noise": lambda result: result.lab.source in SHAPES,
        "waves": lambda result: result.lab.source == "sine",
        "n": lambda result: result.lab.source != "drawn",
        "removal": lambda result: result.pairs.placed > 0,
    }
    left = Column(
        "legend",
        "sample",
        Pair("noise", "n"),
        Fold(Pair("bandwidth", "sigma")),
        Flow("kernel", Fold("auto"), Fold("seed")),
        Flow("fresh", "hundred", "once", "canvas", "removal"),
        Fold(Flow("source", "x", "y")),
    )
    right = Column(
        "null",
        Small(),
        Flow("picture", When(lambda result: result.lab.picture == "measures" and has_dcor(), "ask")),
        When(lambda result: result.lab.picture == "ranks", Pair("rank")),
        flex="2 1 360px",
    )
    folds = {  # noqa: RUF012, read only
        "Your data": ("own",),
        "More: waves of the sine, level, permutations": ("waves", Flow("level", "permutations")),
    }

    @cached_property
    def roles(self):
        """The menus of a table's columns."""
        return Roles(self.table_columns, self.recast)

    def part(self, name):
        """The menus of a table's columns, and the table of one's own."""
        if name in ("x", "y"):
            return getattr(self.roles, name)
        if name != "own":
            return super().part(name)
        self.own = OwnPairs(self.take_table, self.lab.values)
        return self.own

    def rested(self, result):
        """The menus of a table's columns follow."""
        self.roles.catch_up()

    def table_columns(self):
        """(names, those that x is, that which y is) of the table's columns; none where there is no table to show."""
        if self.lab.source in TABLES:
            try:
                names = self.lab.the_table().names
                return names, *self.lab.roles(names)
            except Refusal:  # the table stayed with its owner, or has no such column, which the page has said
                pass
        return (), [], ""

    def recast(self, x, y):
        """Other columns were chosen by hand for x or y."""
        self.move(None, x=x, y=y)
        self.rest_at_once()

    def take_table(self, table, fields):
        """Take a table of one's own; x and y stay where it is the one that the link names."""
        roles = {} if fields["hash"] == self.lab.hash else {"x": "", "y": ""}
        self.use(table, {**roles, **{name: value for name, value in fields.items() if name != "outliers"}})

    def chosen(self, name, value):
        """The fields that change with a menu: another source has other columns, and some kernels have no σ."""
        changes = super().chosen(name, value)
        if name == "kernel" and not NAMED[value].has_bandwidth:
            changes["sigma"] = 0.0
        if name == "source":
            changes |= {"x": "", "y": ""}
            if value in TABLES and value != "file":
                rows = self.lab.replace(source=value, x="", y="").the_table().n
                changes["n"] = min(rows, self.lab.n if self.lab.source in TABLES else LIVE)
        return changes

    def grips(self):
        """The pairs, and a canvas that takes more."""
        s = self.view.sources
        self.take_points({"sample": [s["sample.sample"]], "placed": [s["sample.placed"]]})

    def put(self, name, value):
        """Pairs were added to the canvas, or one was dragged or chosen there."""
        if name == "sample":
            self.move(None, moved=moved_to(self.lab.moved, *value))
        else:
            super().put(name, value)

    def repeat(self):
        """Test 100 fresh samples, and independent ones, or none any more."""
        self.toggle("samples", 100)

    def shuffle(self):
        """Look at the next permutation, after the last at none."""
        self.move(None, shuffle=(self.lab.shuffle + 1) % (min(DRAFT, self.lab.shuffles) + 1))

    def ask(self):
        """Let dcor compute the distance covariance too, or no longer."""
        self.move(None, peer=not self.lab.peer)

    def canvas(self):
        """An empty canvas."""
        self.move(None, source="drawn", placed="", selected=0, moved="", shuffle=0)

    def leave(self):
        """σ by leave-one-out, on each side its own."""
        self.move("sigma", sigma=None)

    def near(self, name):
        """σ by leave-one-out: the slider waits between those of both sides."""
        if name != "sigma" or not self.result.enough:
            return None
        a, b = (sigma / median for sigma, median in zip(self.result.sigmas, self.result.medians, strict=True))
        return max((a * b) ** 0.5, 1e-3)
