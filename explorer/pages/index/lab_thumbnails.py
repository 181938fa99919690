"""The small picture of each lab, drawn from a state that the lab really has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.pages.template import first_result
from explorer.svg import thumbnail
from explorer.sweeps import InProcess
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup

SWEEP = "sweep"
SWEPT = "Outliers and Q"  # the preset of the Sweep lab whose map is drawn: no sweep has run when that lab opens
SECONDS = {"same": 1.0, "better": 1.0, "wrong": 1.0, "mean": 4.0, registry.RESEARCH: 2.0}


def drawn(family: str) -> dict[str, Markup]:
    """name -> SVG of each lab of a family; a lab that has no result has no picture."""
    pictures = {}
    for name, entry in registry.family(family).items():
        try:
            picture, result = shown(name)
        except Refusal:
            continue
        pictures[name] = thumbnail(picture, result, f"{translate(entry.title)}: {translate(entry.question)}")
    return pictures


def shown(name: str) -> tuple[Any, Any]:
    """(the picture of a lab, the result that it shows)."""
    entry, pictures = registry.entry(name), registry.role(name, "figures").PICTURES
    if name != SWEEP:
        return pictures[0], first_result(entry.lab)
    preset = next(each for each in registry.role(name, "stories").PRESETS if each.name == SWEPT)
    lab: Any = entry.lab(**preset.fields)
    result = lab.result(wait=True, executor=InProcess())
    return next(each for each in pictures if each.name == "map"), result


# family -> its pictures: what a process draws once for all visitors, and each family's as soon as they are there
FAMILIES = {family: SharedValuePerLanguage(partial(drawn, family), seconds) for family, seconds in SECONDS.items()}
