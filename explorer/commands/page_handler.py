"""Request handler with which `explorer serve` opens pages: the HTML at once, the Bokeh models a little later.

A browser needs about a second to load its scripts, and a server part of a second to build a page's models, so both
begin together. The HTML has the headline already if it is known. Pages that are requested at the same time are built
one after the other, so that the first ones of a class need not wait for the last. A server accepts requests before it
has prepared any lab; it prepares them between requests, and the labs that visitors ask for come first.
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
from bokeh.util.token import generate_jwt_token
from panel.io.document import _cleanup_doc as discard
from panel.io.resources import Resources
from panel.io.server import AutoloadJsHandler, DocHandler, WSHandler, server_html_page_for_session
from panel.io.session import generate_session
from panel.io.state import set_curdoc

from explorer.browser import call_statement
from explorer.commands.headers import NONCE, POLICY, Headers, page_policy, plain_page, with_nonces
from explorer.commands.websockets import FULL, Socket
from explorer.commands.worker_routing import SESSION_IDS
from explorer.library_patch import patches_are_on
from explorer.markup import script
from explorer.pages.previews.first_paint import first_paint
from explorer.pages.previews.link_summary import link_preview_async
from explorer.pages.previews.meta_tags import protocol_of, tags, urls_of
from explorer.pages.serving.reconnect import PLACE
from explorer.pages.template import shared_complete_result, shared_first_result
from explorer.workbench import registry

if TYPE_CHECKING:
    from _asyncio import Future

    from bokeh.server.contexts import ApplicationContext

    from explorer.pages.serving.shared_value import SharedValue

PAUSE = 0.03  # seconds for pending requests before a page is built
MOST_PAUSES = 20  # most such waits in a row, if requests keep coming
# A browser that was turned away may ask again after this many seconds, and its page does so within twice as many.
WAIT = 5
IDLE = 0.25  # seconds without a page request after which the next lab is prepared in advance
SCRIPT = re.compile(r"\s*<script\b.*?</script>", re.DOTALL)
TITLE, META_TAGS = secrets.token_hex(16), secrets.token_hex(16)  # placeholders in the page template
NAMED = re.compile(r"""(?<=<meta name="title" content=")[^"]*(?=")""")
LOG = logging.getLogger("explorer")
# Styles are cached from the first picture on, and the first paint is removed once the page is complete.
CALLS = (*(["style_cache.install"] if patches_are_on() else []), "early.leave")
LEAVE = with_nonces(script("; ".join(map(call_statement, CALLS))))


class PageHtml(NamedTuple):
    """HTML template that all pages share, in four parts; a page's own texts are inserted between them.

    No lab's template differs from that of the home page. The part before <body> has no scripts: a browser shows nothing
    of what follows a script before it has run it.
    """

    head: str  # up to and including <body>
    scripts: str
    body: str  # up to the session token
    tail: str

    @classmethod
    def of(cls, context: ApplicationContext, resources: Any) -> Self:
        """Make the template from a session without a visitor, which Panel renders as any other."""
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
                    template_variables={**doc.template_variables, "told": META_TAGS},
                )
        finally:
            discard(doc)
        head, body = re.split(r"(?<=<body>)", with_nonces(html), maxsplit=1)
        before, after = body.split(session.token)
        return cls(NAMED.sub(TITLE, SCRIPT.sub("", head)), "".join(SCRIPT.findall(head)) + LEAVE, before, after)

    def page(self, title: str, meta_tags: str, placeholder: str, token: str) -> str:
        """Return the HTML of a session.

        `meta_tags` describe the page where its link is shared. `placeholder` is shown until the Bokeh models are there.
        """
        head = self.head.replace(TITLE, escape(title)).replace(META_TAGS, meta_tags)
        return "".join((head, placeholder, self.scripts, self.body, token, self.tail))


class PageHandler(DocHandler):
    """Request handler that sends the HTML of a page and builds its session afterwards.

    The session is always new: an id in the address or the headers of a request is ignored.
    """

    html: PageHtml  # set when the process begins to serve

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Send a page with a new session, or a message if the process has its maximum number of sessions."""
        if self._leads_elsewhere():
            return
        turns = self.application.settings["turns"]
        self.set_header("Cache-Control", "no-store")  # the page contains the session token of one visitor
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
            self.application.settings["listener"].forget_pending(connection.stream)
            summary, query = await link_preview_async(name, words)
            request = self.request
            protocol = protocol_of(request.headers, request.protocol)
            meta_tags = tags(summary, urls_of(protocol, request.host, request.path, query))
            await self.finish(
                self.html.page(summary.title, meta_tags, first_paint(name, words), token).replace(NONCE, nonce)
            )
            try:
                await self.application_context.create_session_if_needed(session, self.request, token)
            except Exception:
                LOG.exception("the page %s could not be built", self.request.path)

    def head(self, *args: Any, **kwargs: Any) -> None:
        """Answer a HEAD request without making a session."""
        if not self._leads_elsewhere():
            self.set_header("Cache-Control", "no-store")
            self.set_header("Content-Type", "text/html; charset=utf-8")

    def _leads_elsewhere(self):
        """Redirect to the canonical address, and return whether that was needed: home's address ends with a slash."""
        path, home = self.request.path, self.application_context.url == "/"
        if home == path.endswith("/"):
            return False
        here = path.rstrip("/").rpartition("/")[2]
        query = quote(self.request.query, safe=string.printable.strip(), encoding="latin-1")
        # The redirect is relative to the browser's address, because a proxy may have changed it.
        self.redirect((f"{here}/" if home else f"../{here}") + (f"?{query}" if query else ""), status=308)
        return True

    def _say_full(self):
        """Send the message that the process has its maximum number of sessions."""
        self.set_status(503)
        self.set_header("Retry-After", str(WAIT))
        says = f"{FULL} This page does so by itself."
        # random, so that browsers that were turned away together do not return together
        seconds = WAIT + randrange(WAIT)
        self.finish(plain_page("All places are taken", says, f"{self.application.prefix}/", seconds))

    def _new_session(self):
        """Return (id, token) of a session that is yet to be made; the token opens it."""
        app = self.application
        signing = {"secret_key": app.secret_key, "signed": app.sign_sessions}
        session = SESSION_IDS.generate_session_id(**signing)
        payload = {**self._generate_token_payload(), PLACE: self.application_context.url}
        expiration = app.session_token_expiration
        return session, generate_jwt_token(session, **signing, expiration=expiration, extra_payload=payload)


class SessionQueue:
    """Queue that makes the sessions of a process one after the other, in the order of the requests.

    What a lab's pages begin with is computed by a thread before the session is made.

    Parameters
    ----------
    contexts : mapping of str to ApplicationContext
        The contexts of the applications, by page name.
    most : float, default inf
        The largest number of sessions.
    others : mapping of str to sequence of SharedValue, default {}
        For each page that is not a lab, the shared values that it shows.
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
            self._enqueue(name, context)
        self._contexts, self._asked = contexts, 0  # the second one counts the requested sessions

    @property
    def count(self) -> int:
        """The number of sessions, including those that are being made."""
        coming = len(self._reserved.union(self._making))
        return coming + sum(len(list(context.sessions)) for context in self._contexts.values())

    @property
    def is_full(self) -> bool:
        """True if the process has its maximum number of sessions."""
        return self.count >= self._most

    @contextmanager
    def reserved(self, session):
        """Reserve a place for a session that is about to be made."""
        self._reserved.add(session)
        try:
            yield
        finally:
            self._reserved.discard(session)

    def has(self, context: Any, session: str) -> bool:
        """Return whether a session of an application exists or is being made."""
        return self._making.get(session, (None,))[0] is context or any(each.id == session for each in context.sessions)

    def _enqueue(self, name, context):
        """Replace a context's method that makes sessions by one that waits in the queue."""
        make = context.create_session_if_needed

        async def in_turn(session, request=None, token=None):
            if any(each.id == session for each in context.sessions):
                return context.get_session(session)
            if session not in self._making:
                self._asked += 1
                making = self._make(name, context, make, session, request, token)
                self._making[session] = context, asyncio.ensure_future(making)
                self._reserved.discard(session)
            return await asyncio.shield(self._making[session][1])

        context.create_session_if_needed = in_turn

    async def _make(self, name, context, make, session, request, token):
        """Make a session when it is its turn, and forget it if that fails."""
        try:
            async with self._ready(name):
                return await make(session, request, token)
        except Exception:
            # otherwise the next request for this session would wait forever
            context._pending_sessions.pop(session, None)
            raise
        finally:
            del self._making[session]

    @asynccontextmanager
    async def _ready(self, name):
        """Hold the queue for one page, once its beginning is computed and pending requests are answered."""
        self._opened.add(name)
        if name in registry.names():
            await shared_first_result(name).soon()
        async with self._turn:
            await _answer_pending()
            yield

    async def warm(self) -> Future[Any] | None:
        """Prepare the pages that have not been requested yet, and then the values that they show a moment later.

        A visitor waits for at most one such page.
        """
        for name in (*registry.names(), *self._others):
            await self._wait_until_idle()
            try:
                if name not in self._opened:
                    async with self._ready(name):
                        discard(generate_session(self._contexts[name].application).document)
                        # the page just discarded consists of a hundred thousand objects, all of them young
                        gc.collect(1)
            except Exception:
                LOG.exception("the page %s could not be built", name)
        shown = [*chain.from_iterable(self._others.values()), *map(shared_complete_result, registry.names())]
        for once in shown:
            await self._wait_until_idle()
            with suppress(Exception):  # a page that needs this value reports its error
                await once.soon()

    async def _wait_until_idle(self):
        """Return once no page has been requested for IDLE seconds."""
        asked = -1
        while asked != self._asked or self._making:
            asked = self._asked
            await asyncio.sleep(IDLE)


async def _answer_pending():
    """Return once the requests that came while a page was built are answered: the event loop then wakes in time."""
    loop = asyncio.get_running_loop()
    for _ in range(MOST_PAUSES):
        start = loop.time()
        await asyncio.sleep(PAUSE)
        if loop.time() - start < 1.5 * PAUSE:
            return


def answer_at_once() -> None:
    """Make this process send a page's HTML before its models exist. Call it before the server is made."""
    own: dict[Any, Any] = {DocHandler: PageHandler, WSHandler: Socket}
    for number, (route, handler, *_) in enumerate(per_app_patterns):
        if handler in own:
            per_app_patterns[number] = route, own[handler]
    # Remove the script that embeds a session in pages of other hosts: the author of such a page could choose the
    # session.
    per_app_patterns[:] = [pattern for pattern in per_app_patterns if pattern[1] is not AutoloadJsHandler]
