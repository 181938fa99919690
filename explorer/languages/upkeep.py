"""Upkeep of the catalogues: add the messages of the source to a language, and find what is wrong or missing in it."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import TYPE_CHECKING

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from explorer.files import whole_files

from . import FOLDER, OFFERED, catalogue, codes, coverage, is_translated, name_of
from .extraction import TAG, extract

if TYPE_CHECKING:
    from babel.messages.catalog import Message

FORMULA = re.compile(r"\$[^$]+\$")
EMPHASIS = re.compile(r"\*+")
READ_ALOUD = re.compile(r"(alt|title|aria-label|placeholder)=('[^{'][^']*'|\"[^{\"][^\"]*\")")


def update(code: str) -> None:
    """Add the messages of the source to the catalogue of a language, which is created if there is none.

    A translation whose English text has changed a little is kept and marked as fuzzy: pages show the English text until
    a translator has removed the mark. Messages that the source no longer has are removed.

    Parameters
    ----------
    code : str
        The language code.
    """
    kept = catalogue(code) if code in codes() else Catalog(locale=Locale.parse(code), fuzzy=False)
    kept.update(extract(), update_creation_date=False)
    kept.obsolete.clear()
    save(code, kept)


def save(code: str, messages: Catalog) -> None:
    """Write the catalogue of a language.

    Parameters
    ----------
    code : str
        The language code.
    messages : babel.messages.Catalog
        The messages.
    """
    for each in messages:
        each.flags.discard("python-format")  # "5 % of" is no placeholder
        each.locations = [(file, 0) for file in dict.fromkeys(file for file, _ in each.locations)]
    path = FOLDER / code / "LC_MESSAGES" / "explorer.po"
    whole_files.make_folder(path.parent)
    with whole_files.written(path) as file:
        write_po(file, messages, width=100, include_lineno=False)


def missing(code: str) -> list[str]:
    """Return the English texts that have no translation to a language, or only a fuzzy one.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    list of str
        The texts.
    """
    return [_english(each)[0] for each in catalogue(code) if each.id and not is_translated(each)]


def faults(code: str) -> list[str]:
    """Return what is wrong in the catalogue of a language.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    list of str
        A sentence for each message that the catalogue or the source lacks, and for each translation whose placeholders,
        formulas, tags, emphases or outer spaces differ from those of the English text.
    """
    messages, extracted = catalogue(code), extract()
    theirs, ours = ({_english(each) for each in of if each.id} for of in (messages, extracted))
    return [
        *(f"The catalogue lacks {text[0]!r}." for text in sorted(ours - theirs)),
        *(f"The source no longer has {text[0]!r}." for text in sorted(theirs - ours)),
        *(fault for each in messages if each.id and not each.fuzzy for fault in _faults(each)),
    ]


def summary(code: str) -> str:
    """Return how complete a language is, in a sentence.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    str
        The sentence.
    """
    left, share = len(missing(code)), coverage(code)
    whole = len([each for each in catalogue(code) if each.id])
    menu = "in the menu" if share >= OFFERED else f"not in the menu, which takes {OFFERED:.0%}"
    return f"{name_of(code)}: {whole - left} of {whole} messages are translated ({int(1000 * share) / 10:g} %), {menu}."


def _english(message: Message) -> tuple[str, ...]:
    """Return the English text of a message, or both texts if it has a plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _faults(message) -> Iterator[str]:
    """Yield what is wrong with the translations of a message."""
    english = _english(message)[-1]
    forms = message.string if message.pluralizable else (message.string,)
    for place, text in enumerate(form for form in forms if form):
        allowed = _places(english)
        may_lack_number = message.pluralizable and place == 0
        if _places(text) != allowed and not (may_lack_number and set(_places(text)) < set(allowed)):
            yield f"The placeholders of {text!r} are not those of {english!r}."
        if _formulas(text) != _formulas(english):
            yield f"The formulas of {text!r} are not those of {english!r}."
        if _tags(text) != _tags(english):
            yield f"The tags of {text!r} are not those of {english!r}."
        if [each in " \n" for each in (text[0], text[-1])] != [each in " \n" for each in (english[0], english[-1])]:
            yield f"{text!r} does not begin and end with spaces as {english!r} does."


def _places(template: str) -> list[tuple[str, str]]:
    """Return the placeholders of a template; those without a name are numbered."""
    bare = FORMULA.sub("", template)
    found = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(bare) if name is not None]
    return sorted((name or str(i), spec) for i, (name, spec) in enumerate(found))


def _formulas(template: str) -> list[str]:
    """Return the formulas of a paragraph in Markdown."""
    return sorted(FORMULA.findall(template))


def _tags(template: str) -> list[str]:
    """Return the tags of a template, without the attributes that are read aloud, and the marks of emphasis."""
    bare = FORMULA.sub("", template)
    return sorted([*(READ_ALOUD.sub(r"\1", tag) for tag in TAG.findall(bare)), *EMPHASIS.findall(bare)])
