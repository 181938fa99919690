"""Languages of the pages: the English text in the code is the key, and a gettext catalogue holds its translations.

    with use_language("de"):
        translate("{} more samples", 100)  # '100 weitere Stichproben'

The catalogue of a language is `<code>/LC_MESSAGES/explorer.po` in this folder. `python -m explorer.languages update`
adds the texts of the source to it, and `python -m explorer.languages check` says what is missing. Keys and translations
are templates with the same placeholders and tags. A text without a translation, or with one that is marked as fuzzy,
stays English. The pages offer a language if at least OFFERED of its texts are translated.

The language belongs to the visitor who is being answered and never to the process: each page has its own language. Its
handlers of the browser's events, and threads that compute for it, use that language by `bind_language`. Numbers have a
decimal point in every language, as in input fields and copied code; copied Python stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, update_wrapper
from gettext import GNUTranslations, NullTranslations
from inspect import iscoroutinefunction
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, Self, TypeVar

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

P = ParamSpec("P")
T = TypeVar("T")
ENGLISH = "en"
FOLDER = Path(__file__).parent
OFFERED = 0.98  # least share of translated texts of a language that the pages offer


class Language(NamedTuple):
    """A language and its translations.

    Attributes
    ----------
    code : str
        The language code, such as "de".
    texts : gettext.NullTranslations
        The translations by their English texts.
    """

    code: str
    texts: NullTranslations


PLAIN = Language(ENGLISH, NullTranslations())
_current: ContextVar[Language] = ContextVar("language", default=PLAIN)


def codes() -> tuple[str, ...]:
    """Return the codes of the languages that have a catalogue.

    Returns
    -------
    tuple of str
        The codes, in alphabetical order.
    """
    return tuple(sorted(path.parents[1].name for path in FOLDER.glob("*/LC_MESSAGES/explorer.po")))


def catalogue(code: str) -> Catalog:
    """Read the catalogue of a language.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    babel.messages.Catalog
        The messages with their translations.
    """
    from babel.messages.pofile import read_po

    with FOLDER.joinpath(code, "LC_MESSAGES", "explorer.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def _read(code: str) -> tuple[Language, list[tuple[bool, list[str]]]]:
    """Return a language, and of each of its messages whether it is translated and in which files it is.

    Fuzzy translations are left out.
    """
    from babel.messages.mofile import write_mo

    messages, compiled = catalogue(code), BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    done = [(is_translated(each), [file for file, _ in each.locations]) for each in messages if each.id]
    return Language(code, GNUTranslations(compiled)), done


def is_translated(message: Message) -> bool:
    """Return whether a message of a catalogue has its translation, in all forms, and nobody must look at it again."""
    forms = message.string if message.pluralizable else (message.string,)
    return bool(forms) and all(forms) and not message.fuzzy


def language(code: str) -> Language:
    """Return the language of a code.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    Language
        English if the code has no catalogue.
    """
    return PLAIN if code == ENGLISH or code not in codes() else _read(code)[0]


def coverage(code: str, folder: str = "") -> float:
    """Return the share of the texts that are translated to a language.

    Parameters
    ----------
    code : str
        The language code.
    folder : str, default ""
        The folder of the package whose texts count, such as "labs/shrinkage"; by default all do.

    Returns
    -------
    float
        The share, from 0 to 1.
    """
    done = [one for one, files in _read(code)[1] if not folder or any(file.startswith(folder) for file in files)]
    return sum(done) / max(len(done), 1)


@cache
def offered() -> dict[str, str]:
    """Return the languages that the pages offer, each code with the language's own name; English comes first."""
    return {code: name_of(code) for code in (ENGLISH, *codes()) if code == ENGLISH or coverage(code) >= OFFERED}


def name_of(code: str) -> str:
    """Return a language's own name, such as "Deutsch".

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    str
        The name.
    """
    from babel import Locale

    return Locale.parse(code).get_display_name(code) or code


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


def bind_language(run: Callable[P, T]) -> Callable[P, T]:
    """Return a function that runs in the current language, also when another thread or a browser's event calls it.

    Every handler of a page is bound when the page is built, because the event itself has no language.

    Parameters
    ----------
    run : callable
        A function or a coroutine function.

    Returns
    -------
    callable
        Calls `run` with its arguments, in the language that is current now.
    """
    code = current_language()
    if code == ENGLISH:
        return run
    coroutine: Any = run

    async def awaited(*args: P.args, **options: P.kwargs) -> Any:
        with use_language(code):
            return await coroutine(*args, **options)

    def called(*args: P.args, **options: P.kwargs) -> T:
        with use_language(code):
            return run(*args, **options)

    bound: Any = update_wrapper(awaited if iscoroutinefunction(run) else called, run)
    return bound


class Sentence(str):
    """English text that remembers its template and its values, so that `translate` can say it in another language.

    Parameters
    ----------
    template : str
        The English text, with a placeholder {} for each value.
    *values : object
        The values.

    Examples
    --------
    >>> told = Sentence("{} has no column {}.", "wine", "'hue'")
    >>> told, told.template
    ("wine has no column 'hue'.", '{} has no column {}.')
    """

    template: str
    values: tuple[object, ...]

    def __new__(cls, template: str, *values: object) -> Self:
        made = super().__new__(cls, template.format(*values))
        made.template, made.values = template, values
        return made

    def __str__(self) -> str:
        return self  # so that `str` of an exception keeps the template

    def __getnewargs__(self) -> Any:
        return (self.template, *self.values)


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
    return _current.get().texts.gettext(text) if text else text  # under "" a catalogue has its header


def paragraphs_of(text: str) -> list[str]:
    """Return the paragraphs of a text, which empty lines separate; each has its own translation.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    list of str
        Each paragraph on one line.
    """
    return [" ".join(each.split()) for each in re.split(r"\n\s*\n", text) if each.strip()]


def translate(text: str, *parts: object, **named: Any) -> str:
    """Translate a text into the current language and fill in its placeholders.

    Parameters
    ----------
    text : str
        The English text. If parts are given, {} and {name} in it are placeholders. A `Sentence` has its own values.
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
    >>> translate("{} of {table}", 3, table="wine")
    '3 of wine'
    """
    if isinstance(text, Sentence):
        text, parts = text.template, text.values
    text = template_of(text)
    return text.format(*parts, **named) if parts or named else text


def translate_plural(one: str, many: str, count: int, *parts: object, **named: Any) -> str:
    """Translate a text about a number of things, in the form that the current language has for that number.

    Parameters
    ----------
    one : str
        The English text for one thing.
    many : str
        The English text for any other number of things.
    count : int
        The number.
    *parts : object
        The values of the placeholders {}; by default `count` is the only one.
    **named : object
        The values of the placeholders {name}.

    Returns
    -------
    str
        Plain text.

    Examples
    --------
    >>> translate_plural("{} point", "{} points", 1), translate_plural("one point", "{:,} points", 1200)
    ('1 point', '1,200 points')
    """
    return _current.get().texts.ngettext(one, many, count).format(*(parts or (count,)), **named)


def message(text: T) -> T:
    """Mark a text, or the texts of a collection, that is translated only where it is shown; return it unchanged.

    Parameters
    ----------
    text : str, mapping, tuple or list
        The English text. Of a mapping the values are marked.

    Returns
    -------
    str, mapping, tuple or list
        The same object.

    Examples
    --------
    >>> message("a ring")
    'a ring'
    """
    return text


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
