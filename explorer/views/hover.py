"""What is told of a cell that a hand points at."""

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
    """A Told of a figure: cells that nobody sees, of one unit each, and a tool that tells of the one below a hand."""

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
        """Let it know the words of a result's axes."""
        for said, words in zip(self.said.values(), self.told.names(result), strict=True):
            change(said, args={"words": words})
