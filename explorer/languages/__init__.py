"""Languages of the pages: the English text in the code is the key, and a catalogue holds its translations.

    with use_language("de"):
        translate("{} more samples", 100)  # '100 weitere Stichproben'

A catalogue is a folder of plain dicts {English: German}, one file per lab: `explorer/languages/de/shrinkage.py`. Keys
and values are templates with the same placeholders and tags. A text without a translation stays English.

The language belongs to the visitor who is being answered and never to the process: each page has its own language, and
a thread that computes for a page uses the language of that page. Numbers have a decimal point in every language, as in
input fields and copied code; copied Python stays English.
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
NAMES = {ENGLISH: "English", "de": "Deutsch"}  # each language's own name


class Language(NamedTuple):
    """A language and its translations.

    Attributes
    ----------
    code : str
        The language code, such as "de".
    texts : mapping of str to str
        The translations by their English texts.
    """

    code: str
    texts: Mapping[str, str]


PLAIN = Language(ENGLISH, {})
_current: ContextVar[Language] = ContextVar("language", default=PLAIN)


@cache
def language(code: str) -> Language:
    """Return the Language of a code in NAMES, or English for any other code."""
    if code not in NAMES or code == ENGLISH:
        return PLAIN
    texts = {}
    for each in catalogues(code).values():
        texts |= each
    return Language(code, texts)


def catalogues(code: str) -> dict[str, dict[str, str]]:
    """Return the catalogues of a language: file name -> {English: translation}.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    dict of str to dict
        The texts of each file of the language.
    """
    folder = import_module(f"{__name__}.{code}")
    names = sorted(each.name for each in iter_modules(folder.__path__))
    return {name: import_module(f"{folder.__name__}.{name}").TEXTS for name in names}


def current_language() -> str:
    """Return the code of the current language.

    Returns
    -------
    str
        The language code, such as "en".
    """
    return _current.get().code


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Use a language while the block runs.

    Parameters
    ----------
    code : str
        The language code. Unknown codes mean English.

    Yields
    ------
    None
        Nothing.
    """
    token = _current.set(language(code))
    try:
        yield
    finally:
        _current.reset(token)


def bind_language(compute: Callable[[], T]) -> Callable[[], T]:
    """Return a function that computes in the current language, also when another thread calls it.

    Parameters
    ----------
    compute : callable
        Called without arguments.

    Returns
    -------
    callable
        Calls `compute` in the language that is current now.
    """
    code = current_language()
    if code == ENGLISH:
        return compute

    def computed():
        with use_language(code):
            return compute()

    return computed


def template_of(text: str) -> str:
    """Return a template in the current language, with its placeholders still empty.

    Parameters
    ----------
    text : str
        The English template.

    Returns
    -------
    str
        Its translation, or the English template if there is none.
    """
    texts = _current.get().texts
    return texts.get(text, text) if texts else text


def translate(text: str, *parts: object, **named: Any) -> str:
    """Translate a text into the current language and fill in its placeholders.

    Parameters
    ----------
    text : str
        The English text. If parts are given, {} and {name} in it are placeholders.
    *parts : object
        The values of the placeholders {}.
    **named : object
        The values of the placeholders {name}.

    Returns
    -------
    str
        Plain text.

    Examples
    --------
    >>> said("{} of {table}", 3, table="wine")
    '3 of wine'
    """
    text = template_of(text)
    return text.format(*parts, **named) if parts or named else text


def translate_labels(words: Mapping[str, T]) -> dict[str, T]:
    """Return a mapping with its keys translated into the current language.

    Parameters
    ----------
    words : mapping of str to object
        English labels and their values.

    Returns
    -------
    dict of str to object
        Translated labels and their values.
    """
    return {translate(word): value for word, value in words.items()}


def linked(address: str) -> str:
    """Return an address of this site that opens in the current language.

    Parameters
    ----------
    address : str
        The address, with or without a query.

    Returns
    -------
    str
        The address with a `lang` parameter, or unchanged in English.
    """
    code = current_language()
    if code == ENGLISH:
        return address
    return f"{address}{'&' if '?' in address else '?'}lang={code}"
