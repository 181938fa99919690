"""Patch of Bokeh that limits the bodies of requests under `panel serve`, which can be given no server class."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from explorer.library_patch import patch
from explorer.pages.serving.body_limits import LimitedServer


@patch(
    "Bokeh",
    "Its server stores 100 MB of a request's body before it looks at the address, however slowly they arrive.",
    "https://github.com/bokeh/bokeh/issues/6338",
)
def limit_bodies() -> None:
    """Apply the limits to all servers that Bokeh makes in this process from now on."""
    server: Any = import_module("bokeh.server.server")  # looks the class up at each use
    server.HTTPServer = LimitedServer
