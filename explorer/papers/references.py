"""The papers behind the library's names, as BibTeX: `references.bib`, found by what a docstring cites.

A docstring says "Shah and Peters 2020" or "paper 002", and that is where its references come from: there is no second
table of which name is whose.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.contents import VERSION
from explorer.elsewhere import PACKAGE

# the five texts by the numbers that docstrings give them; the longer version of 001 came out under another title
PAPERS = {
    "000": "xia2021corrupted",
    "001": "muandet2014stein",
    "002": "muandet2016shrinkage",
    "003": "article",
    "004": "lerasle2019monk",
}
NUMBERED = re.compile(r"\b[Pp]apers? (00[0-4])(?:(?:, | and )(00[0-4]))*|\b[Aa]rticle (003)")
ARTICLE = re.compile(r"\b(?:[Ee]ncyclopedia(?:'s)? article|the article's?)\b")
KEY, AUTHORS, YEAR = r"^@\w+\{(\w+),", r"  author = \{(.*)\},\n", r"  year = \{(\d{4})\},\n"
SOFTWARE = f"""@software{{kernelmeanexplorer,
  author = {{{{The Kernel Mean Explorer authors}}}},
  title = {{{{Kernel Mean Explorer}}}},
  version = {{{VERSION}}},
}}"""


class Reference(NamedTuple):
    """One entry of `references.bib`: its key, its authors' surnames, its year and its text."""

    key: str
    surnames: tuple[str, ...]
    year: str
    bibtex: str

    @property
    def cited(self) -> re.Pattern[str]:
        """How prose cites it: "Shah and Peters 2020", "Biggs, Schrab, Gretton 2023", "Song et al. 2008"."""
        first, names = self.surnames[0], r"(?:, and |, | and )".join(map(re.escape, self.surnames))
        return re.compile(rf"\b(?:{names}|{re.escape(first)} et al\.),? {self.year}\b")


@cache
def references() -> dict[str, Reference]:
    """All references by their keys."""
    entries = files("explorer.papers").joinpath("references.bib").read_text(encoding="utf-8").strip().split("\n\n")
    return {reference.key: reference for reference in map(_read, entries)}


def _read(entry):
    """A Reference of an entry's text."""
    (key,), (authors,), (year,) = (re.findall(pattern, entry) for pattern in (KEY, AUTHORS, YEAR))
    return Reference(key, tuple(each.split(",")[0] for each in authors.split(" and ")), year, entry)


def cited(text: str) -> list[Reference]:
    """The references that a line of text cites: by authors and year, or the five texts by their numbers."""
    keys = {key for key, reference in references().items() if reference.cited.search(text)}
    keys |= {PAPERS[number] for match in NUMBERED.finditer(text) for number in re.findall("00[0-4]", match[0])}
    if ARTICLE.search(text):
        keys.add("article")
    return [references()[key] for key in sorted(keys)]


def behind(name: str) -> list[Reference]:
    """The references of a public name: what its `documentation` cites."""
    return cited(documentation(name))


def documentation(name: str) -> str:
    """The docstring of a public name, of a class with those of the methods that it defines, on one line.

    Raises Refusal for a name that the library lacks.
    """
    try:
        thing = getattr(import_module(PACKAGE), name)  # as a reader imports it
    except AttributeError as error:
        raise Refusal(str(error)) from None
    methods = vars(thing) if inspect.isclass(thing) else {}
    parts = [thing, *(part for each, part in methods.items() if not each.startswith("_") and callable(part))]
    return " ".join(" ".join(inspect.getdoc(part) or "" for part in parts).split())
