"""The public names of the library: found by a rule, so that no list has to be kept.

A room is a package that the front door takes names from, as `__init__.pyi` has it, and `models`, where a reader's own
go. Its public names are the functions and classes that its `__init__` takes as themselves, `from .mmd import mmd2 as
mmd2`, lists in `__all__`, or defines. What a public function returns is public too, such as a `Cloud`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import explorer

STUB = Path(explorer.__file__).with_suffix(".pyi")
OWN = "models"  # which the front door has no name of


class Thing(NamedTuple):
    """A public function or class.

    name   as one calls it
    value  the function or class
    room   the package that it is of, such as "discrepancy"
    home   the module that it is imported from: the front door, a room, or its own
    given  the names of the functions that return it
    page   its page's name, without .html; no two differ by capitals alone
    """

    name: str
    value: Any
    room: str
    home: str
    given: tuple[str, ...] = ()
    page: str = ""

    @property
    def is_class(self) -> bool:
        return inspect.isclass(self.value)


def rooms() -> dict[str, ModuleType]:
    """The rooms by their names, in the order in which the front door tells of them."""
    named = set(re.findall(r"^from \.(\w+) import", STUB.read_text(encoding="utf-8"), re.MULTILINE)) | {OWN}
    chart = explorer.__doc__ or ""
    order = sorted(named, key=lambda name: (chart.find(f"\n    {name} ") < 0, chart.find(f"\n    {name} ")))
    return {name: import_module(f"explorer.{name}") for name in order}


def offered(room: ModuleType) -> list[str]:
    """The names that a room's `__init__` takes as themselves, lists, or defines, constants among them."""
    tree = ast.parse(Path(room.__file__ or "").read_text(encoding="utf-8"))
    found: list[str] = list(getattr(room, "__all__", ()))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found += [each.name for each in node.names if each.asname == each.name]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append(node.name)
    return list(dict.fromkeys(found))


def constants(room: ModuleType) -> list[str]:
    """The names that a room offers which stand for a value."""
    return [name for name in offered(room) if not callable(getattr(room, name))]


def things(places: dict[str, ModuleType] | None = None) -> list[Thing]:
    """All public functions and classes, each once: those of the rooms, and what they return."""
    found: dict[int, Thing] = {}
    front_door = dir(explorer)
    for room, module in (places or rooms()).items():
        for name in offered(module):
            value = getattr(module, name)
            if callable(value) and inspect.getmodule(value) is not None:
                front = name in front_door and getattr(explorer, name) is value
                found.setdefault(id(value), Thing(name, value, room, "explorer" if front else f"explorer.{room}"))
    for thing in list(found.values()):
        for value in () if thing.is_class else returned(thing.value):
            known = found.get(id(value)) or Thing(value.__name__, value, thing.room, value.__module__)
            found[id(value)] = known._replace(given=(*known.given, thing.name))
    return _with_pages(found.values())


def returned(function: Any) -> Iterator[type]:
    """The classes of ours that a function says it returns."""
    hints = getattr(function, "__annotations__", {}).get("return", "")
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    for word in re.findall(r"\w+", hints if isinstance(hints, str) else ""):
        value = scope.get(word)
        if inspect.isclass(value) and value.__module__.startswith("explorer.") and not word.startswith("_"):
            yield value


def _with_pages(found: Iterable[Thing]) -> list[Thing]:
    """Things with the names of their pages: the room stands before a name that two have."""
    found = sorted(found, key=lambda thing: (thing.home != "explorer", thing.is_class))
    named = [thing.name for thing in found]
    taken: set[str] = set()
    made = []
    for thing in found:
        page = thing.name if named.count(thing.name) == 1 else f"{thing.room}.{thing.name}"
        if page.lower() in taken:  # of files that differ by capitals alone, some disks keep one
            page += "-class"
        taken.add(page.lower())
        made.append(thing._replace(page=page))
    return sorted(made, key=lambda thing: (thing.name.lower(), thing.name))


@cache
def by_name() -> dict[str, Thing]:
    """The things by their names, and by their rooms with them; of two of one name the bare one is neither."""
    every = things()
    named: dict[str, list[Thing]] = {}
    for thing in every:
        named.setdefault(thing.name, []).append(thing)
        named.setdefault(f"{thing.room}.{thing.name}", []).append(thing)
    return {name: of[0] for name, of in named.items() if len(of) == 1}
