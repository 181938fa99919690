"""The Sweep lab's page."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn

from explorer.checks import Refusal
from explorer.pages.layout.builder import HERO
from explorer.pages.layout.declarations import Button, Column, Conditional, Group, InputRow, Menu
from explorer.pages.layout.markup_pane import html
from explorer.pages.layout.theme import NARROW
from explorer.pages.page import LabPage
from explorer.sweeps import InProcess
from explorer.workbench.content import content_of
from explorer.workbench.links import address
from explorer.workbench.safe_call import LOG

from .choices import fields_of, fields_or_none, is_counted, labs, measures_of, presets_and_none
from .lab import SweepLab
from .running import SweepRun
from .script import netcdf, tidy
from .words import card, gauge, idle_progress, progress, table

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

    from .result import SweepResult


# The cost of a sweep and the buttons that run it are directly above the boxes that set it.
RUN = f"""
:host {{ gap: 8px; align-items: center; justify-content: flex-end; }}
{NARROW} {{ :host {{ gap: 4px; }} }}
"""
# Without a map the line takes the width of the page.
WIDTH = ":host(.single) [id^=flex-item]:first-child > * { flex: 0 0 100% !important; }"
# Errors of workers, of the disk or of a study. Anything else is a bug and is logged as well.
EXPECTED = (BrokenExecutor, OSError, Refusal)


class SweepPage(LabPage):
    """Page with the map at the left and the line at the right. Without a map the line takes the whole width.

    Attributes
    ----------
    executor : InProcess or None
        Where a sweep runs; None is the processes of this machine.
    work : Work or None
        The sweep that is running.
    """

    lab_class = SweepLab
    executor: InProcess | None = None
    work: SweepRun | None = None
    status: Text
    card: Text
    table: Text
    columns: Any  # the columns of the pictures
    clean: Callable[[], Any]  # removes the folder
    boxes = ("x_from", "x_to", "x_count", "y_from", "y_to", "y_count", "replicates", "seed")
    menus = {
        "lab": Menu(labs),
        "at": Menu(presets_and_none),
        "x": Menu(fields_of),
        "y": Menu(fields_or_none),
        "measure": Menu(measures_of),
    }
    buttons = {
        "go": Button(
            "Run", "run", "s", "runs the sweep, or resumes it", {"icon": "play_arrow", "variant": "contained"}
        ),
        "halt": Button("Cancel", "cancel", "c", "cancels the run", {"icon": "stop", "disabled": True}),
    }
    left = Column("map", "card")
    right = Column("line", "running", flex="1 1 340px")
    groups = (
        Group("What is swept", "lab", "at", "measure", wide=250),
        Group("First axis", "x", Conditional(is_counted("x"), InputRow("x_from", "x_to", "x_count")), wide=250),
        Group("Second axis", "y", Conditional(is_counted("y"), InputRow("y_from", "y_to", "y_count")), wide=250),
        Group("Replicates", InputRow("replicates", "seed"), "paired", wide=250),
    )
    folds = {"Cells, each with a link": ("table",)}

    def __init__(self, words: dict[str, str] | None = None, **fields: Any) -> None:
        """Open the page with the parameters of a link, with fields of the lab, or at the first preset."""
        words = words or {}
        start = fields or content_of("sweep").presets[0].fields
        first = {} if words.keys() & SweepLab.fields.keys() else SweepLab(**start).flat()
        super().__init__({**first, **words})

    def settings(self) -> dict[str, str]:
        """Return the lab's parameters in a link, at least its name: a link without any field opens the first preset."""
        return super().settings() or {"lab": self.lab.lab}

    # Parts of the page.

    def layout(self, *above: Any) -> Any:
        """Return the default layout with a line as tall as the map, or as wide as the page without a map."""
        whole = super().layout(*above)
        self.arranged.pictures["line"].styles = {"--share": HERO["--share"]}
        self.columns = whole.objects[0]
        self.columns.stylesheets = [*self.columns.stylesheets, WIDTH]
        return whole

    def part(self, name: str) -> Any:
        """Return a part of the page, among them the progress with its buttons, the selected cell, and all cells."""
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
        """Select the cell of the map or of the line that is pressed."""

        def on_map(event: Any) -> None:
            self.pick(event.x, event.y)

        def on_line(event: Any) -> None:
            self.pick(event.x, self.result.second)

        self.view.pictures["map"].plot.on_event("tap", on_map)
        self.view.hero.on_event("tap", on_line)

    def pick(self, *at: Any) -> None:
        """Select the cell at a point, or no cell if it is already selected."""
        shape = self.result.counts.shape
        if not all(isinstance(each, (int, float)) and np.isfinite(each) for each in at[: len(shape)]):
            return  # a press outside the axes selects nothing
        place = [round(each) for each in at[: len(shape)]]
        if all(0 <= each < length for each, length in zip(place, shape, strict=True)):
            cell = int(np.ravel_multi_index(place, shape)) + 1
            self.move(None, picked=0 if cell == self.lab.picked else cell)

    def step(self, by: int) -> None:
        """Select the next cell, or the previous one."""
        self.move(None, picked=(self.lab.picked - 1 + by) % self.result.counts.size + 1 if self.lab.picked else 1)

    def actions(self) -> dict[str, tuple[str, Callable[..., Any]]]:
        """Return the keyboard actions, which include a move from cell to cell."""
        return {
            **super().actions(),
            "]": ("selects the next cell", partial(self.step, 1)),
            "[": ("selects the previous cell", partial(self.step, -1)),
        }

    def choose(self, name: str, value: Any) -> None:
        """Handle a choice in a menu. If it is refused, the menu is reset."""
        if value != getattr(self.lab, name):
            super().choose(name, value)
            self.lab_session.on_page_changed()

    def address(self) -> Callable[[Any], str]:
        """Return a function that maps a state of the swept lab to the address of its page."""
        return partial(address, self.result.lab.lab)

    def on_result(self, result: SweepResult) -> None:
        """Reserve space for the pictures that are visible, and update card and status."""
        classes = [] if len(result.axes) == 2 else ["single"]
        if self.columns.css_classes != classes:
            self.columns.css_classes = classes
        self.card.object = card(result, self.address())
        self.report()

    def on_section_opened(self, result: SweepResult) -> None:
        """Update the table of all cells."""
        self.table.object = table(result, self.address())

    def files(self) -> tuple[tuple[str, str, Callable[[], Any]], ...]:
        """Return the downloads: every fit as a row, and the whole sweep as a data set."""
        remark = f"Kernel Mean Explorer, Sweep; the state of the page: {self.link()}"
        return (
            ("fits CSV", "sweep-fits.csv", lambda: tidy(self.result, remark)),
            ("netCDF", "sweep.nc", lambda: netcdf(self.result)),
        )

    # The sweep runs in a thread that waits for processes, so that the page stays responsive.

    @cached_property
    def folder(self) -> str:
        """The session's folder for sweeps that can be resumed. It is removed with the page."""
        folder = tempfile.mkdtemp(prefix="sweep-")
        self.clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        """A pool with one thread for this page, so that sweeps of other sessions do not wait for it."""
        return ThreadPoolExecutor(1, thread_name_prefix="sweep")

    def run(self) -> None:
        """Start or resume the sweep."""
        if self.work is not None:
            return
        try:
            self.work = SweepRun(self.lab.snapshot, self.folder, self.executor)
        except EXPECTED as error:
            self.chrome.say([str(error)])
            return
        self.chrome.say([])
        self.report()
        self.runtime.follow(partial(self.pool.submit, self.work), partial(self.take, self.work), self.ended)

    def cancel(self) -> None:
        """Stop the sweep. Its finished fits are kept."""
        if self.work is not None:
            self.work.stop()
            self.report(stopping=True)

    def take(self, work: SweepRun) -> None:
        """Store the numbers of a sweep so far, and show them unless the user has moved on to another sweep."""
        self.lab.keep(work.key, work.cells())
        if work.key == self.lab.sweep_key:
            self.lab_session.on_result_grew()

    def ended(self, error: BaseException | None) -> None:
        """Show everything that the sweep has computed, and report an error of a worker, the disk or a study."""
        work, self.work = self.work, None
        if work is not None:
            self.take(work)
        self.finish(error)

    def finish(self, error: BaseException | None) -> None:
        """Update the page after the end of a sweep."""
        self.report()
        self.lab_session.on_page_changed()
        if error is not None:
            if not isinstance(error, EXPECTED):
                LOG.error("a sweep failed at %s", self.lab, exc_info=error)
            self.chrome.say([str(error)])

    def changed(self, *events: Any) -> None:
        """Stop the run of another sweep. Its numbers are kept for the user's return to it."""
        super().changed(*events)
        if self.work is not None and self.work.key != self.lab.sweep_key:
            self.cancel()

    def report(self, stopping: bool = False) -> None:
        """Show the sweep's progress, and enable the buttons that apply."""
        result, running = self.result, self.work is not None
        if stopping:
            words = "Stopping, after the fits that are under way."
        else:
            words = idle_progress(result) if self.work is None else progress(self.work)
        self.status.object = gauge(words, 100 * result.done / result.grid.size)
        begun = 0 < result.done < result.grid.size and not running
        self._serve("go", not (running or result.whole), "Resume" if begun else "Run")
        self._serve("halt", running and not stopping, "Cancel")

    def _serve(self, name, serves, label):
        """Enable or disable a button, and set its label."""
        button, now = self.pressed[name], {"label": label, "disabled": not serves}
        if changed := {each: value for each, value in now.items() if getattr(button, each) != value}:
            button.param.update(**changed)

    def release(self) -> None:
        """Release the page, stop its run, and remove the folder afterwards."""
        super().release()
        if self.work is not None:
            self.work.stop()
        if "folder" in vars(self):
            self.pool.submit(self.clean)  # the pool's thread removes it after the sweep, which writes a file there
            self.pool.shutdown(wait=False)
