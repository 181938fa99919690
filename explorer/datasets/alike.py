"""Names of columns that are one name, written in another way: amount and ' AMOUNT ', wait_time and Wait Time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .columns import Table

BETWEEN = re.compile(r"[\s_\-\u2010-\u2015]+")  # words of a name
CASED = re.compile(r"\w|[mM](?:[WVAJNgsSB]|Wh|Pa|Hz|bar)")  # units whose case makes another one
IN_BRACKETS = re.compile(r"([(\[].*?[)\]])")  # units, whose case matters: mW and MW


def folded(name: str) -> str:
    """Return a name without the differences of spelling that make no other name of it.

    Blanks at the ends, marks between words, the letters' case and compatible forms (NFKC) make none. The case does in
    brackets, and of a last word that is one letter or begins with the m of milli or the M of mega: power (mW) and power
    (MW), t and T are two names each.
    """
    parts = IN_BRACKETS.split(unicodedata.normalize("NFKC", name).strip())
    return "".join(part if k % 2 else _words(part) for k, part in enumerate(parts))


def _words(part):
    *words, last = BETWEEN.split(part.strip())
    return "_".join([*map(str.casefold, words), last if CASED.fullmatch(last) else last.casefold()]).strip("_")


def common_names(tables: Sequence[Sequence[str]], apart: Collection[str] = ()) -> list[dict[str, str]]:
    """Return of each table, given by its names, the names that are another table's in another spelling -> that one.

    The spelling is that of the first table that has the column. A name stays as it is if a table has two names of one
    `folded` form, or if it is among `apart`.

    >>> from explorer.datasets.alike import common_names
    >>> common_names([["amount", "kind"], ["Amount ", "kind"]])
    [{}, {'Amount ': 'amount'}]
    """
    forms = [[folded(name) for name in names] for names in tables]
    unclear = {form for each in forms for form in set(each) if each.count(form) > 1} | {folded(name) for name in apart}
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


def with_common_names(tables: Sequence[Table], apart: Collection[str] = ()) -> list[Table]:
    """Return the tables with their columns by the names that `common_names` gives; each remembers its own."""
    found = common_names([[column.name for column in table.columns] for table in tables], apart)
    return [_renamed(table, names) if names else table for table, names in zip(tables, found, strict=True)]


def _renamed(table, names):
    columns = tuple(
        replace(column, name=names[column.name], beside=column.beside._replace(renamed=column.name))
        if column.name in names
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)
