"""What each preset of a lab shows, in little: drawn once a process, when a hand first points at its button."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.svg import thumbnail
from explorer.workbench import registry
from explorer.workbench.cost import seconds

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.stories import Preset

SECONDS = 0.5  # about, that a preset takes
DEAREST = 3.0  # seconds: a preset that takes longer has no picture


@cache
def preset_thumbnail(lab: str, place: int) -> SharedValuePerLanguage:
    """The OnceSaid of the picture of a lab's preset, which is empty where it has none."""
    return SharedValuePerLanguage(partial(_drawn, lab, place), SECONDS)


def _drawn(name: str, place: int) -> Markup | str:
    entry = registry.entry(name)
    preset: Preset = registry.role(name, "stories").PRESETS[place]
    lab = entry.lab(**preset.fields)
    if seconds(lab.cost) > DEAREST:
        return ""
    try:
        result: Any = lab.result()
    except Refusal:
        return ""
    return thumbnail(registry.visible_pictures(name, result)[0], result, translate(preset.name))
