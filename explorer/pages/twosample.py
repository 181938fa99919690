"""The Two-sample lab as a page."""

from __future__ import annotations

import json
from itertools import combinations

import panel as pn
import panel_material_ui as pmui

from explorer.datasets import load
from explorer.kernels import FOUR
from explorer.labs.twosample import ESTIMATORS, TwoSampleLab
from explorer.labs.twosample_code import python
from explorer.labs.twosample_numbers import measures, numbers
from explorer.labs.twosample_presets import TWO_SAMPLE
from explorer.labs.twosample_rest import MOST, with_row
from explorer.labs.twosample_sources import BUNDLED, known_labels, sizes
from explorer.labs.twosample_stories import TWO_SAMPLE as STORIES
from explorer.labs.twosample_words import caption, headline, headlines, told, twin
from explorer.views.twosample import GROUNDS, TwoSampleView
from explorer.views.twosample_columns import seen_tables
from explorer.workbench.moved import moved_to
from explorer.workbench.numbers import number

from .buttons import named
from .chassis import LabPage
from .handles import drag_points
from .narrow import abreast, flowing, folding
from .own_groups import OwnGroups

SOURCES = {
    "a shift": "shift",
    "another spread": "spread",
    "two hills, equal moments": "moments",
    "no difference": "equal",
    "wine": "wine",
    "wdbc": "wdbc",
    "your data": "file",
}
PICTURES = {"bandwidths": "bandwidths", "X-ray": "x-ray", "power": "power", "influence": "influence"}
REPAINT = "ground.setv({palette: grounds[cb_obj.dark_theme ? 1 : 0]}, {sync: false})"
CHECKS = 200  # repetitions of the self-check
LIVE = 100  # points of each with which a bundled table opens

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> If P and Q were one law, the labels P and Q would mean nothing, and any shuffle of them would be as
likely as the one observed. The grey bars are the MMD² of such shuffles, the black line is yours; the hatched bars are
the shuffles that reach it, and p is their share, yours counted among them. Right of the dashed line p is at most the
level. The axis counts in standard deviations of the shuffles; what lies beyond 9 stands in the last bar, or has a
triangle.</p> <p><b>Right.</b> Discs are P, rings are Q; drag any of them. The ground shows the witness, the function
that tells the samples apart: blue where P has more, orange where Q has. Circles mark the two points where it is highest
and lowest. Of more than two coordinates the first two are drawn, the others held at their medians. Crosses are strays
and points that were moved by hand.</p> <p><b>Bandwidths.</b> Each bandwidth of RBF has a p of its own. The least of
them is no p-value, because one would find a small one often enough where there is nothing: take a bandwidth before
looking, or MMDAgg (blue, dashed) or MMD-FUSE (blue, dotted), which look at many and keep their level. The strip is that
of RBF under any kernel; the large dot is your own test.</p> <p><b>X-ray.</b> The biased MMD² under RBF is the integral
of |φ_P − φ_Q|² (black: the squared difference of the samples' characteristic functions, averaged over all directions)
against the kernel's power spectrum (grey). So the blue area is MMD²: a kernel misses a difference at frequencies that
its window does not reach. Where black lies on the dashed line, it is what shuffling gives by chance. Polynomial kernels
see moments instead, and no others than those drawn.</p> <p><b>Power.</b> The chance of rejecting at other sizes, if P
and Q differ as these samples do: a plan, not a finding. The hollow dot is the first n that has a power of 80 %. The
self-check splits P's own sample in two 200 times (hollow square, which must lie at the level) and, where the laws are
known, draws 200 fresh pairs of samples (full square), each tested with 199 shuffles.</p>
<p><b>Influence.</b> The five rows without which MMD² changes most, with the p-value that the page shows if you leave
them
out: press a row's button to see it. To leave rows out after looking is to choose one's answer; say so if you
do.</p></div>
"""


class TwoSamplePage(LabPage):
    """Null distribution and controls on the left, samples and a smaller picture on the right."""

    title, lab_class, looked_up, explains = "Two samples", TwoSampleLab, "bandwidth", EXPLAINS
    presets, stories = TWO_SAMPLE, STORIES
    labels = {  # noqa: RUF012, read only
        "bandwidth": "bandwidth × median",
        "n": "n points of P",
        "m": "m points of Q",
        "size": "difference of P and Q",
        "outliers": "strays in Q",
        "d": "d coordinates",
        "distance": "distance of the strays, sd",
    }
    make_view = staticmethod(TwoSampleView)
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
            ("shuffled labels", "kme", "filled"),
            ("those that reach it (p)", "harm", "filled"),
            ("observed", "truth", ""),
            (f"level {number(result.lab.alpha)}", "harm", "7 4"),
            ("P", "fkmse", "filled"),
            ("Q", "fkmse", "hollow"),
        )

    def actions(self):
        """What keys do here."""
        return {"n": ("draws new samples", self.draw), "s": ("checks the test itself", self.check), **super().actions()}

    def ready(self, result):
        """Whether every bandwidth has been computed."""
        return result.ready

    def stops(self, result):
        """The bandwidths that the slider stops at."""
        return list(result.slider)

    def _show(self, result):
        super()._show(result)
        sample = "plane" if len(result.samples.names) > 1 else "line"
        self.reveal(self.shown, self.view.figures, {result.picture, sample})

    def grips(self):
        """The points of both samples; and the witness's ground follows the theme."""
        self.frame.page.jscallback(args={"ground": self.view.ground, "grounds": GROUNDS}, dark_theme=REPAINT)
        points = {side: [self.view.sources[side]] for side in "PQ"}
        drag_points(self.view.plane, points, self.pacer)
        drag_points(self.view.line, points, self.pacer)

    def put(self, name, value):
        """A point of P or of Q was dragged to a place."""
        row, x, y = value
        field, side = ("moved_p", 0) if name == "P" else ("moved_q", 1)
        if len(self.result.samples.names) == 1:
            y = 0.0
        self.move(name, **{field: moved_to(getattr(self.lab, field), self.result.samples.drawn[side][int(row)], x, y)})

    def draw(self, event=None):
        """New samples of the same laws, and new shuffles."""
        self.move("seed", seed=self.lab.seed + 1)

    def check(self, event=None):
        """Let the test be checked where P = Q, or no longer."""
        self.move(
            "samples", samples=0 if self.lab.samples else CHECKS, **({} if self.lab.samples else {"picture": "power"})
        )

    def leave_out(self, place):
        """Recompute without one of the rows of most influence."""
        influence = self.result.here.influence if self.result.here else ()
        if place < len(influence):
            self.move("dropped", dropped=with_row(self.lab.dropped, influence[place].word))

    def put_back(self, event=None):
        """All rows again."""
        self.move("dropped", dropped="")

    def choose(self, name, value):
        """The same, where one choice asks for another."""
        changes = {name: value}
        if name == "estimator" and value == "F-KMSE":
            changes["statistic"] = "biased"
        if name == "source" and value in BUNDLED:
            changes |= self._fitting([load(value)], "")
        if name == "groups":
            tables = [load(self.lab.source)] if self.lab.source in BUNDLED else self.lab.tables
            changes |= self._fitting(tables, value)
        if name == "source" and value == "file" and self.lab.tables:
            changes |= {**self._named, **self._fitting(self.lab.tables, "")}
        self.move(name, **changes)

    def _fitting(self, tables, groups):
        """Sizes that the groups have."""
        n, m = sizes(tables, groups)
        now = (self.lab.n, self.lab.m) if self.lab.source in (*BUNDLED, "file") else (LIVE, LIVE)
        return {"groups": groups, "n": min(n, now[0]), "m": min(m, now[1])}

    def _catch_up(self):
        self.pairs.param.update(**self._pairs())
        super()._catch_up()
        waits = self.lab.samples and self._repeating
        words = "Self-check" if not self.lab.samples else "Checking ..." if waits else f"{self.lab.samples} checks"
        self.checking.param.update(label=words, variant="contained" if self.lab.samples else "outlined")
        influence = self.result.here.influence if self.result.here else ()
        for i, button in enumerate(self.without):
            if i < len(influence):
                button.label = f"without {influence[i].name}"  # first: a button that is being made does not hear of it
            button.visible = i < len(influence) and self.lab.picture == "influence"
        self.back.visible = bool(self.lab.dropped)

    def _pairs(self):
        """The pairs of groups that the table has, as a menu's options."""
        table = load(self.lab.source) if self.lab.source in BUNDLED else (self.lab.tables or [None])[0]
        if self.lab.source not in (*BUNDLED, "file") or table is None or table.target is None:
            return {"options": {"": ""}, "value": "", "visible": False}
        pairs = [list(pair) for pair in combinations(list(known_labels(table))[:12], 2)]
        if self.lab.groups and json.loads(self.lab.groups) not in pairs:
            pairs.append(json.loads(self.lab.groups))
        here = json.loads(self.lab.groups) if self.lab.groups else pairs[0]
        return {
            "options": {" and ".join(pair): json.dumps(pair) for pair in pairs},
            "value": json.dumps(here),
            "visible": True,
        }

    def _regroup(self, event):
        """Other groups were chosen by hand."""
        if not self._quiet and event.new:
            self.choose("groups", event.new)

    def choices(self):
        """Kernel, laws, test and pictures, as widgets."""
        lab, fields = self.lab, TwoSampleLab.fields
        return {
            "kernel": pmui.RadioButtonGroup(label="kernel", options=list(FOUR), value=lab.kernel, size="small"),
            "picture": pmui.RadioButtonGroup(label="picture", value=lab.picture, size="small", options=PICTURES),
            "source": pmui.Select(label="P and Q", options=SOURCES, value=lab.source, size="small", width=215),
            "statistic": pmui.Select(
                label="MMD²", options=["unbiased", "biased"], value=lab.statistic, size="small", width=120
            ),
            "estimator": pmui.Select(
                label="kernel mean by", options=list(ESTIMATORS), value=lab.estimator, size="small", width=135
            ),
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
        fresh = pmui.Button(
            label="New samples", variant="contained", size="small", margin=(8, 6, 0, 6), on_click=self.draw
        )
        self.checking = pmui.Button(
            label="Self-check", variant="outlined", size="small", margin=(8, 6, 0, 6), width=118, on_click=self.check
        )
        self.pairs = pmui.Select(label="groups", size="small", width=150, **self._pairs())
        self.pairs.param.watch(self._regroup, "value")
        menus = flowing(w["source"], self.pairs, w["statistic"], w["estimator"])
        pair, second = abreast(c["size"], c["outliers"]), abreast(c["n"], c["m"])
        left = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            c["bandwidth"],
            second,
            pair,
            flowing(fresh, self.checking, c["seed"], w["kernel"]),
            menus,
            c["seed"].trouble,
            folding(pair, c["seed"].box, menus),
            margin=0,
            styles={"flex": "3 1 600px", "min-width": "0"},
        )
        self.shown = {
            name: pn.Column(margin=0, sizing_mode="stretch_width", visible=False)
            for name in self.view.figures
            if name != "null"
        }
        self.without = [
            pmui.Button(
                label="", variant="outlined", size="small", visible=False, on_click=lambda event, i=i: self.leave_out(i)
            )
            for i in range(MOST)
        ]
        self.back = pmui.Button(
            label="Put the rows back", variant="contained", size="small", visible=False, on_click=self.put_back
        )
        right = pn.Column(
            *self.shown.values(),
            flowing(w["picture"], self.back),
            pn.FlexBox(*self.without, gap="6px", margin=(2, 4)),
            margin=0,
            styles={"flex": "2 1 360px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        self.own = OwnGroups(self._use, self.lab.values)
        menus = pn.FlexBox(
            named("level", self.choice["level"]),
            named("shuffles", self.choice["permutations"]),
            gap="8px 24px",
            margin=(8, 4),
        )
        more = pn.Column(abreast(self.controls["d"], self.controls["distance"]), menus, sizing_mode="stretch_width")
        return {"Your data": self.own, "More: coordinates, distance of the strays, level, shuffles": more}

    def _use(self, tables, fields):
        self.lab.tables = tables
        kept = ("n", "m", "outliers", "groups", "source")
        self._named = {field: value for field, value in fields.items() if field not in kept}
        self.move("source", **fields)
        self._changed()  # a link had all the fields already, and lacked the table alone
