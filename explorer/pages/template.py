"""What a lab's page and home have in common: Panel's page in our colours, the session it is in, first results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui
from jinja2 import Template
from panel.links import Callback
from panel.util import edit_readonly  # pyright: ignore[reportPrivateImportUsage]  # has no other place
from panel_material_ui.base import BASE_TEMPLATE
from param.parameterized import edit_constant

from explorer.browser import call
from explorer.languages import ENGLISH, current_language
from explorer.workbench import registry

from .layout import theme
from .previews.page_urls import PageUrls, protocol_of, tags, urls_of
from .serving.script_route import deliver
from .serving.shared_value import SharedValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bokeh.document import Document
    from bokeh.plotting import figure

    from explorer.workbench.lab import Lab

    from .summary import Summary

# the tags of a page, whose link others show, in the head of Panel's document
TOLD = Template("{% extends whole %}{% block preamble %}{{ super() }}{{ told }}{% endblock %}")
# Panel's sheet with the spinner goes up to a tenth of a second after the page is there, and would take its first hand
THROUGH = "#loader:not(.error) { background: none; pointer-events: none; }"
ON_PAPER = "@media print { html, body { background: none !important; } }"  # dark ink on whatever the paper is
SOON, LATER = 0.3, 2.0  # about how many seconds a first result takes, and what comes late with it


class PageTemplate(pmui.Page):
    """Panel's page, whose document is called after what the page shows, and has tags for those who show its link."""

    summed_up: Callable[[], tuple[Summary, str]]  # its summary and the words of its link, once its parts are made

    def server_doc(self, doc: Document | None = None, title: str | None = None, location: Any = True) -> Document:
        """The document of a session."""
        doc = super().server_doc(doc, title, location)
        summary, query = self.summed_up()
        doc.title = summary.title
        meta: Any = self.meta
        with edit_constant(meta):
            meta.title = summary.title
        doc.template, told = TOLD, tags(summary, _place(query))
        doc.template_variables.update(whole=BASE_TEMPLATE, told=told)
        return doc


def _place(query):
    """The addresses of the session that is being built, as its request has them."""
    location = pn.state.location
    if location is None or not location.hostname:
        return PageUrls()
    host = f"{location.hostname}:{location.port}" if location.port else location.hostname
    protocol = protocol_of(pn.state.headers, (location.protocol or "").rstrip(":"))
    return urls_of(protocol, host, location.pathname or "", query)


def page_template(
    summed_up: Callable[[], tuple[Summary, str]],
    header: list[Any],
    body: pn.Column,
    chosen: str,
    figure: figure | None = None,
) -> PageTemplate:
    """A page with a bar and a body; `chosen` is "dark", "light" or "system", which a figure learns when it is drawn.

    A page without a figure has something else that does.
    """
    page = PageTemplate(
        header=header,
        main=[body],
        dark_theme=chosen == "dark",
        theme_config=theme.THEME,
        busy_indicator=None,
        raw_css=[THROUGH, ON_PAPER],
        hooks=[lambda page, root: deliver()],  # as its models are made: it may be older than the session
        sx=theme.PAGE,
    )
    page.summed_up = summed_up
    with edit_readonly(page):
        page.busy = False  # else every message redraws the page's bar, for an indicator that is not shown
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)  # the server's state would keep the page for ever
    if chosen == "system" and figure is not None:
        theme.follow_system(figure)
    if current_language() != ENGLISH and (doc := served_document()):
        doc.js_on_event("document_ready", call("words.declare", language=current_language()))
    return page


def forget_scripts(*parts: Any) -> None:
    """Let go of the scripts of parts whose session is over: Panel would keep the page by what they are given."""
    for part in parts:
        Callback.registry.pop(part, None)


def served_document() -> Document | None:
    """The document of a served session; None in a notebook or a script, where nothing can wait for later."""
    doc = pn.state.curdoc
    return doc if doc and doc.session_context else None


_beginnings, _whole_beginnings = {}, {}  # name of a lab -> Once


def beginning(name: str) -> SharedValue:
    """The Once of a lab's first result: most visitors begin with it."""
    return _beginnings.setdefault(name, SharedValue(lambda: registry.entry(name).lab().result(), SOON))


def whole_beginning(name: str) -> SharedValue:
    """The Once of a lab's first result with all that comes late."""

    def compute():
        lab = registry.entry(name).lab()
        lab.begin_with(beginning(name).now())
        return lab.result(wait=True)

    return _whole_beginnings.setdefault(name, SharedValue(compute, LATER))


def first_result(lab_class: type[Lab]) -> Any:
    """A lab's first result, with what comes late where the process has that."""
    name = registry.name_of(lab_class)
    return whole_beginning(name).value or beginning(name).now()
