"""The dashboard: the page that every lab stands on, and its parts. Loads Panel; `import explorer` does not."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

import panel as pn
from bokeh.settings import settings
from panel.io.resources import LOCAL_DIST

from explorer.workbench import registry

from .serving import process_settings
from .serving.script_route import calm

HAD_WIDGETS = "panel_material_ui" in sys.modules  # before any page was loaded
HOME = "home"  # its address, beside that at the top
REPORT = "report"
LESSONS = "lessons"
NO_LABS = {HOME: "HomePage", REPORT: "ReportPage", LESSONS: "LessonsPage"}  # pages that are no lab's -> their classes


def page_class(name: str) -> Any:
    """The class of a lab's page, or of another, loaded when it is first asked for: no session waits for the others."""
    if name in NO_LABS:
        folder = __name__ if name == REPORT else f"{__name__}.index"
        return getattr(import_module(f"{folder}.{name}"), NO_LABS[name])
    return getattr(registry.role(name, "page"), _called(registry.entry(name)))


def _called(entry):
    """The name of a lab's page, after its model: ShrinkagePage of ShrinkageLab."""
    return f"{entry.lab.__name__.removesuffix('Lab')}Page"


def __getattr__(name: str) -> Any:
    """ShrinkagePage and its like, for notebooks."""
    if name.endswith("Page"):
        for page, called in NO_LABS.items():
            if name == called:
                return page_class(page)
        for lab, entry in registry.entries().items():
            if name == _called(entry):
                return page_class(lab)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def open_page(name: str, shared: bool | None = None) -> Any:
    """The page of a served session, opened from the words of its address.

    `shared` says that this process serves other apps too and stays as it is; None asks EXPLORER_SHARED_PROCESS.
    """
    pn.extension()
    doc: Any = pn.state.curdoc
    page = page_class(name)
    if not (process_settings.shared() if shared is None else shared):
        process_settings.settle()
        calm()
    if settings.resources(default="server") == "server":
        # Panel names its style sheets so only in a session that an HTTP request opens; one that a websocket opens,
        # in another process or after a restart, would fetch them from Panel's host
        doc.template_variables["dist_url"] = LOCAL_DIST
    location = pn.state.location
    query = (location.search if location else "") or ""
    return page(dict(parse_qsl(query.lstrip("?"), keep_blank_values=True)))
