"""Pictures some of whose glyphs have the colour of the chosen estimate."""

from __future__ import annotations

from explorer.marks import ESTIMATES

from .style import change


class Coloured:
    """A picture some of whose glyphs have the colour of the chosen estimate, one of each colour being visible."""

    def each(self, draw):
        """`draw(role)` a renderer in every colour."""
        self.drawn = [*getattr(self, "drawn", []), {name: draw(name) for name in ESTIMATES}]

    def choose(self, result):
        """Show the renderers of the chosen colour alone."""
        for renderers in getattr(self, "drawn", []):
            for name, renderer in renderers.items():
                change(renderer, visible=name == result.role)
