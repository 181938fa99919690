"""Links: the fields of a lab as query parameters, without those that equal its defaults.

`/shrinkage?v=2&n=50` is the lab with 50 points and all other fields at their defaults. The link's version decides which
defaults: links of version 1 omit fields too, and mean the defaults of their time.
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

VERSIONS = ("1", "2")  # versions of links that are read, the oldest first
VERSION = VERSIONS[-1]  # version of links that are written
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
)  # query parameters that are not fields of a lab

# version -> lab -> field -> its default in links up to that version, if a later version has another one. To change a
# default, add a version to VERSIONS and enter the old text here, under the version before it.
FORMER: Mapping[str, Mapping[str, Mapping[str, str]]] = MappingProxyType({"1": {}})


def address(name: str, lab: Lab) -> str:
    """Return the shortest link to a lab's page at a state.

    Parameters
    ----------
    name : str
        Name of the lab.
    lab : Lab
        The state.

    Returns
    -------
    str
        A relative URL.
    """
    return f"{name}?{urlencode({'v': VERSION, **settings(lab)})}"


def settings(lab: Lab, base: Lab | None = None) -> dict[str, str]:
    """Return the fields of a lab as text, if they differ from those of another state or from the defaults.

    Parameters
    ----------
    lab : Lab
        The state.
    base : Lab or None, default None
        The other state; None for the defaults.

    Returns
    -------
    dict of str to str
        The values by field.
    """
    lab_class: Any = type(lab)
    usual = _defaults(lab_class) if base is None else base.flat()
    # a size that a link omits shrinks to its source's number of rows, see Lab.from_flat
    limited: Mapping[str, int] = {}
    with suppress(Refusal, OSError):  # if the table is missing
        limited = lab.rows_there()
    words = lab.flat()
    return {
        field: word
        for field, word in words.items()
        if word != usual[field] or (field in limited and getattr(lab, field) > limited[field])
    }


def as_of(version: str, name: str, words: Mapping[str, str]) -> dict[str, str]:
    """Add to a link's query parameters the defaults of its version that have changed since.

    Parameters
    ----------
    version : str
        Version of the link.
    name : str
        Name of the lab.
    words : mapping of str to str
        The query parameters.

    Returns
    -------
    dict of str to str
        The query parameters and the former defaults.
    """
    former: dict[str, str] = {}
    if version in VERSIONS:
        for each in reversed(VERSIONS[VERSIONS.index(version) :]):  # the version nearest to the link comes last
            former |= FORMER.get(each, {}).get(name, {})
    was = registry.entry(name).lab.was
    given = {was.get(field, field) for field in words}
    return {**{field: word for field, word in former.items() if field not in given}, **words}


def forget_defaults() -> None:
    """Clear the cached defaults of labs, after a lab has got additional fields."""
    _defaults.cache_clear()


@cache
def _defaults(lab_class):
    """Return the default fields of a lab class as text."""
    return lab_class().flat()
