"""The way from a cell to its kernel where no front end offers one, as in VS Code: a socket on this machine alone.

Whoever asks must know a session's name, which is a random one and stands in its cell alone.
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

HERE = "127.0.0.1"


class Connection(WebSocketHandler):
    """A browser's connection, as a session takes it: what is said there is heard, and it is told what changes."""

    def initialize(self, sessions: Mapping[str, Any]) -> None:
        """Know the sessions of this process by their names."""
        self.sessions = sessions
        self._hear = None

    def check_origin(self, origin: str) -> bool:
        """A notebook has any origin, or none; the name of the session is the key."""
        return True

    def open(self, name: str) -> None:
        """Lead to the session of that name."""
        session = self.sessions.get(name)
        if session is None:
            self.close()
        else:
            session.open(self, None)

    def on_msg(self, hear: Callable[[Any], object]) -> None:
        """Let `hear` have what is said, in the form in which Jupyter gives it."""
        self._hear = hear

    def on_message(self, message: str | bytes) -> None:
        """Pass on what a browser says; what no cell of ours would say is not heard."""
        try:
            said = json.loads(message)
        except ValueError:
            return
        if self._hear is not None and isinstance(said, dict):
            self._hear({"content": {"data": said}})

    def send(self, content: Mapping[str, Any], buffers: Iterable[bytes] = ()) -> None:
        """Tell the browser; where it has gone, nobody."""
        bytes_ = [base64.b64encode(buffer).decode() for buffer in buffers]
        try:
            sent = self.write_message(json.dumps({**content, "bytes": bytes_}))
            sent.add_done_callback(lambda future: future.exception())  # it has gone meanwhile
        except WebSocketClosedError:
            pass


class Socket:
    """The socket of this process: `add(session)` lets browsers find a session, and gives the port."""

    def __init__(self):
        self._sessions, self._port = WeakValueDictionary(), None

    def add(self, session: KernelSession) -> int:
        """The port at which browsers of this machine reach the session; the first call opens it."""
        self._sessions[session.id] = session
        if self._port is None:
            server = HTTPServer(Application([(r"/(\w+)", Connection, {"sessions": self._sessions})]))
            sockets = bind_sockets(0, HERE)
            server.add_sockets(sockets)
            self._port = sockets[0].getsockname()[1]
        return self._port


SOCKET = Socket()
