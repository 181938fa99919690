"""Links: the fields of a lab as the words of an address, and no more of them than differ from its defaults.

`/shrinkage?v=2&n=50` is the lab with 50 points and all else as it is at first. What "at first" means belongs to the
link's version: a link of version 1 may leave fields out too, and means by it the defaults of its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from explorer.checks import Refusal

from . import registry

if TYPE_CHECKING:
    from .lab import Lab

VERSIONS = ("1", "2")  # of the links that are read, the oldest first
VERSION = VERSIONS[-1]  # of those that are written
OF_THE_PAGE = (
    "v",
    "lang",
    "theme",
    "story",
    "step",
    "ui",
    "hide",
    "data",
    "tour",
)  # words of a link that are no fields of a lab

# version -> lab -> field -> its default in links up to that version, where a later version has another one.
# To change a default: add a version to VERSIONS and enter the old word here, under the version before it.
FORMER: Mapping[str, Mapping[str, Mapping[str, str]]] = MappingProxyType({"1": {}})


def address(name: str, lab: Lab) -> str:
    """Where the page of the lab of a name opens at a state, in as few words as say it."""
    return f"{name}?{urlencode({'v': VERSION, **settings(lab)})}"


def settings(lab: Lab, base: Lab | None = None) -> dict[str, str]:
    """The fields of a lab as words, where they differ from those of `base`, or from the defaults."""
    lab_class: Any = type(lab)
    usual = _defaults(lab_class) if base is None else base.flat()
    # a size that is left out shrinks to the rows of its source, see Lab.from_flat
    limited: Mapping[str, int] = {}
    with suppress(Refusal, OSError):  # of a table that is not here
        limited = lab.rows_there()
    words = lab.flat()
    return {
        field: word
        for field, word in words.items()
        if word != usual[field] or (field in limited and getattr(lab, field) > limited[field])
    }


def as_of(version: str, name: str, words: Mapping[str, str]) -> dict[str, str]:
    """The words of a link to the lab of a name, with the defaults of its version that have changed since."""
    former: dict[str, str] = {}
    if version in VERSIONS:
        for each in reversed(VERSIONS[VERSIONS.index(version) :]):  # the version nearest to the link comes last
            former |= FORMER.get(each, {}).get(name, {})
    was = registry.entry(name).lab.was
    given = {was.get(field, field) for field in words}
    return {**{field: word for field, word in former.items() if field not in given}, **words}


def forget_defaults() -> None:
    """Look at the defaults of labs again, where one has been given further fields."""
    _defaults.cache_clear()


@cache
def _defaults(lab_class):
    return lab_class().flat()
