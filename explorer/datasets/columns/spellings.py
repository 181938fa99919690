"""Names of columns and words in cells that are one, written in another way: amount and ' AMOUNT ', Yes and yes."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from explorer.datasets.files.lazy_cells import Coded
from explorer.printing import echo, join_list, short_name

if TYPE_CHECKING:
    from .table import Column, Table

WITHOUT_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))  # a soft hyphen, blanks and joins that are not seen
MARKS = str.maketrans({  # quotes and dashes to those of a keyboard, which stand for all
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
})  # fmt: skip
BLANKS = re.compile(r"\s{2,}|[^\S ]")  # all but one plain blank
WIDE = re.compile("[\uff00-\uffef]+")
BORDER = "\0"  # between words that are looked at together
NEAR = 0.8  # of difflib: how alike names are at least that are probably one
LEAST = 4  # letters: a name of no more that has one other letter is another name, as x1 and x2 are
BETWEEN = re.compile(r"[\s_\-\u2010-\u2015]+")  # words of a name
CASED = re.compile(r"\w|[mM](?:[WVAJNgsSB]|Wh|Pa|Hz|bar)")  # units whose case makes another one
IN_BRACKETS = re.compile(r"([(\[].*?[)\]])")  # units, whose case matters: mW and MW


def fold_name(name: str) -> str:
    """Return a name without the differences of spelling that make no other name of it.

    Letters without width make none, nor do blanks at the ends, the kind of quotes, marks between words, the letters'
    case and compatible forms (NFKC). The case does in brackets, and of a last word that is one letter or begins with
    the m of milli or the M of mega: power (mW) and power (MW), t and T are two names each.
    """
    parts = IN_BRACKETS.split(unicodedata.normalize("NFKC", normalise_word(name)))
    return "".join(part if k % 2 else _words(part) for k, part in enumerate(parts))


def normalise_word(word: str) -> str:
    """Return a word as it looks: no letters without width, one blank for several, plain quotes and dashes, usual width.

    >>> from explorer.datasets.columns.spellings import plain
    >>> plain("Bad\\u200b\\u00a0 Ems")
    'Bad Ems'
    """
    return normalise_words([word])[0]


def normalise_words(words: Sequence[str]) -> list[str]:
    """Return each of some words as `plain` does, all of them at once."""
    text = BORDER.join(words)
    if text.count(BORDER) >= max(len(words), 1):
        return normalise_words([word.replace(BORDER, "") for word in words])
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(WITHOUT_WIDTH).translate(MARKS))
        text = WIDE.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    text = BLANKS.sub(" ", text)
    text = text.replace(f" {BORDER}", BORDER).replace(f"{BORDER} ", BORDER).strip(" ")
    return text.split(BORDER) if words else []


def match_name(name: str, names: Iterable[str]) -> str | None:
    """Return which of some names is meant by a name, or None.

    It is the same, or the only one of the same `folded` form, or the only one that differs in case.
    """
    names = list(names)
    if name in names:
        return name
    for form in (fold_name, lambda each: normalise_word(each).casefold()):
        if found := [each for each in names if form(each) == form(name)]:
            return found[0] if len(found) == 1 else None
    return None


def closest_name(name: str, names: Iterable[str]) -> str:
    """Return the one of some names that is probably another spelling of a name, or "".

    It has the same letters, digits and signs of currencies but for accents, case and what stands between them, or
    nearly the same.

    >>> from explorer.datasets.columns.spellings import probably
    >>> probably("Cost€", ["x", "cost €"])
    'cost €'
    """
    forms: dict[str, str] = {}
    for each in names:
        forms.setdefault(_letters_of(each), each)
    form = _letters_of(name)
    if form and form in forms:
        return forms[form]
    near = difflib.get_close_matches(form, forms, 1, NEAR) if len(form) > LEAST else []
    return forms[near[0]] if near and _digits(near[0]) == _digits(form) else ""


def _letters_of(name):
    """The letters, digits and signs of a name, without accents and case."""
    apart = unicodedata.normalize("NFKD", normalise_word(name).casefold())
    return "".join(c for c in apart if c.isalnum() or unicodedata.category(c) == "Sc" or c in "%‰°")


def _digits(name):
    return [c for c in name if c.isdigit()]


def _words(part):
    *words, last = BETWEEN.split(part.strip())
    return "_".join([*map(str.casefold, words), last if CASED.fullmatch(last) else last.casefold()]).strip("_")


def common_names(tables: Sequence[Sequence[str]], apart: Collection[str] = ()) -> list[dict[str, str]]:
    """Return of each table, given by its names, the names that are another table's in another spelling -> that one.

    The spelling is that of the first table that has the column. A name stays as it is if a table has two names of one
    `folded` form, or if it is among `apart`.

    >>> from explorer.datasets.columns.spellings import common_names
    >>> common_names([["amount", "kind"], ["Amount ", "kind"]])
    [{}, {'Amount ': 'amount'}]
    """
    forms = [[fold_name(name) for name in names] for names in tables]
    unclear = {form for each in forms for form in set(each) if each.count(form) > 1} | {
        fold_name(name) for name in apart
    }
    first: dict[str, str] = {}
    for names, each in zip(tables, forms, strict=True):
        for name, form in zip(names, each, strict=True):
            first.setdefault(form, name)
    return [
        {
            name: first[form]
            for name, form in zip(names, each, strict=True)
            if form not in unclear and name != first[form]
        }
        for names, each in zip(tables, forms, strict=True)
    ]


def common_words(tables: Sequence[Collection[str]]) -> list[dict[str, str]]:
    """Return of each table, given by the words of one column, those that are another spelling of a word -> that word.

    Words that look alike, see `plain`, are one in any case. Those that differ in case are one too, unless a table has
    two of them: then case tells levels apart. The spelling is that of the first table, plain. If a table has both
    spellings of a word or only one depends on how its rows fell; that two words are taken as one can only hide a
    difference, and so keeps the level of a test.

    >>> from explorer.datasets.columns.spellings import common_words
    >>> common_words([["Yes", "No"], ["yes", "no "]])
    [{}, {'yes': 'Yes', 'no ': 'No'}]
    """
    every = list(dict.fromkeys(chain.from_iterable(tables)))
    if not every:
        return [{} for _ in tables]
    plain_words = normalise_words(every)
    folds = BORDER.join(plain_words).casefold().split(BORDER)
    if len(set(folds)) == len(every):
        return [{} for _ in tables]
    times = Counter(folds)
    looks = {word: look for word, look, fold in zip(every, plain_words, folds, strict=True) if times[fold] > 1}
    cased: set[str] = set()
    for words in tables:
        here: dict[str, str] = {}
        for look in (looks[word] for word in words if word in looks):
            if here.setdefault(look.casefold(), look) != look:
                cased.add(look.casefold())

    def form(word: str) -> str:
        look = looks[word]
        return look if look.casefold() in cased else look.casefold()

    first = {form(word): looks[word] for word in reversed(looks)}
    spellings = Counter(map(form, looks))
    return [
        {
            word: first[form(word)]
            for word in words
            if word in looks and spellings[form(word)] > 1 and word != first[form(word)]
        }
        for words in tables
    ]


def with_common_words(tables: Sequence[Table]) -> list[Table]:
    """Return the tables with one spelling for each word of the columns of words; each column remembers its own."""
    found: list[dict[str, Column]] = [{} for _ in tables]
    for name in dict.fromkeys(column.name for table in tables for column in table.columns):
        places = [k for k, table in enumerate(tables) if _of_words(table.by_name.get(name))]
        columns = [tables[k].by_name[name] for k in places]
        words = common_words([column.times.keys() - column.gaps for column in columns])
        for k, column, own in zip(places, columns, words, strict=True):
            if own:
                found[k][name] = _respelled(column, own)
    return [
        replace(table, columns=tuple(again.get(column.name, column) for column in table.columns)) if again else table
        for table, again in zip(tables, found, strict=True)
    ]


def _of_words(column):
    return column is not None and column.numbers is None and not column.dates and len(column.cells) > 0


def _respelled(column, own):
    """A column with other spellings of some of its words."""
    cells = Coded.each(column.cells).mapped(lambda cell: own.get(cell, cell))
    order = tuple(dict.fromkeys(own.get(word, word) for word in column.order))
    beside = column.cell_counts._replace(respelled={**column.cell_counts.respelled, **own})
    return replace(column, cells=cells, order=order, cell_counts=beside)


def describe_respellings(own: Mapping[str, str], name: str) -> str:
    """Say which words of a table are taken as others, in a few words; "" if none are."""
    if not own:
        return ""
    return join_list(
        (
            f"{quote_visible(word)} in {short_name(name)} taken as {quote_visible(common)}"
            for word, common in own.items()
        ),
        160,
    )


def quote_visible(word: str) -> str:
    """Return a word in quotes, with its blanks and its letters without width as they are written in Python."""
    escaped = "".join(
        c if c.isprintable() and ord(c) not in WITHOUT_WIDTH else c.encode("unicode_escape").decode() for c in word
    )
    escaped = re.sub(r"^ +| +$|(?<= ) +", lambda found: r"\x20" * len(found.group()), escaped)
    return echo(escaped).replace(r"\\", "\\")


def with_common_names(tables: Sequence[Table], apart: Collection[str] = ()) -> list[Table]:
    """Return the tables with their columns by the names that `common_names` gives; each remembers its own."""
    found = common_names([[column.name for column in table.columns] for table in tables], apart)
    return [_renamed(table, names) if names else table for table, names in zip(tables, found, strict=True)]


def _renamed(table, names):
    columns = tuple(
        replace(column, name=names[column.name], cell_counts=column.cell_counts._replace(renamed=column.name))
        if column.name in names
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)
