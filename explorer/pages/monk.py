"""The MONK lab as a page."""

from __future__ import annotations

import asyncio

import panel as pn
import panel_material_ui as pmui

from explorer.discrepancy import lepski
from explorer.kernels import FOUR
from explorer.labs.monk import MonkLab
from explorer.labs.monk_code import python
from explorer.labs.monk_numbers import measures, numbers, twin
from explorer.labs.monk_presets import MONK
from explorer.labs.monk_stories import MONK as STORIES
from explorer.labs.monk_words import caption, headline, headlines, told
from explorer.views.monk import MonkView
from explorer.views.monk_columns import tables
from explorer.workbench.placed import placed, second, side, words

from .adding import add_points
from .buttons import button
from .chassis import LabPage
from .narrow import abreast, flowing, folding

STRIPS = (0.06, 1.94)  # heights between which an outlier may be put
NEAREST = 0.5  # units of x from 0: as near as a hand takes planted outliers
ALWAYS_ANEW = ("steps", "embedding")  # pictures that follow Q and that no table knows

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> Each pair has a point in P's strip and one in Q's. A click in a strip puts an outlier there, in the
place of that sample's next row; drag it, also into the other strip, and take it away by the Delete key or the button.
The planted ones, which the sliders move, may be dragged as well: all go together. A triangle is an outlier beyond the
canvas. Below are the blocks: hatched ones hold an outlier, the framed one is the median. The bar counts the votes; its
mark is the half.</p> <p><b>Right.</b> The witness's mean over each block, in order, on a signed logarithmic axis that
is straight near 0. The ring is the median block, the vertical line MONK's value, the dotted line the truth; crosses are
blocks with an outlier. The grey cross is the root of the U-statistic, with its sign: U estimates MMD², is unbiased, and
may be negative. Nothing is clipped.</p> <p><b>Small pictures.</b> <i>Cliff</i>: the error over the number of planted
outliers in further samples, median and quartiles; triangles mark how many spoilt pairs can turn a vote of so many
blocks. <i>Quantiles</i>: how large the error of the mean embedding itself gets, for the plain average and for the
median of means of eq. (5); in the hatched part Theorem 1 promises nothing, as it needs more than N/2 blocks, and its
constants are recalled, not read. <i>Steps</i>: the paper's iterations. <i>Embedding</i>: both estimates of the mean
embedding beside the law's own.</p> <p><b>Choices.</b> MONK by direction takes the best of the directions to the block
means, the median over 8 partitions; BCD and BCD-Fast are the paper's Algorithms 1 and 2. Lepski's Q is the least number
of blocks whose interval meets those of all larger
ones, doubled, as the bias is largest there. Re-block shuffles the pairs anew.</p></div>"""


class MonkPage(LabPage):
    """Canvas and controls on the left, blocks and a small picture on the right."""

    title, lab_class, looked_up, explains = "MONK", MonkLab, "blocks", EXPLAINS
    presets, stories = MONK, STORIES
    labels = {  # noqa: RUF012, read only
        "blocks": "Q blocks",
        "outliers": "outliers planted",
        "distance": "distance of outliers",
        "n": "N pairs",
        "shift": "shift of Q's law, sd",
        "bandwidth": "bandwidth θ of RBF",
        "d": "d coordinates",
        "iteration": "iteration",
    }
    make_view = staticmethod(MonkView)
    tables = staticmethod(tables)
    headline, sentences = staticmethod(headline), staticmethod(headlines)
    caption = staticmethod(caption)
    python = staticmethod(python)
    numbers, twin, measures, told = (
        staticmethod(numbers),
        staticmethod(twin),
        staticmethod(measures),
        staticmethod(told),
    )

    def strokes(self, result):
        """What the legend says."""
        mine = ("BCD-Fast", "monkfast", "7 4") if result.lab.method == "bcd-fast" else ("MONK", "monk", "")
        return (
            ("U-statistic, plain average", "kme", ""),
            mine,
            ("truth", "truth", "2 3"),
            ("point of P", "kme", "filled"),
            ("of Q", "kme", "hollow"),
            ("outlier", "outlier", "cross"),
        )

    def actions(self):
        """What keys do here."""
        return {
            "n": ("draws a new sample", self.draw),
            "b": ("shuffles the blocks", self.shuffle),
            "s": ("goes one step on", self.go_on),
            "Delete": ("removes the chosen outlier", self.remove),
            **super().actions(),
        }

    def _show(self, result):
        super()._show(result)
        self.reveal(self.small, self.view.small, {result.lab.picture})
        if self.stepping.visible != (stepping := result.lab.picture == "steps"):
            self.stepping.visible = stepping

    def grips(self):
        """The canvas takes outliers."""
        s = self.view.sources
        add_points(self.view.hero, {"placed": [s["placed"]]}, {"planted": [s["planted"]]}, self.pacer, STRIPS)

    def put(self, name, value):
        """Outliers were added to the canvas, or one was dragged or chosen there."""
        points = list(placed(self.lab.placed))
        if name == "added":
            points += [tuple(point) for point in value]
            self.move("outliers", placed=words(points), selected=len(points))
        elif name == "planted":
            self._lead(*value)
        elif name == "placed" and value[0] < len(points):
            row, *place = value
            points[row] = tuple(place)
            self.move("outliers", placed=words(points), selected=row + 1)
        elif name == "chosen" and value[0] == "placed" and value[1] < len(points):
            self.move("outliers", selected=value[1] + 1)

    def _lead(self, row, x, height):
        """One of the planted outliers was dragged, and all go with it."""
        far = second(self.lab.planted) if side(height) == "Q" else 1.0
        self.move("distance", distance=float(f"{max(x, NEAREST) / far:.6g}"))

    def remove(self, event=None):
        """Take the chosen outlier away, or the last that was put by hand."""
        points = list(placed(self.lab.placed))
        if points:
            points.pop((self.lab.selected or len(points)) - 1)
            self.move("outliers", placed=words(points), selected=len(points))

    def draw(self, event=None):
        """A new sample of the same laws."""
        self.move("seed", seed=self.lab.seed + 1)

    def shuffle(self, event=None):
        """Blocks of other pairs."""
        self.move(None, partition=self.lab.partition + 1)

    def go_on(self, event=None):
        """The next iteration, from the last to the first."""
        last = type(self.lab).fields["iteration"].bounds[1]
        self.move("iteration", iteration=self.lab.iteration % last + 1, picture="steps")

    def choose_blocks(self, event=None):
        """The number of blocks that Lepski's method advises, sought in a thread where there is one to wait for it."""
        if self._doc is None:
            self._take_blocks(self.result, advised(self.result))
        else:
            self._doc.add_next_tick_callback(self.unlocked(self._advise_in_thread))

    async def _advise_in_thread(self):
        result = self.result
        blocks = await asyncio.to_thread(advised, result)
        with self.hold():
            self._take_blocks(result, blocks)

    def _take_blocks(self, result, blocks):
        """Take the advice, unless the hand has moved on to other pairs."""
        if result.pairs is self.result.pairs:
            self.move("blocks", blocks=blocks)

    def choices(self):
        """Kernel, laws, the side of the outliers, the method and the small picture, as widgets."""
        lab = self.lab
        return {
            "kernel": pmui.RadioButtonGroup(label="kernel", options=list(FOUR), value=lab.kernel, size="small"),
            "picture": pmui.RadioButtonGroup(
                label="picture",
                value=lab.picture,
                size="small",
                options={p: p for p in type(lab).fields["picture"].objects},
            ),
            "laws": pmui.Select(
                label="pairs of",
                value=lab.laws,
                size="small",
                width=185,
                options={"two normal laws": "normals", "the paper's": "paper", "Pareto(3), twice": "pareto"},
            ),
            "planted": pmui.Select(
                label="outliers in",
                value=lab.planted,
                size="small",
                width=130,
                options={"P and Q": "both", "P alone": "P", "Q alone": "Q"},
            ),
            "method": pmui.Select(
                label="MONK by",
                value=lab.method,
                size="small",
                width=150,
                options={"direction": "direction", "BCD": "bcd", "BCD-Fast": "bcd-fast"},
            ),
        }

    def layout(self, legend):
        """The pictures with their controls; the columns stand one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        fresh = button("New sample", self.draw, variant="contained")
        dice = button("Re-block", self.shuffle, icon="casino")
        self.take = button("Remove outlier", self.remove, icon="backspace")
        auto = button("Lepski's Q", self.choose_blocks)
        menus = flowing(w["laws"], w["planted"], w["method"])
        left = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            c["blocks"],
            abreast(c["outliers"], c["distance"]),
            pair := abreast(c["n"], c["shift"]),
            flowing(self.take, dice, fresh, auto, c["seed"], w["kernel"]),
            menus,
            c["seed"].trouble,
            folding(pair, auto, c["seed"].box, w["kernel"], menus),
            margin=0,
            styles={"flex": "3 1 600px", "min-width": "0"},
        )
        self.small = {
            name: pn.Column(margin=0, sizing_mode="stretch_width", visible=name == self.lab.picture)
            for name in self.view.small
        }
        on = button("Step", self.go_on, icon="skip_next")
        self.stepping = pn.Column(
            c["iteration"], on, visible=self.lab.picture == "steps", sizing_mode="stretch_width", margin=0
        )
        right = pn.Column(
            pn.pane.Bokeh(self.view.blocks, sizing_mode="stretch_width"),
            *self.small.values(),
            self.stepping,
            w["picture"],
            margin=0,
            styles={"flex": "2 1 360px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        more = pn.Column(abreast(self.controls["bandwidth"], self.controls["d"]), sizing_mode="stretch_width")
        return {"More: bandwidth, coordinates": more}

    def stops(self, result):
        """The numbers of blocks that the table has rows for."""
        return result.stops

    def _catch_up(self):
        super()._catch_up()
        if self.take.disabled != (not self.lab.placed):
            self.take.disabled = not self.lab.placed

    def _renew_table(self):
        """No table where the estimate at another Q takes an iteration, or the small picture shows Q's own."""
        if self.lab.method == "direction" and self.lab.picture not in ALWAYS_ANEW:
            super()._renew_table()
        else:
            self.sliders["blocks"].steps = self.stops(self.result)


def advised(result):
    """An odd number of blocks, as Lepski's method advises for a result's pairs and partitions."""
    pairs = result.pairs
    return lepski(pairs.X, pairs.Y, pairs.kernel, method="direction", rng=result.lab.partition).advised_odd
