"""The Sweep lab as a page."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from functools import cached_property, partial
from html import escape

import numpy as np
import panel as pn

from explorer.checks import Refusal
from explorer.pages.declare import Button, Column, Flow, Menu, Switch, When
from explorer.pages.hand import LOG
from explorer.pages.layout import Layout
from explorer.pages.page import LabPage
from explorer.pages.text import html
from explorer.workbench import registry
from explorer.workbench.axes import NONE, called, counted, swept
from explorer.workbench.links import address
from explorer.workbench.study import presets_of, subject, subjects

from .lab import SweepLab
from .running import Work
from .script import netcdf, tidy
from .stories import PRESETS
from .words import card, progress, spoken, standing, table

BOX = (4, 6, 0, 0)  # the margin of a number box: menus stand above them
PARTS = ("run", "map", "what", "line")
GRID = """
[id^=flexbox] { display: grid !important; gap: 4px 20px; align-items: start;
                grid-template: auto auto 1fr / minmax(0, 3fr) minmax(0, 2fr);
                grid-template-areas: 'run what' 'map what' 'map line'; }
:host(.single) [id^=flexbox] { grid-template-areas: 'run what' 'line what' 'map map'; }
@media (max-width: 900px) {
  [id^=flexbox], :host(.single) [id^=flexbox] { grid-template: none / minmax(0, 1fr);
                                                grid-template-areas: 'run' 'map' 'line' 'what'; }
}
""" + "\n".join(f"[id^=flex-item]:nth-child({i}) > * {{ grid-area: {name}; }}" for i, name in enumerate(PARTS, 1))
GAUGE = """<style>
.gauge { height: 6px; border-radius: 3px; background: rgba(127, 127, 127, 0.25); overflow: hidden;
         margin: 4px 0 2px 0; }
.gauge div { height: 100%; background: #3F86F2; transition: width 0.2s linear; }
@media (prefers-reduced-motion: reduce) { .gauge div { transition: none; } }
</style>"""
EXPECTED = (BrokenExecutor, OSError, Refusal)  # of workers, disk or study; anything else is a bug and is logged too


def fields_of(lab):
    """What the menu of an axis offers, words -> name of a field."""
    return {called(lab.lab, name): name for name in swept(lab.lab)}


def presets_and_none(lab):
    """What the menu of presets offers, words -> name of a preset."""
    return {"its defaults": "", **{name: name for name in presets_of(lab.lab)}}


def is_counted(which):
    """Whether the axis goes from one number to another, as a condition of the result."""
    return lambda result: counted(result.lab.lab, getattr(result.lab, which))


class SweepPage(LabPage):
    """What runs and the map on the left, what is swept and the line on the right; a line alone takes the map's place.

    `executor` is where a sweep runs, None the processes of this machine; `work` is the one that runs, or None.
    """

    lab_class = SweepLab
    executor = work = None
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
    menus = {  # noqa: RUF012, read only
        "lab": Menu("lab", lambda lab: {registry.entry(name).title: name for name in subjects()}, 150, BOX),
        "at": Menu("all other fields of", presets_and_none, 210, BOX),
        "x": Menu("first axis", fields_of, 200, BOX),
        "y": Menu("second axis", lambda lab: {NONE: NONE, **fields_of(lab)}, 200, BOX),
        "measure": Menu(
            "number that is shown", lambda lab: {spoken(n): n for n in subject(lab.lab).measures}, 330, BOX
        ),
        "paired": Switch("paired replicates"),
    }
    buttons = {  # noqa: RUF012, read only
        "go": Button(
            "Run", "run", "s", "runs the sweep, or goes on with it", {"icon": "play_arrow", "variant": "contained"}
        ),
        "halt": Button("Cancel", "cancel", "c", "cancels it", {"icon": "stop", "disabled": True}),
    }
    parts = (
        Column(Flow("go", "halt", "measure"), "status", "legend"),
        Column("map", "card"),
        Column(
            Flow("lab", "at"),
            Flow("x"),
            When(is_counted("x"), Flow("x_from", "x_to", "x_count")),
            Flow("y"),
            When(is_counted("y"), Flow("y_from", "y_to", "y_count")),
            Flow("replicates", "seed", "paired"),
        ),
        Column("line"),
    )
    folds = {"Cells, each with a link": ("table",)}  # noqa: RUF012, read only

    def __init__(self, words=None, **fields):
        """Open at the words of a link, at fields of the lab, or at the first preset."""
        words = words or {}
        first = {} if words.keys() & SweepLab.fields.keys() else SweepLab(**(fields or PRESETS[0].fields)).flat()
        super().__init__({**first, **words})

    # its parts

    def layout(self, legend, story):
        """The parts in a grid; one below the other where the page is narrow."""
        self.arranged = Layout(self, legend)
        built = [self.arranged.build(part) for part in self.parts]
        self.grid = pn.FlexBox(*built, margin=0, sizing_mode="stretch_width", stylesheets=[GRID])
        return pn.Column(story, self.grid, margin=0, sizing_mode="stretch_width")

    def part(self, name):
        """How far the sweep is, the cell that is picked, and all cells."""
        options = {"status": {"min_height": 44, "margin": (2, 10)}, "card": {"min_height": 28, "margin": (2, 10)}}
        if name not in ("status", "card", "table"):
            return super().part(name)
        setattr(self, name, html("", **options.get(name, {})))
        return getattr(self, name)

    def grips(self):
        """A press picks a cell of the map, or of the line."""
        self.view.pictures["map"].plot.on_event("tap", lambda event: self.pick(event.x, event.y))
        self.view.hero.on_event("tap", lambda event: self.pick(event.x, self.result.second))

    def pick(self, *at):
        """Pick the cell at a place, or let go of the one that is picked."""
        shape = self.result.counts.shape
        if not all(isinstance(each, (int, float)) and np.isfinite(each) for each in at[: len(shape)]):
            return  # beside the axes there is no place
        place = [round(each) for each in at[: len(shape)]]
        if all(0 <= each < length for each, length in zip(place, shape, strict=True)):
            cell = int(np.ravel_multi_index(place, shape)) + 1
            self.move(None, picked=0 if cell == self.lab.picked else cell)

    def choose(self, name, value):
        """A menu was moved; where it is refused, it goes back."""
        if value != getattr(self.lab, name):
            super().choose(name, value)
            self.later()

    def address(self):
        """A function of a state that says where the lab that is swept opens at it."""
        return partial(address, self.result.lab.lab)

    def shown(self, result):
        """The grid has a place for what is there, and card and status follow."""
        if self.grid.css_classes != (classes := [] if len(result.axes) == 2 else ["single"]):
            self.grid.css_classes = classes
        self.card.object = card(result, self.address())
        self.report()

    def rested(self, result):
        """The table of all cells follows."""
        self.table.object = table(result, self.address())

    def files(self):
        """Every fit as a row, and all of it as a data set."""
        remark = f"Kernel Mean Explorer, Sweep; the state of the page: {self.link()}"
        return (
            ("fits CSV", "sweep-fits.csv", lambda: tidy(self.result, remark)),
            ("netCDF", "sweep.nc", lambda: netcdf(self.result)),
        )

    # the sweep that runs while the page goes on: in a thread that waits for processes

    @cached_property
    def folder(self):
        """The session's own, for the sweeps that may go on; it goes with the page."""
        folder = tempfile.mkdtemp(prefix="sweep-")
        self.clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def pool(self):
        """One thread for each page: sweeps of other sessions do not wait for this one's."""
        return ThreadPoolExecutor(1, thread_name_prefix="sweep")

    def run(self):
        """Begin the sweep, or go on with it."""
        if self.work is not None:
            return
        try:
            self.work = Work(self.lab.snapshot, self.folder, self.executor)
        except EXPECTED as error:
            self.frame.say([str(error)])
            return
        self.frame.say([])
        self.report()
        self.follow(self.work, partial(self.take, self.work), self.ended, self.pool)

    def cancel(self):
        """Stop it; what is done is kept."""
        if self.work is not None:
            self.work.stop()
            self.report(stopping=True)

    def take(self, work):
        """Show what a sweep has by now, unless the hand has moved on to another."""
        self.lab.keep(work.key, work.cells())
        if work.key == self.lab.sweep_key:
            self.show(self.lab.result())

    def ended(self, error):
        """Show all that the sweep has, and say what went wrong, in the words of a worker, the disk or a study."""
        work, self.work = self.work, None
        self.take(work)
        self.report()
        self.later()
        if error is not None:
            if not isinstance(error, EXPECTED):
                LOG.error("a sweep failed at %s", self.lab, exc_info=error)
            self.frame.say([str(error)])

    def changed(self, *events):
        """Stop the run of another sweep; what it has is kept for when one comes back."""
        super().changed(*events)
        if self.work is not None and self.work.key != self.lab.sweep_key:
            self.cancel()

    def report(self, stopping=False):
        """Say how far the sweep is, and which buttons serve."""
        result, running = self.result, self.work is not None
        words = progress(self.work.step) if running else standing(result)
        if stopping:
            words = "Stopping, after the fits that are under way."
        share = 100 * result.done / result.grid.size
        bar = (
            "<div class='gauge' role='progressbar' aria-label='fits done' aria-valuemin='0' aria-valuemax='100' "
            f"aria-valuenow='{share:.0f}'><div style='width:{share:.1f}%'></div></div>"
        )
        self.status.object = f"{GAUGE}{bar}<div class='trust'>{escape(words)}</div>"
        begun = 0 < result.done < result.grid.size
        self._serve("go", not running and not result.whole, "Resume" if begun else "Run")
        self._serve("halt", running and not stopping, "Cancel")

    def _serve(self, name, serves, label):
        """Let a button take a press, or none."""
        button, now = self.pressed[name], {"label": label, "disabled": not serves}
        if changed := {each: value for each, value in now.items() if getattr(button, each) != value}:
            button.param.update(**changed)

    def release(self):
        """Also stop the run, and remove the folder after it."""
        super().release()
        if self.work is not None:
            self.work.stop()
        if "folder" in vars(self):
            self.pool.submit(self.clean)  # after the sweep, whose file is there
            self.pool.shutdown(wait=False)
