"""What a page does not show at first becomes models when it is shown: what nobody sees costs the page time to open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from panel.links import Callback

if TYPE_CHECKING:
    from bokeh.plotting import figure


class LazyParts:
    """Places of a page that are hidden, and the parts that each takes when it is first shown."""

    def __init__(self):
        self._kept = {}  # place -> its parts

    def defer(self, places: Iterable[Any], figures: Iterable[figure]) -> None:
        """Take their parts out of places that are hidden, but for those with a part that a figure's script asks for."""
        scripts = [script for figure in figures for script in Callback.registry.get(figure, [])]
        asked = {id(value) for script in scripts for value in (script.args or {}).values()}
        for place in places:
            if asked.isdisjoint(map(id, place.select())):
                self._kept[place], place.objects = list(place.objects), []

    def build(self, place: Any) -> None:
        """Let a place have its parts, which may be places themselves."""
        if place in self._kept:
            place.objects = self._kept.pop(place)

    def parts(self) -> list[Any]:
        """All parts that no place has yet, with what they hold."""
        return [each for kept in self._kept.values() for part in kept for each in part.select()]
