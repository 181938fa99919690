"""Bounds of requests: bodies are small, soon and few at a time, since no address takes more than a form.

Files come through the websocket of a page, in parts that `pages.user_data.inputs.upload` counts. A server that reads a body before
it looks at the address would hold whatever anybody sends it, for as long as they do not send the rest.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable
from http import HTTPStatus
from typing import Any

import bokeh.server.server
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine

LARGEST = 64_000  # bytes of a body
TOTAL = 8_000_000  # bytes of all bodies that are on their way to this process
SECONDS = 10.0  # that a body may take
LINGER = 1.0  # s in which the rest of a refused body is thrown away: a browser that is cut off shows no answer
IDLE = 75  # s that a connection may be kept open between two requests
NUL = re.compile(r"\0|%00")  # in a path, which no file system and no address has
LENGTH = re.compile(r"\d+", re.ASCII)
TOO_LARGE, TOO_LATE, NOWHERE = 413, 408, 404
SENTENCES = {
    TOO_LARGE: f"This address takes no more than {LARGEST:,} bytes; give a file on a page, by its button.",
    TOO_LATE: f"What was sent did not arrive within {SECONDS:g} s; send it again.",
    NOWHERE: "There is no page at this address.",
}


class LimitedServer(HTTPServer):
    """A server that refuses bodies that are too large, too many at a time, or too slow."""

    def initialize(self, *args: Any, **options: Any) -> None:
        """Make the server; a connection that nobody gave a time is not kept open for an hour."""
        self.arriving = 0  # bytes of all bodies that are on their way
        super().initialize(*args, **{"idle_connection_timeout": IDLE, **options})

    def start_request(self, server_conn: object, request_conn: Any) -> HTTPMessageDelegate:
        return Request(self, super().start_request(server_conn, request_conn), request_conn)


def limit_bodies() -> None:
    """Let the servers that Bokeh makes in this process from now on have the limits, for `panel serve`."""
    made_of: Any = bokeh.server.server  # which looks the class up there each time
    made_of.HTTPServer = LimitedServer


class Request(HTTPMessageDelegate):
    """A request that hands on what comes of it to the application, while its body is within the limits."""

    def __init__(self, server: LimitedServer, application: HTTPMessageDelegate, connection: Any) -> None:
        self._server, self._application, self._connection = server, application, connection
        self._size, self._taken, self._refused, self._head = 0, False, False, False
        self._late: asyncio.TimerHandle | None = None

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Awaitable[None] | None:
        self._head = isinstance(start_line, RequestStartLine) and start_line.method == "HEAD"
        strange = isinstance(start_line, RequestStartLine) and NUL.search(start_line.path.partition("?")[0])
        if strange or _declared(headers) > LARGEST:
            self._refuse(NOWHERE if strange else TOO_LARGE)
            if headers.pop("Content-Length", "") + headers.pop("Transfer-Encoding", ""):
                headers["Content-Length"] = str(sys.maxsize)  # or tornado would answer, too, if it cannot read it
            if "Expect" in headers:  # the rest is not sent
                self._connection.finish()
            return None
        if "Content-Length" in headers or "Transfer-Encoding" in headers:
            # of chunks the next may be said to be larger than all that is taken, and is refused as it comes
            self._connection.set_max_body_size(sys.maxsize)
            self._late = asyncio.get_running_loop().call_later(SECONDS, self._refuse, TOO_LATE)
        self._taken = True
        return self._application.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        if self._refused:
            return None
        self._size += len(chunk)
        self._server.arriving += len(chunk)
        if self._size > LARGEST or self._server.arriving > TOTAL:
            self._refuse(TOO_LARGE)
            return None
        return self._application.data_received(chunk)

    def finish(self) -> None:
        self._end()
        if self._refused:
            self._connection.finish()
        else:
            self._application.finish()

    def on_connection_close(self) -> None:
        self._end()
        if self._taken:
            self._taken = False
            self._application.on_connection_close()

    def _end(self):
        """Nothing more is awaited of the body."""
        self._server.arriving -= self._size
        self._size = 0
        if self._late is not None:
            self._late.cancel()

    def _refuse(self, status):
        """Answer with a sentence, forget what has come, and close the connection a little later."""
        self.on_connection_close()
        self._refused = True
        sentence = f"{SENTENCES[status]}\n".encode()
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(sentence))}
        self._connection.set_max_body_size(sys.maxsize)  # what still comes is thrown away
        self._connection.write_headers(
            ResponseStartLine("HTTP/1.1", status, HTTPStatus(status).phrase),
            HTTPHeaders({**headers, "Connection": "close", "X-Content-Type-Options": "nosniff"}),
            None if self._head else sentence,
        )
        asyncio.get_running_loop().call_later(LINGER, self._connection.close)


def _declared(headers):
    """The bytes that a body is said to have, at most; tornado refuses what is no number."""
    return max((int(each[:15]) for each in LENGTH.findall(headers.get("Content-Length", ""))), default=0)
