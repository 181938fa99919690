"""Languages of the pages: the English text in the code is the key, and a catalogue has what is said in its place.

    with speaking("de"):
        said("{} more samples", 100)  # '100 weitere Stichproben'

A catalogue is a folder of plain dicts {English: German}, one file a lab: `explorer/languages/de/shrinkage.py`. Keys and
values are templates with the same places and tags. A text without a translation stays English.

The language belongs to whoever is being answered, and never to the process: a page speaks its own wherever it says
something, and a thread that computes for it speaks the language of the page that asked. Numbers keep their decimal
point in every language, as one types them into a box and finds them in copied code; copied Python stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
ENGLISH = "en"
NAMES = {ENGLISH: "English", "de": "Deutsch"}  # as each calls itself


class Language(NamedTuple):
    """A language by its code, and the texts that it has in the place of English ones."""

    code: str
    texts: Mapping[str, str]


PLAIN = Language(ENGLISH, {})
_spoken: ContextVar[Language] = ContextVar("language", default=PLAIN)


@cache
def language(code: str) -> Language:
    """The Language of a code in NAMES; English of any other."""
    if code not in NAMES or code == ENGLISH:
        return PLAIN
    texts = {}
    for each in catalogues(code).values():
        texts |= each
    return Language(code, texts)


def catalogues(code: str) -> dict[str, dict[str, str]]:
    """name -> {English: the other} of each file of a language."""
    folder = import_module(f"{__name__}.{code}")
    names = sorted(each.name for each in iter_modules(folder.__path__))
    return {name: import_module(f"{folder.__name__}.{name}").TEXTS for name in names}


def current_language() -> str:
    """The code of the language that is spoken now."""
    return _spoken.get().code


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Speak a language within."""
    token = _spoken.set(language(code))
    try:
        yield
    finally:
        _spoken.reset(token)


def bind_language(compute: Callable[[], T]) -> Callable[[], T]:
    """A function for another thread, which speaks there what is spoken here."""
    code = current_language()
    if code == ENGLISH:
        return compute

    def computed():
        with use_language(code):
            return compute()

    return computed


def template_of(text: str) -> str:
    """A template in the language that is spoken, its places still empty."""
    texts = _spoken.get().texts
    return texts.get(text, text) if texts else text


def translate(text: str, *parts: object, **named: Any) -> str:
    """Plain text in the language that is spoken; {} or {name} in it are places for the parts, if any are given.

    >>> said("{} of {table}", 3, table="wine")
    '3 of wine'
    """
    text = template_of(text)
    return text.format(*parts, **named) if parts or named else text


def translate_labels(words: Mapping[str, T]) -> dict[str, T]:
    """Words -> values, the words in the language that is spoken."""
    return {translate(word): value for word, value in words.items()}


def linked(address: str) -> str:
    """An address of ours, which opens in the language that is spoken."""
    code = current_language()
    if code == ENGLISH:
        return address
    return f"{address}{'&' if '?' in address else '?'}lang={code}"
