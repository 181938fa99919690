"""Sessions of several workers: new pages are shared out, and the websocket of a page goes to the worker that has it.

All workers take connections from one socket, so a page and its websocket reach any two of them. Bokeh would build the
page anew in the second one, at the price of the first, and a page that lost its connection would find a stranger.
Whichever worker wakes first would take all of a rush of pages, so each page goes to the worker with the fewest.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bokeh.server.views import session_handler
from bokeh.util.token import get_session_id
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.iostream import IOStream

from explorer.pages.serving.body_limits import LimitedServer

if TYPE_CHECKING:
    from .workers import Worker


MOST = 65536  # bytes of a request's head that are looked at; tornado takes no longer one
PATIENCE = 10  # s that the first head of a connection may take; without it the connection is closed
COUNTED = 0.5  # s from one count of a worker's sessions to the next, in which some may have ended
A_PAGE, A_SOCKET = b"p", b"s"  # what is handed in
TOKEN = re.compile(rb"\r\nsec-websocket-protocol:[ \t]*bokeh,[ \t]*([\w.-]+)", re.IGNORECASE)
PAGE = re.compile(rb"GET ([^\s?]+)(\?\S*)? HTTP/")


def owner(session: str, workers: int) -> int:
    """The number of the worker that has a session, by its id alone."""
    return crc32(session.encode()) % workers


def asked_session(head: bytes) -> str | None:
    """The id of the session that a request's first bytes open a websocket to, or None."""
    token = TOKEN.search(head)
    if token is None:
        return None
    try:
        return str(get_session_id(token[1].decode()))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # no token of Bokeh's; the worker that has the connection refuses it


def give_own_sessions(worker: Worker) -> None:
    """Let this process give new sessions only ids that make it their owner."""
    makers: Any = session_handler  # which looks the maker of ids up there each time
    generate = makers.generate_session_id

    def generate_own(**options):
        while owner(session := generate(**options), worker.count) != worker.number:
            pass  # one try for each worker, on average
        return session

    makers.generate_session_id = generate_own


def doors(workers: int) -> list[tuple[socket.socket, socket.socket]]:
    """A pair of sockets for each worker: where it takes connections, and where the others hand them in."""
    pairs = [socket.socketpair() for _ in range(workers)]
    for each in (end for pair in pairs for end in pair):
        each.setblocking(False)
    return pairs


def asked_page(head: bytes) -> str | None:
    """The path of the page that a request's first bytes ask for, or None."""
    asked = PAGE.match(head)
    return asked and asked[1].decode("latin-1")


class Listener(LimitedServer):
    """Takes connections, and hands each page to the worker with the fewest and each websocket to that of its session.

    A connection that sends nothing, or half a head, is closed after a while.
    """

    worker: Worker
    pairs: Sequence[tuple[socket.socket, socket.socket]]
    pages: Sequence[Any]

    def join(
        self,
        worker: Worker,
        pairs: Sequence[tuple[socket.socket, socket.socket]],
        pages: Sequence[Any] = (),
        count: Callable[[], int] = int,
    ) -> None:
        """Take what the others hand in; `pages` are the paths of pages, `count()` is how many sessions are here."""
        self.worker, self.pairs, self.pages, self._count, self._last = worker, pairs, pages, count, worker.number
        self._coming = set()  # streams of pages that are about to be asked for
        loop: Any = IOLoop.current()  # of asyncio
        loop.asyncio_loop.add_reader(pairs[worker.number][0], self._take)
        PeriodicCallback(self._tell, 1000 * COUNTED).start()

    def arrived(self, stream: IOStream) -> None:
        """A page is asked for, and its session counted from now on."""
        self._coming.discard(stream)

    def on_close(self, server_conn: Any) -> None:
        self.arrived(server_conn.stream)
        super().on_close(server_conn)

    def _tell(self):
        """Let the others know how many sessions are here."""
        self.worker.loads.has(self.worker.number, self._count() + len(self._coming))

    async def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:  # pyright: ignore[reportIncompatibleMethodOverride], tornado runs what is awaitable
        """Serve a connection here or hand it on, by its first request; a proxy's later ones on it are served here."""
        head = await _first_bytes(stream.socket)
        if head is None:
            stream.close()
            return
        session, own = asked_session(head), self.worker.number
        is_page = session is None and asked_page(head) in self.pages
        number = own if session is None else owner(session, self.worker.count)
        if is_page and (number := self._fewest()) == own:
            self._coming.add(stream)
            self._tell()
        if number != own and self._hand(stream, number, A_PAGE if is_page else A_SOCKET):
            stream.close()
        else:  # or the other's queue is full, or the connection is gone; here the page is only built once more
            super().handle_stream(stream, address)

    def _fewest(self):
        """The number of a worker with the fewest sessions, in turn."""
        self._tell()
        count = self.worker.count
        turns = ((self._last + 1 + i) % count for i in range(count))
        self._last = min(turns, key=self.worker.loads.of)
        return self._last

    def _hand(self, stream, number, what):
        """Whether a connection could be handed to another worker."""
        try:
            socket.send_fds(self.pairs[number][1], [what], [stream.socket.fileno()])
        except OSError:
            return False
        if what == A_PAGE:
            self.worker.loads.gave(self.worker.number, number)
        return True

    def _take(self):
        """Serve the connection that another worker hands in."""
        what, handed, _, _ = socket.recv_fds(self.pairs[self.worker.number][0], 1, 1)
        if what == A_PAGE:
            self.worker.loads.took(self.worker.number)
        for descriptor in handed:
            connection = socket.socket(fileno=descriptor)
            connection.setblocking(False)
            try:
                address = connection.getpeername()
            except OSError:  # closed on its way
                connection.close()
                continue
            stream = IOStream(connection, max_buffer_size=self.max_buffer_size)
            if what == A_PAGE:
                self._coming.add(stream)
            super().handle_stream(stream, address)
        self._tell()


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
