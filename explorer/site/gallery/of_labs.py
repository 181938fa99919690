"""Pictures of a lab at its first preset; each is selected in turn if several share a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal
from explorer.marks.description import describe_picture, title_of
from explorer.pages.index.lab_thumbnails import SWEEP, picture_and_result
from explorer.plotting import plot
from explorer.recipe import pasted, recipe
from explorer.svg import draw_standalone
from explorer.workbench import registry
from explorer.workbench.content import content_of

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.markup import Markup


class LabPicture(NamedTuple):
    """A picture of a lab.

    Attributes
    ----------
    name, title : str
        Its name and title.
    says : str
        A sentence on what it shows.
    svg : Markup
        The drawing.
    code : str
        The lines that plot it.
    state : str
        The preset at which it is drawn, or "" if the lab has none.
    """

    name: str
    title: str
    says: str
    svg: Markup
    code: str
    state: str


class LabPictures(NamedTuple):
    """A lab and its pictures; `script` is the Python that its page copies at the first preset."""

    name: str
    title: str
    question: str
    pictures: list[LabPicture]
    script: str


def pictures_of(name: str, fast: bool = False) -> LabPictures:
    """Return every picture of a lab, at the first preset that shows it; `fast` takes those of the first preset."""
    entry, presets = registry.entry(name), content_of(name).presets
    if name == SWEEP:
        found = {
            picture.name: _lab_picture(picture, result, name, "") for picture, result in [picture_and_result(name)]
        }
        return LabPictures(name, entry.title, entry.question, list(found.values()), "")
    wanted, found = {each.name: each for each in registry.pictures(name)}, {}
    labs = [entry.lab(**preset.fields) for preset in (presets[:1] if fast else presets)]
    script = pasted(registry.role(name, "script").python(labs[0].result(wait=True)))
    for lab, preset in zip(labs, presets, strict=False):
        _take(name, lab, preset.name, wanted, found, fast)
    ordered = [found[each] for each in wanted if each in found]
    return LabPictures(name, entry.title, entry.question, ordered, script)


def _take(name, lab, preset, wanted, found, fast):
    """Draw the wanted pictures that a lab shows at a preset and that no earlier preset has shown."""
    for picture in wanted.values():
        if picture.name not in found and _can_show(lab, picture, fast):
            found[picture.name] = _lab_picture(picture, lab.result(wait=True), name, preset)


def _can_show(lab, picture, fast):
    """Return whether a lab shows a picture, selecting it first if it shares a slot with other pictures."""
    if _shows(lab, picture):
        return True
    before = lab.picture if hasattr(lab, "picture") and not fast else None
    for asked in () if before is None else dict.fromkeys((picture.name, *picture.choices)):
        try:
            lab.move(picture=asked)
        except Refusal:  # the lab shows the picture in some states, and it cannot be selected by name
            continue
        if _shows(lab, picture):
            return True
    if before is not None:
        lab.move(picture=before)
    return False


def _shows(lab, picture):
    """Return whether a lab's state shows a picture; nothing else of its result is computed."""
    return picture.is_visible(lab.work())


def _lab_picture(picture: Picture, result: Any, name: str, preset: str) -> LabPicture:
    shown = picture.name

    @recipe
    def steps():
        lab = result.lab
        plot(lab.result(wait=True), picture=shown)

    return LabPicture(
        picture.name,
        title_of(picture, result),
        picture.description_of(result) or _caption(picture, result),
        draw_standalone(picture, result),
        pasted(steps.script(end="")),
        f"Example: {preset}" if preset else "",
    )


def _caption(picture, result):
    """Return the first sentence about a curve from the picture's description, otherwise about any mark, or ""."""
    told = [each for each in describe_picture(picture, result)[1:] if not each.startswith(("Across:", "Up:"))]
    curves = [each for each in told if ": from " in each]
    return capital(next(iter([*curves, *told]), ""))


def capital(sentence: str) -> str:
    """Return a sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]
