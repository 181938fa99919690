"""The Marginalized lab as a page."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized_code import python
from explorer.labs.marginalized_numbers import measures, numbers, twin
from explorer.labs.marginalized_presets import MARGINALIZED
from explorer.labs.marginalized_stories import MARGINALIZED as STORIES
from explorer.labs.marginalized_words import caption, headline, headlines, told
from explorer.views.marginalized import GROUNDS, MarginalizedView
from explorer.views.marginalized_columns import sigma_tables

from .buttons import button
from .chassis import LabPage
from .handles import drag_line, listen
from .narrow import abreast, flowing, folding
from .own_data import OwnData
from .text import html

SOURCES = {
    "mixture of four": "mixture",
    "hills, one useless axis": "axis",
    "one normal law": "normal",
    "wine": "wine",
    "wdbc": "wdbc",
    "your table": "file",
}
REPAINT = "ground.setv({palette: grounds[cb_obj.dark_theme ? 1 : 0]}, {sync: false})"
OWN = "MMKME: the σ of each coordinate, as a multiple of the σ above"
SHAPE = ("first", "second", "others")  # sliders of coordinates that a sample may not have

# the rim of the disc that is nearest: to drag it is to move σ's slider to the stop whose radius is nearest
RIM = """
const length = (value) => Math.abs(frame.x_scale.compute(value) - frame.x_scale.compute(0))
const far = (row, x, y) =>
  Math.hypot(frame.x_scale.compute(discs.data.x[row]) - x, frame.y_scale.compute(discs.data.y[row]) - y)
const find = (x, y) => {
  let found = null, least = reach
  for (let row = 0; row < discs.data.x.length; row++) {
    const off = Math.abs(far(row, x, y) - length(discs.data.radius[row]))
    if (off <= least) [found, least] = [row, off]
  }
  return found
}
const drag = (row, x, y) => {
  const way = [...stops.data.radius].map((radius) => Math.abs(length(radius) - far(row, x, y)))
  const nearest = way.indexOf(Math.min(...way))
  if (slider.data.value !== nearest) slider.data.value = nearest
}
"""

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> The loss of an estimate is its squared distance, in the kernel's own space, to the true kernel mean,
drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm. Thick lines are exact
losses on this sample. The dash-dotted line is MKME's expected loss over all samples of this size, in closed form, at
this sample's bandwidth. Dotted lines are leave-one-out scores on the same scale, which is all that one has in practice.
A filled triangle is the σ that leave-one-out chooses, a hollow one the best of the slider's. σ counts in the data's
standard deviation: of the law's coordinates, their root mean square, or of the sample's where it is a table. +100
samples draws other samples of the same law; the bands hold 50 % and 90 % of their losses.</p>
<p><b>MMKME</b> multiplies σ by a number of its own in each coordinate. Left to itself it divides the noise as
leave-one-out says, and σ² is then the mean of its variances; at its own choice (the filled triangle) leave-one-out
chooses how much as well.</p> <p><b>Right.</b> Discs have the radius σ, dashed ellipses MMKME's σ in the two coordinates
that are drawn; of many points the first 60 have some. The density is the average of normal laws around the points: MKME
is its exact kernel mean. Dotted ellipses are the law's components.</p>
<p><b>Small pictures.</b> <i>Kernel</i>: k along a coordinate (grey), its expectation with MKME's noise on one point
(solid) and on both (dotted), with MMKME's noise along its first coordinate (dashed) and its second (dash-dotted).
<i>Filter</i>: MKME projected on the sample, along each eigendirection of the Gram matrix: what it keeps of KME there.
The area of a triangle is how long KME is there; what lies beyond the axis stands at its end. The dashed line is Σβ, the
sum of the projected weights. <i>Approximation</i>: how far weights on the points are from MKME, as a share of its
length: the plain average's (grey), the nearest ones (solid), the second-order ones of Theorem 1 with its errors mended
(dashed), and as printed (dash-dotted). <i>Dice</i>: 50 noisy copies, drawn as small dots; the squared distance of their
average from MKME, in units of KME's loss, and its expectation (dotted), which is exact.</p>
<p><b>Tests.</b> MKME in the place of KME turns an MMD or HSIC test at bandwidth θ into the plain one at √(θ² + 2σ²): a
factor
aside, the statistic is the same, and so is every p-value. What such tests gain is a choice of bandwidth.</p></div>"""


class MarginalizedPage(LabPage):
    """Hero and controls on the left, sample and a small picture on the right."""

    title, lab_class, looked_up, explains = "Marginalized", MarginalizedLab, "sigma", EXPLAINS
    presets, stories = MARGINALIZED, STORIES
    labels = {  # noqa: RUF012, read only
        "sigma": "σ of the noise, in data sd",
        "bandwidth": "bandwidth × median",
        "n": "n points",
        "d": "d coordinates",
        "first": "first σ",
        "second": "second σ",
        "others": "other σ",
    }
    make_view = staticmethod(MarginalizedView)
    tables = staticmethod(sigma_tables)
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
            ("KME", "kme", ""),
            ("MKME", "mkme", ""),
            ("MMKME", "mmkme", "7 4"),
            ("expected loss", "truth", "8 3 2 3"),
            ("leave-one-out", "mkme", "2 3"),
            ("its choice", "mkme", "filled"),
            ("best", "mkme", "hollow"),
        )

    def actions(self):
        """What keys do here."""
        return {
            "n": ("draws a new sample", self.draw),
            "s": ("draws 100 further samples", self.repeat),
            "a": ("leaves σ to leave-one-out", self.leave),
            "d": ("throws the dice", self.throw),
            **super().actions(),
        }

    def _show(self, result):
        super()._show(result)
        self.reveal(self.small, self.view.small, {result.lab.picture})
        if self.throwing.visible != (thrown := result.lab.picture == "dice"):
            self.throwing.visible = thrown

    def grips(self):
        """The line of σ, and the rims of the discs; and the density's colours follow the theme."""
        self.frame.page.jscallback(args={"ground": self.view.ground, "grounds": GROUNDS}, dark_theme=REPAINT)
        sources, slider = self.view.sources, self.sliders["sigma"].slider
        drag_line(self.view.hero, sources["line"], slider, sources["curves"], "sigma")
        listen(self.view.sample, RIM, discs=sources["discs"], stops=sources["curves"], slider=slider)

    def draw(self, event=None):
        """A new sample of the same law."""
        self.move("seed", seed=self.lab.seed + 1)

    def throw(self, event=None):
        """Other noisy copies."""
        self.move(None, dice=self.lab.dice + 1, picture="dice")

    def repeat(self, event=None):
        """100 further samples of the same law, or none any more."""
        if self.result.law is None:
            return self.refuse(
                "samples", "No law is known behind a table, so there are no further samples of it to draw."
            )
        return self.move("samples", samples=0 if self.lab.samples else 100)

    def leave(self, event=None):
        """σ and MMKME's share of it on automatic."""
        self.move("sigma", sigma=None, **dict.fromkeys(SHAPE))

    def choices(self):
        """Source, small picture and what lies under the sample, as widgets."""
        lab = self.lab
        return {
            "source": pmui.Select(label="sample of", options=SOURCES, value=lab.source, size="small", width=200),
            "picture": pmui.RadioButtonGroup(
                label="picture",
                value=lab.picture,
                size="small",
                options={p: p for p in type(lab).fields["picture"].objects},
            ),
            "ground": pmui.RadioButtonGroup(
                label="noise",
                value=lab.ground,
                size="small",
                options={"discs": "discs", "density": "MKME", "density\u00a0of\u00a0MMKME": "MMKME"},
            ),
        }

    def layout(self, legend):
        """The pictures with their controls; the columns stand one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        auto, fresh = button("auto σ", self.leave), button("New sample", self.draw, variant="contained")
        self.hundred = button("+100 samples", self.repeat, width=118)
        heading = html(f"<div class='trust'>{OWN}</div>", margin=(4, 10, 0, 10))
        self.further = abreast(c["others"], pn.Spacer(height=0))
        own = pn.Column(heading, abreast(c["first"], c["second"]), self.further, margin=0, sizing_mode="stretch_width")
        where = flowing(w["source"], c["seed"])
        data = abreast(c["d"], where)
        left = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            c["sigma"],
            abreast(c["bandwidth"], c["n"]),
            data,
            flowing(auto, fresh, self.hundred),
            c["seed"].trouble,
            own,
            folding(data, own),
            margin=0,
            styles={"flex": "3 1 600px", "min-width": "0"},
        )
        self.small = {
            name: pn.Column(margin=0, sizing_mode="stretch_width", visible=name == self.lab.picture)
            for name in self.view.small
        }
        self.throwing = button("Throw", self.throw, icon="casino", visible=self.lab.picture == "dice", margin=(4, 6))
        right = pn.Column(
            pn.pane.Bokeh(self.view.sample, sizing_mode="stretch_width"),
            w["ground"],
            *self.small.values(),
            flowing(w["picture"], self.throwing),
            margin=0,
            styles={"flex": "2 1 360px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        self.own = OwnData(self._use, self.lab.values)
        return {"Your data": self.own}

    def stops(self, result):
        """The σ that the table has rows for."""
        return result.mkme.sigmas[:-1].tolist()

    def near(self, name):
        """What is left to choose itself has its slider wait at the choice."""
        if name == "sigma":
            return min(max(self.result.mkme.chosen, 1e-2), 3.0)
        if name not in SHAPE:
            return None
        shape = self.result.mmkme.deviations[-1] / (self.result.mmkme.chosen * self.result.unit or 1.0)
        own = shape[SHAPE.index(name) :][: 1 if name != "others" else None]
        return min(max(float(own.mean()), 0.05), 5.0) if len(own) else None

    def ready(self, result):
        """The dice's copies follow σ, and no table knows them."""
        return result.lab.picture != "dice"

    def choose(self, name, value):
        """The same, where a table that the session still has is named again by all its fields."""
        table = self.lab.table
        again = name == "source" and value == "file" and table is not None and table.hash != self.lab.hash
        self.move(name, **{**(self._named | {"n": min(self.lab.n, table.n)} if again else {}), name: value})

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
        d = self.result.X.shape[1]
        if self.further.visible != (d > 2):
            self.further.visible = d > 2
        for widget in (self.controls["second"].slider, self.controls["second"].box):
            if widget.disabled != (d < 2):
                widget.disabled = d < 2

    def _use(self, table, fields):
        self.lab.table = table
        fields = {field: value for field, value in fields.items() if field != "outliers"}
        self._named = {field: value for field, value in fields.items() if field != "n"}
        self.move("source", **fields)
        self._changed()  # a link had all the fields already, and lacked the table alone
