"""How the script of our modules reaches a served page, in its head: it is there before any callback of ours runs.

`explorer serve` names an address that has the script's version, and a browser keeps it for good. A server that has no
such address, as that of `panel serve`, writes the whole script into the page instead.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from functools import cache
from urllib.parse import quote

import panel as pn
from tornado.web import RequestHandler

from explorer.browser import VERSION, call_statement, script

ADDRESS = f"browser/{VERSION}.js"  # relative to every page
NAME = "explorer"  # of the script among those of a page
YEAR = 31_536_000  # s
_served: list[str] = []  # the address, once this process serves it


class Script(RequestHandler):
    """The script, at the address of its version."""

    def get(self) -> None:
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.set_header("Cache-Control", f"public, max-age={YEAR}, immutable")
        self.set_header("Vary", "Accept-Encoding")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(_compressed())
        else:
            self.write(script())

    def head(self) -> None:
        """What `get` says of it."""
        self.get()


ROUTES = [(f"/{ADDRESS}", Script)]


def serve_by_address() -> None:
    """Let the pages of this process name the address: its server has the ROUTES."""
    _served[:] = [ADDRESS]


@cache
def _compressed():
    return gzip.compress(script().encode(), 9, mtime=0)


@cache
def _whole():
    return f"data:text/javascript;base64,{b64encode(script().encode()).decode()}"


def deliver() -> None:
    """Let the page of the session that is being built have the script in its head."""
    if pn.state.curdoc is not None and NAME not in pn.config.js_files:
        pn.config.js_files = {**pn.config.js_files, NAME: _served[0] if _served else _whole()}


def calm() -> None:
    """Let the browser of the session that is being built leave out what makes it compute all styles again in vain.

    It has to be so before Bokeh draws. Pages of a server that names the address say it in their HTML, as its policy
    lets in no script of a `data:` address.
    """
    deliver()
    if not _served:
        pn.config.js_files = {
            **pn.config.js_files,
            "calm": f"data:text/javascript,{quote(call_statement('calm.calm'))}",
        }
