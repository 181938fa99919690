"""Lazy creation of hidden components.

Their Bokeh models are made when they are first shown, so that the page opens faster.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from panel.links import Callback

if TYPE_CHECKING:
    from bokeh.plotting import figure


class LazyParts:
    """Hidden containers of a page, with the parts that each gets when it is first shown."""

    def __init__(self):
        self._deferred_children = {}  # container -> its parts

    def defer(self, places: Iterable[Any], figures: Iterable[figure]) -> None:
        """Remove the parts of hidden containers for now, except where a figure's script needs one of them."""
        scripts = [script for figure in figures for script in Callback.registry.get(figure, [])]
        asked = {id(value) for script in scripts for value in (script.args or {}).values()}
        for place in places:
            if asked.isdisjoint(map(id, place.select())):
                self._deferred_children[place], place.objects = list(place.objects), []

    def build(self, place: Any) -> None:
        """Give a container its parts, which may be containers themselves."""
        if place in self._deferred_children:
            place.objects = self._deferred_children.pop(place)

    def parts(self) -> list[Any]:
        """Return all parts that are still deferred, with the parts inside them."""
        return [each for kept in self._deferred_children.values() for part in kept for each in part.select()]
