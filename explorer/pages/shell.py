"""What a lab's page and home have in common: Panel's page in our colours, the session it is in, first results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui
from panel.links import Callback
from panel.util import edit_readonly  # pyright: ignore[reportPrivateImportUsage]  # has no other place

from explorer.workbench import registry

from . import theme
from .delivery import deliver
from .once import Once

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.plotting import figure

    from explorer.workbench.lab import Lab

PRODUCT = "Kernel Mean Explorer"
# pages that are no lab's and stand with the labs: (what each is called, the question that it answers)
OTHERS = {
    "report": ("Report", "Has my table changed, and in which columns?"),
    "lessons": ("Lessons", "How does it work, from the beginning?"),
}
# Panel's sheet with the spinner goes up to a tenth of a second after the page is there, and would take its first hand
THROUGH = "#loader:not(.error) { background: none; pointer-events: none; }"
ON_PAPER = "@media print { html, body { background: none !important; } }"  # dark ink on whatever the paper is
SOON, LATER = 0.3, 2.0  # about how many seconds a first result takes, and what comes late with it


def shell(title: str, header: list[Any], body: pn.Column, chosen: str, figure: figure | None = None) -> pmui.Page:
    """A page with a bar and a body; `chosen` is "dark", "light" or "system", which a figure learns when it is drawn.

    A page without a figure has something else that does.
    """
    page = pmui.Page(
        meta_title=title,
        header=header,
        main=[body],
        dark_theme=chosen == "dark",
        theme_config=theme.THEME,
        busy_indicator=None,
        raw_css=[THROUGH, ON_PAPER],
        hooks=[lambda page, root: deliver()],  # as its models are made: it may be older than the session
        sx=theme.PAGE,
    )
    with edit_readonly(page):
        page.busy = False  # else every message redraws the page's bar, for an indicator that is not shown
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)  # the server's state would keep the page for ever
    if chosen == "system" and figure is not None:
        theme.follow_system(figure)
    return page


def forget_scripts(*parts: Any) -> None:
    """Let go of the scripts of parts whose session is over: Panel would keep the page by what they are given."""
    for part in parts:
        Callback.registry.pop(part, None)


def served_document() -> Document | None:
    """The document of a served session; None in a notebook or a script, where nothing can wait for later."""
    doc = pn.state.curdoc
    return doc if doc and doc.session_context else None


def title_of(name: str) -> str:
    """What the page of an address is called, be it a lab's or another."""
    title = registry.entry(name).title if name in registry.names() else OTHERS.get(name, ("",))[0]
    return f"{PRODUCT} · {title}" if title else PRODUCT


_beginnings, _whole_beginnings = {}, {}  # name of a lab -> Once


def beginning(name: str) -> Once:
    """The Once of a lab's first result: most visitors begin with it."""
    return _beginnings.setdefault(name, Once(lambda: registry.entry(name).lab().result(), SOON))


def whole_beginning(name: str) -> Once:
    """The Once of a lab's first result with all that comes late."""

    def compute():
        lab = registry.entry(name).lab()
        lab.begin_with(beginning(name).now())
        return lab.result(wait=True)

    return _whole_beginnings.setdefault(name, Once(compute, LATER))


def first_result(lab_class: type[Lab]) -> Any:
    """A lab's first result, with what comes late where the process has that."""
    name = registry.name_of(lab_class)
    return whole_beginning(name).value or beginning(name).now()
