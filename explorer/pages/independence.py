"""The Independence lab as a page."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

from explorer.labs.independence import IndependenceLab
from explorer.labs.independence_code import python
from explorer.labs.independence_numbers import measures, numbers
from explorer.labs.independence_peer import has_dcor
from explorer.labs.independence_presets import INDEPENDENCE
from explorer.labs.independence_sources import BUNDLED, SHAPES, placed, the_table
from explorer.labs.independence_stories import INDEPENDENCE as STORIES
from explorer.labs.independence_trials import DRAFT, KERNELS
from explorer.labs.independence_twin import twin
from explorer.labs.independence_words import caption, headline, headlines, told
from explorer.views.independence import IndependenceView
from explorer.views.independence_columns import seen_tables
from explorer.views.marks import GROUNDS
from explorer.workbench.moved import moved_to
from explorer.workbench.numbers import number
from explorer.workbench.placed import words

from .adding import add_points
from .buttons import button, named
from .chassis import LabPage
from .narrow import abreast, flowing, folding
from .own_pairs import TABLES, OwnPairs, Roles

SOURCES = {
    "a ring": "ring",
    "two crossing lines": "cross",
    "a sine": "sine",
    "a fan": "fan",
    "a line": "line",
    "independent": "none",
    "drawn by hand": "drawn",
    "Eckerle4": "eckerle4",
    "wine": "wine",
    "wdbc": "wdbc",
    "your data": "file",
}
PICTURES = {
    "f,\u00a0g": "pair",
    "Gram": "gram",
    "measures": "measures",
    "ranks": "ranks",
    "power": "power",
    "columns": "columns",
}
LIVE = 100  # rows of a bundled table that the page opens with
SAMPLES = 100  # fresh samples
REPAINT = "ground.setv({palette: grounds[cb_obj.dark_theme ? 1 : 0]}, {sync: false})"

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> The pairs. A click adds one (a cross), a drag moves any, Delete takes the last or the chosen one of
yours away. The ground is the cross-covariance of the two kernels, ⟨k(x, ·), Ĉ l(y, ·)⟩: blue where pairs are denser
than they would be if x and y were independent, orange where they are rarer. Of several columns of x the first is drawn,
the others held at their medians. What lies beyond the picture stands at its edge.</p>
<p><b>Right.</b> If x and y were independent, any order of the y would be as likely as the one observed. The grey bars
are HSIC of such shuffles, the black line is yours; the red bars are the shuffles that reach it, and p is their share,
yours counted among them. Right of the dashed line p is at most the level. The blue line is the gamma law with the exact
mean and variance of all orders, which needs no shuffle and is an approximation. “One shuffle” draws re-paired points,
and where they lie among the others. What lies beyond 12 standard deviations has a triangle.</p>
<p><b>f, g.</b> The two functions that covary most, the leading singular functions of Ĉ: the shape of the dependence.
Where f is high, g tends to be high.</p>
<p><b>Gram.</b> HSIC = tr(KHLH)/n² (some divide by (n − 1)²) is the mean of the products of mirrored cells. H takes row
and column means off, so that a cell says whose pair is more alike than usual. Where the halves mirror each other, what
is alike in x is alike in y. Colours go by the root of a cell's size.</p>
<p><b>Measures.</b> Pearson's |r|, the distance correlation, which is HSIC under the distance kernel, and HSIC(x, y) by
the root of HSIC(x, x) HSIC(y, y). Upright strokes are what chance reaches at the level: a dot right of its stroke is a
finding.</p> <p><b>Ranks.</b> Kernels of rank r make HSIC cheap, O(n r²). The red line is certain: HSIC exceeds that of
the low-rank kernels by no more; the dashed one is by how much it does.</p>
<p><b>Power.</b> How often random parts of these pairs show a dependence, by HSIC (black, with 95 % intervals) and by
Pearson's r (dashed), under the kernels of the whole sample: of this sample's parts, not of other samples. The squares
are 100 fresh samples (full) and 100 independent re-pairings (hollow).</p>
<p><b>Columns.</b> Each other column of the table with y, by HSIC; p compares each with the best of all columns in every
shuffle. Full dots have p at most the level.</p>
<p><b>σ.</b> The marginalized estimator gives every point noise of standard deviation σ and takes the mean over it. For
RBF that
is the kernel of bandwidth √(θ² + 2σ²), times a constant: the same test at another bandwidth, and no other
one.</p></div>
"""


class IndependencePage(LabPage):
    """Pairs and controls on the left, the null distribution and a smaller picture on the right."""

    title, lab_class, looked_up, explains = "Independence", IndependenceLab, "sigma", EXPLAINS
    presets, stories = INDEPENDENCE, STORIES
    labels = {  # noqa: RUF012, read only
        "noise": "noise of the shape",
        "bandwidth": "bandwidth × median",
        "sigma": "σ × median",
        "n": "n pairs",
        "waves": "waves of the sine",
        "rank": "rank of the kernels",
    }
    _sent = None  # what the browser's table was made of
    make_view = staticmethod(IndependenceView)
    tables = staticmethod(seen_tables)
    headline, sentences = staticmethod(headline), staticmethod(headlines)
    caption, python = staticmethod(caption), staticmethod(python)
    numbers, twin, measures, told = (
        staticmethod(numbers),
        staticmethod(twin),
        staticmethod(measures),
        staticmethod(told),
    )

    def strokes(self, result):
        """What the legend says."""
        return (
            ("pair", "fkmse", "filled"),
            ("yours", "outlier", "cross"),
            ("shuffled", "monkfast", "hollow"),
            ("reach it (p)", "harm", "filled"),
            ("observed", "truth", ""),
            (f"level {number(result.lab.alpha)}", "harm", "7 4"),
            ("gamma law", "skmse", ""),
        )

    def actions(self):
        """What keys do here."""
        return {
            "n": ("draws new pairs", self.draw),
            "s": ("tests 100 fresh samples", self.repeat),
            "b": ("shuffles the pairing once", self.shuffle),
            "a": ("leaves σ to leave-one-out", self.leave),
            "Delete": ("removes the chosen point", self.remove),
            **super().actions(),
        }

    def ready(self, result):
        """Whether every σ has been computed."""
        return result.rows is not None

    def stops(self, result):
        """The σ that the slider stops at."""
        return result.stops

    def near(self, name):
        """σ by leave-one-out: the slider waits between those of both sides."""
        if name != "sigma" or not self.result.enough:
            return None
        a, b = (sigma / median for sigma, median in zip(self.result.own.sigmas, self.result.medians, strict=True))
        return max((a * b) ** 0.5, 1e-3)

    def _show(self, result):
        super()._show(result)
        self.reveal(self.small, self.view.small, {result.lab.picture})
        picture = result.lab.picture
        for part, wanted in ((self.ranking, picture == "ranks"), (self.asking, picture == "measures" and has_dcor())):
            if part.visible != wanted:
                part.visible = wanted
        lab, rbf = result.lab, result.lab.kernel == "RBF"
        moves = {
            "bandwidth": rbf,
            "sigma": rbf,
            "noise": lab.source in SHAPES,
            "waves": lab.source == "sine",
            "n": lab.source != "drawn",
        }
        for name, wanted in moves.items():  # what means nothing here takes no hand
            if self.sliders[name].slider.disabled == wanted:
                self.sliders[name].slider.disabled = self.sliders[name].box.disabled = not wanted

    def _draw(self, result):
        """The same; a table that the browser has holds at every σ of its own, whoever drew the last one."""
        with self.hold():
            super()._draw(result)
            if self._sent is not None and self._sent == self._tabled(result):
                self.lookup.stamp.table = self.lookup.stamp.shown

    def _tabled(self, result):
        """What a table depends on; None where fresh samples make a sentence of it another with every σ."""
        return None if result.rows is None or result.fresh else (id(result.rows), result.lab.picture)

    def _renew_table(self):
        """No table where the small picture shows σ's own and no table knows it, or there is no σ."""
        if self.result.enough and self.lab.kernel == "RBF" and self.lab.picture != "ranks":
            super()._renew_table()
            stamp = self.lookup.stamp
            self._sent = self._tabled(self.result) if stamp.table == stamp.shown else None
        else:
            self.sliders["sigma"].steps = self.stops(self.result)
            self._sent = None

    def grips(self):
        """The pairs, and a canvas that takes more; the ground follows the theme."""
        self.frame.page.jscallback(args={"ground": self.view.ground, "grounds": GROUNDS}, dark_theme=REPAINT)
        s = self.view.sources
        add_points(self.view.hero, {"sample": [s["sample"]], "placed": [s["placed"]]}, {}, self.pacer)

    def put(self, name, value):
        """Pairs were added to the canvas, or one was dragged or chosen there."""
        points = list(placed(self.lab.placed))
        if name == "added":
            points += [tuple(point) for point in value]
            self.move(None, placed=words(points), selected=len(points))
        elif name == "placed" and value[0] < len(points):
            row, *place = value
            points[row] = tuple(place)
            self.move(None, placed=words(points), selected=row + 1)
        elif name == "sample":
            self.move(None, moved=moved_to(self.lab.moved, *value))
        elif name == "chosen" and value[0] == "placed" and value[1] < len(points):
            self.move(None, selected=value[1] + 1)

    def remove(self, event=None):
        """Take the chosen pair away, or the last that was put by hand."""
        points = list(placed(self.lab.placed))
        if points:
            points.pop((self.lab.selected or len(points)) - 1)
            self.move(None, placed=words(points), selected=len(points))

    def draw(self, event=None):
        """New pairs of the same source, and new shuffles."""
        self.move("seed", seed=self.lab.seed + 1)

    def repeat(self, event=None):
        """Test fresh samples, and independent ones, or no longer."""
        self.move(None, samples=0 if self.lab.samples else SAMPLES)

    def shuffle(self, event=None):
        """Look at the next shuffle, after the last at none."""
        self.move(None, shuffle=(self.lab.shuffle + 1) % (min(DRAFT, self.lab.shuffles) + 1))

    def leave(self, event=None):
        """σ by leave-one-out, on each side its own."""
        self.move("sigma", sigma=None)

    def canvas(self, event=None):
        """An empty canvas."""
        self.move(None, source="drawn", placed="", selected=0, moved="", shuffle=0)

    def ask(self, event=None):
        """Let dcor compute the distance covariance too, or no longer."""
        self.move(None, peer=not self.lab.peer)

    def choose(self, name, value):
        """The same, where one choice asks for another."""
        changes = {name: value}
        if name == "kernel" and value != "RBF":
            changes["sigma"] = 0.0
        if name == "source":
            changes |= {"x": "", "y": ""}
        if name == "source" and value in BUNDLED:
            rows = the_table(self.lab.replace(source=value, x="", y=""), None).n
            changes["n"] = min(rows, self.lab.n if self.lab.source in TABLES else LIVE)
        if name == "source" and value == "file" and self.lab.table is not None:
            changes |= {**self._named, "n": min(self.lab.n, self.lab.table.n)}
        self.move(name, **changes)

    def _catch_up(self):
        self.roles.catch_up()
        super()._catch_up()
        waits = self.lab.samples and self._repeating
        said = "+100 samples" if not self.lab.samples else "Testing ..." if waits else f"{self.lab.samples} samples"
        self.hundred.param.update(label=said, variant="contained" if self.lab.samples else "outlined")
        asked = "Ask dcor too" if not self.lab.peer else "Asking dcor ..." if self._repeating else "dcor was asked"
        self.asking.param.update(label=asked, variant="contained" if self.lab.peer else "outlined")
        if self.take.disabled != (not self.lab.placed):
            self.take.disabled = not self.lab.placed

    def _arrived(self, key, value):
        """The same; the table of every σ goes to the browser at once, as a hand may not rest for long."""
        waited = self.result.rows is None
        super()._arrived(key, value)
        if waited and self.result.rows is not None:
            self.rest()

    def _recast(self, x, y):
        """Other columns were chosen by hand for x or y."""
        self.move(None, x=x, y=y)
        self.rest()

    def choices(self):
        """Source, kernel, test and pictures, as widgets."""
        lab, fields = self.lab, IndependenceLab.fields
        return {
            "kernel": pmui.RadioButtonGroup(label="kernel", options=list(KERNELS), value=lab.kernel, size="small"),
            "picture": pmui.RadioButtonGroup(label="picture", value=lab.picture, size="small", options=PICTURES),
            "source": pmui.Select(label="pairs of", options=SOURCES, value=lab.source, size="small", width=185),
            "level": pmui.RadioButtonGroup(
                label="level", options=fields["level"].objects, value=lab.level, size="small"
            ),
            "permutations": pmui.RadioButtonGroup(
                label="shuffles", options=fields["permutations"].objects, value=lab.permutations, size="small"
            ),
        }

    def layout(self, legend):
        """The pictures with their controls; the columns stand one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        self.hundred = button("+100 samples", self.repeat, width=118)
        self.take = button("Remove point", self.remove, icon="backspace")
        buttons = flowing(
            button("New sample", self.draw, variant="contained"),
            self.hundred,
            button("One shuffle", self.shuffle, icon="shuffle"),
            button("Draw your own", self.canvas, icon="draw"),
            self.take,
        )
        auto, self.roles = button("auto σ", self.leave), Roles(self.lab, self._recast)
        menus = flowing(w["source"], self.roles.x, self.roles.y)
        pair = abreast(c["bandwidth"], c["sigma"])
        left = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            abreast(c["noise"], c["n"]),
            pair,
            flowing(w["kernel"], auto, c["seed"]),
            buttons,
            menus,
            c["seed"].trouble,
            folding(pair, auto, c["seed"].box, menus),
            margin=0,
            styles={"flex": "3 1 600px", "min-width": "0"},
        )
        self.small = {
            name: pn.Column(margin=0, sizing_mode="stretch_width", visible=name == self.lab.picture)
            for name in self.view.small
        }
        self.ranking = pn.Column(c["rank"], visible=False, sizing_mode="stretch_width", margin=0)
        self.asking = button("Ask dcor too", self.ask, visible=False, width=150)
        right = pn.Column(
            pn.pane.Bokeh(self.view.null, sizing_mode="stretch_width"),
            *self.small.values(),
            flowing(w["picture"], self.asking),
            self.ranking,
            margin=0,
            styles={"flex": "2 1 360px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        self.own = OwnPairs(self._use, self.lab.values)
        menus = pn.FlexBox(
            named("level", self.choice["level"]),
            named("shuffles", self.choice["permutations"]),
            gap="8px 24px",
            margin=(8, 4),
        )
        more = pn.Column(self.controls["waves"], menus, sizing_mode="stretch_width")
        return {"Your data": self.own, "More: waves of the sine, level, shuffles": more}

    def _use(self, table, fields):
        self.lab.table = table
        fields = {field: value for field, value in fields.items() if field != "outliers"}
        self._named = {field: value for field, value in fields.items() if field not in ("n", "source")}
        known = fields["hash"] == self.lab.hash
        self.move("source", **({} if known else {"x": "", "y": ""}), **fields)
        self._changed()  # a link had all the fields already, and lacked the table alone
