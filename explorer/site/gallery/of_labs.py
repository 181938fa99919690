"""The pictures of a lab: those of its first preset, each in turn where several share a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal
from explorer.marks.description import describe_picture, title_of
from explorer.pages.index.lab_thumbnails import SWEEP, picture_and_result
from explorer.snippets import NOTHING, imports, pasted, snippet, stacked
from explorer.svg import draw_standalone
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.markup import Markup


class OfLab(NamedTuple):
    """A picture of a lab: its name and title, a sentence on what it shows, the SVG, the lines that plot it, and the
    preset at which it is drawn.
    """

    name: str
    title: str
    says: str
    svg: Markup
    code: str
    state: str


class Pictured(NamedTuple):
    """A lab and its pictures; `script` is the Python that its page copies at the first preset."""

    name: str
    title: str
    question: str
    pictures: list[OfLab]
    script: str


def pictures_of(name: str, fast: bool = False) -> Pictured:
    """Every picture of a lab, at the first preset that shows it; `fast` takes those that the first preset shows."""
    entry, presets = registry.entry(name), registry.role(name, "stories").PRESETS
    if name == SWEEP:
        found = {picture.name: _drawn(picture, result, name, "") for picture, result in [picture_and_result(name)]}
        return Pictured(name, entry.title, entry.question, list(found.values()), "")
    wanted, found = {each.name: each for each in registry.role(name, "figures").PICTURES}, {}
    labs = [entry.lab(**preset.fields) for preset in (presets[:1] if fast else presets)]
    script = pasted(registry.role(name, "script").python(labs[0].result(wait=True)))
    for lab, preset in zip(labs, presets, strict=False):
        _take(name, lab, preset.name, wanted, found, fast)
    ordered = [found[each] for each in wanted if each in found]
    return Pictured(name, entry.title, entry.question, ordered, script)


def _take(name, lab, preset, wanted, found, fast):
    """Draw those wanted pictures that a lab at a preset shows and that no earlier one has shown."""
    for picture in wanted.values():
        if picture.name not in found and _turned(lab, picture, fast):
            found[picture.name] = _drawn(picture, lab.result(wait=True), name, preset)


def _turned(lab, picture, fast):
    """Whether a lab's state shows a picture, or does once it is turned to it, where it shares a place with others."""
    if _shows(lab, picture):
        return True
    before = lab.picture if hasattr(lab, "picture") and not fast else None
    for asked in () if before is None else dict.fromkeys((picture.name, getattr(picture, "beside", ""))):
        try:
            lab.move(picture=asked)
        except Refusal:  # a picture that comes with a state, and not by its name
            continue
        if _shows(lab, picture):
            return True
    if before is not None:
        lab.move(picture=before)
    return False


def _shows(lab, picture):
    """Whether a lab's state shows a picture: of a result of which nothing else is computed."""
    return picture.is_visible(lab.work())


def _drawn(picture: type[Picture], result: Any, name: str, preset: str) -> OfLab:
    lab = type(result.lab).__name__
    lines = [
        imports("explorer", ["plot"]),
        imports(f"explorer.labs.{name}", [lab]),
        NOTHING,
        snippet("lab = {}", result.lab),
        snippet("plot(lab.result(wait=True), picture={})", picture.name),
    ]
    return OfLab(
        picture.name,
        title_of(picture, result),
        picture.says(result) or _told(picture, result),
        draw_standalone(picture, result),
        pasted(stacked(lines)),
        f"Example: {preset}" if preset else "",
    )


def _told(picture, result):
    """What is said of its first curve, or of its first mark: the title and the axes are seen."""
    told = [each for each in describe_picture(picture, result)[1:] if not each.startswith(("Across:", "Up:"))]
    curves = [each for each in told if ": from " in each]
    return capital(next(iter([*curves, *told]), ""))


def capital(sentence: str) -> str:
    """A sentence that begins with a capital."""
    return sentence[:1].upper() + sentence[1:]
