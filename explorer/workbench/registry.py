"""The labs that there are: every folder of `explorer.labs`, and of those that EXPLORER_LABS names, is one."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from explorer.checks import Refusal
from explorer.languages import ENGLISH, use_language
from explorer.printing import echo, join_list

from .lab import Lab

LABS = "explorer.labs"  # by its name: a lab imports the workbench, and not the other way round


# the questions of the home page, each of which a family of labs answers
FAMILIES = {
    "same": "Is it a real difference, or chance?",
    "better": "Can I do better than the average?",
    "wrong": "What if I can't trust my data?",
    "mean": "What else can I learn from a sample?",
}
RESEARCH = "research"  # the family of labs that are about other labs


class Entry(NamedTuple):
    """What a lab says of itself: its title in the bar of every page, the question it answers, and its place in the
    order.

    `axes` are the two fields that a sweep varies first; none means that it cannot be swept. `family` is the question of
    the home page under which it stands, one of FAMILIES, or RESEARCH.
    """

    title: str
    question: str
    order: float
    axes: tuple[str, ...]
    lab: type[Lab]
    family: str = "mean"


@cache
def entries() -> dict[str, Entry]:
    """name -> Entry of each lab, in their order."""
    folders = [each.name for each in pkgutil.iter_modules(import_module(LABS).__path__) if each.ispkg]
    found = {name: import_module(f"{LABS}.{name}").ENTRY for name in folders}
    for name, each in found.items():
        if each.family not in (*FAMILIES, RESEARCH):
            known = join_list((*FAMILIES, RESEARCH))
            raise Refusal(f"the family of the lab {name} must be one of {known}, not {echo(each.family)}.")
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[0])))


def names() -> tuple[str, ...]:
    """The labs' names, which are their addresses, in their order."""
    return tuple(entries())


def entry(name: str) -> Entry:
    """The Entry of a lab; Refusal where there is no such lab."""
    if name not in entries():
        raise Refusal(f"lab must be one of {join_list(entries())}, not {echo(name)}.")
    return entries()[name]


def family(key: str) -> dict[str, Entry]:
    """name -> Entry of the labs of a family, in their order."""
    return {name: each for name, each in entries().items() if each.family == key}


def name_of(lab_class: type[Lab]) -> str:
    """The name of the lab that a class is the state of."""
    return next(name for name, each in entries().items() if each.lab is lab_class)


def role(name: str, file: str) -> Any:
    """A module of a lab's folder, such as its words or its stories.

    Whatever a page speaks that asks first: what a module makes as it is loaded is for the pages of all languages.
    """
    entry(name)
    with use_language(ENGLISH):
        return import_module(f"{LABS}.{name}.{file}")


def visible_pictures(name: str, result: Any) -> list[Any]:
    """The pictures that a lab's page shows of a result, the large one first."""
    return [each for each in role(name, "figures").PICTURES if each.is_visible(result)]
