"""Routing among several workers: each new page goes to the least loaded worker, a websocket to its page's worker.

All workers accept connections from one socket, so a page and its websocket may reach different workers. Bokeh would
then build the page a second time, at the cost of the first, and a page that reconnects would find a session that is not
its own. Without routing the worker that wakes first would get all pages of a rush.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bokeh.util.token import get_session_id
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.iostream import IOStream

from explorer.pages.serving.body_limits import LimitedServer

if TYPE_CHECKING:
    from .workers import Worker

# Module in which Bokeh looks up its function that makes ids each time; it has moved in 3.10.
WHERE = "bokeh.server.core" if find_spec("bokeh.server.core") else "bokeh.server.views.session_handler"
SESSION_IDS: Any = import_module(WHERE)
MOST = 65536  # most bytes of a request's head that are examined; tornado accepts no more
PATIENCE = 10  # seconds within which a connection must send its first head; then it is closed
COUNTED = 0.5  # seconds between two counts of a worker's sessions, because sessions also end
A_PAGE, A_SOCKET = b"p", b"s"  # the two kinds of forwarded connections
TOKEN = re.compile(rb"\r\nsec-websocket-protocol:[ \t]*bokeh,[ \t]*([\w.-]+)", re.IGNORECASE)
PAGE = re.compile(rb"GET ([^\s?]+)(\?\S*)? HTTP/")


def worker_of(session: str, workers: int) -> int:
    """Return the number of the worker that has a session; the session's id determines it."""
    return crc32(session.encode()) % workers


def requested_session(head: bytes) -> str | None:
    """Return the id of the session whose websocket a request's head opens, or None."""
    token = TOKEN.search(head)
    if token is None:
        return None
    try:
        return str(get_session_id(token[1].decode()))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # not a token of Bokeh's; the worker with the connection refuses it


def use_own_session_ids(worker: Worker) -> None:
    """Make this process create only session ids that belong to this worker."""
    generate = SESSION_IDS.generate_session_id

    def generate_own(**options):
        while worker_of(session := generate(**options), worker.count) != worker.number:
            pass  # on average as many tries as there are workers
        return session

    SESSION_IDS.generate_session_id = generate_own


def worker_sockets(workers: int) -> list[tuple[socket.socket, socket.socket]]:
    """Return a pair of sockets per worker: it receives connections at the first, the others send them to the second."""
    pairs = [socket.socketpair() for _ in range(workers)]
    for each in (end for pair in pairs for end in pair):
        each.setblocking(False)
    return pairs


def requested_path(head: bytes) -> str | None:
    """Return the path of the page that a request's head asks for, or None."""
    asked = PAGE.match(head)
    return asked and asked[1].decode("latin-1")


class Listener(LimitedServer):
    """Server that accepts connections: pages go to the least loaded worker, websockets to the worker of their session.

    A connection that sends nothing, or an incomplete head, is closed after PATIENCE seconds.
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
        """Begin to receive connections from other workers.

        Parameters
        ----------
        worker : Worker
            The worker of this process.
        pairs : sequence of (socket, socket)
            One pair per worker, from `worker_sockets`.
        pages : collection of str, default ()
            The paths of pages.
        count : callable, default int
            Returns the number of sessions in this process.
        """
        self.worker, self.pairs, self.pages, self._count, self._last = worker, pairs, pages, count, worker.number
        self._coming = set()  # connections whose page request is about to be handled
        loop: Any = IOLoop.current()  # an asyncio loop
        loop.asyncio_loop.add_reader(pairs[worker.number][0], self._take)
        PeriodicCallback(self._tell, 1000 * COUNTED).start()

    def forget_pending(self, stream: IOStream) -> None:
        """Forget a connection: its page was requested, and `count` includes its session from now on."""
        self._coming.discard(stream)

    def on_close(self, server_conn: Any) -> None:
        """Forget a connection that has closed."""
        self.forget_pending(server_conn.stream)
        super().on_close(server_conn)

    def _tell(self):
        """Share the number of this worker's sessions with the other workers."""
        self.worker.loads.has(self.worker.number, self._count() + len(self._coming))

    async def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:  # pyright: ignore[reportIncompatibleMethodOverride], tornado runs what is awaitable
        """Serve a connection or forward it, depending on its first request; later requests of a proxy stay here."""
        head = await _first_bytes(stream.socket)
        if head is None:
            stream.close()
            return
        session, own = requested_session(head), self.worker.number
        is_page = session is None and requested_path(head) in self.pages
        number = own if session is None else worker_of(session, self.worker.count)
        if is_page and (number := self._fewest()) == own:
            self._coming.add(stream)
            self._tell()
        if number != own and self._forward(stream, number, A_PAGE if is_page else A_SOCKET):
            stream.close()
        # Also if the other worker's queue is full or the connection is gone; then the page is built a second time here.
        else:
            super().handle_stream(stream, address)

    def _fewest(self):
        """Return the number of a worker with the fewest sessions; ties are resolved in rotation."""
        self._tell()
        count = self.worker.count
        turns = ((self._last + 1 + i) % count for i in range(count))
        self._last = min(turns, key=self.worker.loads.of)
        return self._last

    def _forward(self, stream, number, what):
        """Forward a connection to another worker, and return whether that succeeded."""
        try:
            socket.send_fds(self.pairs[number][1], [what], [stream.socket.fileno()])
        except OSError:
            return False
        if what == A_PAGE:
            self.worker.loads.gave(self.worker.number, number)
        return True

    def _take(self):
        """Serve the connection that another worker has forwarded."""
        what, handed, _, _ = socket.recv_fds(self.pairs[self.worker.number][0], 1, 1)
        if what == A_PAGE:
            self.worker.loads.took(self.worker.number)
        for descriptor in handed:
            connection = socket.socket(fileno=descriptor)
            connection.setblocking(False)
            try:
                address = connection.getpeername()
            except OSError:  # the connection has closed in the meantime
                connection.close()
                continue
            stream = IOStream(connection, max_buffer_size=self.max_buffer_size)
            if what == A_PAGE:
                self._coming.add(stream)
            super().handle_stream(stream, address)
        self._tell()


async def _first_bytes(connection):
    """Return the head that a connection sends first, from as many packets as it needs, and leave it in the buffer.

    Return None if the connection does not send it within PATIENCE seconds.
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
        except OSError:  # reset by the browser; the next read reports it too
            return b""
        if not head or b"\r\n\r\n" in head or len(head) == MOST:
            return head
        await asyncio.sleep(pause)  # data that have already arrived trigger no second event
        pause = min(2 * pause, 0.2)
    return None
