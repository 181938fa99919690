"""Visitors without a browser: they send a browser's messages over Bokeh's websocket, many at a time."""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import asynccontextmanager
from html import unescape
from itertools import count

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

OPENING = 120  # seconds that a page may take to open before the test fails
ANSWER = 60  # seconds that an answer may take: a server that hangs is a failure, not an endless test
READY = {"type": "event", "name": "document_ready", "values": {"type": "map"}}
SENTENCE = re.compile(r"role='alert' class='notice'>(.*?)</ul>")
SAYS = re.compile(r"<div class='says'>(.*?)</div>")


class HungUp(Exception):
    """The server has closed the connection."""


class Visitor:
    """A visitor who has opened a page.

    document     the page as it came, in JSON
    page, whole  seconds until the HTML arrived, and until the document did
    heard        the number of bytes that the server has sent since
    texts        all that it has sent since, if it is kept
    """

    def __init__(self, socket, document, page=0.0, whole=0.0, keeps=False):
        self.document, self.page, self.whole, self.keeps = document, page, whole, keeps
        self.heard, self.texts, self.is_gone = 0, [], False
        (self.request,) = re.findall(
            r'"name":"explorer.pages.interaction.request_pacing.Request","id":"(\w+)"', document
        )
        answered = re.search(r'"answered":(\d+)', document)  # a session that was visited before goes on counting
        self.asked = self._seen = int(answered.group(1)) if answered else 0
        self._socket, self._numbers, self._news = socket, count(), asyncio.Event()

    async def send(self, *frames):
        """Send websocket frames unchanged: text or bytes, of the protocol or not."""
        for frame in frames:
            await self._socket.write_message(frame, isinstance(frame, bytes))

    async def tell(self, *events):
        """Send one change of the document."""
        header = {"msgid": f"v{next(self._numbers)}", "msgtype": "PATCH-DOC"}
        await self.send(*(json.dumps(part) for part in (header, {}, {"events": events})))

    async def ready(self):
        """Send the message of a browser that has built the page: the server holds some answers back until then."""
        await self.tell({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": READY})

    async def ask(self, **values):
        """Move controls, name=index of a stop, as a user does, and wait for the picture; return the seconds it took."""
        start = time.perf_counter()
        self.asked += 1
        await self.question(json.dumps([self.asked, {name: [value, False] for name, value in values.items()}]))
        await self.until(lambda: self._seen >= self.asked)
        return time.perf_counter() - start

    async def question(self, text):
        """Send a request with these parameters, whatever they are."""
        await self.tell({"kind": "ModelChanged", "model": {"id": self.request}, "attr": "asked", "new": text})

    async def until(self, condition, seconds=ANSWER):
        """Wait until the server's messages make a condition true."""
        async with asyncio.timeout(seconds):
            while not condition():
                if self.is_gone:
                    raise HungUp
                self._news.clear()
                await self._news.wait()

    def said(self):
        """Return the newest headline and the newest sentence above the pictures, from the texts that are kept."""
        everything = unescape(" ".join([self.document, *self.texts]))
        return tuple((each.findall(everything) or [""])[-1] for each in (SAYS, SENTENCE))

    async def listen(self):
        """Read the server's messages until it or the visitor hangs up."""
        while (text := await self._socket.read_message()) is not None:
            self.heard += len(text)
            if isinstance(text, str):
                if self.keeps:
                    self.texts.append(text)
                for number in re.findall(r'"attr":"answered","new":(\d+)', text):
                    self._seen = int(number)
            self._news.set()
        self.is_gone = True
        self._news.set()


async def fetch(url):
    """Return the HTML of a page."""
    answer = await AsyncHTTPClient(max_clients=1000).fetch(HTTPRequest(url, request_timeout=OPENING))
    return answer.body.decode()


def token_of(html):
    """Return the token by which a page's HTML opens its session."""
    return re.findall(r'"token":"([^"]+)"', html)[0]


@asynccontextmanager
async def visit(url, keeps=False, token=None):
    """Yield a Visitor at an address, or once more in the session of a token; at the end it hangs up."""
    start = time.perf_counter()
    token = token or token_of(await fetch(url))
    page = time.perf_counter() - start
    async with pulled(url, token) as (socket, document):
        visitor = Visitor(socket, document, page, time.perf_counter() - start, keeps)
        listening = asyncio.create_task(visitor.listen())
        try:
            await visitor.ready()
            yield visitor
        finally:
            listening.cancel()
            await asyncio.wait([listening])


@asynccontextmanager
async def pulled(url, token):
    """Return (a websocket to the session that a token opens, the document of its page in JSON)."""
    path, _, query = url.partition("?")
    address = f"{path.rstrip('/').replace('http', 'ws', 1)}/ws?{query}"
    socket = await websocket_connect(address, subprotocols=["bokeh", token], max_message_size=2**30)
    socket.protocol.set_nodelay(True)  # as browsers do
    try:
        await _message(socket, "ACK")
        await socket.write_message(json.dumps({"msgid": "pull", "msgtype": "PULL-DOC-REQ"}))
        await socket.write_message("{}")
        await socket.write_message("{}")
        yield socket, await _message(socket, "PULL-DOC-REPLY")
    finally:
        socket.close()


async def _message(socket, kind):
    """Return the content of the next message of a kind.

    Other messages, and buffers, which are separate binary frames, are read and ignored.
    """
    while True:
        parts = [await socket.read_message() for _ in range(3)]
        if None in parts:
            raise HungUp
        header, _metadata, content = json.loads(parts[0]), *parts[1:]
        for _ in range(2 * header.get("num_buffers", 0)):
            await socket.read_message()
        if header["msgtype"] == kind:
            return content
