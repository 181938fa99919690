"""Web pages of the labs, and their parts. Importing this package loads Panel; `import explorer` does not."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

import panel as pn
from bokeh.settings import settings
from panel.io.resources import LOCAL_DIST

from explorer.workbench import registry

from .patches.bokeh.style_cache import load_style_cache
from .patches.bokeh.threads import stay_on_the_event_loop
from .serving import process_settings

HAD_WIDGETS = "panel_material_ui" in sys.modules  # whether the widget set was imported before any page
HOME = "home"  # address of the home page, which is also served at the root
REPORT = "report"
LESSONS = "lessons"
# pages that do not belong to a lab -> module and name of their classes
NO_LABS = {
    HOME: ("index.home", "HomePage"),
    REPORT: ("report.page", "ReportPage"),
    LESSONS: ("index.lessons", "LessonsPage"),
}


def page_class(name: str) -> Any:
    """Return the class of a page. It is imported on the first call, so that a session loads no other pages.

    Parameters
    ----------
    name : str
        The page's address: the name of a lab, or one of NO_LABS.

    Returns
    -------
    type
        The page's class, such as ShrinkagePage.
    """
    if name in NO_LABS:
        module, class_name = NO_LABS[name]
        return getattr(import_module(f"{__name__}.{module}"), class_name)
    return getattr(registry.role(name, "page"), _class_name(registry.entry(name)))


def _class_name(entry):
    """Return the name of a lab's page class, after its model: ShrinkagePage for ShrinkageLab."""
    return f"{entry.lab.__name__.removesuffix('Lab')}Page"


def __getattr__(name: str) -> Any:
    """Import page classes by name, such as ShrinkagePage, for notebooks."""
    if name.endswith("Page"):
        for page, (_, class_name) in NO_LABS.items():
            if name == class_name:
                return page_class(page)
        for lab, entry in registry.entries().items():
            if name == _class_name(entry):
                return page_class(lab)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def open_page(name: str, shared: bool | None = None) -> Any:
    """Open the page of a served session from the query parameters of its address.

    Parameters
    ----------
    name : str
        The page's address: the name of a lab, or one of NO_LABS.
    shared : bool or None, default None
        Whether this process also serves other apps. If it does, the settings of the process stay unchanged. None reads
        the environment variable EXPLORER_SHARED_PROCESS.

    Returns
    -------
    object
        The page, which Panel can show.
    """
    pn.extension()
    doc: Any = pn.state.curdoc
    stay_on_the_event_loop(doc)
    page = page_class(name)
    if not (process_settings.shared() if shared is None else shared):
        process_settings.settle()
        load_style_cache()
    if settings.resources(default="server") == "server":
        # Panel sets this variable only in a session that an HTTP request opens. A session that a websocket opens, in
        # another process or after a restart, would fetch the style sheets from Panel's host.
        doc.template_variables["dist_url"] = LOCAL_DIST
    location = pn.state.location
    query = (location.search if location else "") or ""
    return page(dict(parse_qsl(query.lstrip("?"), keep_blank_values=True)))
