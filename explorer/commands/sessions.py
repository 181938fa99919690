"""Sessions of several workers: new pages are shared out, and the websocket of a page goes to the worker that has it.

All workers take connections from one socket, so a page and its websocket reach any two of them. Bokeh would build the
page anew in the second one, at the price of the first, and a page that lost its connection would find a stranger.
Whichever worker wakes first would take all of a rush of pages, so each hands them on, to all in turn.
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
PATIENCE = 10  # s that the first head of a connection may take; without it the connection is closed
IDLE = 75  # s that a connection may be kept open between two requests
SLACK = 2  # sessions that a worker may have more than another and still take its turn
TOKEN = re.compile(rb"\r\nsec-websocket-protocol:[ \t]*bokeh,[ \t]*([\w.-]+)", re.IGNORECASE)
PAGE = re.compile(rb"GET ([^\s?]+)(\?\S*)? HTTP/")


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
    except (
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ):  # no token of Bokeh's; the worker that has the connection refuses it
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


def asked_page(head):
    """The path of the page that a request's first bytes ask for, or None."""
    asked = PAGE.match(head)
    return asked and asked[1].decode("latin-1")


class Listener(HTTPServer):
    """Takes connections, and hands each page to the worker whose turn it is and each websocket to that of its session.

    A connection that sends nothing, or half a head, is closed after a while.
    """

    def join(self, worker, pairs, pages=(), count=int):
        """Take what the others hand in; `pages` are the paths of pages, `count()` is how many sessions are here."""
        self.worker, self.pairs, self.pages, self.count, self._last = worker, pairs, pages, count, worker.number - 1
        IOLoop.current().asyncio_loop.add_reader(pairs[worker.number][0], self._take)

    async def handle_stream(self, stream, address):
        """Serve a connection here or hand it on, by its first request; a proxy's later ones on it are served here."""
        head = await _first_bytes(stream.socket)
        if head is None:
            stream.close()
            return
        session = asked_session(head)
        if session is not None:
            number = owner(session, self.worker.count)
        elif asked_page(head) in self.pages:
            number = self._next()
        else:
            number = self.worker.number
        if number != self.worker.number:
            try:
                socket.send_fds(self.pairs[number][1], [b"."], [stream.socket.fileno()])
            except OSError:
                pass  # its queue is full, or the connection is gone; served here, the page is only built once more
            else:
                stream.close()
                return
        super().handle_stream(stream, address)

    def _next(self):
        """The number of the worker whose turn it is: one after the other, but for those that have more than others."""
        loads = self.worker.loads
        loads[self.worker.number] = self.count()
        few = min(loads) + SLACK
        while True:
            self._last = (self._last + 1) % self.worker.count
            if loads[self._last] <= few:
                return self._last

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
    """The head that a connection sends first, in however many packets; it is left there to be read.

    None of a connection that sends none in time.
    """
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()
    pause, end = 0.01, loop.time() + PATIENCE
    loop.add_reader(connection, arrived.set)
    try:
        async with asyncio.timeout(PATIENCE):
            await arrived.wait()
    except TimeoutError:
        return None
    finally:
        loop.remove_reader(connection)
    while loop.time() < end:
        try:
            head = connection.recv(MOST, socket.MSG_PEEK)
        except OSError:  # reset; whoever reads it next sees so too
            return b""
        if not head or b"\r\n\r\n" in head or len(head) == MOST:
            return head
        await asyncio.sleep(pause)  # what is there wakes nobody a second time
        pause = min(2 * pause, 0.2)
    return None
