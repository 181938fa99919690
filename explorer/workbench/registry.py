"""Registry of labs: every folder of `explorer.labs`, and of the folders that EXPLORER_LABS names, is a lab."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from explorer.checks import Refusal
from explorer.languages import ENGLISH, message, use_language
from explorer.marks.picture import Picture
from explorer.printing import echo, join_list

from .lab import Lab

LABS = "explorer.labs"  # by name, because labs import the workbench


# questions of the home page; a family of labs answers each
FAMILIES = message(
    {
        "same": "Is it a real difference, or chance?",
        "better": "Can I do better than the average?",
        "wrong": "What if I can't trust my data?",
        "mean": "What else can I learn from a sample?",
    }
)
RESEARCH = "research"  # the family of labs about other labs


class Entry(NamedTuple):
    """A lab's entry: its title in the navigation bar, the question that it answers, and its position.

    Attributes
    ----------
    title : str
        Title in the bar of every page.
    question : str
        The question that it answers.
    order : float
        Its position among the labs.
    axes : tuple of str
        The two fields that a sweep varies first; empty if the lab cannot be swept.
    lab : type of Lab
        Its class.
    family : str
        Its question on the home page, one of FAMILIES, or RESEARCH.
    """

    title: str
    question: str
    order: float
    axes: tuple[str, ...]
    lab: type[Lab]
    family: str = "mean"


@cache
def entries() -> dict[str, Entry]:
    """Return the Entry of each lab by name, in their order.

    Returns
    -------
    dict of str to Entry
        The entries.

    Raises
    ------
    Refusal
        If a lab's family, or a field in its axes, does not exist.
    """
    folders = [each.name for each in pkgutil.iter_modules(import_module(LABS).__path__) if each.ispkg]
    found = {name: import_module(f"{LABS}.{name}").ENTRY for name in folders}
    for name, each in found.items():
        if each.family not in (*FAMILIES, RESEARCH):
            known = join_list((*FAMILIES, RESEARCH))
            raise Refusal("the family of the lab {} must be one of {}, not {}.", name, known, echo(each.family))
        if len(each.axes) not in (0, 2) or not {*each.axes} <= each.lab.fields.keys():
            fields, given = join_list(each.lab.fields), echo(each.axes)
            raise Refusal(f"the axes of the lab {name} must be two of its fields {fields}, or (), not {given}.")
    return dict(sorted(found.items(), key=lambda item: (item[1].order, item[0])))


def names() -> tuple[str, ...]:
    """Return the labs' names, which are also their addresses, in their order."""
    return tuple(entries())


def entry(name: str) -> Entry:
    """Return the Entry of a lab.

    Parameters
    ----------
    name : str
        Name of the lab.

    Returns
    -------
    Entry
        The entry.

    Raises
    ------
    Refusal
        If there is no such lab.
    """
    if name not in entries():
        raise Refusal("lab must be one of {}, not {}.", join_list(entries()), echo(name))
    return entries()[name]


def family(key: str) -> dict[str, Entry]:
    """Return the Entry of each lab of a family by name, in their order."""
    return {name: each for name, each in entries().items() if each.family == key}


def name_of(lab_class: type[Lab]) -> str:
    """Return the name of the lab whose state is of this class."""
    name = next((name for name, each in entries().items() if each.lab is lab_class), None)
    if name is None:
        raise TypeError(
            f"{lab_class.__name__} is the state of no lab. Give the page the lab_class that ENTRY in the lab's "
            "__init__.py has as its lab."
        )
    return name


def role(name: str, file: str) -> Any:
    """Import a module of a lab's folder, such as its texts or its stories.

    It is imported in English, whatever the language of the page: what a module creates while it is loaded serves the
    pages of all languages.

    Parameters
    ----------
    name : str
        Name of the lab.
    file : str
        Name of the module.

    Returns
    -------
    module
        The module.

    Raises
    ------
    Refusal
        If there is no such lab.
    """
    entry(name)
    with use_language(ENGLISH):
        return import_module(f"{LABS}.{name}.{file}")


def pictures(name: str) -> Sequence[Picture]:
    """Return all pictures of a lab, the large ones first.

    Parameters
    ----------
    name : str
        Name of the lab.

    Returns
    -------
    sequence of Picture
        The PICTURES of its figures.py.

    Raises
    ------
    Refusal
        If there is no such lab, or if its PICTURES are something else.
    """
    found = getattr(role(name, "figures"), "PICTURES", None)
    if not (found and isinstance(found, (tuple, list)) and all(isinstance(each, Picture) for each in found)):
        raise Refusal(
            f"PICTURES in figures.py of the lab {name} must be a tuple of the functions below @Picture(...), as in"
            f" PICTURES = (curves,), not {echo(found)}."
        )
    names = [each.name for each in found]
    if len({*names}) < len(names):
        raise Refusal(f"PICTURES of the lab {name} need different names, not {join_list(names)}; rename a picture.")
    return found


def visible_pictures(name: str, result: Any) -> list[Picture]:
    """Return the pictures that a lab's page shows for a result, the large one first."""
    return [each for each in pictures(name) if each.is_visible(result)]
