"""The Sweep lab as a page."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import panel as pn

from explorer.checks import Refusal
from explorer.pages.layout.builder import HERO
from explorer.pages.layout.declarations import Button, ChoiceWidget, Column, Conditional, Group, InputRow, Menu, Part
from explorer.pages.layout.markup_pane import html
from explorer.pages.layout.theme import NARROW
from explorer.pages.page import LabPage
from explorer.sweeps import InProcess
from explorer.workbench.links import address
from explorer.workbench.safe_call import LOG

from .choices import fields_of, fields_or_none, is_counted, labs, measures_of, presets_and_none
from .lab import SweepLab
from .running import Work
from .script import netcdf, tidy
from .stories import PRESETS
from .words import card, gauge, progress, standing, table

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

    from .result import SweepResult


# what a sweep costs and what runs it stand right above the boxes that set it
RUN = f"""
:host {{ gap: 8px; align-items: center; justify-content: flex-end; }}
{NARROW} {{ :host {{ gap: 4px; }} }}
"""
# a line alone takes the width of the page
WIDTH = ":host(.single) [id^=flex-item]:first-child > * { flex: 0 0 100% !important; }"
EXPECTED = (BrokenExecutor, OSError, Refusal)  # of workers, disk or study; anything else is a bug and is logged too


class SweepPage(LabPage):
    """The map on the left and the line on the right; a line alone takes the map's place.

    `executor` is where a sweep runs, None the processes of this machine; `work` is the one that runs, or None.
    """

    lab_class = SweepLab
    executor: InProcess | None = None
    work: Work | None = None
    status: Text
    card: Text
    table: Text
    columns: Any  # of the pictures
    clean: Callable[[], Any]  # removes the folder
    boxes: tuple[str, ...] = ("x_from", "x_to", "x_count", "y_from", "y_to", "y_count", "replicates", "seed")
    menus: ClassVar[dict[str, ChoiceWidget]] = {
        "lab": Menu(labs),
        "at": Menu(presets_and_none),
        "x": Menu(fields_of),
        "y": Menu(fields_or_none),
        "measure": Menu(measures_of),
    }
    buttons: ClassVar[dict[str, Any]] = {
        "go": Button(
            "Run", "run", "s", "runs the sweep, or resumes it", {"icon": "play_arrow", "variant": "contained"}
        ),
        "halt": Button("Cancel", "cancel", "c", "cancels the run", {"icon": "stop", "disabled": True}),
    }
    left: Part | None = Column("map", "card")
    right: Part | None = Column("line", "running", flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("What is swept", "lab", "at", "measure", wide=250),
        Group("First axis", "x", Conditional(is_counted("x"), InputRow("x_from", "x_to", "x_count")), wide=250),
        Group("Second axis", "y", Conditional(is_counted("y"), InputRow("y_from", "y_to", "y_count")), wide=250),
        Group("Replicates", InputRow("replicates", "seed"), "paired", wide=250),
    )
    folds: ClassVar[dict[str, tuple[str, ...]]] = {"Cells, each with a link": ("table",)}

    def __init__(self, words: dict[str, str] | None = None, **fields: Any) -> None:
        """Open at the words of a link, at fields of the lab, or at the first preset."""
        words = words or {}
        first = {} if words.keys() & SweepLab.fields.keys() else SweepLab(**(fields or PRESETS[0].fields)).flat()
        super().__init__({**first, **words})

    def settings(self) -> dict[str, str]:
        """What a link says of the lab: its name at least, as a link without any field opens the first preset."""
        return super().settings() or {"lab": self.lab.lab}

    # its parts

    def layout(self, legend: Any, *above: Any) -> Any:
        """The usual places; the line is as tall as the map, and alone as wide as the page."""
        whole = super().layout(legend, *above)
        self.arranged.pictures["line"].styles = {"--share": HERO["--share"]}
        self.columns = whole.objects[0]
        self.columns.stylesheets = [*self.columns.stylesheets, WIDTH]
        return whole

    def part(self, name: str) -> Any:
        """How far the sweep is, with its buttons; the cell that is picked, and all cells."""
        if name == "running":
            self.status = html("", margin=0, sizing_mode=None, styles={"flex": "1 1 120px"})
            buttons = self.arranged.each(("go", "halt"))
            return pn.Row(self.status, *buttons, margin=0, sizing_mode="stretch_width", stylesheets=[RUN])
        if name == "card":
            self.card = html("", min_height=24, margin=(0, 0, 2, 0))
            return self.card
        if name == "table":
            self.table = html("")
            return self.table
        return super().part(name)

    def connect_drag_handles(self) -> None:
        """A press picks a cell of the map, or of the line."""

        def on_map(event: Any) -> None:
            self.pick(event.x, event.y)

        def on_line(event: Any) -> None:
            self.pick(event.x, self.result.second)

        self.view.pictures["map"].plot.on_event("tap", on_map)
        self.view.hero.on_event("tap", on_line)

    def pick(self, *at: Any) -> None:
        """Select the cell at a place, or none where it is selected already."""
        shape = self.result.counts.shape
        if not all(isinstance(each, (int, float)) and np.isfinite(each) for each in at[: len(shape)]):
            return  # outside the axes there is no place
        place = [round(each) for each in at[: len(shape)]]
        if all(0 <= each < length for each, length in zip(place, shape, strict=True)):
            cell = int(np.ravel_multi_index(place, shape)) + 1
            self.move(None, picked=0 if cell == self.lab.picked else cell)

    def step(self, by: int) -> None:
        """Pick the next cell, or the one before."""
        self.move(None, picked=(self.lab.picked - 1 + by) % self.result.counts.size + 1 if self.lab.picked else 1)

    def actions(self) -> dict[str, tuple[str, Callable[..., Any]]]:
        """Keys go from cell to cell too."""
        return {
            **super().actions(),
            "]": ("selects the next cell", partial(self.step, 1)),
            "[": ("selects the previous cell", partial(self.step, -1)),
        }

    def choose(self, name: str, value: Any) -> None:
        """A menu was moved; where it is refused, it goes back."""
        if value != getattr(self.lab, name):
            super().choose(name, value)
            self.lab_session.on_page_changed()

    def address(self) -> Callable[[Any], str]:
        """A function of a state that says where the lab that is swept opens at it."""
        return partial(address, self.result.lab.lab)

    def on_result(self, result: SweepResult) -> None:
        """The columns have a place for what is there, and card and status follow."""
        classes = [] if len(result.axes) == 2 else ["single"]
        if self.columns.css_classes != classes:
            self.columns.css_classes = classes
        self.card.object = card(result, self.address())
        self.report()

    def on_section_opened(self, result: SweepResult) -> None:
        """The table of all cells follows."""
        self.table.object = table(result, self.address())

    def files(self) -> tuple[tuple[str, str, Callable[[], Any]], ...]:
        """Every fit as a row, and all of it as a data set."""
        remark = f"Kernel Mean Explorer, Sweep; the state of the page: {self.link()}"
        return (
            ("fits CSV", "sweep-fits.csv", lambda: tidy(self.result, remark)),
            ("netCDF", "sweep.nc", lambda: netcdf(self.result)),
        )

    # the sweep that runs while the page goes on: in a thread that waits for processes

    @cached_property
    def folder(self) -> str:
        """The session's own, for the sweeps that may go on; it goes with the page."""
        folder = tempfile.mkdtemp(prefix="sweep-")
        self.clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        """One thread for each page: sweeps of other sessions do not wait for this one's."""
        return ThreadPoolExecutor(1, thread_name_prefix="sweep")

    def run(self) -> None:
        """Begin the sweep, or go on with it."""
        if self.work is not None:
            return
        try:
            self.work = Work(self.lab.snapshot, self.folder, self.executor)
        except EXPECTED as error:
            self.chrome.say([str(error)])
            return
        self.chrome.say([])
        self.report()
        self.runtime.follow(partial(self.pool.submit, self.work), partial(self.take, self.work), self.ended)

    def cancel(self) -> None:
        """Stop it; what is done is kept."""
        if self.work is not None:
            self.work.stop()
            self.report(stopping=True)

    def take(self, work: Work) -> None:
        """Show what a sweep has by now, unless the hand has moved on to another."""
        self.lab.keep(work.key, work.cells())
        if work.key == self.lab.sweep_key:
            self.lab_session.on_result_grew()

    def ended(self, error: BaseException | None) -> None:
        """Show all that the sweep has, and say what went wrong, in the words of a worker, the disk or a study."""
        work, self.work = self.work, None
        if work is not None:
            self.take(work)
        self.finish(error)

    def finish(self, error: BaseException | None) -> None:
        """Nothing of a sweep is under way any more."""
        self.report()
        self.lab_session.on_page_changed()
        if error is not None:
            if not isinstance(error, EXPECTED):
                LOG.error("a sweep failed at %s", self.lab, exc_info=error)
            self.chrome.say([str(error)])

    def changed(self, *events: Any) -> None:
        """Stop the run of another sweep; what it has is kept for when one comes back."""
        super().changed(*events)
        if self.work is not None and self.work.key != self.lab.sweep_key:
            self.cancel()

    def report(self, stopping: bool = False) -> None:
        """Say how far the sweep is, and which buttons serve."""
        result, running = self.result, self.work is not None
        if stopping:
            words = "Stopping, after the fits that are under way."
        else:
            words = standing(result) if self.work is None else progress(self.work)
        self.status.object = gauge(words, 100 * result.done / result.grid.size)
        begun = 0 < result.done < result.grid.size and not running
        self._serve("go", not (running or result.whole), "Resume" if begun else "Run")
        self._serve("halt", running and not stopping, "Cancel")

    def _serve(self, name, serves, label):
        """Let a button take a press, or none."""
        button, now = self.pressed[name], {"label": label, "disabled": not serves}
        if changed := {each: value for each, value in now.items() if getattr(button, each) != value}:
            button.param.update(**changed)

    def release(self) -> None:
        """Also stop the run, and remove the folder after it."""
        super().release()
        if self.work is not None:
            self.work.stop()
        if "folder" in vars(self):
            self.pool.submit(self.clean)  # after the sweep, whose file is there
            self.pool.shutdown(wait=False)
