"""Addresses on the site of what a text names: a public name, a lab at a state, a lesson; from a section's folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qsl

from explorer.checks import Refusal
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.lessons import LESSONS, Lesson
from explorer.workbench.links import OF_THE_PAGE

from .labs import key

UP = "../"  # from a section's folder to the site's


class LabLink(NamedTuple):
    """Address of a lab on the site.

    Attributes
    ----------
    file : str
        The file.
    exact : bool
        Whether the file has the requested state; otherwise it has the lab's first preset.
    """

    file: str
    exact: bool


def reference(name: str) -> str:
    """Return the address of a dotted name such as "explorer.SKMSE.loocv" in the reference, or "" if it has none."""
    parts = name.split(".")
    within = (".".join(parts[:end]) for end in range(2, len(parts) + 1))
    found = next((pages()[each] for each in within if each in pages()), "")
    return f"{UP}reference/{found}.html" if found else ""


@cache
def pages() -> Mapping[str, str]:
    """Return the pages of all public names by dotted name, both where they are defined and as they are imported."""
    from .reference.names import public_names  # not at the top: the reference imports the gallery, which imports links

    names = public_names()
    defined = {f"{each.value.__module__}.{each.name}": each.page for each in names}
    return defined | {each.address: each.page for each in names}


def page_of(lesson: Lesson) -> str:
    """Return the name of a lesson's page, without its ending: that of its notebook."""
    return f"{lesson.number:02}" if lesson.path is None else lesson.path.stem


def lesson(number: int) -> str:
    """Return the address of a lesson."""
    return f"{UP}lessons/{page_of(LESSONS[number - 1])}.html"


def lab(address: str) -> LabLink:
    """Return the file of the lab of an address such as "twosample?n=50".

    If the state is not that of a preset, it is the file of the lab's first preset, and `exact` is False.
    """
    name, _, query = address.partition("?")
    words = {field: word for field, word in parse_qsl(query) if field not in OF_THE_PAGE}
    state = tuple(sorted(registry.entry(name).lab.from_flat(words)[0].flat().items()))
    presets = _presets(name)
    first = next(iter(presets.values()), "")
    file = presets.get(state, first)
    return LabLink(f"{UP}labs/{name}-{file}.html" if file else f"{UP}labs/index.html", state in presets)


@cache
def _presets(name: str) -> Mapping[tuple[tuple[str, str], ...], str]:
    """Return the key of the file by the state of each preset of a lab, the first preset first."""
    own, found = registry.entry(name).lab, {}
    for preset in content_of(name).presets:
        try:
            state = tuple(sorted(own(**preset.fields).flat().items()))
        except (Refusal, OSError):  # its data set is missing, so the site has no file of the preset
            continue
        found.setdefault(state, key(preset.name))
    return found


def to_labs(text: str, server: str, leading: Callable[[re.Match[str]], str]) -> str:
    """Replace the links to labs on a server in Markdown by the results of `leading(match)`, of (text, address)."""
    return re.sub(rf"\[([^\]]*)\]\({re.escape(server)}/([^)\s]*)\)", leading, text)
