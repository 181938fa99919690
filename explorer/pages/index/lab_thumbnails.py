"""Thumbnail of each lab, drawn from a real state of the lab."""

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
from explorer.workbench.content import content_of

if TYPE_CHECKING:
    from explorer.markup import Markup

SWEEP = "sweep"
SWEPT = "Outliers and Q"  # preset of the Sweep lab whose map is drawn, because the lab opens without a finished sweep
SECONDS = {"same": 1.0, "better": 1.0, "wrong": 1.0, "mean": 4.0, registry.RESEARCH: 2.0}


def family_thumbnails(family: str) -> dict[str, Markup]:
    """Return name -> SVG of the labs of a family. A lab without a result has no picture."""
    pictures = {}
    for name, entry in registry.family(family).items():
        try:
            picture, result = picture_and_result(name)
        except Refusal:
            continue
        pictures[name] = thumbnail(picture, result, f"{translate(entry.title)}: {translate(entry.question)}")
    return pictures


def picture_and_result(name: str) -> tuple[Any, Any]:
    """Return the picture of a lab's thumbnail, and the result that it shows.

    Parameters
    ----------
    name : str
        The lab's name.

    Returns
    -------
    picture : Picture
        The lab's first picture, or the map of the Sweep lab.
    result : Result
        The result of the lab's default state, or of a preset of the Sweep lab.
    """
    entry, pictures = registry.entry(name), registry.pictures(name)
    if name != SWEEP:
        return pictures[0], first_result(entry.lab)
    preset = next(each for each in content_of(name).presets if each.name == SWEPT)
    lab: Any = entry.lab(**preset.fields)
    result = lab.result(wait=True, executor=InProcess())
    return next(each for each in pictures if each.name == "map"), result


# family -> its pictures, drawn once per process; a family's pictures are shown together
FAMILIES = {
    family: SharedValuePerLanguage(partial(family_thumbnails, family), seconds) for family, seconds in SECONDS.items()
}
