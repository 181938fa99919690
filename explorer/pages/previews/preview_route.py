"""Route /preview/LAB.png?QUERY: the picture of a state as a card, for other sites that show its link.

A thread draws it, and the most recent cards are cached. A state that takes long to compute, that has the user's data,
or whose story hides its answer has a card without a picture.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from tornado.web import RequestHandler

from explorer.exports.card import card
from explorer.languages import ENGLISH, use_language
from explorer.pages.page_title import PRODUCT, Summary, of_result
from explorer.pages.serving.scheduler import TURNS
from explorer.workbench import registry
from explorer.workbench.cost import affordable, seconds
from explorer.workbench.safe_call import run_safely

from .link_summary import LruCache, result_of, state_of
from .meta_tags import has_picture

if TYPE_CHECKING:
    from explorer.marks.picture import Picture

LONGEST = 1.0  # most seconds that a state may take; the visitor may be a crawler
DRAWN = 0.5  # seconds that drawing a card takes
AT_ONCE = 8  # most cards in the queue; further requests get status 503
AGE = 3600  # seconds for which others may cache a card
_cards = LruCache[bytes](64)
_waiting: set[asyncio.Future[bytes]] = set()


class Preview(RequestHandler):
    """Request handler of the cards."""

    async def get(self, name: str) -> None:
        """Send the card of a link. Parameters that the page would refuse are left out."""
        if not has_picture(name):
            self.set_status(404)
            self._say("There is no such page.\n")
            return
        if len(_waiting) >= AT_ONCE:
            self.set_status(503)
            self.set_header("Retry-After", "5")
            self._say("Too many pictures are being drawn; ask again soon.\n")
            return
        words = dict(parse_qsl(self.request.query, keep_blank_values=True))
        with use_language(words.get("lang", ENGLISH)):
            drawing = asyncio.wrap_future(TURNS.submit(lambda: card_png(name, words), DRAWN))
        _waiting.add(drawing)
        drawing.add_done_callback(_waiting.discard)
        png = await drawing
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", f"public, max-age={AGE}")
        self.write(png)

    async def head(self, name: str) -> None:
        """Send the headers of the card."""
        await self.get(name)

    def _say(self, words):
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(words)


ROUTES = [(r"/preview/([a-z_0-9]+)\.png", Preview)]


def card_png(name: str, words: Mapping[str, str]) -> bytes:
    """Return the card of a link as PNG bytes. Call it in a thread."""
    state = state_of(name, words)
    return _cards.get((name, state.query)) or _cards.put((name, state.query), _drawn(state))


def _drawn(state):
    result = result_of(state, is_cheap)
    if result is not None:
        png, _ = run_safely(lambda: _card(state.name, of_result(state.name, result), result), state.name)
        if png is not None:
            return png
    return _card(state.name, state.default)


def _card(name: str, summary: Summary, result: Any = None) -> bytes:
    lab, _, short = summary.title.partition(": ")
    if not short:
        return card(PRODUCT, summary.says, "")
    return card(lab, short, summary.says, hero(name, result), result)


def hero(name: str, result: Any) -> Picture | None:
    """Return the picture that a lab's page shows first, or None without a result, and for labs about other labs."""
    if result is None or registry.entry(name).family == registry.RESEARCH:
        return None
    return next(iter(registry.visible_pictures(name, result)), None)


def is_cheap(lab: Any) -> bool:
    """Return whether a state is computed for anyone who requests its picture."""
    return affordable(lab.cost) and seconds(lab.cost) <= LONGEST
