"""The Sweep lab as a page."""

from __future__ import annotations

import numpy as np
import panel as pn
import panel_material_ui as pmui

from explorer.labs.study import SUBJECTS, presets_of
from explorer.labs.sweep import SweepLab
from explorer.labs.sweep_axes import NONE, called, counted, swept
from explorer.labs.sweep_code import python
from explorer.labs.sweep_compute import cells_key
from explorer.labs.sweep_numbers import measures, netcdf, numbers, tidy, twin
from explorer.labs.sweep_presets import SWEEP
from explorer.labs.sweep_words import caption, headline
from explorer.views.sweep import SweepView
from explorer.views.sweep_columns import role, scale

from .addresses import LABS
from .buttons import button
from .chassis import LabPage
from .narrow import flowing
from .sweep_cells import card, table
from .sweep_run import Running
from .text import html

EXPLAINS = """<div class='caption'>
<p><b>The map.</b> A cell is a state of the lab; its number is the median over the replicates. Its colour is the
estimator's: where a loss is relative to the plain average's it is full at 0 and gone at 1, and beyond 1 the harm is
red; p is full at 0.001 and gone at 1; any other number is full at its largest. A hatched cell has no such number: the
lab cannot be in that state.</p> <p><b>The line.</b> The median along the first axis and the middle half of the
replicates, at the value of the second axis that is picked. The axis has one place for each value, whatever lies between
them.</p> <p><b>Values.</b> Those where the field's slider stops, from the first value to the last, and no more of them
than asked for; a menu has all its choices. Paired replicates have the same seeds in every cell, so that differences
between cells are not those between samples.</p>
<p><b>Running.</b> Processes of this machine compute, and what is done is kept: Cancel and Resume lose nothing, also
when you look at another sweep in between. It all goes when you leave; download the numbers, or copy the Python, which
gives them again.</p>
</div>"""

MENU = (4, 6, 0, 0)  # as a number box has it
PLACES = ("run", "map", "what", "line")
GRID = """
[id^=flexbox] { display: grid !important; gap: 4px 20px; align-items: start;
                grid-template: auto auto 1fr / minmax(0, 3fr) minmax(0, 2fr);
                grid-template-areas: 'run what' 'map what' 'map line'; }
:host(.single) [id^=flexbox] { grid-template-areas: 'run what' 'line what' 'map map'; }
@media (max-width: 900px) {
  [id^=flexbox], :host(.single) [id^=flexbox] { grid-template: none / minmax(0, 1fr);
                                                grid-template-areas: 'run' 'map' 'line' 'what'; }
}
""" + "\n".join(f"[id^=flex-item]:nth-child({i}) > * {{ grid-area: {name}; }}" for i, name in enumerate(PLACES, 1))


class SweepPage(Running, LabPage):
    """What runs and the map on the left, what is swept and the line on the right.

    a line alone takes the map's place.
    """

    title, lab_class, explains = "Sweep", SweepLab, EXPLAINS
    presets = SWEEP
    boxes = {  # noqa: RUF012, read only
        "x_from": "from",
        "x_to": "to",
        "x_count": "values",
        "y_from": "from",
        "y_to": "to",
        "y_count": "values",
        "replicates": "replicates",
        "seed": "seed",
    }
    make_view = staticmethod(SweepView)
    headline, caption, python = staticmethod(headline), staticmethod(caption), staticmethod(python)
    numbers, twin, measures = staticmethod(numbers), staticmethod(twin), staticmethod(measures)

    def __init__(self, words=None, **fields):
        """Open at the words of a link, at fields of the lab, or at the first preset."""
        words = words or {}
        first = {} if words.keys() & SweepLab.fields.keys() else SweepLab(**(fields or SWEEP[0].fields)).flat()
        super().__init__({**first, **words})

    def strokes(self, result):
        """What the legend says: the ends of the colours' scale."""
        own, kind = role(result.measure), scale(result)
        if len(result.axes) == 1:
            mark = {"relative": "the plain average", "p": "p = 0.05"}.get(kind)
            return (("median of the replicates", own, ""), *([(mark, "truth", "2 3")] if mark else []))
        if kind == "relative":
            return (
                ("0: nothing is lost", own, "filled"),
                ("1: as the plain average", own, "hollow"),
                ("2 and more: harm", "harm", "filled"),
            )
        ends = ("0.001 and less", "1") if kind == "p" else ("the largest", "the least")
        return ((ends[0], own, "filled"), (ends[1], own, "hollow"))

    def actions(self):
        """What keys do here."""
        return {
            "s": ("runs the sweep, or goes on with it", self.run),
            "c": ("cancels it", self.cancel),
            **super().actions(),
        }

    def choices(self):
        """The lab, its preset, the axes and the measure as menus; their options follow the lab."""
        self.paired = pmui.Switch(label="paired replicates", value=self.lab.paired, size="small", margin=(10, 6, 0, 0))
        menus = {
            "lab": ("lab", 150),
            "at": ("all other fields of", 210),
            "x": ("first axis", 200),
            "y": ("second axis", 200),
            "measure": ("number that is looked at", 330),
        }
        made = {
            name: pmui.Select(
                label=label,
                size="small",
                width=width,
                margin=MENU,
                options=self._options(name),
                value=getattr(self.lab, name),
            )
            for name, (label, width) in menus.items()
        }
        return {**made, "paired": self.paired}

    def _options(self, name):
        """What a menu offers, words -> value of the field."""
        lab = self.lab.lab
        if name == "lab":
            return {LABS[each].called: each for each in SUBJECTS}
        if name == "at":
            return {"its defaults": "", **{each: each for each, preset in presets_of(lab).items()}}
        if name == "measure":
            return {each: each for each in SUBJECTS[lab].measures}
        return {**({NONE: NONE} if name == "y" else {}), **{called(lab, each): each for each in swept(lab)}}

    def choose(self, name, value):
        """A menu was moved; where it is refused, it goes back."""
        if value == getattr(self.lab, name):
            return
        super().choose(name, value)
        self._later()

    def layout(self, legend):
        """The parts in their places; one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        self.go = button("Run", self.run, icon="play_arrow", variant="contained")
        self.halt = button("Cancel", self.cancel, icon="stop", disabled=True)
        self.status, self.card = html("", min_height=44, margin=(2, 10)), html("", min_height=28, margin=(2, 10))
        self.mapped = {"map": pn.Column(margin=0, sizing_mode="stretch_width")}
        self.ends = {name: flowing(*(c[f"{name}_{part}"] for part in ("from", "to", "count"))) for name in ("x", "y")}
        self.table = html("")
        self.view.map.on_event("tap", self._tapped)
        self.view.hero.on_event("tap", self._tapped_along)
        troubles = [c[name].trouble for name in self.boxes]
        self.grid = pn.FlexBox(
            _part(flowing(self.go, self.halt, w["measure"]), self.status, legend),
            _part(*self.mapped.values(), self.card),
            _part(
                flowing(w["lab"], w["at"]),
                flowing(w["x"]),
                self.ends["x"],
                flowing(w["y"]),
                self.ends["y"],
                flowing(c["replicates"], c["seed"], w["paired"]),
                *troubles,
            ),
            _part(pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width")),
            margin=0,
            sizing_mode="stretch_width",
            stylesheets=[GRID],
        )
        return self.grid

    def folds(self):
        """What is not always wanted."""
        return {"Cells, each with a link": self.table}

    def files(self):
        """Every fit as a row, and all of it as a data set."""
        remark = f"Kernel Mean Explorer, Sweep; the state of the page: {self.link()}"
        return (
            ("fits CSV", "sweep-fits.csv", lambda: tidy(self.result, remark)),
            ("netCDF", "sweep.nc", lambda: netcdf(self.result)),
        )

    def _tapped(self, event):
        self._pick(event.x, event.y)

    def _tapped_along(self, event):
        """Of the line, the place along the first axis."""
        picked = self.result.picked
        self._pick(event.x, 0 if picked is None or len(picked) == 1 else picked[1])

    def _pick(self, *at):
        """Pick the cell at a place, or let go of the one that is picked."""
        shape = self.result.counts.shape
        places = [round(place) for place in at[: len(shape)]]
        if all(0 <= place < length for place, length in zip(places, shape, strict=True)):
            cell = int(np.ravel_multi_index(places, shape)) + 1
            self.move(None, picked=0 if cell == self.lab.picked else cell)

    def _changed(self, *events):
        super()._changed(*events)
        if self.work is not None and self.work.key != cells_key(self.lab):
            self.cancel()  # of another sweep; what it has is kept for when one comes back

    def _show(self, result):
        super()._show(result)
        two = len(result.axes) == 2
        self.reveal(self.mapped, self.view.figures, {"map"} if two else set())
        if self.grid.css_classes != (classes := [] if two else ["single"]):
            self.grid.css_classes = classes
        if self.card.object != (said := card(result)):
            self.card.object = said
        self.report()

    def _catch_up(self):
        for name, widget in self.choice.items():
            if name != "paired" and widget.options != (options := self._options(name)):
                widget.param.update(options=options, value=getattr(self.lab, name))
        super()._catch_up()
        for name, boxes in self.ends.items():
            field = getattr(self.lab, name)
            boxes.visible = field != NONE and counted(self.lab.lab, field)
        self.table.object = table(self.result)


def _part(*parts):
    return pn.Column(*parts, margin=0, sizing_mode="stretch_width")
