"""Python that knows code from values: what the scripts that pages, notebooks and reports offer to copy are built from.

    snippet("data = read_table({}, n={})  {}", name, n, comment(title))

A template is a literal of ours and holds code. What is put into it is a value, and is written as Python that rebuilds
it, a text in quotes, unless it is a `Snippet` itself. So a table's names are never code: a place that offers Python
takes a `Snippet` alone, and an f-string refuses it, since plain text is all that it gives.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from numbers import Number
from typing import LiteralString, Self

from .printing import code, echo


class Snippet(str):
    """Python, or a part of a line of it: a string that is meant as code; only snippets are added to it or joined by it.

    >>> snippet("x = {}", "a'b") + snippet("  {}", comment("two\\nlines"))
    'x = "a\\'b"  # two\\\\nlines'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise TypeError("a snippet in an f-string would become plain text; put both into snippet('... {} ...', ...).")

    def __add__(self, other: str) -> Self:
        return type(self)(str.__add__(self, pasted(other)))

    def __radd__(self, other: str) -> Self:
        return type(self)(str.__add__(pasted(other), self))

    def join(self, parts: Iterable[str], /) -> Self:
        """The parts one after the other with this snippet between them; TypeError if one of them is plain text."""
        return type(self)(str.join(self, map(pasted, parts)))


def snippet(template: LiteralString, *parts: object) -> Snippet:
    """Python from a literal template with {} where parts go: snippets as they are, all else as code that rebuilds it.

    A number may have a format there, as in {:g}.

    >>> snippet("load({}, {})[{:g}]", "wine'); f('", snippet("n=3"), 2.0)
    'load("wine\\'); f(\\'", n=3)[2]'
    """
    return Snippet(template.format(*map(_Part, parts)))


class _Part:
    """A part of a template, which writes it by itself."""

    def __init__(self, part: object) -> None:
        self._part = part

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self._part) if isinstance(self._part, Snippet) else code(self._part)
        if not isinstance(self._part, Number):
            raise TypeError(f"only a number has a format in a snippet, and this is {type(self._part).__name__}.")
        return format(self._part, spec)


NOTHING = Snippet()


def identifier(word: str) -> Snippet:
    """A name of Python's, or several with dots between them; ValueError if the word is none.

    >>> identifier("explorer.datasets")
    'explorer.datasets'
    """
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in word.split(".")):
        raise ValueError(f"{echo(word)} is no name in Python; put a value into the snippet by itself.")
    return Snippet(word)


def comment(text: object) -> Snippet:
    """Any text as a comment, in one line: what a reader cannot see, line breaks among it, is written as its escape.

    >>> comment("a\\nprint(1)")
    '# a\\\\nprint(1)'
    """
    return Snippet("# " + "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(text)))


def imports(room: str, names: Iterable[str]) -> Snippet:
    """The line that imports names from a module, each once, in the order of their letters.

    >>> imports("explorer", ["load", "KME", "load"])
    'from explorer import KME, load'
    """
    ordered = sorted(set(names), key=lambda each: (each.lower(), each))
    return snippet("from {} import {}", identifier(room), Snippet(", ").join(map(identifier, ordered)))


def stacked(parts: Iterable[str]) -> Snippet:
    """Snippets as lines below each other.

    >>> stacked([snippet("x = 1"), snippet("print(x)")])
    'x = 1\\nprint(x)'
    """
    return Snippet("\n").join(parts)


def pasted(python: str) -> str:
    """Return the text of a snippet, for a place that offers Python; TypeError for any other text: it may hold names."""
    if not isinstance(python, Snippet):
        raise TypeError(
            "a place for Python takes a Snippet, built by snippet('... {} ...', ...), which quotes what is text, and"
            f" not a {type(python).__name__}: {echo(str(python))}"
        )
    return str(python)
