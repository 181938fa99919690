"""The Python that repeats a comparison."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.datasets.pipes import as_given
from explorer.model import code

from .sources import batches_of


def call_of(function: Callable[..., Any], a: Any, b: Any, **options: Any) -> str:
    """`compare("a.csv", "b.csv", rng=0)`: files by their paths, tables that have none as a and b.

    Of the options those that differ from the function's own.
    """
    usual = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    batches = batches_of(b)
    several = batches is b
    names = ["b"] if len(batches) == 1 and not several else [f"b{k}" for k in range(1, len(batches) + 1)]
    others = [_source(each, name) for each, name in zip(batches, names, strict=True)]
    given = [_source(a, "a"), *([f"[{', '.join(others)}]"] if several and others else others)]
    given += [f"{name}={code(value)}" for name, value in options.items() if value != usual[name]]
    name, room = function.__name__, "explorer" if function.__name__ == "compare" else "explorer.comparison"
    return f"from {room} import {name}\n\n{name}({', '.join(given)})"


def _source(source, name):
    return code(as_given(source)) if isinstance(source, (str, Path)) else name
