"""Spellings of column names and of words in cells: amount and ' AMOUNT ' are one name, Yes and yes one word."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.printing import echo, join_list, short_name

if TYPE_CHECKING:
    from .table import Column, Table

WITHOUT_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))  # soft hyphen, invisible blanks and joiners
MARKS = str.maketrans({  # quotes and dashes, each with the keyboard's character for them
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
})  # fmt: skip
BLANKS = re.compile(r"\s{2,}|[^\S ]")  # all blanks except a single plain one
WIDE = re.compile("[\uff00-\uffef]+")
BORDER = "\0"  # between words that are processed together
NEAR = 0.8  # least similarity of two spellings of one name, by difflib
LEAST = 4  # names of at most this length are different if one letter differs, such as x1 and x2
BETWEEN = re.compile(r"[\s_\-\u2010-\u2015]+")  # what separates the words of a name
CASED = re.compile(r"\w|[mM](?:[WVAJNgsSB]|Wh|Pa|Hz|bar)")  # units that are others in another case
IN_BRACKETS = re.compile(r"([(\[].*?[)\]])")  # units, whose case matters, such as mW and MW


def fold_name(name: str) -> str:
    """Return a name without the differences of spelling that do not make another name.

    These are characters without width, blanks at the ends, the kind of quotes, marks between words, the case of letters
    and compatible forms (NFKC). Case matters in brackets, and in a last word that is one letter or begins with the m of
    milli or the M of mega: power (mW) and power (MW) are two names, and so are t and T.
    """
    parts = IN_BRACKETS.split(unicodedata.normalize("NFKC", normalise_word(name)))
    return "".join(part if k % 2 else _words(part) for k, part in enumerate(parts))


def normalise_word(word: str) -> str:
    r"""Return a word as it looks: visible characters only, single blanks, plain quotes and dashes, usual width.

    Parameters
    ----------
    word : str
        The word.

    Returns
    -------
    str
        The normalised word.

    Examples
    --------
    >>> from explorer.datasets.columns.spellings import normalise_word
    >>> normalise_word("Bad\u200b\u00a0 Ems")
    'Bad Ems'
    """
    return normalise_words([word])[0]


def normalise_words(words: Sequence[str]) -> list[str]:
    """Return words as `normalise_word` does, all of them at once."""
    text = BORDER.join(words)
    if text.count(BORDER) >= max(len(words), 1):
        return normalise_words([word.replace(BORDER, "") for word in words])
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(WITHOUT_WIDTH).translate(MARKS))
        text = WIDE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    text = BLANKS.sub(" ", text)
    text = text.replace(f" {BORDER}", BORDER).replace(f"{BORDER} ", BORDER).strip(" ")
    return text.split(BORDER) if words else []


def match_name(name: str, names: Iterable[str]) -> str | None:
    """Return the one of some names that a name means, or None.

    It is the same name, or the only one with the same form by `fold_name`, or the only one that differs in case.

    Parameters
    ----------
    name : str
        The name.
    names : iterable of str
        The known names.

    Returns
    -------
    str or None
        The name that is meant, or None if there is none or there are several.
    """
    names = list(names)
    if name in names:
        return name
    for form in (fold_name, lambda each: normalise_word(each).casefold()):
        if matches := [each for each in names if form(each) == form(name)]:
            return matches[0] if len(matches) == 1 else None
    return None


def closest_name(name: str, names: Iterable[str]) -> str:
    """Return the one of some names that is probably another spelling of a name, or "".

    It has the same letters, digits and currency signs, apart from accents, case and what separates them, or nearly the
    same.

    Parameters
    ----------
    name : str
        The name.
    names : iterable of str
        The known names.

    Returns
    -------
    str
        The similar name, or "" if there is none.

    Examples
    --------
    >>> from explorer.datasets.columns.spellings import closest_name
    >>> closest_name("Cost€", ["x", "cost €"])
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
    """Return the letters, digits and signs of a name, without accents and case."""
    apart = unicodedata.normalize("NFKD", normalise_word(name).casefold())
    return "".join(c for c in apart if c.isalnum() or unicodedata.category(c) == "Sc" or c in "%‰°")


def _digits(name):
    return [c for c in name if c.isdigit()]


def _words(part):
    *words, last = BETWEEN.split(part.strip())
    return "_".join([*map(str.casefold, words), last if CASED.fullmatch(last) else last.casefold()]).strip("_")


def common_names(tables: Sequence[Sequence[str]], apart: Collection[str] = ()) -> list[dict[str, str]]:
    """Map the names of each table that are other spellings of an earlier table's names to these.

    The spelling is that of the first table that has the column. A name is unchanged if a table has two names of one
    form by `fold_name`, or if it is in `apart`.

    Parameters
    ----------
    tables : sequence of sequence of str
        The column names of each table.
    apart : collection of str, default ()
        Names that are not changed.

    Returns
    -------
    list of dict of str to str
        The changed names of each table.

    Examples
    --------
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
    """Map the words of each table that are other spellings of an earlier table's words to these, for one column.

    Words that look alike, see `normalise_word`, are always one. Words that differ in case are one too, unless one table
    has both: then case distinguishes levels. The spelling is that of the first table, normalised. Whether a table has
    both spellings of a word, or only one, depends on how its rows fell. That two words are taken as one can only hide a
    difference, so it keeps the level of a test.

    Parameters
    ----------
    tables : sequence of collection of str
        The words of the column in each table.

    Returns
    -------
    list of dict of str to str
        The changed words of each table.

    Examples
    --------
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
        spelling: dict[str, str] = {}
        for look in (looks[word] for word in words if word in looks):
            if spelling.setdefault(look.casefold(), look) != look:
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
    """Return the tables with one spelling for each word of the text columns; each column remembers its own spellings.

    Parameters
    ----------
    tables : sequence of Table
        The tables.

    Returns
    -------
    list of Table
        The tables, in the same order.
    """
    changed: list[dict[str, Column]] = [{} for _ in tables]
    for name in dict.fromkeys(column.name for table in tables for column in table.columns):
        places = [k for k, table in enumerate(tables) if _of_words(table.by_name.get(name))]
        columns = [tables[k].by_name[name] for k in places]
        words = common_words([column.times.keys() - column.gaps for column in columns])
        for k, column, own in zip(places, columns, words, strict=True):
            if own:
                changed[k][name] = _respelled(column, own)
    return [
        replace(table, columns=tuple(again.get(column.name, column) for column in table.columns)) if again else table
        for table, again in zip(tables, changed, strict=True)
    ]


def _of_words(column):
    return column is not None and column.numbers is None and not column.dates and len(column.cells) > 0


def _respelled(column, own):
    """Return a column with other spellings of some of its words."""
    cells = EncodedColumn.from_cells(column.cells).map(lambda cell: own.get(cell, cell))
    order = tuple(dict.fromkeys(own.get(word, word) for word in column.order))
    counts = column.cell_counts._replace(respelled={**column.cell_counts.respelled, **own})
    return replace(column, cells=cells, order=order, cell_counts=counts)


def describe_respellings(own: Mapping[str, str], name: str) -> str:
    """Describe which words of a table are taken as others.

    Parameters
    ----------
    own : mapping of str to str
        The common spelling of each word.
    name : str
        Name of the table.

    Returns
    -------
    str
        The description, "" if there are no words.
    """
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
    """Return a word in quotes, with Python's escapes for unusual blanks and characters without width.

    Parameters
    ----------
    word : str
        The word.

    Returns
    -------
    str
        The quoted word.
    """
    escaped = "".join(
        c if c.isprintable() and ord(c) not in WITHOUT_WIDTH else c.encode("unicode_escape").decode() for c in word
    )
    escaped = re.sub(r"^ +| +$|(?<= ) +", lambda match: r"\x20" * len(match.group()), escaped)
    return echo(escaped).replace(r"\\", "\\")


def with_common_names(tables: Sequence[Table], apart: Collection[str] = ()) -> list[Table]:
    """Return the tables with their columns renamed by `common_names`; each column remembers its own name.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    apart : collection of str, default ()
        Names that are not changed.

    Returns
    -------
    list of Table
        The tables, in the same order.
    """
    renamed = common_names([[column.name for column in table.columns] for table in tables], apart)
    return [_renamed(table, names) if names else table for table, names in zip(tables, renamed, strict=True)]


def _renamed(table, names):
    """Return a table with other names of some columns."""
    columns = tuple(
        replace(column, name=names[column.name], cell_counts=column.cell_counts._replace(renamed=column.name))
        if column.name in names
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)
