"""Delivery of the browser script to a served page: it is in the head, so that it is loaded before any callback runs.

`explorer serve` has an address with the script's version, which a browser caches for good. A server without this
address, such as `panel serve`, writes the whole script into the page.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from functools import cache

import panel as pn
from tornado.web import RequestHandler

from explorer.browser import VERSION, script

ADDRESS = f"browser/{VERSION}.js"  # relative to every page
NAME = "explorer"  # the script's name among those of a page
YEAR = 31_536_000  # seconds that a browser may cache the script
_served: list[str] = []  # the address, if this process serves it


class Script(RequestHandler):
    """Handler that serves the script at the address of its version."""

    def get(self) -> None:
        """Send the script, compressed if the browser accepts this."""
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("Cache-Control", f"public, max-age={YEAR}, immutable")
        self.set_header("Vary", "Accept-Encoding")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(_compressed())
        else:
            self.write(script())

    def head(self) -> None:
        """Return the headers that `get` returns."""
        self.get()


ROUTES = [(f"/{ADDRESS}", Script)]


def is_served() -> bool:
    """Return whether the pages of this process refer to the script's address."""
    return bool(_served)


def serve_by_address() -> None:
    """Make the pages of this process refer to the script's address. The server must have the ROUTES."""
    _served[:] = [ADDRESS]


@cache
def _compressed():
    return gzip.compress(script().encode(), 9, mtime=0)


@cache
def _whole():
    return f"data:text/javascript;base64,{b64encode(script().encode()).decode()}"


def deliver() -> None:
    """Add the script to the head of the page whose session is being built."""
    if pn.state.curdoc is not None and NAME not in pn.config.js_files:
        pn.config.js_files = {**pn.config.js_files, NAME: _served[0] if _served else _whole()}
