"""Display of a result: its pictures, its headline, and the table with which the browser updates both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.core.property.validation import validate

from explorer.views.view import View

from .interaction.slider_table import SliderTable

if TYPE_CHECKING:
    from explorer.workbench.result import Result

    from .protocol import Page


class Display:
    """The view of a page. The browser may update it without the server while the user moves the lab's slider.

    Parameters
    ----------
    page : LabPage
        The page that has the view.
    result : Result
        The first result.
    dark : bool
        Whether the pictures begin in dark colours.
    """

    def __init__(self, page: Page, result: Result[Any], dark: bool) -> None:
        self.page = page
        self.view: View = View(page.figures.PICTURES, result, dark)
        self.lookup: Any = None  # the SliderTable, once there are sliders that draw from it
        self._tabled = None  # the token of the table that the browser has

    def let_the_browser_answer(self) -> None:
        """Connect the sliders: the lab's own slider draws from the table in the browser, the others ask the server."""
        page = self.page
        self.lookup = SliderTable(self.view.sources, page.chrome.headline)
        for name, control in page.sliders.items():
            if name == page.lab.slider:
                self.lookup.attach(page.pacer, control.slider, name, self.view.targets)
            else:
                page.pacer.follow(control.slider, name)

    def draw(self, result: Result[Any], over: bool = False) -> None:
        """Draw a new result. The browser's table stays valid if only the slider has moved since it was sent."""
        self.lookup.outdate()
        self.show(result, over)
        if self._tabled is not None and self._tabled == self._token(result):
            self.lookup.know()

    def show(self, result: Result[Any], over: bool = False) -> None:
        """Write a result into the pictures, the headline and the parts that depend on it.

        If `over` is true, the browser may have drawn already.
        """
        page = self.page
        with validate(False):  # the columns are known to be valid, and Bokeh would check each of their values
            self.view.show(result, over)
        page.chrome.headline.object = page.headline(result, result.row)
        # The browser wrote a headline itself, so the server's must be sent even if it equals the last one sent.
        if over:
            page.chrome.headline.param.trigger("object")
        page.arranged.show(result)
        page.bindings.show(result)
        page.on_result(result)

    def renew_table(self, result: Result[Any]) -> None:
        """Send the browser the table of the current state, if the slider only selects a row of the table."""
        lab = self.page.lab
        if not lab.slider:
            return
        if not (result.answers and self.view.answers(result)):
            self._tabled = None
            self.lookup.know(False)
        elif self.lookup.is_behind or self._tabled != self._token(result):
            # The second condition covers a typed value that is left: the slider loses its stop, and the table its row.
            tables = self.view.tables(result)
            rows = range(max(map(len, tables.values())))
            self.lookup.send(tables, [self.page.headline(result, row) for row in rows])
            self._tabled = self._token(result)
        # The lab's slider has one stop for each row of the table.
        control = self.page.sliders[lab.slider]
        if control.steps != (stops := list(result.stops)):
            control.steps = stops
            self.page.bindings.follow()  # this also moves the slider off the stop of a typed value

    def forget_table(self) -> None:
        """Stop the browser from drawing: its table belongs to another state."""
        if self.lookup is not None and self._tabled is not None:
            self._tabled = None
            self.lookup.know(False)

    def _token(self, result):
        """Return all that a table depends on: fields except the slider's, deferred stages, and the hidden answer."""
        fields = tuple((name, value) for name, value in result.lab.key[1:] if name != result.lab.slider)
        return fields, tuple(result.stops), result.arrived(), self.page.chrome.story.hides_answer
