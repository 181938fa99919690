"""Thumbnails of a lab's presets. Each is drawn once per process, when a pointer first reaches the preset's button."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.svg import thumbnail
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.cost import seconds

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.stories import Preset

SECONDS = 0.5  # typical seconds that drawing a thumbnail takes
DEAREST = 3.0  # most seconds that a preset may take; slower ones have no thumbnail


@cache
def preset_thumbnail(lab: str, place: int) -> SharedValuePerLanguage:
    """Return the shared thumbnail of a lab's preset, which is empty if the preset has none."""
    return SharedValuePerLanguage(partial(_drawn, lab, place), SECONDS)


def _drawn(name: str, place: int) -> Markup | str:
    entry = registry.entry(name)
    preset: Preset = content_of(name).presets[place]
    lab = entry.lab(**preset.fields)
    if seconds(lab.cost) > DEAREST:
        return ""
    try:
        result: Any = lab.result()
    except Refusal:
        return ""
    return thumbnail(registry.visible_pictures(name, result)[0], result, translate(preset.name))
