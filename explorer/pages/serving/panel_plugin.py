"""A plugin of `panel serve`: pages are loaded before its processes part, bodies are bounded, /healthz answers.

The server that is made next refuses bodies of requests that are large or slow, for every app that it serves. Who serves
apps that take such bodies says so by EXPLORER_SHARED_PROCESS=1, and has no limit. /preview answers, too.

A process serves the files of a widget set once it has imported it. One that was forked before, and has rendered no
page yet, answers 404, and the browser that asked it shows an empty page.
"""

from __future__ import annotations

from tornado.web import RequestHandler

from explorer.help_text import VERSION
from explorer.pages import page as page  # loads the widget set
from explorer.pages.previews import preview_route

from .body_limits import limit_bodies
from .process_settings import shared

if not shared():
    limit_bodies()


class Health(RequestHandler):
    """Says that this process answers, and which version it is."""

    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(f"ok {VERSION}\n")

    def head(self) -> None:
        """What `get` says of it."""
        self.get()


ROUTES = [(r"/healthz", Health), *preview_route.ROUTES]  # the name that panel asks a plugin for
