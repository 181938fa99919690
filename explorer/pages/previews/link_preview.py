"""What is known of a link before there is a session: for the title of its page, and for its picture elsewhere."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from explorer.checks import Refusal
from explorer.languages import ENGLISH, current_language, use_language
from explorer.pages.serving.scheduler import TURNS
from explorer.pages.summary import Summary, of_page, of_result, of_story
from explorer.pages.template import shared_complete_result, shared_first_result
from explorer.workbench import registry, stories
from explorer.workbench.links import OF_THE_PAGE, VERSION, as_of, settings
from explorer.workbench.safe_call import run_safely

LONGEST = 2000  # letters of a link that is looked into: more are points placed by hand, and such a title is the lab's
PATIENCE = 0.25  # s that a page's HTML waits for its title
T = TypeVar("T")


class LruCache(Generic[T]):
    """Values by keys, of which the last so many are kept; threads may share it."""

    def __init__(self, most: int) -> None:
        self._most, self._values, self._alone = most, OrderedDict[Hashable, T](), Lock()

    def get(self, key: Hashable) -> T | None:
        """The value of a key, or None."""
        with self._alone:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Keep a value, and give it."""
        with self._alone:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        return value


class LinkTarget(NamedTuple):
    """What a link leads to: the page's name, the words that lead there again, and the lab that it shows.

    No lab where it is none, and where a story keeps the answer to itself.
    `usual` says what is known of it without its result.
    """

    name: str
    query: str
    lab: Any
    usual: Summary


class LinkPreview(NamedTuple):
    """A page's summary, and the words that lead to its state again."""

    summary: Summary
    query: str = ""


_summaries = LruCache[Summary](500)


def state_of(name: str, words: Mapping[str, str]) -> LinkTarget:
    """The State of a link to a page by its words, in the language that is spoken.

    Words that a page would refuse are left out.
    """
    usual, tongue = of_page(name), tongue_here()
    if name not in registry.names() or sum(map(len, words.values())) > LONGEST:
        return LinkTarget(name, urlencode(tongue), None, usual)
    entry, story = registry.entry(name), {}
    fields = {field: word for field, word in words.items() if field not in OF_THE_PAGE}
    base = None
    if "story" in words:
        story = {each: words.get(each, "1") for each in ("story", "step")}
        try:
            told, step = stories.find(registry.role(name, "stories").STORIES, *story.values())
        except Refusal:
            story = {}
        else:
            base = entry.lab(**told.steps[step].fields)
            fields, usual = {**base.flat(), **fields}, of_story(name, told.title)
    lab, _ = entry.lab.from_flat(as_of(words.get("v", VERSION), name, fields))
    query = urlencode({"v": VERSION, **settings(lab, base), **tongue, **story})
    return LinkTarget(name, query, None if story else lab, usual)


def tongue_here() -> dict[str, str]:
    """The word of a link for the language that is spoken; none for English."""
    return {} if current_language() == ENGLISH else {"lang": current_language()}


def result_of(state: LinkTarget, allowed: Callable[[Any], bool]) -> Any:
    """The result of a state's lab where it is there or `allowed(lab)` computes it, else None; for a thread."""
    name, lab = state.name, state.lab
    if lab is None:
        return None
    if lab == registry.entry(name).lab():
        return shared_complete_result(name).value or run_safely(shared_first_result(name).now, name)[0]
    return run_safely(lab.result, lab)[0] if allowed(lab) else None


def summary_of(state: LinkTarget, allowed: Callable[[Any], bool]) -> Summary:
    """What a state shows, or the usual where that is not known."""
    kept = _summaries.get((state.name, state.query))
    if kept is not None:
        return kept
    result = result_of(state, allowed)
    if result is None:
        return state.usual
    found, _ = run_safely(lambda: of_result(state.name, result), state.name)
    if found is None:
        return state.usual
    return found if state.lab == registry.entry(state.name).lab() else _summaries.put((state.name, state.query), found)


def link_preview(name: str, words: Mapping[str, str]) -> LinkPreview:
    """A link's Glance, of what takes a frame or two to compute; for a thread."""
    state = state_of(name, words)
    return LinkPreview(summary_of(state, lambda lab: lab.quick), state.query)


async def link_preview_async(name: str, words: Mapping[str, str]) -> LinkPreview:
    """A link's Glance, which a thread computes; the page's own title where that takes longer than a visitor waits."""
    with use_language(words.get("lang", ENGLISH)):
        usual = LinkPreview(of_page(name), urlencode(tongue_here()))
        if name not in registry.names():
            return usual
        asked = asyncio.wrap_future(TURNS.submit(lambda: link_preview(name, words)))
    done, _ = await asyncio.wait([asked], timeout=PATIENCE)
    return asked.result() if done and not asked.exception() else usual
