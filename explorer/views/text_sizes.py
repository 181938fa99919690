"""Font sizes of a picture's title, axes and text, which are larger in lectures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from bokeh.models import Axis, GlyphRenderer, Title

from explorer.browser import call

from .style import change

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.plotting import figure

# Largest factors: a title has no second line, and a picture leaves no more space for its other text.
TITLES, WORDS = 1.25, 1.3
SIZE = re.compile(r"([\d.]+)(px|em)")  # in em if the widget set has written it, which is reported to the server


class TextSizes:
    """Font sizes of a figure, which can be scaled.

    The browser keeps the sizes of axes and titles, because the widget set overwrites them there.
    """

    def __init__(self, plot: figure) -> None:
        self.plot = plot
        self.first: list[tuple[Model, str, float, str]] = []  # (a model, its property, original size, its unit)
        self.keeper = call("letters.keep", sizes=[])

    def scale(self, factor: float) -> None:
        """Draw all text `factor` times as large as originally."""
        if factor == 1 and not self.first:
            return
        if not self.first:
            self._find()
        sizes = [
            [model, name, f"{_factor(model, name, factor) * size:g}{unit}"] for model, name, size, unit in self.first
        ]
        kept = [size for size in sizes if isinstance(size[0], Axis | Title)]
        self.keeper.args = {"sizes": [] if factor == 1 else kept}
        for model, name, size in sizes:
            change(model, **{name: size})

    def _find(self):
        """Record the original font sizes."""
        for model in _parts_of(self.plot):
            for name in (name for name in model.properties() if name.endswith("font_size")):
                size = getattr(model, name)
                if isinstance(size, str) and (found := SIZE.fullmatch(size)):
                    self.first.append((model, name, float(found[1]), found[2]))
                    if isinstance(model, Axis | Title):
                        model.js_on_change(name, self.keeper)


def _parts_of(plot: figure) -> Iterator[Model]:
    """Yield the models with which a figure draws text, not those of another figure to which a page's scripts refer."""
    sides = (plot.above, plot.below, plot.left, plot.right, plot.center)
    parts: tuple[Any, ...] = (plot.title, *chain.from_iterable(sides))
    yield from {part.id: part for part in parts if part is not None}.values()
    for renderer in plot.renderers:
        yield renderer
        if isinstance(renderer, GlyphRenderer):
            yield renderer.glyph


def _factor(model, name, factor):
    """Return the factor of a font size, limited by the space for it."""
    if isinstance(model, Title):
        return min(factor, TITLES)
    return factor if name == "major_label_text_font_size" else min(factor, WORDS)
