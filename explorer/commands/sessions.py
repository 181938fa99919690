"""Sessions of several workers: the websocket of a page goes to the worker that has the page.

All workers take connections from one socket, so a page and its websocket reach any two of them. Bokeh would build the
page anew in the second one, at the price of the first, and a page that lost its connection would find a stranger.
"""

from __future__ import annotations

import asyncio
import re
import socket
from zlib import crc32

from bokeh.server.views import session_handler
from bokeh.util.token import get_session_id
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream

MOST = 65536  # bytes of a request's head that are looked at; tornado takes no longer one
TOKEN = re.compile(rb"\r\nsec-websocket-protocol:[ \t]*bokeh,[ \t]*([\w-]+)", re.IGNORECASE)


def owner(session, workers):
    """The number of the worker that has a session, by its id alone."""
    return crc32(session.encode()) % workers


def asked_session(head):
    """The id of the session that a request's first bytes open a websocket to, or None."""
    token = TOKEN.search(head)
    if token is None:
        return None
    try:
        return str(get_session_id(token[1].decode()))
    except (ValueError, KeyError, TypeError):  # no token of Bokeh's; the worker that has the connection refuses it
        return None


def give_own_sessions(worker):
    """Let this process give new sessions only ids that make it their owner."""
    generate = session_handler.generate_session_id

    def generate_own(**options):
        while owner(session := generate(**options), worker.count) != worker.number:
            pass  # one try for each worker, on average
        return session

    session_handler.generate_session_id = generate_own


def doors(workers):
    """A pair of sockets for each worker: where it takes connections, and where the others hand them in."""
    pairs = [socket.socketpair() for _ in range(workers)]
    for each in (end for pair in pairs for end in pair):
        each.setblocking(False)
    return pairs


class Listener(HTTPServer):
    """Takes connections, and hands each websocket of another worker's session to that worker."""

    def join(self, worker, pairs):
        """Take what the others hand in."""
        self.worker, self.pairs = worker, pairs
        IOLoop.current().asyncio_loop.add_reader(pairs[worker.number][0], self._take)

    async def handle_stream(self, stream, address):
        """Serve a connection here or hand it on, by its first request; a proxy's later ones on it are served here."""
        session = asked_session(await _first_bytes(stream.socket))
        number = self.worker.number if session is None else owner(session, self.worker.count)
        if number != self.worker.number:
            try:
                socket.send_fds(self.pairs[number][1], [b"."], [stream.socket.fileno()])
            except OSError:
                pass  # its queue is full, or the connection is gone; served here, the page is only built once more
            else:
                stream.close()
                return
        super().handle_stream(stream, address)

    def _take(self):
        """Serve the connection that another worker hands in."""
        _, handed, _, _ = socket.recv_fds(self.pairs[self.worker.number][0], 1, 1)
        for descriptor in handed:
            connection = socket.socket(fileno=descriptor)
            connection.setblocking(False)
            try:
                address = connection.getpeername()
            except OSError:  # closed on its way
                connection.close()
                continue
            super().handle_stream(IOStream(connection, max_buffer_size=self.max_buffer_size), address)


async def _first_bytes(connection):
    """What a connection sends first; it is left there to be read."""
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, arrived.set)
    try:
        await arrived.wait()
    finally:
        loop.remove_reader(connection)
    try:
        return connection.recv(MOST, socket.MSG_PEEK)
    except OSError:  # reset; whoever reads it next sees so too
        return b""
