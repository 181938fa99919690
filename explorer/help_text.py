"""The table of contents that `help(explorer)` ends with: each public name, how it is called, and what it is."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

VERSION = "0.2.0"  # of this explorer, as stores and reports name it
LICENCE = "BSD-3-Clause"  # of this explorer and of the pictures and files that it gives
WIDTH = 100  # of a terminal that shows help


def contents(namespace: Mapping[str, Any], chart: str) -> str:
    """The public functions and classes of a package under the names of its parts, in the order of a chart of these.

    It is made of their signatures and docstrings when it is asked for, so it is never out of date.
    """
    parts: dict[str, list[str]] = {}
    for name, thing in public(namespace):
        parts.setdefault(thing.__module__.split(".")[1], []).append(_entry(name, thing))
    order = sorted(parts, key=lambda part: chart.find(f"\n    {part} "))
    return "\n\n".join(f"{part}\n\n" + "\n".join(parts[part]) for part in order)


def public(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The functions and classes that a package offers under names without an underscore."""
    return ((name, thing) for name, thing in namespace.items() if callable(thing) and not name.startswith("_"))


def plain_signature(thing: Any) -> str:
    """How a function or class is called: names and defaults, without types."""
    bare = [p.replace(annotation=p.empty) for p in inspect.signature(thing).parameters.values()]
    return str(inspect.Signature(bare))


def docstring(thing: Any) -> str:
    """Return the docstring of a function or class without its indentation, or "" if it has none.

    python -OO leaves no docstrings; then it is read from the source, if that is there.
    """
    return (inspect.getdoc(thing) or "") if sys.flags.optimize < 2 else from_source(thing)


def from_source(thing: Any) -> str:
    """Return the docstring of a function or class as its source has it, or "" if it has none, or no source."""
    try:
        (definition, *_) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (OSError, TypeError, SyntaxError):
        return ""
    documented = isinstance(definition, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    return (ast.get_docstring(definition) or "") if documented else ""


def _entry(name: str, thing: Any) -> str:
    call = textwrap.fill(name + plain_signature(thing), WIDTH, initial_indent="    ", subsequent_indent=" " * 8)
    first = " ".join(docstring(thing).split("\n\n")[0].split())
    return call + "\n" + textwrap.fill(first, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
