"""Display of a result: its pictures, its headline, and the table with which the browser updates both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.core.property.validation import validate

from explorer.browser import sheet
from explorer.views.view import View
from explorer.workbench import registry

from .interaction.slider_table import SliderTable
from .layout.markup_pane import html

HEADLINE = sheet("headline")

if TYPE_CHECKING:
    from explorer.workbench.result import Result

    from .bindings import Bindings
    from .layout.markup_pane import Text
    from .page_protocol import Page


class Display:
    """The view of a page. The browser may update it without the server while the user moves the lab's slider.

    Parameters
    ----------
    page : LabPage
        The page that has the view.
    bindings : Bindings
        The controls of the page.
    result : Result
        The first result.
    dark : bool
        Whether the pictures begin in dark colours.
    """

    def __init__(self, page: Page, bindings: Bindings, result: Result[Any], dark: bool) -> None:
        self.page = page
        self.bindings = bindings
        self.view: View = View(registry.pictures(page.name_of_lab), result, dark)
        self.headline: Text = html("", margin=0)
        self.headline.stylesheets = [*self.headline.stylesheets, HEADLINE]
        self.lookup: Any = None  # the SliderTable, once there are sliders that draw from it
        self._tabled = None  # the token of the table that the browser has

    def let_the_browser_answer(self) -> None:
        """Connect the sliders: the lab's own slider draws from the table in the browser, the others ask the server."""
        lab, pacer, sliders = self.page.lab, self.bindings.pacer, self.bindings.sliders
        self.lookup = SliderTable(self.view.sources, self.headline)
        for name, control in sliders.items():
            if name == lab.slider:
                self.lookup.attach(pacer, control.slider, name, self.view.targets)
            else:
                pacer.follow(control.slider, name)

    @property
    def is_behind(self) -> bool:
        """True if the browser may have drawn from the table of an older picture."""
        return self.lookup.is_behind

    def waits(self, result: Result[Any]) -> bool:
        """Return whether a visible picture needs a deferred stage that is not computed yet."""
        return self.view.waits(result)

    def draw(self, result: Result[Any], over: bool = False) -> None:
        """Draw a new result; `over` has the meaning that it has in `show`.

        The browser's table stays valid if only the slider has moved since it was sent.
        """
        self.lookup.outdate()
        self.show(result, over)
        if self._tabled is not None and self._tabled == self._token(result):
            self.lookup.know()

    def show(self, result: Result[Any], over: bool = False) -> None:
        """Write a result into the pictures, the headline and the parts that depend on it.

        If `over` is true, the browser may have drawn by itself: it is also sent what the server has not changed.
        """
        with validate(False):  # the columns are known to be valid, and Bokeh would check each of their values
            self.view.show(result, over)
        self.write_headline(result, over)
        layout = self.page.arranged
        layout.show(result)
        self.bindings.show(result)
        self.page.on_result(result)

    def write_headline(self, result: Result[Any], over: bool = True) -> None:
        """Write the headline of a result.

        If `over` is true, the browser may have written a headline itself, so the server's is sent even if it equals the
        last one that was sent.
        """
        self.headline.object = self.page.headline(result, result.row)
        if over:
            self.headline.param.trigger("object")

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
        control = self.bindings.sliders[lab.slider]
        if control.steps != (stops := list(result.stops)):
            control.steps = stops
            self.bindings.follow()  # this also moves the slider off the stop of a typed value

    def forget_table(self) -> None:
        """Stop the browser from drawing: its table belongs to another state."""
        if self.lookup is not None and self._tabled is not None:
            self._tabled = None
            self.lookup.know(False)

    def _token(self, result):
        """Return all that a table depends on: fields except the slider's, deferred stages, and the hidden answer."""
        lab = result.lab
        fields = tuple((name, value) for name, value in lab.key[1:] if name != lab.slider)
        return fields, tuple(result.stops), result.arrived(), self.page.hides_answer
