"""What a lab's page and home have in common: Panel's page in our colours, the session it is in, first results."""

from __future__ import annotations

from functools import cache

import panel as pn
import panel_material_ui as pmui
from panel.util import edit_readonly

from . import theme


def shell(title, header, body, chosen, figure):
    """A page with a bar and a body; `chosen` is "dark", "light" or "system", which a figure learns when it is drawn."""
    page = pmui.Page(
        meta_title=title,
        header=header,
        main=[body],
        dark_theme=chosen == "dark",
        theme_config=theme.THEME,
        busy_indicator=None,
        sx=theme.PAGE,
    )
    with edit_readonly(page):
        page.busy = False  # else every message redraws the page's bar, for an indicator that is not shown
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)  # the server's state would keep the page for ever
    if chosen == "system":
        theme.follow_system(figure)
    return page


def served_document():
    """The document of a served session; None in a notebook or a script, where nothing can wait for later."""
    doc = pn.state.curdoc
    return doc if doc and doc.session_context else None


@cache
def first_result(lab_class):
    """A lab's first result, computed once a process: most visitors begin with it."""
    return lab_class().result()
