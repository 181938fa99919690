"""Home page: one picture to drag with two verdicts on it, and every lab under the question that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui
from bokeh.document import without_document_lock
from panel.io.state import set_curdoc

from explorer.browser import on_change, sheet
from explorer.languages import ENGLISH, language, use_language
from explorer.marks.roles import ROLES
from explorer.pages.interaction.slider_table import SliderTable
from explorer.pages.layout.markup_pane import Text
from explorer.pages.page_title import of_page
from explorer.pages.patches.panel_registries import forget_scripts
from explorer.pages.previews.link_summary import language_param
from explorer.pages.sections.navbar import language_menu, way_home
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.pages.template import page_template, served_document
from explorer.types import Matrix
from explorer.views.style import Painter

from . import draggable_picture, home_text, lab_thumbnails, outlier_example

if TYPE_CHECKING:
    from bokeh.models import ColumnDataSource
    from bokeh.plotting import figure

    from explorer.markup import Markup


def answers() -> tuple[dict[tuple[str, str], Matrix], list[Markup]]:
    """Return the browser's data: the picture's table, and a sentence for each stop."""
    stops = outlier_example.stops()
    return draggable_picture.table(stops), [home_text.verdicts(stop) for stop in stops]


AT_RIGHT = ":host { margin-left: auto !important; }"  # of the bar
ANSWERS = SharedValuePerLanguage(answers, 2.0)


class HomePage(pn.viewable.Viewer):
    """Home page. Of the query parameters of a link it uses only `theme` and `lang`.

    Everything that moves is updated in the browser, from a table that the process computes once.
    """

    # values that a process computes once for all its pages
    first: tuple[SharedValuePerLanguage, ...] = (ANSWERS, *lab_thumbnails.FAMILIES.values())
    gone: bool = False  # whether the session has ended

    def __init__(self, link: Mapping[str, str] | None = None) -> None:
        super().__init__()
        params = dict(link or {})
        self.language: str = language(params.get("lang", ENGLISH)).code
        with use_language(self.language):
            self._make(params.get("theme", "system"))

    def _make(self, chosen):
        # stored, because a coroutine no longer finds it after an await
        self._doc: Any = served_document()
        self.paint: Painter = Painter(chosen == "dark")
        self.sources: dict[str, ColumnDataSource] = draggable_picture.sources(
            *outlier_example.samples(outlier_example.START)
        )
        self.plot: figure = draggable_picture.draw(self.paint, self.sources)
        self.slider: pmui.DiscreteSlider = draggable_picture.slider()
        self.verdicts: Text = self._text(home_text.computing())
        self.pictures: dict[str, Markup] = {}  # name of a lab -> its thumbnail, for those drawn so far
        self.questions: Text = self._text("")
        self.footer: Text = self._text("")
        self.lookup: SliderTable = SliderTable(self.sources, self.verdicts)
        self.lookup.answer(self.slider, draggable_picture.COLUMNS)
        draggable_picture.drag(self.plot, self.sources, self.slider)
        self.page: pmui.Page = self._page(chosen)
        self._open()

    def __panel__(self) -> pmui.Page:
        return self.page

    def _open(self):
        """Show what is known, and let threads compute the rest. In a notebook compute everything now."""
        parts = ((ANSWERS, self._tell), *((once, self._show) for once in lab_thumbnails.FAMILIES.values()))
        self._show({})
        for once, take in parts:
            take(once.now() if self._doc is None else once.value)
        if self._doc is None:
            return
        pn.state.on_session_destroyed(lambda context: self.release())
        for once, take in parts:
            if once.value is None:
                pn.state.onload(partial(self._await, once, take))

    def _await(self, once, take):
        @without_document_lock  # with the lock the page would answer nothing else while it waits
        async def wait():
            with use_language(self.language):
                value = await once.soon()
                if not self.gone:
                    with set_curdoc(self._doc), pn.io.hold(self._doc):
                        take(value)

        self._doc.add_next_tick_callback(wait)

    def _tell(self, value):
        """Send the browser its table, and show both verdicts at the slider's position."""
        if value is not None:
            table, sentences = value
            self.lookup.send(table, sentences)
            self.verdicts.object = sentences[outlier_example.STOPS.index(self.slider.value)]

    def _show(self, drawn):
        """Show every lab under its question, with the pictures that have been drawn so far."""
        self.pictures |= drawn or {}
        self.questions.object = home_text.questions(self.pictures)
        self.footer.object = home_text.footer(self.pictures)

    def _text(self, text, **styles):
        return Text(text, stylesheets=[sheet("home_text")], sizing_mode="stretch_width", margin=0, styles=styles)

    def _page(self, chosen):
        self.plot.stylesheets = [sheet("home_picture")]
        hero = pn.Column(
            self._text(home_text.opening(), **{"grid-area": "words"}),
            pn.Column(self.verdicts, margin=0, sizing_mode="stretch_width", styles={"grid-area": "verdicts"}),
            pn.Column(
                pn.pane.Bokeh(self.plot, sizing_mode="stretch_width", margin=0),
                self.slider,
                margin=0,
                sizing_mode="stretch_width",
                styles={"grid-area": "picture"},
            ),
            self._text(home_text.buttons(), **{"grid-area": "buttons"}),
            margin=0,
            sizing_mode="stretch_width",
            stylesheets=[sheet("home_places")],
        )
        body = pn.Column(
            hero,
            self.questions,
            self.footer,
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[sheet("body", "home_body")],
        )
        summary = of_page("home"), urlencode(language_param())
        page = page_template(lambda: summary, [*way_home(), *language_menu(AT_RIGHT)], body, chosen, self.plot)
        painted = [[model, name, role] for model, name, role in self.paint.painted]
        on_change(page, "dark_theme", "theme.repaint", painted=painted, roles=ROLES)
        return page

    def release(self) -> None:
        """Release the page at the end of the session: Panel would keep it alive by the arguments of its scripts."""
        self.gone = True
        forget_scripts(self.page, *self.page.select(), self.plot)
