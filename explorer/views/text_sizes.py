"""Font sizes of a picture's title, axes and text, which are larger in wide windows and in lectures."""

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

    The browser writes them, because only it knows the window's width, and because the widget set overwrites those of
    axes and titles there.
    """

    def __init__(self, plot: figure) -> None:
        self.plot = plot
        self.first: list[tuple[Model, str, float, str]] = []  # (a model, its property, original size, its unit)
        texts = [(model, name) for model, name, _ in _sizes_of(plot)]
        self.keeper = call("letters.fit", texts=texts, sizes=[])
        for model, name in texts:
            model.js_on_change(name, self.keeper)
        plot.js_on_change("inner_width", self.keeper)

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
        self.keeper.args = {**self.keeper.args, "sizes": [] if factor == 1 else kept}
        for model, name, size in sizes:
            change(model, **{name: size})

    def _find(self):
        """Record the original font sizes."""
        for model, name, found in _sizes_of(self.plot):
            self.first.append((model, name, float(found[1]), found[2]))


def _sizes_of(plot: figure) -> Iterator[tuple[Model, str, re.Match[str]]]:
    """Yield (model, property, match of SIZE) of a figure's font sizes."""
    for model in _parts_of(plot):
        for name in (name for name in model.properties() if name.endswith("font_size")):
            size = getattr(model, name)
            if isinstance(size, str) and (found := SIZE.fullmatch(size)):
                yield model, name, found


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
