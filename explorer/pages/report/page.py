"""Page of the report: the user drops files, and the report appears part by part as threads compute it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import panel as pn
import panel_material_ui as pmui
from bokeh.core.properties import String
from bokeh.document import without_document_lock
from bokeh.model import DataModel
from panel.io.state import set_curdoc

from explorer.browser import code, sheet
from explorer.comparison import report
from explorer.execution.cancellation import Cancelled, cancelled_by
from explorer.pages.interaction.request_pacing import Request
from explorer.pages.layout.markup_pane import Text
from explorer.pages.layout.theme import BUTTONS
from explorer.pages.page_title import of_page
from explorer.pages.patches.panel_registries import forget_scripts
from explorer.pages.sections.navbar import way_home
from explorer.pages.serving.reconnect import come_back
from explorer.pages.serving.scheduler import TURNS
from explorer.pages.serving.shared_value import SharedValue
from explorer.pages.serving.upload_store import EVERYBODY, UPLOADS, new_key, visitor
from explorer.pages.serving.visitor_cookie import VisitorCookie
from explorer.pages.template import page_template, served_document
from explorer.pages.widgets.progress import ProgressOverlay
from explorer.workbench.safe_call import run_safely

from . import text
from .comparison_request import ReportInput
from .drop_zones import DropZones
from .example import SAYS, example
from .sections import FILE, LATER, VERDICT, ReportSection, parts

if TYPE_CHECKING:
    from bokeh.document import Document

EXAMPLE = SharedValue(lambda: tuple(parts(example())), 3.0)
NAME = "report.html"  # file name of the saved page
COUNT = len(LATER) + 2  # number of parts of a report


class Copied(DataModel):
    """Model with the Python that the browser can copy."""

    code: String = String(default="")


class ReportPage(pn.viewable.Viewer):
    """Page that shows a report. Of a link's query parameters it uses only `theme`, because no link carries data."""

    first: tuple[SharedValue, ...] = (EXAMPLE,)  # values that a process computes once for all its pages

    def __init__(self, link: Mapping[str, str] | None = None) -> None:
        super().__init__()
        chosen = dict(link or {}).get("theme", "system")
        # stored, because a coroutine no longer finds it after an await
        self._doc: Document | None = served_document()
        self._key, self._turns = visitor(), count()
        self._turn = next(self._turns)  # identifies the report that is shown or computed
        self.gone: bool = False  # whether the session has ended
        self.saved: str = ""  # the page as a file, once it is computed
        self.texts: Copied = Copied()
        self.request: Request = Request(page=uuid4().hex)
        self.keeper: VisitorCookie = VisitorCookie(follows=chosen == "system", margin=0, width=0, height=0)
        self.zones: DropZones = DropZones(self.compare, self.clear)
        self.waiting: ProgressOverlay = ProgressOverlay(self.cancel)
        sheets = [report.style_sheet(), sheet("shared", "report_page")]
        self.panes: dict[str, Text] = {
            title: Text("", stylesheets=sheets, sizing_mode="stretch_width", margin=0) for title in (VERDICT, *LATER)
        }
        self.save, self.copy = self._buttons()
        self.page: pmui.Page = self._page(chosen)
        self._open()

    def __panel__(self) -> pmui.Page:
        return self.page

    def _open(self):
        """Show the example, or let a thread compute it. In a notebook, which has no later, compute it now."""
        self.zones.about.object = text.about(text.example(SAYS, example().files))
        if self._doc is None:
            EXAMPLE.now()
        else:
            pn.state.on_session_destroyed(lambda context: self.release())
            come_back(self._doc, self.request)
        if EXAMPLE.value is not None:
            self._show_all(EXAMPLE.value)
            return
        self.waiting.say()
        pn.state.onload(partial(self._soon, partial(self._await_example, self._turn)))

    async def _await_example(self, turn):
        ready = await EXAMPLE.soon()
        if not self._stale(turn):
            with self._hold():
                self._show_all(ready)

    # comparing

    def compare(self, given: ReportInput) -> None:
        """Replace the current report by the report of an input, part by part."""
        self.clear()
        turn = self._turn
        steps = parts(given)
        if self._doc is None:
            self._take_all(turn, steps)
            return
        self.waiting.say(0, COUNT)
        self._soon(partial(self._compute, turn, steps, given.seconds))

    def _take_all(self, turn, steps):
        while self._take(turn, *_step(steps, partial(self._stale, turn))):
            pass

    async def _compute(self, turn, steps, seconds):
        """Compute one part at a time in a thread, until one is refused or another report is requested."""
        stale = partial(self._stale, turn)
        while not stale():
            found = await TURNS.run(partial(_step, steps, stale), seconds, stale)
            if found is None or stale():
                return
            with self._hold():
                if not self._take(turn, *found):
                    return

    def _take(self, turn, part, sentence):
        """Show a part, and return whether more parts follow."""
        if self._stale(turn):
            return False
        if sentence:
            self.zones.refuse(sentence)
            self.zones.about.object = text.about(text.NOTHING)
        if part is None:
            self.waiting.hide()
            return False
        self._show(part)
        if part.title == FILE:
            self.waiting.hide()
            return False
        self.waiting.say(1 + [VERDICT, *LATER].index(part.title), COUNT)
        return True

    def cancel(self) -> None:
        """Stop computing the report. The parts that are shown stay."""
        self._turn = next(self._turns)
        self.waiting.hide()
        if not self.panes[VERDICT].object:
            self.zones.about.object = text.about(text.STOPPED)

    def clear(self) -> None:
        """Show no report and compute none, so that nothing on the page or behind its buttons is about other files."""
        self._turn = next(self._turns)
        self.waiting.hide()
        for pane in self.panes.values():
            pane.object = ""
        self.saved, self.save.disabled = "", True
        self.texts.update(code="")
        self.copy.disabled = True

    def _stale(self, turn):
        return self.gone or turn != self._turn

    # showing

    def _show_all(self, ready: Iterable[ReportSection]) -> None:
        for part in ready:
            self._show(part, EVERYBODY)
        self.waiting.hide()

    def _show(self, part, key=None):
        if part.title == VERDICT:
            self._begin(part, self._own_key() if key is None else key)
        elif part.title == FILE:
            self.saved = str(part.shown)
            self.save.disabled = False
        else:
            self.panes[part.title].object = part.shown

    def _begin(self, part, key):
        """Show another verdict, clear the parts that follow it, and let labs open its files."""
        if self._doc is not None:  # a notebook has one visitor, and no address at which a lab could open
            files = {digest: (file.name, file.raw) for digest, file in part.files.items()}
            UPLOADS.add("example" if key == EVERYBODY else self, key, files)
        for title, pane in self.panes.items():
            pane.object = text.verdict(part.shown, key == EVERYBODY) if title == VERDICT else ""
        self.zones.refuse("")
        self.saved, self.save.disabled = "", True
        self.texts.update(code=part.python)
        self.copy.disabled = False

    def _own_key(self):
        """Return the visitor's key, which the browser stores from now on."""
        self._key = self._key or new_key()
        self.keeper.key = self._key
        return self._key

    # making the page

    def _buttons(self):
        look = {"size": "small", "margin": 0, "stylesheets": [BUTTONS], "disabled": True}
        save = pmui.FileDownload(
            label="Save as HTML", filename=NAME, callback=lambda: io.StringIO(self.saved), auto=True, **look
        )
        save.variant = "outlined"  # Panel 1.9 would treat it as a deprecated argument
        copy = pmui.Button(label="Copy Python", variant="outlined", **look)
        # these models have to be in the document, and the arguments of a callback are
        given = {"button": copy, "texts": self.texts, "request": self.request}
        copy.js_on_click(args=given, code=code("clipboard.copyCode", "button", "texts"))
        return save, copy

    def _page(self, chosen):
        opening = Text(text.opening(), stylesheets=[sheet("report_page")], sizing_mode="stretch_width", margin=0)
        shown = list(self.panes.values())
        body = pn.Column(
            opening,
            self.zones,
            shown[0],
            self.waiting,
            pn.Row(self.save, self.copy, margin=(4, 0), styles={"gap": "8px"}, css_classes=["asks"]),
            *shown[1:],
            self.keeper,
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[sheet("body", "report_body")],
        )
        return page_template(lambda: (of_page("report"), ""), way_home("report"), body, chosen)

    def _hold(self):
        return pn.io.hold(self._doc)

    def _soon(self, work: Callable[[], Any]) -> None:
        """Schedule a coroutine function without the document's lock, so that files can arrive while it runs."""
        doc: Any = self._doc

        @without_document_lock
        async def callback():
            with set_curdoc(doc):
                await work()

        doc.add_next_tick_callback(callback)

    def release(self) -> None:
        """Release the page and its files at the end of the session; Panel would keep it by its scripts' arguments."""
        self.gone = True
        UPLOADS.discard(self)
        forget_scripts(self.page, *self.page.select())


def _step(steps: Iterator[ReportSection], stale: Callable[[], bool]) -> tuple[ReportSection | None, str]:
    """Return (next part, "") on success, or (None, message) on failure. A bug is logged."""
    try:
        with cancelled_by(stale):
            return run_safely(partial(next, steps, None), "a part of the report")
    except Cancelled:
        return None, ""
