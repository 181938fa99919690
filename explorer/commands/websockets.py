"""Websockets of `explorer serve`: who may open one, how much a browser may request, and when idle ones end."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from bokeh.util.token import check_token_signature, get_session_id, get_token_payload
from panel.io.server import WSHandler

from explorer.pages.interaction.request_pacing import Request
from explorer.pages.serving.reconnect import AGAIN, PLACE

PROTOCOL = "bokeh"  # the subprotocol that a page requests, followed by its token
SIGNED = re.compile(r"[\w-]+\.[\w-]+", re.ASCII)
NO_SESSION = "This page has no session here; open its address again."
FULL = "This server has as many visitors as it can carry; try again in some seconds."
SLOW = "This browser does not read the answers to its requests."
MOST_IN_A_ROW = 150  # frames without a pause, which are fifty messages; a user waits for answers much earlier
PAUSE = 0.002  # seconds without a frame that count as a pause
SHARE = 2  # a browser without pauses waits this many times the duration of its frames
UNREAD = 64_000_000  # most bytes that may be queued for a browser
NOTICE_SECONDS = 5  # seconds for a page to show its last notice before its connection is closed
OPENED: WeakSet[Any] = WeakSet()  # the open websockets of this process
SEARCH_EVERY = 10  # seconds between two searches for idle sessions


class Socket(WSHandler):
    """Websocket that opens only with a token of this server, at the address for which the token was issued."""

    touched: Callable[[Any], object] = staticmethod(
        lambda session: None
    )  # Called with the session when the user acts in it or a message is sent to it.

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._row, self._rested, self._unread = 0, 0.0, 0

    async def prepare(self) -> None:
        """Refuse a request without a valid session with a sentence, before the websocket is opened."""
        await super().prepare()
        if self._finished:
            return
        status, sentence = self._refusal()
        if sentence:
            self.set_status(status)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(f"{sentence}\n")

    def _refusal(self):
        """Return (status, sentence) of a refused request, or (101, "") if it may open a websocket."""
        app: Any = self.application  # Bokeh's application, which knows the secret
        context = self.application_context
        protocol, _, token = self.request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        token = token.strip()
        if protocol.strip() != PROTOCOL or not SIGNED.fullmatch(token) or not _is_ours(token, app.secret_key):
            return 403, NO_SESSION
        payload, session = get_token_payload(token), get_session_id(token)
        if payload.get(PLACE) != context.url or payload["session_expiry"] <= time.time():
            return 403, NO_SESSION
        turns = app.settings["turns"]
        if turns.has(context, session):
            return 101, ""
        if payload.get(AGAIN):  # a reconnecting page must not open a new session
            return 403, NO_SESSION
        return (503, FULL) if turns.is_full else (101, "")

    async def _async_open(self, token):
        OPENED.add(self)
        await super()._async_open(token)
        self._touch()

    async def _handle_frame(self, fragment: str | bytes) -> None:
        """Handle a frame; slow down a browser that sends frames without a pause, so that other visitors are served."""
        start = time.perf_counter()
        self._row = self._row + 1 if start - self._rested < PAUSE else 0
        self._touch()
        await super().on_message(fragment)
        if self._row > MOST_IN_A_ROW:
            await asyncio.sleep(SHARE * (time.perf_counter() - start))
        self._rested = time.perf_counter()

    on_message: Any = _handle_frame  # the parameter's name differs between versions of Bokeh

    async def write_message(self, message: Any, binary: bool = False, locked: bool = True) -> None:
        """Send a frame; close the connection if the browser does not read."""
        size = len(message)
        self._unread += size
        try:
            if self._unread > UNREAD:
                self.close(1008, SLOW)
            self._touch()
            await super().write_message(message, binary, locked)
        finally:
            self._unread -= size

    @property
    def session(self) -> Any:
        """The session of the open websocket; None while it opens and after it has closed."""
        return self.connection and self.connection._session  # Bokeh's own property raises after closing

    def _touch(self):
        """Report that the session is active."""
        if self.session is not None:
            self.touched(self.session)


def _is_ours(token, secret):
    """Return whether a token and the session that it names have this server's signature."""
    try:
        return check_token_signature(token, secret_key=secret, signed=True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # not a token of Bokeh's
        return False


class IdleSessions:
    """Ends sessions that have been inactive for `minutes`: their page shows a notice and can reopen its own link."""

    def __init__(self, contexts: Iterable[Any], minutes: float) -> None:
        self._contexts, self._minutes = list(contexts), minutes
        self._touched, self._ended = WeakKeyDictionary(), WeakKeyDictionary()

    def mark_active(self, session: str) -> None:
        """Record that the user has acted in a session, or that a message was sent to it."""
        self._touched[session] = time.monotonic()

    async def close_idle(self) -> None:
        """End idle sessions: first with a notice on the page, and for good once NOTICE_SECONDS have passed."""
        now = time.monotonic()
        for session in [session for context in self._contexts for session in context.sessions]:
            if session.connection_count == 0:
                continue  # Bokeh discards unconnected sessions soon
            if session in self._ended:
                if now - self._ended[session] > NOTICE_SECONDS:
                    session.request_expiration()
                    for each in [each for each in OPENED if each.session is session]:
                        each.close()
            elif now - self._touched.setdefault(session, now) > 60 * self._minutes:
                self._ended[session] = now
                await session.with_document_locked(self._say, session.document)

    def _say(self, document):
        """Show the notice on a session's page."""
        for request in document.select({"type": Request}):
            request.ended = ended_sentence(self._minutes)


def ended_sentence(minutes: float) -> str:
    """Return the notice of a page whose session has ended."""
    waited = "a minute" if minutes == 1 else f"{minutes:g} minutes"
    return (
        f"This page was idle for {waited}, and the server has closed it. Click here or press a key to open it again as "
        "it was; upload your own data again."
    )
