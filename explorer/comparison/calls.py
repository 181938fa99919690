"""Python code that repeats a comparison."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.datasets.files.pipes import original_path
from explorer.recipe import Name, Script, recipe

from .sources import batches_of


def call_of(function: Callable[..., Any], a: Any, b: Any, **options: Any) -> Script:
    """Return the script that imports a function and calls it, as in `compare("a.csv", "b.csv", rng=0)`.

    Files are named by their paths, and tables without a path are called a and b. Options are left out if they have the
    function's default value.

    Parameters
    ----------
    function : callable
        The function to call, such as `compare`.
    a : object
        First argument of the call.
    b : object
        Second argument: a table, a list of batches, or None.
    **options : object
        Keyword arguments of the call.

    Returns
    -------
    Script
        The script: the import, an empty line, and the call.
    """
    given, how = arguments(function, a, b, **options)

    @recipe
    def steps():
        function(*given, **how)

    return steps.script(end="")


def arguments(function: Callable[..., Any], a: Any, b: Any, **options: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call as a script writes them: files by their paths, other tables as a and b.

    Parameters
    ----------
    function : callable
        The function to call, such as `compare`.
    a : object
        First argument of the call.
    b : object
        Second argument: a table, a list of batches, or None.
    **options : object
        Keyword arguments of the call.

    Returns
    -------
    given : list
        The tables.
    options : dict of str to object
        The options that do not equal the function's default.
    """
    usual = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    batches = batches_of(b)
    several = batches is b
    names = ["b"] if len(batches) == 1 and not several else [f"b{k}" for k in range(1, len(batches) + 1)]
    others = [_source_of(each, word) for each, word in zip(batches, names, strict=True)]
    given = [_source_of(a, "a"), *([others] if several and others else others)]
    return given, {word: value for word, value in options.items() if value != usual[word]}


def _source_of(source: Any, name: str) -> Any:
    """Return the path of a file, or a name for a table in memory."""
    return original_path(source) if isinstance(source, (str, Path)) else Name(name)
