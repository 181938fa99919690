"""Hover text of a cell under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.models import CustomJSHover, HoverTool

from . import glyphs
from .style import change

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from explorer.marks import HoverText

SAID = "return words[Math.round(value)] ?? ''"
NUMBER = "return Number.isFinite(value) ? String(Number(value.toPrecision(3))).replace('-', '\\u2212') : 'no value'"


class HoverLayer:
    """Hover text of a matrix picture: a layer of transparent unit cells and a hover tool.

    The tool shows the text of the cell under the pointer.
    """

    def __init__(self, plot: figure, told: HoverText, sources: glyphs.Sources) -> None:
        self.told = told
        number = CustomJSHover(code=NUMBER)
        cells = glyphs.rect(
            plot, "x", "y", source=sources[told.source], fill_alpha=0, line_color=None, width=1, height=1
        )
        self.said: dict[str, CustomJSHover] = {axis: CustomJSHover(args={"words": []}, code=SAID) for axis in "xy"}
        formatters: dict[str, Any] = {f"@{axis}": said for axis, said in self.said.items()}
        formatters |= {f"@{name}": number for name in told.numbers}
        plot.add_tools(HoverTool(renderers=[cells], tooltips=told.html, formatters=formatters))

    def follow(self, result: Any) -> None:
        """Update the text of the axes from a result."""
        for said, words in zip(self.said.values(), self.told.names(result), strict=True):
            change(said, args={"words": words})
