"""Citations: the papers behind the library's names, as BibTeX from `references.bib`.

A docstring says "Shah and Peters 2020" or "[muandet2016shrinkage]", a key of `references.bib`, and its references are
found by these forms; there is no second table of names and papers. The result of a function cites the papers of that
function. `explorer list papers` lists the keys.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.public_names.help_text import VERSION, docstring

PACKAGE = __name__.partition(".")[0]
# The five texts by their numbers in the lists of figures, claims and errata. The longer version of 001 was published
# under another title.
PAPERS = {
    "000": "xia2021corrupted",
    "001": "muandet2014stein",
    "002": "muandet2016shrinkage",
    "003": "article",
    "004": "lerasle2019monk",
}
NUMBERED = re.compile(r"\b[Pp]apers? (00[0-4])(?:(?:, | and )(00[0-4]))*|\b[Aa]rticle (003)")
ARTICLE = re.compile(r"\b(?:[Ee]ncyclopedia(?:'s)? article|the article's?|Wikipedia, Kernel embedding)\b")
KEYED = re.compile(r"\[([a-z]+\d{4}[a-z]+)\]")
KEY, AUTHORS, YEAR = r"^@\w+\{(\w+),", r"  author = \{(.*)\},\n", r"  year = \{(\d{4})\},\n"
YEAR_OF_VERSION = 2026  # that of the release, as in CITATION.cff; the software has no DOI and no fixed address
SOFTWARE = f"""@software{{kernelmeanexplorer,
  author = {{{{The Kernel Mean Explorer authors}}}},
  title = {{{{Kernel Mean Explorer}}}},
  version = {{{VERSION}}},
  year = {{{YEAR_OF_VERSION}}},
}}"""


class Reference(NamedTuple):
    """One entry of `references.bib`.

    Attributes
    ----------
    key : str
        The BibTeX key.
    surnames : tuple of str
        The authors' surnames.
    year : str
        The year of publication.
    bibtex : str
        The text of the entry.
    """

    key: str
    surnames: tuple[str, ...]
    year: str
    bibtex: str

    @property
    def short(self) -> str:
        """The short citation, such as "Shah and Peters 2020" or "Song et al. 2008"."""
        first, *others = self.surnames
        rest = "" if not others else f" and {others[0]}" if len(others) == 1 else " et al."
        return f"{first.strip('{}')}{rest} {self.year}"

    @property
    def title(self) -> str:
        """The title, without BibTeX's braces."""
        return re.sub(r"[{}]", "", re.findall(r"  title = \{(.*)\},\n", self.bibtex)[0])

    @property
    def address(self) -> str:
        """The address of the paper: that of its DOI, or another one, or "" if none is known."""
        addresses = re.findall(r"  (doi|url) = \{(.*)\},\n", self.bibtex)
        return "".join(f"https://doi.org/{value}" if name == "doi" else value for name, value in addresses)

    @property
    def cited(self) -> re.Pattern[str]:
        """The pattern of its citations: "Shah and Peters 2020", "Biggs, Schrab, Gretton 2023", "Song et al. 2008"."""
        first, names = self.surnames[0], r"(?:, and |, | and )".join(map(re.escape, self.surnames))
        return re.compile(rf"\b(?:{names}|{re.escape(first)} et al\.),? {self.year}\b")


@cache
def references() -> dict[str, Reference]:
    """Return all references by their keys."""
    entries = files(__name__).joinpath("references.bib").read_text(encoding="utf-8").strip().split("\n\n")
    return {reference.key: reference for reference in map(_read, entries)}


def _read(entry):
    """Return the Reference of an entry's text."""
    (key,), (authors,), (year,) = (re.findall(pattern, entry) for pattern in (KEY, AUTHORS, YEAR))
    return Reference(key, tuple(each.split(",")[0] for each in authors.split(" and ")), year, entry)


def cited(text: str) -> list[Reference]:
    """Return the references that a text cites: by authors and year, by key, or by the numbers of the five texts.

    Parameters
    ----------
    text : str
        A text on one line.

    Returns
    -------
    list of Reference
        The references, sorted by key.
    """
    keys = {key for key, reference in references().items() if reference.cited.search(text)}
    keys |= {key for key in KEYED.findall(text) if key in references()}
    keys |= {PAPERS[number] for match in NUMBERED.finditer(text) for number in re.findall("00[0-4]", match[0])}
    if ARTICLE.search(text):
        keys.add("article")
    return [references()[key] for key in sorted(keys)]


def behind(name: str) -> list[Reference]:
    """Return the references that the documentation of a public name cites.

    Parameters
    ----------
    name : str
        A public name, such as "mmd_test".

    Returns
    -------
    list of Reference
        The references, sorted by key.
    """
    return cited(documentation(name))


def documentation(name: str) -> str:
    """Return the docstring of a public name on one line, with those of a class's own public methods.

    Parameters
    ----------
    name : str
        A public name, such as "mmd_test".

    Returns
    -------
    str
        The docstrings, joined.

    Raises
    ------
    Refusal
        If the library has no such name.
    """
    try:
        thing = getattr(import_module(PACKAGE), name)  # as a user imports it
    except AttributeError as error:
        raise Refusal(str(error)) from None
    methods = vars(thing) if inspect.isclass(thing) else {}
    parts = [thing, *(part for each, part in methods.items() if not each.startswith("_") and callable(part))]
    return " ".join(" ".join(map(docstring, parts)).split())


class Cites:
    """Base class of results that cite papers: those of the function that returned them, or of their class."""

    _given_by: str | None = None

    @property
    def cites(self) -> tuple[Reference, ...]:
        """The papers behind this answer, each with its `key`, `year` and `bibtex`.

        Examples
        --------
        >>> from explorer import mmd_test
        >>> [paper.key for paper in mmd_test([0.0, 1.0, 2.0], [3.0, 4.0, 5.0], rng=0).cites]
        ['gretton2012twosample']
        """
        name = self._cited()
        return tuple(behind(name)) if name else ()

    def _cited(self):
        """Return the public name whose papers these are, or None if there is none."""
        names = dir(import_module(PACKAGE))
        return next((name for name in (self._given_by, type(self).__name__) if name in names), None)

    def _papers(self) -> str:
        """Return a line with the papers and the command that prints their BibTeX, or "" if there are none."""
        papers = "; ".join(paper.short for paper in self.cites)
        return papers and f"Papers: {papers} (BibTeX: explorer cite {self._cited()})."


def record_source(name: str, answer: object) -> None:
    """Record on a result which function returned it; the outermost function does so last.

    Parameters
    ----------
    name : str
        The name of the function.
    answer : object
        Its result. Only subclasses of `Cites` are changed.
    """
    if isinstance(answer, Cites):
        object.__setattr__(answer, "_given_by", name)
