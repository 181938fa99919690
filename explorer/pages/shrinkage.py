"""The Shrinkage lab as a page."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

from explorer.kernels import FOUR
from explorer.labs.moved import moved_to
from explorer.labs.presets import SHRINKAGE
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage_code import python
from explorer.labs.shrinkage_numbers import measures, numbers, twin
from explorer.labs.shrinkage_stories import SHRINKAGE as STORIES
from explorer.labs.shrinkage_words import caption, headline, headlines, told
from explorer.labs.targets import centre_at
from explorer.views.shrinkage import ShrinkageView
from explorer.views.shrinkage_columns import PICTURES, seen_tables

from .chassis import LabPage
from .handles import drag_line, drag_points
from .narrow import abreast, flowing, folding
from .own_data import OwnData

SOURCES = {
    "mixture of four": "mixture",
    "one Gaussian": "gaussian",
    "wine": "wine",
    "wdbc": "wdbc",
    "your table": "file",
}

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> The loss of an estimate is its squared distance, in the kernel's own space, to the true kernel mean. It
is drawn relative to the plain average (KME), so below 1 is better and the tinted zone above 1 is harm. Thick lines are
exact losses on this sample; dotted lines are leave-one-out scores on the same scale, which is all that one has in
practice. A filled dot is the λ that leave-one-out chooses, a hollow one the best λ. The vertical line is where you are.
+100 samples draws other samples of the same law: the bands hold 50 % and 90 % of their losses.</p>
<p><b>Right.</b> S-KMSE shrinks every weight by the same factor; F-KMSE shrinks each eigendirection of the Gram matrix
by γ/(γ + λ). So a point that stands alone loses weight, one in a crowd keeps it: compare its disc with the grey ring,
which is the plain average's weight 1/n. A disc without filling is a negative weight. Ticks are the Gram matrix's
eigenvalues. "Coefficients" shows how long the plain average is along each eigendirection, and what each estimator
leaves of it; "risk" shows S-KMSE's expected loss as what is left of the noise and, hatched, the squared bias that
shrinking costs.</p> <p><b>Choices.</b> S-KMSE may shrink to 0 or to a blob: the kernel mean of a normal law, as wide as
the sample's source, which you may drag. Other filters keep a different part of each eigendirection: iterated Tikhonov 1
− (λ/(γ + λ))², truncated SVD all from λ on and nothing below, and Landweber and the ν-method what they reach in so many
steps that they stop about at λ. Their leave-one-out score takes as many refits as there are points. Weights may be
divided by their sum, or held to the simplex of probabilities; λ is then still the choice for the free weights.</p>
<p><b>Triangles</b> and the number c beside them mark λ = c γ₀, γ₀ the smallest eigenvalue that is not 0: the λ that the
paper's first figure takes.</p>
<p>λ has one scale for all kernels: S-KMSE takes λ, F-KMSE takes λ times the mean of k(x, x). Outliers replace rows of
the
sample; the truth stays the clean law.</p></div>"""


class ShrinkagePage(LabPage):
    """Hero and controls on the left, sample and filter on the right."""

    title, lab_class, looked_up, explains = "Shrinkage", ShrinkageLab, "lam", EXPLAINS
    presets, stories = SHRINKAGE, STORIES
    labels = {  # noqa: RUF012, read only
        "lam": "λ",
        "bandwidth": "bandwidth × median",
        "n": "n points",
        "d": "d coordinates",
        "outliers": "outliers",
        "distance": "distance of outliers, sd",
        "mean": "mean of the one Gaussian",
    }
    make_view = staticmethod(ShrinkageView)
    tables = staticmethod(seen_tables)
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
        return (
            ("KME", "kme", ""),
            ("S-KMSE", "skmse", ""),
            (result.flexible_name, "fkmse", "7 4"),
            ("leave-one-out score", "fkmse", "2 3"),
            ("its choice", "fkmse", "filled"),
            ("best", "fkmse", "hollow"),
            ("c γ₀", "fkmse", "triangle"),
        )

    def actions(self):
        """What keys do here."""
        return {
            "n": ("draws a new sample", self.draw),
            "s": ("draws 100 further samples", self.repeat),
            "a": ("leaves λ to leave-one-out", self.leave),
            **super().actions(),
        }

    def _show(self, result):
        super()._show(result)
        self.reveal(self.small, self.view.figures, {result.lab.picture})

    def grips(self):
        """The line of λ, and the points of the sample."""
        sources = self.view.sources
        drag_line(self.view.hero, sources["line"], self.sliders["lam"].slider, sources["curves"], "lam")
        points = {"point": [sources["sample"], sources["weights"]], "blob": [sources["target"]]}
        drag_points(self.view.sample, points, self.pacer)

    def put(self, name, value):
        """A point of the sample, or the blob, was dragged to a place."""
        row, *place = value
        changes = (
            {"moved": moved_to(self.lab.moved, row, *place)} if name == "point" else {"target_at": centre_at(*place)}
        )
        self.move(name, **changes)

    def draw(self, event=None):
        """A new sample of the same law."""
        self.move("seed", seed=self.lab.seed + 1)

    def repeat(self, event=None):
        """100 further samples of the same law, or none any more."""
        if self.result.law is None:
            return self.refuse(
                "samples", "No law is known behind a table, so there are no further samples of it to draw."
            )
        return self.move("samples", samples=0 if self.lab.samples else 100)

    def _catch_up(self):
        super()._catch_up()
        words = (
            "+100 samples"
            if self.lab.samples == 0
            else "Drawing ..."
            if self._repeating
            else f"{self.lab.samples} samples"
        )
        self.hundred.param.update(label=words, variant="contained" if self.lab.samples else "outlined")

    def leave(self, event=None):
        """λ on automatic."""
        self.move("lam", lam=None)

    def choices(self):
        """Kernel, source and the two kinds, as widgets."""
        fields, lab = type(self.lab).fields, self.lab
        return {
            "kernel": pmui.RadioButtonGroup(label="kernel", options=list(FOUR), value=lab.kernel, size="small"),
            "picture": pmui.RadioButtonGroup(
                label="picture",
                value=lab.picture,
                size="small",
                options={"filter": "filter", "coefficients": "coefficients", "risk": "risk"},
            ),
            "source": pmui.Select(label="sample of", options=SOURCES, value=lab.source, size="small", width=185),
            "kind": pmui.Select(
                label="outliers are", options=fields["kind"].objects, value=lab.kind, size="small", width=150
            ),
            "filter": pmui.Select(
                label="filter",
                value=lab.filter,
                size="small",
                width=185,
                options={
                    "F-KMSE": "tikhonov",
                    "iterated Tikhonov": "iterated-tikhonov",
                    "Landweber": "landweber",
                    "ν-method": "nu",
                    "truncated SVD": "tsvd",
                },
            ),
            "weights": pmui.Select(
                label="weights",
                value=lab.weights,
                size="small",
                width=150,
                options={"as they are": "free", "sum to one": "sum-to-one", "on the simplex": "simplex"},
            ),
            "target": pmui.Select(
                label="S-KMSE shrinks to",
                value=lab.target,
                size="small",
                width=150,
                options={"0": "zero", "a blob": "blob"},
            ),
            "selection": pmui.Select(
                label="F-KMSE chooses λ by",
                value=lab.selection,
                size="small",
                width=210,
                options={"leave-one-out": "leave-one-out", "Theorem 4, as printed": "theorem-4"},
            ),
        }

    def layout(self, legend):
        """The pictures with their controls; the columns stand one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        auto = pmui.Button(label="auto λ", variant="outlined", size="small", margin=(8, 6, 0, 6), on_click=self.leave)
        fresh = pmui.Button(
            label="New sample", variant="contained", size="small", margin=(8, 6, 0, 6), on_click=self.draw
        )
        self.hundred = pmui.Button(
            label="+100 samples", variant="outlined", size="small", margin=(8, 6, 0, 6), width=118, on_click=self.repeat
        )
        menus = flowing(*(w[name] for name in ("source", "target", "filter", "weights")))
        pair = abreast(c["d"], c["outliers"])
        left = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            c["lam"],
            abreast(c["bandwidth"], c["n"]),
            pair,
            flowing(auto, fresh, self.hundred, c["seed"], w["kernel"]),
            menus,
            c["seed"].trouble,
            folding(pair, c["seed"].box, w["kernel"], menus),
            margin=0,
            styles={"flex": "3 1 600px", "min-width": "0"},
        )
        self.small = {
            name: pn.Column(margin=0, sizing_mode="stretch_width", visible=name == self.lab.picture)
            for name in PICTURES
        }
        right = pn.Column(
            pn.pane.Bokeh(self.view.sample, sizing_mode="stretch_width"),
            *self.small.values(),
            w["picture"],
            margin=0,
            styles={"flex": "2 1 360px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        self.own = OwnData(self._use, self.lab.values)
        menus = pn.FlexBox(self.choice["kind"], self.choice["selection"], gap="8px", margin=(8, 4))
        more = pn.Column(abreast(self.controls["distance"], self.controls["mean"]), menus, sizing_mode="stretch_width")
        return {"Your data": self.own, "More: outliers, the Gaussian's mean, the score": more}

    def stops(self, result):
        """The λ that the table has rows for."""
        return result.simple.lams[:-1].tolist()

    def near(self, name):
        """λ on automatic: the slider waits at S-KMSE's choice."""
        chosen = self.result.simple.chosen
        return min(max(chosen, 1e-4), 1e2) if name == "lam" else None

    def choose(self, name, value):
        """The same, where a table that the session still has is named again by all its fields."""
        table = self.lab.table
        again = name == "source" and value == "file" and table is not None and table.hash != self.lab.hash
        self.move(name, **{**(self._named | {"n": min(self.lab.n, table.n)} if again else {}), name: value})

    def _use(self, table, fields):
        self.lab.table = table
        self._named = {field: value for field, value in fields.items() if field not in ("n", "outliers")}
        self.move("source", **fields)
        self._changed()  # a link had all the fields already, and lacked the table alone
