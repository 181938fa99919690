"""`explorer serve` with a route /alive that counts live objects; abandoned sessions end within seconds."""

from __future__ import annotations

import gc
import json
import sys
import threading
from functools import partial

import param
from bokeh.document import Document
from bokeh.model import Model
from bokeh.server import tornado as bokeh_tornado
from bokeh.server.session import ServerSession
from tornado.web import RequestHandler

from explorer.__main__ import main
from explorer.commands import serve
from explorer.pages.page import LabPage
from explorer.pages.serving import panel_plugin

KINDS = {
    "sessions": ServerSession,
    "pages": LabPage,
    "documents": Document,
    "models": Model,
    "parameterized": param.Parameterized,
}
SOON = 3  # seconds that a session outlives its visitor, enough for a page that waits in the queue of ten


class Alive(RequestHandler):
    """Handler that counts the objects of each kind."""

    def get(self):
        """Answer in JSON, after garbage collection has freed all it can."""
        for _ in range(3):  # the next pass frees what a finalizer has released
            gc.collect()
        objects = gc.get_objects()
        counts = {name: sum(isinstance(each, kind) for each in objects) for name, kind in KINDS.items()}
        self.write(json.dumps({**counts, "objects": len(objects), "threads": threading.active_count()}))


if __name__ == "__main__":
    panel_plugin.ROUTES += [(r"/alive", Alive)]
    serve.LOST = SOON
    bokeh_tornado.BokehTornado = partial(bokeh_tornado.BokehTornado, check_unused_sessions_milliseconds=500)
    main(sys.argv[1:])
