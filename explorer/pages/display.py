"""What a page shows of a result: its pictures, its headline, and the table by which the browser moves both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.core.property.validation import validate

from explorer.views.view import View

from .interaction.slider_table import SliderTable

if TYPE_CHECKING:
    from explorer.workbench.result import Result

    from .protocol import Page


class Display:
    """The view of a page, which the browser may move by itself along the lab's slider."""

    def __init__(self, page: Page, result: Result[Any], dark: bool) -> None:
        self.page = page
        self.view: View = View(page.figures.PICTURES, result, dark)
        self.lookup: Any = None  # the Lookup, once there are sliders that it lets draw
        self._tabled = None  # all that the table depends on that the browser has

    def let_the_browser_answer(self) -> None:
        """Let the sliders ask the server, and the lab's own draw by itself."""
        page = self.page
        self.lookup = SliderTable(self.view.sources, page.chrome.headline)
        for name, control in page.sliders.items():
            if name == page.lab.slider:
                self.lookup.attach(page.pacer, control.slider, name, self.view.targets)
            else:
                page.pacer.follow(control.slider, name)

    def draw(self, result: Result[Any], over: bool = False) -> None:
        """Draw a new result; a table that the browser has still holds where nothing else than the slider moved."""
        self.lookup.outdate()
        self.show(result, over)
        if self._tabled is not None and self._tabled == self._token(result):
            self.lookup.know()

    def show(self, result: Result[Any], over: bool = False) -> None:
        """Write a result into the pictures, the headline and the parts that depend on it.

        `over` says that the browser may have drawn by itself.
        """
        page = self.page
        with validate(False):  # columns of ours: Bokeh would look through each of their values
            self.view.show(result, over)
        page.chrome.headline.object = page.headline(result, result.row)
        if over:  # the browser wrote a headline of its own, so ours must be sent even where it is our last one
            page.chrome.headline.param.trigger("object")
        page.arranged.show(result)
        page.bindings.show(result)
        page.on_result(result)

    def renew_table(self, result: Result[Any]) -> None:
        """Let the browser have the table of what is shown, where its rows are all that the slider changes."""
        lab = self.page.lab
        if not lab.slider:
            return
        if not (result.answers and self.view.answers(result)):
            self._tabled = None
            self.lookup.know(False)
        elif self.lookup.is_behind or self._tabled != self._token(result):
            # the second where a typed value, which had a row, is left: the slider loses its stop, and the table its row
            tables = self.view.tables(result)
            rows = range(max(map(len, tables.values())))
            self.lookup.send(tables, [self.page.headline(result, row) for row in rows])
            self._tabled = self._token(result)
        # the slider that the browser answers has the stops that its table has rows
        control = self.page.sliders[lab.slider]
        if control.steps != (stops := list(result.stops)):
            control.steps = stops
            self.page.bindings.follow()  # which leaves the stop of a typed value

    def forget_table(self) -> None:
        """Let the browser move nothing by itself: what it has is of another state."""
        if self.lookup is not None and self._tabled is not None:
            self._tabled = None
            self.lookup.know(False)

    def _token(self, result):
        """All that a table depends on: every field but the slider's own, which late stages are there, and the veil."""
        fields = tuple((name, value) for name, value in result.lab.key[1:] if name != result.lab.slider)
        return fields, tuple(result.stops), result.arrived(), self.page.chrome.story.hides_answer
