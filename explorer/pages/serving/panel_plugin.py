"""Plugin of `panel serve`: preloads the pages, limits request bodies, and adds the addresses /healthz and /preview.

The limits apply to every app of the server. Set EXPLORER_SHARED_PROCESS=1 if the server has apps that accept large or
slow bodies; then there is no limit.

The pages are loaded before the server's processes fork, because a process serves the files of a widget set only once it
has imported the set. A process that was forked before, and has not rendered a page yet, answers 404, and the browser
shows an empty page.
"""

from __future__ import annotations

from tornado.web import RequestHandler

from explorer.pages import page as page  # imported because it loads the widget set
from explorer.pages.patches.bokeh.server import limit_bodies
from explorer.pages.previews import preview_route
from explorer.public_names.help_text import VERSION

from .process_settings import shared

if not shared():
    limit_bodies()


class Health(RequestHandler):
    """Handler of /healthz: shows that this process answers, and its version."""

    def get(self) -> None:
        """Send "ok" and the version."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(f"ok {VERSION}\n")

    def head(self) -> None:
        """Return the headers that `get` returns."""
        self.get()


ROUTES = [(r"/healthz", Health), *preview_route.ROUTES]  # Panel looks for this name in a plugin
