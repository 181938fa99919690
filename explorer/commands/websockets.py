"""The websockets of `explorer serve`: who may open one, how much one may ask for, and when nobody needs it any more."""

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

PROTOCOL = "bokeh"  # what a page asks for, and its token after it
SIGNED = re.compile(r"[\w-]+\.[\w-]+", re.ASCII)
STRANGE = "This page has no session here; open its address again."
FULL = "This server has as many visitors as it can carry; try again in some seconds."
SLOW = "This browser does not read what it asks for."
ROW = 150  # frames without a pause, fifty messages: a hand waits for answers long before
PAUSE = 0.002  # s without a frame that are a pause
SHARE = 2  # times as long as its frames take somebody who makes no pause waits between them
UNREAD = 64_000_000  # bytes that may wait for a browser to read them
NOTICED = 5  # s that a page has to show that it is at its end, before its connection is closed
OPENED: WeakSet[Any] = WeakSet()  # the sockets of this process
LOOKS = 10  # s from one look at what is idle to the next


class Socket(WSHandler):
    """A websocket that only a token of this server's opens, at the address that it was given for."""

    touched: Callable[[Any], object] = staticmethod(
        lambda session: None
    )  # hears of each session that a hand or an answer touches

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._row, self._rested, self._unread = 0, 0.0, 0

    async def prepare(self) -> None:
        """Refuse who has no session here with a sentence, before the websocket is opened."""
        await super().prepare()
        if self._finished:
            return
        status, sentence = self._refusal()
        if sentence:
            self.set_status(status)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(f"{sentence}\n")

    def _refusal(self):
        """(status, sentence) of a request that may not open a websocket; (101, "") of one that may."""
        app: Any = self.application  # Bokeh's, which knows its secret
        context = self.application_context
        protocol, _, token = self.request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        token = token.strip()
        if protocol.strip() != PROTOCOL or not SIGNED.fullmatch(token) or not _is_ours(token, app.secret_key):
            return 403, STRANGE
        payload, session = get_token_payload(token), get_session_id(token)
        if payload.get(PLACE) != context.url or payload["session_expiry"] <= time.time():
            return 403, STRANGE
        turns = app.settings["turns"]
        if turns.has(context, session):
            return 101, ""
        if payload.get(AGAIN):  # it comes back to a session, and opens none
            return 403, STRANGE
        return (503, FULL) if turns.is_full else (101, "")

    async def _async_open(self, token):
        OPENED.add(self)
        await super()._async_open(token)
        self._touch()

    async def on_message(self, fragment: str | bytes) -> None:
        """Take a frame; whoever sends them without a pause waits between them, and others have their turns."""
        start = time.perf_counter()
        self._row = self._row + 1 if start - self._rested < PAUSE else 0
        self._touch()
        await super().on_message(fragment)
        if self._row > ROW:
            await asyncio.sleep(SHARE * (time.perf_counter() - start))
        self._rested = time.perf_counter()

    async def write_message(self, message: Any, binary: bool = False, locked: bool = True) -> None:
        """Send a frame; a browser that does not read is left."""
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
        """The session that it is open to; None while it opens, and once it has closed."""
        return self.connection and self.connection._session  # Bokeh's own property fails of one that has closed

    def _touch(self):
        if self.session is not None:
            self.touched(self.session)


def _is_ours(token, secret):
    """Whether a token, and the session that it names, have our signature."""
    try:
        return check_token_signature(token, secret_key=secret, signed=True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # no token of Bokeh's
        return False


class Idle:
    """Ends sessions that nobody has touched for `minutes`: the page says so, and opens its own link again."""

    def __init__(self, contexts: Iterable[Any], minutes: float) -> None:
        self._contexts, self._minutes = list(contexts), minutes
        self._touched, self._ended = WeakKeyDictionary(), WeakKeyDictionary()

    def touch(self, session: str) -> None:
        """A hand has moved something in a session, or an answer has come."""
        self._touched[session] = time.monotonic()

    async def look(self) -> None:
        """End what is idle: first with a notice on the page, and then for good."""
        now = time.monotonic()
        for session in [session for context in self._contexts for session in context.sessions]:
            if session.connection_count == 0:
                continue  # it goes soon by itself
            if session in self._ended:
                if now - self._ended[session] > NOTICED:
                    session.request_expiration()
                    for each in [each for each in OPENED if each.session is session]:
                        each.close()
            elif now - self._touched.setdefault(session, now) > 60 * self._minutes:
                self._ended[session] = now
                await session.with_document_locked(self._say, session.document)

    def _say(self, document):
        for request in document.select({"type": Request}):
            request.ended = ended_sentence(self._minutes)


def ended_sentence(minutes: float) -> str:
    """What a page says at its end."""
    waited = "a minute" if minutes == 1 else f"{minutes:g} minutes"
    return (
        f"Nobody has touched this page for {waited}, and the server has let it go. Click here or press a key, and it "
        "opens again as it was; data of your own must be given again."
    )
