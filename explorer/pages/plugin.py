"""A plugin of `panel serve`: the pages are loaded before its processes part; /healthz and /preview answer.

A process serves the files of a widget set once it has imported it. One that was forked before, and has rendered no
page yet, answers 404, and the browser that asked it shows an empty page.
"""

from __future__ import annotations

from tornado.web import RequestHandler

from explorer.contents import VERSION

from . import page as page  # loads the widget set
from . import preview


class Health(RequestHandler):
    """Says that this process answers, and which version it is."""

    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(f"ok {VERSION}\n")

    def head(self) -> None:
        """What `get` says of it."""
        self.get()


ROUTES = [(r"/healthz", Health), *preview.ROUTES]  # the name that panel asks a plugin for
