"""How `explorer serve` opens a page: its HTML at once, with the headline where that is known, and its models meanwhile.

A browser needs a second to load its scripts, and a server a part of one to build a page's models, so both begin
together. Pages that are asked for at the same time are built one after the other: a class need not wait for its last.
A server answers before it has made any lab ready; it does so between its visitors, whose labs come first.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import re
import secrets
import string
from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from html import escape
from itertools import chain
from random import randrange
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import parse_qsl, quote

from bokeh.server.urls import per_app_patterns
from bokeh.server.views import session_handler
from bokeh.util.token import generate_jwt_token
from panel.io.document import _cleanup_doc as discard
from panel.io.resources import Resources
from panel.io.server import AutoloadJsHandler, DocHandler, WSHandler, server_html_page_for_session
from panel.io.session import generate_session
from panel.io.state import set_curdoc

from explorer.browser import call_statement
from explorer.commands.headers import NONCE, POLICY, Headers, page_policy, plain_page, with_nonces
from explorer.commands.websockets import FULL, Socket
from explorer.markup import script
from explorer.pages.previews.first_paint import first_paint
from explorer.pages.previews.link_preview import link_preview_async
from explorer.pages.previews.page_urls import protocol_of, tags, urls_of
from explorer.pages.serving.reconnect import PLACE
from explorer.pages.template import shared_complete_result, shared_first_result
from explorer.workbench import registry

if TYPE_CHECKING:
    from _asyncio import Future

    from bokeh.server.contexts import ApplicationContext

    from explorer.pages.serving.shared_value import SharedValue

BREATH = 0.03  # s before a page is built, in which what has come meanwhile is answered
BREATHS = 20  # of them at most, while there is more to answer than fits in one
WAIT = 5  # s after which a browser that found no place may ask again, and twice as many after which it does
CALM = 0.25  # s without a visitor's page, after which a lab that nobody has asked for is made ready
SCRIPT = re.compile(r"\s*<script\b.*?</script>", re.DOTALL)
TITLE, TOLD = secrets.token_hex(16), secrets.token_hex(16)  # stand in a sheet for what each page has of its own
NAMED = re.compile(r"""(?<=<meta name="title" content=")[^"]*(?=")""")
LOG = logging.getLogger("explorer")
# the browser asks for no style in vain from its first picture on, and what is seen first goes once the page is there
LEAVE = with_nonces(script(f"{call_statement('calm.calm')}; {call_statement('early.leave')}"))


class Sheet(NamedTuple):
    """The HTML of all pages, in parts between which a page puts what it has of its own: no lab's differs from home's.

    Whatever comes before <body> has no scripts: a browser shows nothing of what follows before it has run them.
    """

    head: str  # as far as <body>
    scripts: str
    body: str  # as far as the token
    tail: str

    @classmethod
    def of(cls, context: ApplicationContext, resources: Any) -> Self:
        """Made from a session that nobody visits, as Panel makes that of a visitor."""
        session = generate_session(context.application)
        doc = session.document
        try:
            with set_curdoc(doc):
                html = server_html_page_for_session(
                    session,
                    resources=Resources.from_bokeh(resources),
                    title=TITLE,
                    token=session.token,
                    template=doc.template,
                    template_variables={**doc.template_variables, "told": TOLD},
                )
        finally:
            discard(doc)
        head, body = re.split(r"(?<=<body>)", with_nonces(html), maxsplit=1)
        before, after = body.split(session.token)
        return cls(NAMED.sub(TITLE, SCRIPT.sub("", head)), "".join(SCRIPT.findall(head)) + LEAVE, before, after)

    def page(self, title: str, told: str, first: str, token: str) -> str:
        """The HTML of a session.

        `told` are the tags for those who show its link, `first` is what is seen until its models are there.
        """
        head = self.head.replace(TITLE, escape(title)).replace(TOLD, told)
        return "".join((head, first, self.scripts, self.body, token, self.tail))


class PageHandler(DocHandler):
    """Answers with the HTML of a page, and has its session made meanwhile.

    The session is always a new one: an id that a request names, in its address or its headers, is not looked at.
    """

    sheet: Sheet  # of this process, once it serves

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """A page of a new session, or a sentence where the process has as many as it can carry."""
        if self._leads_elsewhere():
            return
        turns = self.application.settings["turns"]
        self.set_header("Cache-Control", "no-store")  # the token in it is one visitor's
        self.set_header("Content-Type", "text/html; charset=utf-8")
        if turns.is_full:
            self._say_full()
            return
        words = dict(parse_qsl(self.request.query, keep_blank_values=True))
        session, token = self._new_session()
        name, nonce = self.request.path.rpartition("/")[2], secrets.token_urlsafe(16)
        self.set_header(POLICY, page_policy(nonce, self.request.host, Headers.embedding))
        with turns.reserved(session):
            connection: Any = self.request.connection
            self.application.settings["listener"].arrived(connection.stream)
            summary, query = await link_preview_async(name, words)
            request = self.request
            protocol = protocol_of(request.headers, request.protocol)
            told = tags(summary, urls_of(protocol, request.host, request.path, query))
            await self.finish(
                self.sheet.page(summary.title, told, first_paint(name, words), token).replace(NONCE, nonce)
            )
            try:
                await self.application_context.create_session_if_needed(session, self.request, token)
            except Exception:
                LOG.exception("the page %s could not be built", self.request.path)

    def head(self, *args: Any, **kwargs: Any) -> None:
        """That there is a page; no session is made."""
        if not self._leads_elsewhere():
            self.set_header("Cache-Control", "no-store")
            self.set_header("Content-Type", "text/html; charset=utf-8")

    def _leads_elsewhere(self):
        """Lead a lab's address with a slash at its end to that without one, and home's without one to that with it."""
        path, home = self.request.path, self.application_context.url == "/"
        if home == path.endswith("/"):
            return False
        here = path.rstrip("/").rpartition("/")[2]
        query = quote(self.request.query, safe=string.printable.strip(), encoding="latin-1")
        # relative to the address, as the browser has it: a proxy may have another
        self.redirect((f"{here}/" if home else f"../{here}") + (f"?{query}" if query else ""), status=308)
        return True

    def _say_full(self):
        self.set_status(503)
        self.set_header("Retry-After", str(WAIT))
        says = f"{FULL} This page does so by itself."
        seconds = WAIT + randrange(WAIT)  # those who are turned away together do not come back together
        self.finish(plain_page("All places are taken", says, f"{self.application.prefix}/", seconds))

    def _new_session(self):
        """(the id of a session that is yet to be made, the token that opens it)."""
        app = self.application
        signing = {"secret_key": app.secret_key, "signed": app.sign_sessions}
        makers: Any = session_handler  # where workers put a maker of ids of their own
        session = makers.generate_session_id(**signing)
        payload = {**self._generate_token_payload(), PLACE: self.application_context.url}
        expiration = app.session_token_expiration
        return session, generate_jwt_token(session, **signing, expiration=expiration, extra_payload=payload)


class InTurn:
    """Sessions of a process, made one after the other in the order in which they were asked for.

    `contexts` are those of the applications by their names. What a lab's pages begin with a thread computes first.
    `most` is how many sessions the process carries, `others` what the pages that are no lab's show of their own.
    """

    def __init__(
        self,
        contexts: Mapping[str, ApplicationContext],
        most: float = math.inf,
        others: Mapping[str, Sequence[SharedValue]] = MappingProxyType({}),
    ) -> None:
        self._most, self._reserved, self._others = most, set(), others
        self._making, self._turn, self._opened = {}, asyncio.Lock(), set()
        for name, context in contexts.items():
            self._lead(name, context)
        self._contexts, self._asked = contexts, 0  # how many sessions were asked for

    @property
    def count(self) -> int:
        """How many sessions there are, or will be soon."""
        coming = len(self._reserved.union(self._making))
        return coming + sum(len(list(context.sessions)) for context in self._contexts.values())

    @property
    def is_full(self) -> bool:
        """Whether the process has as many sessions as it carries."""
        return self.count >= self._most

    @contextmanager
    def reserved(self, session):
        """Keep a place for a session that is about to be made."""
        self._reserved.add(session)
        try:
            yield
        finally:
            self._reserved.discard(session)

    def has(self, context: Any, session: str) -> bool:
        """Whether there is a session of an application, or will be soon."""
        return self._making.get(session, (None,))[0] is context or any(each.id == session for each in context.sessions)

    def _lead(self, name, context):
        make = context.create_session_if_needed

        async def in_turn(session, request=None, token=None):
            if any(each.id == session for each in context.sessions):
                return context.get_session(session)
            if session not in self._making:
                self._asked += 1
                making = self._made(name, context, make, session, request, token)
                self._making[session] = context, asyncio.ensure_future(making)
                self._reserved.discard(session)
            return await asyncio.shield(self._making[session][1])

        context.create_session_if_needed = in_turn

    async def _made(self, name, context, make, session, request, token):
        try:
            async with self._ready(name):
                return await make(session, request, token)
        except Exception:
            context._pending_sessions.pop(session, None)  # else whoever asks again would wait for it for ever
            raise
        finally:
            del self._making[session]

    @asynccontextmanager
    async def _ready(self, name):
        """A page's turn, once what it begins with is there and what came meanwhile is answered."""
        self._opened.add(name)
        if name in registry.names():
            await shared_first_result(name).soon()
        async with self._turn:
            await _answered()
            yield

    async def warm(self) -> Future[Any] | None:
        """Make every page ready that nobody has asked for yet, and then what they show a moment later.

        A visitor waits for one page of it at most.
        """
        for name in (*registry.names(), *self._others):
            await self._calm()
            try:
                if name not in self._opened:
                    async with self._ready(name):
                        discard(generate_session(self._contexts[name].application).document)
                        gc.collect(1)  # that page is garbage of a hundred thousand parts, all of them new
            except Exception:
                LOG.exception("the page %s could not be built", name)
        shown = [*chain.from_iterable(self._others.values()), *map(shared_complete_result, registry.names())]
        for once in shown:
            await self._calm()
            with suppress(Exception):  # the page says what is wrong with it
                await once.soon()

    async def _calm(self):
        """Return once nobody has asked for a page for a while."""
        asked = -1
        while asked != self._asked or self._making:
            asked = self._asked
            await asyncio.sleep(CALM)


async def _answered():
    """Return once all that came while a page was built is answered: then a loop wakes in time."""
    loop = asyncio.get_running_loop()
    for _ in range(BREATHS):
        start = loop.time()
        await asyncio.sleep(BREATH)
        if loop.time() - start < 1.5 * BREATH:
            return


def answer_at_once() -> None:
    """Let this process answer with a page's HTML before its models are there; before its server is made."""
    own: dict[Any, Any] = {DocHandler: PageHandler, WSHandler: Socket}
    for number, (route, handler, *_) in enumerate(per_app_patterns):
        if handler in own:
            per_app_patterns[number] = route, own[handler]
    # scripts of other hosts' pages, in which sessions could be chosen by who writes their address
    per_app_patterns[:] = [pattern for pattern in per_app_patterns if pattern[1] is not AutoloadJsHandler]
