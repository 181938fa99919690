"""Patch of Bokeh in the browser that keeps it from recomputing all styles in vain: `browser/style_cache.js`."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import panel as pn

from explorer.browser import call_statement
from explorer.library_patch import patch
from explorer.pages.serving.script_route import deliver, is_served


@patch(
    "Bokeh",
    "Each line and text looks for a CSS rule of its colour, a hundred thousand times while a page opens.",
    "https://github.com/bokeh/bokeh/issues/15286",
)
def load_style_cache() -> None:
    """Load the cache in the browser of the session that is being built, before Bokeh draws.

    Pages of a server with the script's address do it in their HTML, because its security policy refuses scripts of a
    `data:` address.
    """
    deliver()
    if not is_served():
        install = f"data:text/javascript,{quote(call_statement('style_cache.install'))}"
        files: Any = pn.config.js_files
        pn.config.js_files = {**files, "style_cache": install}
