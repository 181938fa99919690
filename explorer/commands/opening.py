"""How `explorer serve` opens a page: its HTML at once, with the headline where that is known, and its models meanwhile.

A browser needs a second to load its scripts, and a server nearly as long to build a page's models, so both begin
together. Pages that are asked for at the same time are built one after the other: a class need not wait for its last.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import NamedTuple
from urllib.parse import parse_qsl

from bokeh.server.urls import per_app_patterns
from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
from panel.io.document import _cleanup_doc as discard
from panel.io.resources import Resources
from panel.io.server import DocHandler, WSHandler, server_html_page_for_session
from panel.io.session import generate_session
from panel.io.state import set_curdoc

from explorer.pages.early import early

from .tokens import Socket, new_session

BREATH = 0.03  # s before a page is built, in which what has come meanwhile is answered
BREATHS = 20  # of them at most, while there is more to answer than fits in one
SCRIPT = re.compile(r"\s*<script\b.*?</script>", re.DOTALL)
LOG = logging.getLogger("explorer")


class Sheet(NamedTuple):
    """The HTML of an application's pages, in parts between which a page puts what it has of its own."""

    head: str  # as far as <body>, without scripts: a browser shows nothing of what follows before it has run them
    scripts: str
    body: str  # as far as the token
    tail: str

    @classmethod
    def of(cls, context, resources):
        """Made from a session that nobody visits, as Panel makes that of a visitor."""
        session = generate_session(context.application)
        doc = session.document
        try:
            with set_curdoc(doc):
                html = server_html_page_for_session(
                    session,
                    resources=Resources.from_bokeh(resources),
                    title=doc.title,
                    token=session.token,
                    template=doc.template,
                    template_variables=doc.template_variables,
                )
        finally:
            discard(doc)
        head, body = re.split(r"(?<=<body>)", html, maxsplit=1)
        return cls(SCRIPT.sub("", head), "".join(SCRIPT.findall(head)), *body.split(session.token))

    def page(self, first, token):
        """The HTML of a session: `first` is what is seen until its models are there."""
        return "".join((self.head, first, self.scripts, self.body, token, self.tail))


class PageHandler(DocHandler):
    """Answers with the HTML of a page, and has its session made meanwhile, so that a browser shows it sooner."""

    sheets = {}  # noqa: RUF012, of this process: an application's context -> Sheet

    async def get(self, *args, **kwargs):
        """A page of a new session, whatever session the request names."""
        prefix, query = self.application.prefix, self.request.query
        if self.request.path == prefix:  # home's links are below it
            self.redirect(f"{prefix}/{query and '?'}{query}")
            return
        words = dict(parse_qsl(query, keep_blank_values=True))
        session, token = new_session(self.application, self.application_context, self._generate_token_payload())
        first = early(self.request.path.rpartition("/")[2], words)
        self._say_what_comes()
        await self.finish(self.sheet(self.application, self.application_context).page(first, token))
        try:
            await self.application_context.create_session_if_needed(session, self.request, token)
        except Exception:
            LOG.exception("the page %s could not be built", self.request.path)

    async def head(self, *args, **kwargs):
        """What a page would begin with, for which no session is made."""
        self._say_what_comes()

    def _say_what_comes(self):
        self.set_header("Cache-Control", "no-store")  # the token in it is one visitor's
        self.set_header("Content-Type", "text/html")

    @classmethod
    def sheet(cls, server, context):
        """The Sheet of an application, made when it is first asked for."""
        if context not in cls.sheets:
            cls.sheets[context] = Sheet.of(context, server.resources())
        return cls.sheets[context]


class InTurn:
    """Sessions of a process, made one after the other in the order in which they were asked for."""

    def __init__(self, contexts):
        self._making, self._turn = {}, asyncio.Lock()
        for context in contexts:
            self._lead(context)

    def _lead(self, context):
        make = context.create_session_if_needed

        async def in_turn(session, request=None, token=None):
            if any(each.id == session for each in context.sessions):
                return context.get_session(session)
            if session not in self._making:
                making = self._made(context, make, session, request, token)
                self._making[session] = asyncio.ensure_future(making)
            return await asyncio.shield(self._making[session])

        context.create_session_if_needed = in_turn

    async def _made(self, context, make, session, request, token):
        try:
            async with self._turn:
                await _answered()
                return await make(session, request, token)
        except Exception:
            context._pending_sessions.pop(session, None)  # else whoever asks again would wait for it for ever
            raise
        finally:
            del self._making[session]


async def _answered():
    """Return once all that came while a page was built is answered: then a loop wakes in time."""
    loop = asyncio.get_running_loop()
    for _ in range(BREATHS):
        start = loop.time()
        await asyncio.sleep(BREATH)
        if loop.time() - start < 1.5 * BREATH:
            return


def answer_at_once():
    """Let this process answer as `explorer serve` does; before its server is made.

    A page's HTML is there before its models, a websocket opens what its token opens, and there is no autoload.js, by
    which any site could open sessions.
    """
    ours = {DocHandler: PageHandler, WSHandler: Socket}
    per_app_patterns[:] = [
        (route, ours.get(handler, handler))
        for route, handler in per_app_patterns
        if not issubclass(handler, AutoloadJsHandler)
    ]
