"""Limits for request bodies: their size, their time and their total. No address accepts more than a form.

Files arrive through a page's websocket, in parts that `pages.user_data.inputs.upload` counts. A server that reads the
body before it looks at the address would store whatever a client sends, and wait as long as the client does not send
the rest.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable
from http import HTTPStatus
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine

LARGEST = 64_000  # largest size of a body, in bytes
TOTAL = 8_000_000  # largest total size, in bytes, of all bodies that are arriving at this process
SECONDS = 10.0  # longest time for a body to arrive, in seconds
# The rest of a refused body is read and discarded for this time, in seconds: a browser that is disconnected at once
# does not show the answer.
LINGER = 1.0
IDLE = 75  # longest time between two requests of a connection, in seconds
NUL = re.compile(r"\0|%00")  # a NUL character in a path, which is valid neither in a file system nor in an address
LENGTH = re.compile(r"\d+", re.ASCII)
TOO_LARGE, TOO_LATE, NOWHERE = 413, 408, 404
SENTENCES = {
    TOO_LARGE: f"This address takes at most {LARGEST:,} bytes; upload a file with the button on a page.",
    TOO_LATE: f"What was sent did not arrive within {SECONDS:g} s; send it again.",
    NOWHERE: "There is no page at this address.",
}


class LimitedServer(HTTPServer):
    """A server that refuses request bodies that are too large, too many at a time, or too slow.

    Parameters
    ----------
    *args, **kwargs
        Arguments of `tornado.httpserver.HTTPServer`.
    """

    def initialize(self, *args: Any, **options: Any) -> None:
        """Initialise the server. By default idle connections are closed after IDLE seconds instead of an hour.

        Parameters
        ----------
        *args
            Arguments of `tornado.httpserver.HTTPServer`.
        **options
            Its keyword arguments.
        """
        self.arriving = 0  # total bytes of the bodies that are arriving
        super().initialize(*args, **{"idle_connection_timeout": IDLE, **options})

    def start_request(self, server_conn: object, request_conn: Any) -> HTTPMessageDelegate:
        return Request(self, super().start_request(server_conn, request_conn), request_conn)


class Request(HTTPMessageDelegate):
    """Request that is forwarded to the application while its body is within the limits."""

    def __init__(self, server: LimitedServer, application: HTTPMessageDelegate, connection: Any) -> None:
        self._server, self._application, self._connection = server, application, connection
        self._size, self._taken, self._refused, self._head = 0, False, False, False
        self._late: asyncio.TimerHandle | None = None

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Awaitable[None] | None:
        """Refuse the request, or start the limit on its time and forward its headers."""
        self._head = isinstance(start_line, RequestStartLine) and start_line.method == "HEAD"
        strange = isinstance(start_line, RequestStartLine) and NUL.search(start_line.path.partition("?")[0])
        if strange or _declared_size(headers) > LARGEST:
            self._refuse(NOWHERE if strange else TOO_LARGE)
            if headers.pop("Content-Length", "") + headers.pop("Transfer-Encoding", ""):
                # otherwise tornado would also answer, if it cannot parse the header
                headers["Content-Length"] = str(sys.maxsize)
            if "Expect" in headers:  # the client waits for permission and does not send the body
                self._connection.finish()
            return None
        if "Content-Length" in headers or "Transfer-Encoding" in headers:
            # A chunk may declare more than the limit; it is refused when its data arrive.
            self._connection.set_max_body_size(sys.maxsize)
            self._late = asyncio.get_running_loop().call_later(SECONDS, self._refuse, TOO_LATE)
        self._taken = True
        return self._application.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Forward a part of the body, or refuse the request if its body is too large."""
        if self._refused:
            return None
        self._size += len(chunk)
        self._server.arriving += len(chunk)
        if self._size > LARGEST or self._server.arriving > TOTAL:
            self._refuse(TOO_LARGE)
            return None
        return self._application.data_received(chunk)

    def finish(self) -> None:
        """End the request at the client or at the application."""
        self._end()
        if self._refused:
            self._connection.finish()
        else:
            self._application.finish()

    def on_connection_close(self) -> None:
        """Report the end of the connection to the application, once."""
        self._end()
        if self._taken:
            self._taken = False
            self._application.on_connection_close()

    def _end(self):
        """Stop waiting for the rest of the body."""
        self._server.arriving -= self._size
        self._size = 0
        if self._late is not None:
            self._late.cancel()

    def _refuse(self, status):
        """Answer with a sentence, discard what has arrived, and close the connection a little later."""
        self.on_connection_close()
        self._refused = True
        sentence = f"{SENTENCES[status]}\n".encode()
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(sentence))}
        self._connection.set_max_body_size(sys.maxsize)  # the data that still arrive are discarded
        self._connection.write_headers(
            ResponseStartLine("HTTP/1.1", status, HTTPStatus(status).phrase),
            HTTPHeaders({**headers, "Connection": "close", "X-Content-Type-Options": "nosniff"}),
            None if self._head else sentence,
        )
        asyncio.get_running_loop().call_later(LINGER, self._connection.close)


def _declared_size(headers):
    """Return the largest body size in bytes that the headers declare; tornado refuses values that are not numbers."""
    return max((int(each[:15]) for each in LENGTH.findall(headers.get("Content-Length", ""))), default=0)
