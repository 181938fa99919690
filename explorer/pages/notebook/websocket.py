"""Connection of a cell to its kernel if the front end offers none, as in VS Code: a socket on this machine only.

A client must know the name of a session, which is random and is only in its cell.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application
from tornado.websocket import WebSocketClosedError, WebSocketHandler

if TYPE_CHECKING:
    from .session import KernelSession

LOCALHOST = "127.0.0.1"


class Connection(WebSocketHandler):
    """A browser's connection with the interface that a session expects from Jupyter."""

    def initialize(self, sessions: Mapping[str, Any]) -> None:
        """Store the sessions of this process by their names."""
        self.sessions = sessions
        self._hear = None

    def check_origin(self, origin: str) -> bool:
        """Accept every origin: a notebook has any origin or none, and the session's name serves as the key."""
        return True

    def open(self, name: str) -> None:
        """Connect with the session of this name."""
        session = self.sessions.get(name)
        if session is None:
            self.close()
        else:
            session.open(self, None)

    def on_msg(self, hear: Callable[[Any], object]) -> None:
        """Register the function that gets the browser's messages, in the form in which Jupyter passes them."""
        self._hear = hear

    def on_message(self, message: str | bytes) -> None:
        """Pass on a message of the browser. Messages that no cell sends are ignored."""
        try:
            said = json.loads(message)
        except ValueError:
            return
        if self._hear is not None and isinstance(said, dict):
            self._hear({"content": {"data": said}})

    def send(self, content: Mapping[str, Any], buffers: Iterable[bytes] = ()) -> None:
        """Send a message to the browser; if it has disconnected, do nothing."""
        bytes_ = [base64.b64encode(buffer).decode() for buffer in buffers]
        try:
            sent = self.write_message(json.dumps({**content, "bytes": bytes_}))
            # the browser may have disconnected, which is not an error
            sent.add_done_callback(lambda future: future.exception())
        except WebSocketClosedError:
            pass


class Socket:
    """The socket of this process, through which browsers find sessions."""

    def __init__(self):
        self._sessions, self._port = WeakValueDictionary(), None

    def add(self, session: KernelSession) -> int:
        """Return the port at which browsers of this machine reach the session. The first call opens it."""
        self._sessions[session.id] = session
        if self._port is None:
            server = HTTPServer(Application([(r"/(\w+)", Connection, {"sessions": self._sessions})]))
            sockets = bind_sockets(0, LOCALHOST)
            server.add_sockets(sockets)
            self._port = sockets[0].getsockname()[1]
        return self._port


SOCKET = Socket()
