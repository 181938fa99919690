"""Common base of all pages: Panel's page template in this project's colours, the session, and first results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui
from jinja2 import Template
from panel.util import edit_readonly  # pyright: ignore[reportPrivateImportUsage]  # has no other place
from panel_material_ui.base import BASE_TEMPLATE
from param.parameterized import edit_constant

from explorer.browser import call
from explorer.languages import ENGLISH, current_language
from explorer.workbench import registry

from .layout import theme
from .patches.panel_registries import stop_watching_busy
from .previews.meta_tags import PageUrls, protocol_of, tags, urls_of
from .serving.script_route import deliver
from .serving.shared_value import SharedValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bokeh.document import Document
    from bokeh.plotting import figure

    from explorer.workbench.lab import Lab

    from .page_title import Summary

# adds the meta tags for link previews to the head of Panel's document
WITH_META_TAGS = Template("{% extends whole %}{% block preamble %}{{ super() }}{{ told }}{% endblock %}")
# Panel's loading spinner covers the page for up to 0.1 s after it is built, and would catch the user's first click.
THROUGH = "#loader:not(.error) { background: none; pointer-events: none; }"
# printed pages have dark text on the paper's own background
ON_PAPER = "@media print { html, body { background: none !important; } }"
SOON, LATER = 0.3, 2.0  # expected seconds for a first result, and for its deferred stages


class PageTemplate(pmui.Page):
    """Page template whose document has the page's title, and meta tags for previews of its link."""

    # returns its summary and the query string of its link, once its parts are built
    summed_up: Callable[[], tuple[Summary, str]]

    def server_doc(self, doc: Document | None = None, title: str | None = None, location: Any = True) -> Document:
        """Build the document of a session."""
        doc = super().server_doc(doc, title, location)
        summary, query = self.summed_up()
        doc.title = summary.title
        meta: Any = self.meta
        with edit_constant(meta):
            meta.title = summary.title
        doc.template, told = WITH_META_TAGS, tags(summary, _page_urls(query))
        doc.template_variables.update(whole=BASE_TEMPLATE, told=told)
        return doc


def _page_urls(query):
    """Return the addresses of the session that is being built, as its request has them."""
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
    """Return a page with a navigation bar and a body.

    Parameters
    ----------
    summed_up : callable
        Returns (summary, query string of the page's link), once the parts are built.
    header : list
        The parts of the navigation bar.
    body : Column
        The page's content.
    chosen : {"dark", "light", "system"}
        The colour theme at the beginning.
    figure : figure or None, default None
        The figure that applies the theme "system" when it is drawn. A page without a figure does this by another part.

    Returns
    -------
    PageTemplate
        The page.
    """
    page = PageTemplate(
        header=header,
        main=[body],
        dark_theme=chosen == "dark",
        theme_config=theme.THEME,
        busy_indicator=None,
        raw_css=[THROUGH, ON_PAPER],
        # called when the page's models are created: the page may be older than the session
        hooks=[lambda page, root: deliver()],
        sx=theme.PAGE,
    )
    page.summed_up = summed_up
    with edit_readonly(page):
        page.busy = False  # otherwise every message redraws the page's bar, for an indicator that is not visible
    stop_watching_busy(page)
    if chosen == "system" and figure is not None:
        theme.follow_system(figure)
    if current_language() != ENGLISH and (doc := served_document()):
        doc.js_on_event("document_ready", call("words.declare", language=current_language()))
    return page


def served_document() -> Document | None:
    """Return the document of a served session, or None in a notebook or script, where nothing can be deferred."""
    doc = pn.state.curdoc
    return doc if doc and doc.session_context else None


_beginnings, _whole_beginnings = {}, {}  # name of a lab -> SharedValue


def shared_first_result(name: str) -> SharedValue:
    """Return the shared first result of a lab. Most visitors begin with it.

    Parameters
    ----------
    name : str
        The lab's name.

    Returns
    -------
    SharedValue
        The result with the lab's default settings.
    """
    return _beginnings.setdefault(name, SharedValue(lambda: registry.entry(name).lab().result(), SOON))


def shared_complete_result(name: str) -> SharedValue:
    """Return the shared first result of a lab with all its deferred stages.

    Parameters
    ----------
    name : str
        The lab's name.

    Returns
    -------
    SharedValue
        The complete result with the lab's default settings.
    """

    def compute():
        lab = registry.entry(name).lab()
        lab.begin_with(shared_first_result(name).now())
        return lab.result(wait=True)

    return _whole_beginnings.setdefault(name, SharedValue(compute, LATER))


def first_result(lab_class: type[Lab]) -> Any:
    """Return a lab's first result, with its deferred stages if the process has computed them already."""
    name = registry.name_of(lab_class)
    return shared_complete_result(name).value or shared_first_result(name).now()
