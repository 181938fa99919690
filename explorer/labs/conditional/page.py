"""The Conditional lab as a page."""

from __future__ import annotations

import json

import numpy as np
import panel as pn
import panel_material_ui as pmui

from explorer.pages.declare import Button, Choice, Column, Flow, Fold, Menu, Pair, Small, Switch, When
from explorer.pages.handles import drag_line, drag_points
from explorer.pages.own.pairs import TakesPairs
from explorer.pages.page import LabPage
from explorer.pages.playing import Player, Plays
from explorer.pages.text import html

from .lab import MOST_CELLS, TABLES, ConditionalLab
from .words import tables

SOURCES = {
    "a banana": "banana", "a fork": "fork", "a fan": "fan", "two Gaussians": "gaussian", "wine": "wine", "wdbc": "wdbc",
    "your data": "file",
}  # fmt: skip
PATHS = {"a line": "line", "two wells": "wells", "rows of the table": "rows"}
PICTURES = {"Cut": "cut", "Bayes' rule": "bayes", "Filter": "filter", "Table": "table"}
CELL = {"size": "small", "width": 64, "margin": (2, 3)}
LOWEST = 0.05  # standard deviations: a prior that a hand makes is no narrower


def _in(*pictures):
    return lambda result: result.lab.picture in pictures


def _on_motion(result):
    return result.lab.path != "rows"


class Editor(pn.viewable.Viewer):
    """The table of counts and the prior, a box for each number. `use(counts, chances)` gets the fields' words."""

    def __init__(self, use, **params):
        super().__init__(**params)
        self._use, self._quiet, self.boxes = use, False, {}
        self.grid = pn.Column(margin=0)

    def __panel__(self):
        return self.grid

    def show(self, counts, prior):
        """Show a table (p, q) and a prior (q,), as they were given."""
        self._quiet = True
        p, q = counts.shape
        if set(self.boxes) != {(i, j) for i in range(p + 1) for j in range(q)}:
            self._make(p, q)
        for (i, j), box in self.boxes.items():
            value = f"{counts[i, j]}" if i < p else f"{prior[j]:g}"
            if box.value != value:
                box.value = value
        self._quiet = False

    def _make(self, p, q):
        self.boxes, rows = {}, []
        for i in range(p + 1):
            name = f"x = {i + 1}" if i < p else "prior"
            for j in range(q):
                box = self.boxes[i, j] = pmui.TextInput(label=f"{name}, y = {j + 1}", **CELL)
                box.param.watch(self._changed, "value")
            word = pn.pane.HTML(name, width=48, margin=(12, 4, 0, 10))
            rows.append(pn.Row(word, *(self.boxes[i, j] for j in range(q)), margin=0))
        self.grid.objects = rows

    def _changed(self, event):
        if not self._quiet:
            p, q = (k + 1 for k in max(self.boxes))
            words = [[_plain(self.boxes[i, j].value) for j in range(q)] for i in range(p)]
            self._use(json.dumps(words[:-1]), json.dumps(words[-1]))


def _plain(word):
    """The number that a word is; the word itself where it is none, which the lab refuses."""
    try:
        value = float(word)
    except ValueError:
        return word
    return int(value) if value == int(value) else value


class ConditionalPage(Plays, TakesPairs, LabPage):
    """The pairs, the path or the table on the left, what follows of them on the right."""

    lab_class, tables, played = ConditionalLab, TABLES, "step"
    labels = {  # noqa: RUF012, read only
        "at": "x that is known",
        "lam": "λ",
        "bandwidth": "bandwidth × median",
        "n": "n pairs",
        "lam_posterior": "λ̃ of the conditioning",
        "prior_gap": "humps of the prior, apart",
        "sensor": "sensor noise",
        "step": "time",
        "seen": "x seen",
    }
    boxes = {"prior_mean": "mean", "prior_sd": "sd", "seed": "seed"}  # noqa: RUF012, read only
    menus = {  # noqa: RUF012, read only
        "picture": Choice("picture", PICTURES),
        "source": Menu("pairs of", SOURCES, 170),
        "path": Menu("path of", PATHS, 170),
        "prediction": Choice("prediction", word="prediction"),
        "printed": Switch("as printed too"),
    }
    buttons = {  # noqa: RUF012, read only
        "fresh": Button("New sample", "draw_sample", "n", "draws a new sample", {"variant": "contained"}),
        "auto": Button("auto λ", "leave", "a", "leaves λ to leave-one-out"),
        "play": Player("Play", "play", "k", "plays the path, and pauses it", {"icon": "play_arrow", "width": 96}),
        "next": Button("Step", "step_on", ".", "goes one time further", {"icon": "skip_next"}),
        "more_x": Button("add x", "more_x"),
        "less_x": Button("remove x", "less_x"),
        "more_y": Button("add y", "more_y"),
        "less_y": Button("remove y", "less_y"),
    }
    enabled = {  # noqa: RUF012, read only
        "lam": _in("cut", "bayes", "filter"),
        "auto": _in("cut", "bayes", "filter"),
        "sensor": _on_motion,
        "more_x": lambda result: result.lab.table_counts.shape[0] < MOST_CELLS,
        "less_x": lambda result: result.lab.table_counts.shape[0] > 2,
        "more_y": lambda result: result.lab.table_counts.shape[1] < MOST_CELLS,
        "less_y": lambda result: result.lab.table_counts.shape[1] > 2,
    }
    left = Column(
        Flow("picture"),
        "legend",
        Small("main"),
        When(_in("table"), "editor"),
        When(_in("table"), Flow("more_x", "less_x", "more_y", "less_y")),
        When(_in("cut", "bayes"), Pair("at", "lam")),
        When(_in("filter"), Pair("step", "lam")),
        When(_in("table"), Pair("seen")),
        When(_in("cut"), Fold(Pair("bandwidth", "n"))),
        When(_in("bayes"), Fold(Pair("prior_gap", "lam_posterior"))),
        When(_in("filter"), Fold(Pair("sensor", "lam_posterior"))),
        When(_in("filter"), Flow("play", "next", Fold("path"), Fold("prediction"))),
        When(_in("bayes"), Flow("prior_mean", "prior_sd", "printed")),
        When(_in("cut", "bayes", "filter"), Flow("fresh", Fold("auto"), Fold("source"), Fold("seed"))),
        Fold(Flow("x", "y")),
    )
    right = Column(Small("beside"), Small("below"), When(_in("table"), "operators"), flex="2 1 360px")
    folds = {"Your data": ("own",)}  # noqa: RUF012, read only

    def part(self, name):
        """The table's editor, and its operators."""
        if name == "editor":
            self.editor = Editor(lambda counts, chances: self.move(None, counts=counts, chances=chances))
            return self.editor.grid
        if name == "operators":
            self.operators = html("")
            return self.operators
        return super().part(name)

    def shown(self, result):
        """The table's boxes and operators follow."""
        if result.lab.picture == "table":
            self.editor.show(result.lab.table_counts, np.array(json.loads(result.lab.chances)))
            self.operators.object = tables(result)

    def grips(self):
        """The line at x, that of λ, and the handles of the prior."""
        s, figures = self.view.sources, self.view.figures
        drag_line(figures["cut"], s["cut.line"], self.sliders["at"].slider, s["cut.stops"], "x")
        drag_line(figures["score"], s["score.line"], self.sliders["lam"].slider, s["score.score"], "x")
        drag_points(figures["bayes"], {"handles": [s["bayes.handles"]]}, self.pacer)

    def put(self, name, value):
        """The prior's mean, its end, or x was dragged."""
        row, x, y = value
        (mean_x, sd_x), (mean_y, sd_y) = self.result.units
        if row == 2:
            self.move("at", at=_rounded((x - mean_x) / sd_x))
        elif row == 0:
            self.move("prior_mean", prior_mean=_rounded((y - mean_y) / sd_y))
        else:
            sd = (y - mean_y) / sd_y - self.lab.prior_mean
            self.move("prior_sd", prior_sd=max(_rounded(abs(sd)), LOWEST))

    def take_table(self, table, fields):
        """Take a table of one's own, as a path where one is shown."""
        super().take_table(table, fields)
        if self.lab.picture == "filter" and self.lab.source == "file":
            self.move(None, path="rows", n=max(5, int(0.7 * table.n) - 1))

    def leave(self):
        """λ by leave-one-out."""
        self.move("lam", lam=None)

    def near(self, name):
        """λ by leave-one-out: the slider waits there."""
        return self.result.lam if name == "lam" and self.result.lab.picture != "table" else None

    def more_x(self):
        """One more x, seen once with every y."""
        counts = self.lab.table_counts
        self._resize(np.vstack([counts, np.ones((1, counts.shape[1]), dtype=int)]))

    def less_x(self):
        """The last x is gone."""
        self._resize(self.lab.table_counts[:-1])

    def more_y(self):
        """One more y, seen once with every x."""
        counts = self.lab.table_counts
        self._resize(np.column_stack([counts, np.ones(len(counts), dtype=int)]), [1])

    def less_y(self):
        """The last y is gone."""
        self._resize(self.lab.table_counts[:, :-1])

    def _resize(self, counts, more=()):
        p, q = counts.shape
        chances = [*json.loads(self.lab.chances), *more][:q]
        fields = {"counts": json.dumps(counts.tolist()), "chances": json.dumps(chances)}
        self.move(None, **fields, seen=min(self.lab.seen, p))


def _rounded(value):
    """To three digits after the point: a hand has no more."""
    return round(float(value), 3)
