"""Upkeep of the catalogues: add the messages of the source to a language, and find what is wrong or missing in it."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from gettext import c2py
from typing import TYPE_CHECKING

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from explorer.files import whole_files

from . import FOLDER, OFFERED, catalogue, codes, coverage, is_translated, name_of
from .extraction import PRODUCT, TAG, extract, rank

if TYPE_CHECKING:
    from babel.messages.catalog import Message

FORMULA = re.compile(r"\$[^$]+\$")
EMPHASIS = re.compile(r"\*+")
READ_ALOUD = re.compile(r"(alt|title|aria-label|placeholder)=('[^{'][^']*'|\"[^{\"][^\"]*\")")
# a line of a catalogue: a comment, a text between quotes, or nothing
LINE = re.compile(r'#.*|(msg(ctxt|id|id_plural|str(\[\d\])?) )?"([^"\\]|\\.)*"|')
ROOM = re.compile(r"labs/\w+|pages/index|[^/]+")  # the part of the pages that a file belongs to
HEADER = """# {} translation of {}; the guide says how: explorer/site/guide/recipes.md, "Translate the pages".
# Plural forms: {}"""


def update(code: str) -> None:
    """Add the messages of the source to the catalogue of a language, which is created if there is none.

    A translation whose English text has changed a little is kept and marked as fuzzy: pages show the English text until
    a translator has removed the mark. Messages that the source no longer has are removed.

    Parameters
    ----------
    code : str
        The language code.
    """
    kept = catalogue(code) if code in codes() else _new(code)
    kept.update(extract(), update_creation_date=False)
    kept.obsolete.clear()
    save(code, kept)


def _new(code):
    """Return an empty catalogue, whose header says which numbers each plural form is for."""
    made = Catalog(locale=Locale.parse(code), project=PRODUCT, fuzzy=False)
    numbers = _numbers(made, (*range(1000), 1_000_000))
    forms = "; ".join(f"msgstr[{place}] is for {_some(numbers[place])}" for place in sorted(numbers))
    made.header_comment = HEADER.format(Locale.parse(code).english_name, PRODUCT, forms)
    return made


def _numbers(messages, upto):
    """Return which of these numbers each plural form of a catalogue is for."""
    form, found = c2py(messages.plural_expr), {}
    for n in upto:
        found.setdefault(form(n), []).append(n)
    return found


def _some(numbers):
    """Return the first few of many numbers as text."""
    return ", ".join(map(str, numbers[:4])) + (", ..." if len(numbers) > 4 else "")


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
        if FORMULA.search(_english(each)[-1]):
            each.flags.discard("python-brace-format")  # nor are the braces of a formula
        each.locations = [(file, 0) for file in dict.fromkeys(file for file, _ in each.locations)]
    path = FOLDER / code / "LC_MESSAGES" / "explorer.po"
    whole_files.make_folder(path.parent)
    with whole_files.written(path) as file:
        write_po(file, messages, width=100, include_lineno=False)


def missing(code: str, folder: str = "") -> list[str]:
    """Return the English texts that have no translation to a language, or only a fuzzy one.

    Parameters
    ----------
    code : str
        The language code.
    folder : str, default ""
        The folder of the package whose texts count, such as "labs/shrinkage"; by default all do.

    Returns
    -------
    list of str
        The texts.
    """
    return [
        _english(each)[0]
        for each in catalogue(code)
        if each.id and not is_translated(each)
        if not folder or any(file.startswith(folder) for file, _ in each.locations)
    ]


def progress(code: str) -> list[str]:
    """Return how many texts of each part of the pages are still to be translated.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    list of str
        A line for each part that is not complete, in the order of the catalogue. A text that several parts share counts
        in each of them.
    """
    left, whole = Counter(), Counter()
    for each in catalogue(code):
        for room in dict.fromkeys(ROOM.findall(file)[0] for file, _ in each.locations) if each.id else ():
            whole[room] += 1
            left[room] += not is_translated(each)
    return [
        f"{room}: {whole[room] - left[room]} of {whole[room]} ({(whole[room] - left[room]) / whole[room]:.0%})"
        for room in sorted(whole, key=lambda room: (rank(f"{room}/"), room))
        if left[room]
    ]


def broken_lines(code: str) -> list[str]:
    """Return which lines of a catalogue do not have its form; as they are read, letters or whole texts are lost.

    Parameters
    ----------
    code : str
        The language code.

    Returns
    -------
    list of str
        A sentence for each line.
    """
    if code not in codes():
        return []
    lines = (FOLDER / code / "LC_MESSAGES" / "explorer.po").read_text(encoding="utf-8").split("\n")
    return [
        f'Line {i} cannot be read: {line.strip()} (a text stands between two quotes, and a quote within it is \\")'
        for i, line in enumerate(lines, 1)
        if not LINE.fullmatch(line.strip())
    ]


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
        formulas, tags, emphases or outer spaces differ from those of the English text; or those of `broken_lines`, if
        there are any.
    """
    if broken := broken_lines(code):
        return broken
    messages, extracted = catalogue(code), extract()
    numbers = _numbers(messages, range(1000))
    theirs, ours = ({_english(each) for each in of if each.id} for of in (messages, extracted))
    return [
        *(f"The catalogue lacks {text[0]!r}." for text in sorted(ours - theirs)),
        *(f"The source no longer has {text[0]!r}." for text in sorted(theirs - ours)),
        *(fault for each in messages if each.id and not each.fuzzy for fault in _faults(each, numbers)),
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


def _faults(message, numbers) -> Iterator[str]:
    """Yield what is wrong with the translations of a message; `numbers` are those of each plural form."""
    english = _english(message)[-1]
    forms = message.string if message.pluralizable else (message.string,)
    for place, text in ((place, form) for place, form in enumerate(forms) if form):
        yield from _faults_of_places(text, english, numbers.get(place, []) if message.pluralizable else [])
        if _formulas(text) != _formulas(english):
            yield f"The formulas of {text!r} are not those of {english!r}."
        if _tags(text) != _tags(english):
            yield f"The tags of {text!r} are not those of {english!r}."
        if [each in " \n" for each in (text[0], text[-1])] != [each in " \n" for each in (english[0], english[-1])]:
            yield f"{text!r} does not begin and end with spaces as {english!r} does."


def _faults_of_places(text, english, numbers):
    """Yield what is wrong with the placeholders of a text; a plural form for one number only may lack it."""
    try:
        places, allowed = _places(text), _places(english)
    except ValueError:
        yield f"The placeholders of {text!r} cannot be read: close each brace, and number all of them or none."
        return
    if places == allowed or (len(numbers) == 1 and set(places) < set(allowed)):
        return
    which = f" It is for {_some(numbers)}, so it needs the number." if set(places) < set(allowed) and numbers else ""
    yield f"The placeholders of {text!r} are not those of {english!r}.{which}"


def _places(template: str) -> list[tuple[str, str]]:
    """Return the placeholders of a template; those without a name are numbered."""
    bare = FORMULA.sub("", template)
    found = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(bare) if name is not None]
    names = [name for name, _ in found]
    if "" in names and any(map(str.isdigit, names)):
        raise ValueError
    return sorted((name or str(i), spec) for i, (name, spec) in enumerate(found))


def _formulas(template: str) -> list[str]:
    """Return the formulas of a paragraph in Markdown."""
    return sorted(FORMULA.findall(template))


def _tags(template: str) -> list[str]:
    """Return the tags of a template, without the attributes that are read aloud, and the marks of emphasis."""
    bare = FORMULA.sub("", template)
    return sorted([*(READ_ALOUD.sub(r"\1", tag) for tag in TAG.findall(bare)), *EMPHASIS.findall(bare)])
