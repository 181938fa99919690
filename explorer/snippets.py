"""Python code in which code and values are different types: pages, notebooks and reports build copied scripts from it.

    snippet("data = read_table({}, n={})  {}", name, n, comment(title))

A template is a literal of this project and holds code. A part is a value and is written as Python that rebuilds it, a
text in quotes, unless it is a `Snippet` itself. So names in a table never become code: functions that offer Python
accept only a `Snippet`, and an f-string refuses it, because its result would be plain text.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from numbers import Number
from typing import LiteralString, Self

from .printing import code, echo
from .recipe import Script, pasted


class Snippet(Script):
    r"""Python code, or part of a line of it; only snippets can be added to it or joined by it.

    Examples
    --------
    >>> snippet("x = {}", "a'b") + snippet("  {}", comment("two\nlines"))
    'x = "a\'b"  # two\\nlines'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise TypeError("a snippet in an f-string would become plain text; put both into snippet('... {} ...', ...).")

    def __add__(self, other: str) -> Self:
        return type(self)(str.__add__(self, pasted(other)))

    def __radd__(self, other: str) -> Self:
        return type(self)(str.__add__(pasted(other), self))

    def join(self, parts: Iterable[str], /) -> Self:
        """Join parts with this snippet between them.

        Parameters
        ----------
        parts : iterable of Snippet
            The parts.

        Returns
        -------
        Snippet
            The joined code.

        Raises
        ------
        TypeError
            If a part is plain text.
        """
        return type(self)(str.join(self, map(pasted, parts)))


def snippet(template: LiteralString, *parts: object) -> Snippet:
    r"""Return Python from a literal template: snippets are inserted unchanged, other values as code that rebuilds them.

    Parameters
    ----------
    template : str
        A literal with placeholders {}; one for a number may have a format, as in {:g}.
    *parts : object
        The values.

    Returns
    -------
    Snippet
        The code.

    Examples
    --------
    >>> snippet("load({}, {})[{:g}]", "wine'); f('", snippet("n=3"), 2.0)
    'load("wine\'); f(\'", n=3)[2]'
    """
    return Snippet(template.format(*map(_Part, parts)))


class _Part:
    """Part of a template that formats itself."""

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
    """Return a Python name, or several joined by dots, as code.

    Parameters
    ----------
    word : str
        The name.

    Returns
    -------
    Snippet
        The name.

    Raises
    ------
    ValueError
        If it is not a valid name.

    Examples
    --------
    >>> identifier("explorer.datasets")
    'explorer.datasets'
    """
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in word.split(".")):
        raise ValueError(f"{echo(word)} is no name in Python; put a value into the snippet by itself.")
    return Snippet(word)


def comment(text: object) -> Snippet:
    r"""Return a text as a comment on one line; invisible characters, also line breaks, are written as escapes.

    Parameters
    ----------
    text : object
        The text.

    Returns
    -------
    Snippet
        The comment.

    Examples
    --------
    >>> comment("a\nprint(1)")
    '# a\\nprint(1)'
    """
    return Snippet("# " + "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(text)))


def imports(room: str, names: Iterable[str]) -> Snippet:
    """Return the line that imports names from a module, each once, in alphabetical order.

    Parameters
    ----------
    room : str
        The module.
    names : iterable of str
        The names.

    Returns
    -------
    Snippet
        The import statement.

    Examples
    --------
    >>> imports("explorer", ["load", "KME", "load"])
    'from explorer import KME, load'
    """
    ordered = sorted(set(names), key=lambda each: (each.lower(), each))
    return snippet("from {} import {}", identifier(room), Snippet(", ").join(map(identifier, ordered)))


def stacked(parts: Iterable[str]) -> Snippet:
    r"""Join snippets as lines.

    Parameters
    ----------
    parts : iterable of Snippet
        The lines.

    Returns
    -------
    Snippet
        The code.

    Examples
    --------
    >>> stacked([snippet("x = 1"), snippet("print(x)")])
    'x = 1\nprint(x)'
    """
    return Snippet("\n").join(parts)
