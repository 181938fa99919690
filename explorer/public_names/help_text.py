"""Table of contents at the end of `help(explorer)`: each public name with its signature and first line."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

VERSION = "0.2.0"  # the version of this library, as stores and reports record it
LICENCE = "BSD-3-Clause"  # the licence of this library, and of the pictures and files that it makes
WIDTH = 100  # characters per line of help


def contents(namespace: Mapping[str, Any], chart: str) -> str:
    """Return the public functions and classes of a package by part, in the order of a chart of the parts.

    The table is made from signatures and docstrings on each call, so it is never out of date.

    Parameters
    ----------
    namespace : mapping of str to object
        The names of the package and their objects.
    chart : str
        A text with a line for each part, which begins with four spaces and the part's name.

    Returns
    -------
    str
        The table of contents.
    """
    parts: dict[str, list[str]] = {}
    for name, thing in public(namespace):
        parts.setdefault(thing.__module__.split(".")[1], []).append(_entry(name, thing))
    order = sorted(parts, key=lambda part: chart.find(f"\n    {part} "))
    return "\n\n".join(f"{part}\n\n" + "\n".join(parts[part]) for part in order)


def public(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of a package whose names have no leading underscore."""
    return ((name, thing) for name, thing in namespace.items() if callable(thing) and not name.startswith("_"))


def plain_signature(thing: Any) -> str:
    """Return the signature of a function or class: names and defaults, without types."""
    bare = [p.replace(annotation=p.empty) for p in inspect.signature(thing).parameters.values()]
    return str(inspect.Signature(bare))


def docstring(thing: Any) -> str:
    """Return the docstring of a function or class without its indentation, or "" if it has none.

    Under python -OO there are no docstrings; then it is read from the source, if that is available.

    Parameters
    ----------
    thing : object
        The function or class.

    Returns
    -------
    str
        Its docstring, or "".
    """
    return (inspect.getdoc(thing) or "") if sys.flags.optimize < 2 else from_source(thing)


def from_source(thing: Any) -> str:
    """Return the docstring of a function or class from its source, or "" if it has no docstring or no source."""
    try:
        (definition, *_) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (OSError, TypeError, SyntaxError):
        return ""
    documented = isinstance(definition, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    return (ast.get_docstring(definition) or "") if documented else ""


def _entry(name: str, thing: Any) -> str:
    """Return the entry of one name: its signature and the first line of its docstring."""
    call = textwrap.fill(name + plain_signature(thing), WIDTH, initial_indent="    ", subsequent_indent=" " * 8)
    first = " ".join(docstring(thing).split("\n\n")[0].split())
    return call + "\n" + textwrap.indent(textwrap.fill(first, WIDTH - 8, break_on_hyphens=False), " " * 8)
