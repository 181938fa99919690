"""Session of a page in a notebook's kernel: Bokeh's session, whose messages travel through Jupyter instead of a socket.

The browser begins with the number of the document that it shows. If the document has changed since, as after the
notebook was reopened, it gets the current one. From then on each side sends its changes to the other.
"""

from __future__ import annotations

import json
import logging
import threading
import weakref
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.models import ImportedStyleSheet, InlineStyleSheet
from bokeh.protocol import Protocol
from bokeh.server.contexts import BokehSessionContext
from bokeh.server.session import ServerSession
from panel.io.document import Request, monkeypatch_events  # pyright: ignore[reportPrivateImportUsage]  # Panel's
from panel.io.resources import CDN_DIST, DIST_DIR
from panel.io.state import set_curdoc, state
from panel.models.esm import ReactiveESM
from tornado.ioloop import IOLoop

from explorer.browser import sheet

LOG = logging.getLogger("explorer")
WIDGETS = "explorer-widgets"  # the browser stores the widget set's module under this name, and no model contains it
# the part of the widget set's style sheet that components need; its font is defined by the notebook's page
ICONS = sheet("icons")


class KernelSession(ServerSession):
    """The session of one page. `comm` connects the browser that greeted last; only this one gets changes."""

    def __init__(self):
        doc, name = Document(), ID(uuid4().hex)
        # It is a server's session, so that widgets name their module instead of containing its text.
        itself: Any = self  # the session is its own context, because there is no server around it
        context: Any = BokehSessionContext(name, itself, doc)
        # there is no request, because no address opened the session
        context._request = Request(headers={}, cookies={}, arguments={})
        doc._session_context = weakref.ref(context)
        loop: Any = IOLoop.current()
        super().__init__(name, doc, io_loop=loop)
        context._set_session(self)
        state._thread_id_[doc] = threading.get_ident()  # otherwise Panel treats every change as one from another thread
        self.context = context
        self.protocol: Protocol = Protocol()
        self.comm: Any = None
        self._events, self._number, self._sheets = [], 0, {}

    def current_document(self) -> tuple[int, Any]:
        """Return (number, JSON) of the current document, for a browser to show."""
        self._events.clear()
        self._make_light()
        return self._number, self.document.to_json(deferred=False)

    def open(self, comm: Any, message: Any) -> None:
        """Accept a browser's connection. The browser speaks first.

        Jupyter may call this in another thread than the page's.
        """
        loop: Any = self._loop
        comm.on_msg(lambda message: loop.add_callback(self.hear, comm, message["content"]["data"]))

    def hear(self, comm: Any, said: Mapping[str, Any]) -> None:
        """Handle a message of the browser: its greeting, or a change that the user made there."""
        if "hello" in said:
            self._greet(comm, said["hello"])
        elif comm is self.comm:
            message: Any = self.protocol._messages["PATCH-DOC"]
            patch = message({"msgid": "", "msgtype": "PATCH-DOC"}, {}, said["patch"])
            with set_curdoc(self.document):
                try:
                    patch.apply_to_document(self.document, self)
                except Exception:
                    LOG.exception("a change of the browser failed")
            self.tell()

    def _greet(self, comm, number):
        if self.comm is not None and self.comm is not comm:
            self.comm.send({"elsewhere": True})
        self.comm = comm
        if number == self._number:
            comm.send({"welcome": True})
        else:
            number, document = self.current_document()
            comm.send({"welcome": True, "number": number, "document": json.dumps(document)})
        state._connected[self.document] = True

    def _document_patched(self, event):
        """Collect a change of the document. All changes are sent together at the end of the loop's current step."""
        self._number += 1
        if event.setter is self or self.comm is None:
            return
        if not self._events:
            loop: Any = self._loop
            loop.add_callback(self.tell)
        self._events.append(event)

    def tell(self) -> None:
        """Send the collected changes in one message."""
        if not self._events or self.destroyed:
            return
        self._make_light()
        events, self._events = self._events, []
        monkeypatch_events(events)
        patch = self.protocol.create("PATCH-DOC", events)
        names = [buffer.ref["id"] for buffer in patch.buffers]
        content = {"patch": patch.content_json, "buffers": names, "number": self._number}
        self.comm.send(content, buffers=[buffer.to_bytes() for buffer in patch.buffers])

    def _make_light(self):
        """Remove from every component what all components share, so that none carries or fetches it."""
        with self.document.models.freeze():
            models: list[Any] = list(self.document.models)
            for model in models:
                if isinstance(model, ReactiveESM) and model.bundle == "url":
                    model.update(bundle=WIDGETS, esm="", css_bundle=ICONS)
                if any(isinstance(sheet, ImportedStyleSheet) for sheet in getattr(model, "stylesheets", ())):
                    model.stylesheets = [self._inline(sheet) for sheet in model.stylesheets]
        self._events = [event for event in self._events if not _fetches(event)]

    def _inline(self, sheet):
        """Return a style sheet that is not fetched; components with the same style sheet share it."""
        if not isinstance(sheet, ImportedStyleSheet):
            return sheet
        if sheet.url not in self._sheets:
            path = DIST_DIR / sheet.url.replace(CDN_DIST, "").split("?")[0].removeprefix("static/extensions/panel/")
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            self._sheets[sheet.url] = InlineStyleSheet(css=text)
        return self._sheets[sheet.url]


def _fetches(event):
    """Return whether a change would make the browser fetch a style sheet. A later change has it inline."""
    sheets = event.new if getattr(event, "attr", "") == "stylesheets" else ()
    return any(isinstance(sheet, ImportedStyleSheet) for sheet in sheets)
