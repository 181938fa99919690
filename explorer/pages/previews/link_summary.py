"""Link previews: what is known of a link before it has a session, for the title of its page and for its picture."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from explorer.checks import Refusal
from explorer.languages import ENGLISH, current_language, use_language
from explorer.pages.page_title import Summary, of_page, of_result, of_story
from explorer.pages.serving.scheduler import TURNS
from explorer.pages.template import shared_complete_result, shared_first_result
from explorer.workbench import registry, stories
from explorer.workbench.content import content_of
from explorer.workbench.links import OF_THE_PAGE, VERSION, as_of, settings
from explorer.workbench.safe_call import run_safely

LONGEST = 2000  # most characters of a link that is parsed; longer ones carry placed points and get the lab's title
PATIENCE = 0.25  # seconds that a page's HTML waits for its title
T = TypeVar("T")


class LruCache(Generic[T]):
    """Thread-safe cache of the most recently used values, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most, self._values, self._alone = most, OrderedDict[Hashable, T](), Lock()

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key, or None if there is none."""
        with self._alone:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Store a value and return it."""
        with self._alone:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        return value


class LinkTarget(NamedTuple):
    """Target of a link: the page's name, its normalised query string, and the lab state.

    `lab` is None for pages without a lab, and inside a story, whose answer has to stay hidden. `default` is the summary
    that is known without a result.
    """

    name: str
    query: str
    lab: Any
    default: Summary


class LinkPreview(NamedTuple):
    """A page's summary, and the query string that leads to its state again."""

    summary: Summary
    query: str = ""


_summaries = LruCache[Summary](500)


def state_of(name: str, words: Mapping[str, str]) -> LinkTarget:
    """Return the LinkTarget of a link, from a page's name and query parameters, in the current language.

    Parameters that the page would refuse are left out.
    """
    usual, tongue = of_page(name), language_param()
    if name not in registry.names() or sum(map(len, words.values())) > LONGEST:
        return LinkTarget(name, urlencode(tongue), None, usual)
    entry, story = registry.entry(name), {}
    fields = {field: word for field, word in words.items() if field not in OF_THE_PAGE}
    base = None
    if "story" in words:
        story = {each: words.get(each, "1") for each in ("story", "step")}
        try:
            told, step = stories.find(content_of(name).stories, *story.values())
        except Refusal:
            story = {}
        else:
            base = entry.lab(**told.steps[step].fields)
            fields, usual = {**base.flat(), **fields}, of_story(name, told.title)
    lab, _ = entry.lab.from_flat(as_of(words.get("v", VERSION), name, fields))
    query = urlencode({"v": VERSION, **settings(lab, base), **tongue, **story})
    return LinkTarget(name, query, None if story else lab, usual)


def language_param() -> dict[str, str]:
    """Return the query parameter that selects the current language; empty for English."""
    return {} if current_language() == ENGLISH else {"lang": current_language()}


def result_of(state: LinkTarget, allowed: Callable[[Any], bool]) -> Any:
    """Return the result of a target's lab, or None if it is not known and `allowed(lab)` is false. Call it in a thread.

    The result of a lab's default state is shared by the process, and is therefore always computed.
    """
    name, lab = state.name, state.lab
    if lab is None:
        return None
    if lab == registry.entry(name).lab():
        return shared_complete_result(name).value or run_safely(shared_first_result(name).now, name)[0]
    return run_safely(lab.result, lab)[0] if allowed(lab) else None


def summary_of(state: LinkTarget, allowed: Callable[[Any], bool]) -> Summary:
    """Return the summary of a target's result, or its `default` summary if the result is not known."""
    kept = _summaries.get((state.name, state.query))
    if kept is not None:
        return kept
    result = result_of(state, allowed)
    if result is None:
        return state.default
    found, _ = run_safely(lambda: of_result(state.name, result), state.name)
    if found is None:
        return state.default
    return found if state.lab == registry.entry(state.name).lab() else _summaries.put((state.name, state.query), found)


def link_preview(name: str, words: Mapping[str, str]) -> LinkPreview:
    """Return the LinkPreview of a link, computing only labs that take a frame or two. Call it in a thread."""
    state = state_of(name, words)
    return LinkPreview(summary_of(state, lambda lab: lab.quick), state.query)


async def link_preview_async(name: str, words: Mapping[str, str]) -> LinkPreview:
    """Return the LinkPreview of a link, computed in a thread, or the page's general title if that takes too long.

    Parameters
    ----------
    name : str
        The page's name.
    words : mapping of str to str
        The query parameters of the link.

    Returns
    -------
    LinkPreview
        The preview of the state. After PATIENCE seconds, the preview of the page without its state.
    """
    with use_language(words.get("lang", ENGLISH)):
        usual = LinkPreview(of_page(name), urlencode(language_param()))
        if name not in registry.names():
            return usual
        asked = asyncio.wrap_future(TURNS.submit(lambda: link_preview(name, words)))
    done, _ = await asyncio.wait([asked], timeout=PATIENCE)
    return asked.result() if done and not asked.exception() else usual
