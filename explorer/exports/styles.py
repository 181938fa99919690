"""Style of an exported file: its style sheet, and the colours of axes and text on light and on dark ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bokeh.core.properties import value
from bokeh.models import Text

from explorer.browser import sheet
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT

if TYPE_CHECKING:
    from bokeh.model import Model

    from explorer.views.view import View

COLOURS = {**ROLES, "ink": INK, "soft": SOFT, "line": LINE}  # (on light ground, on dark ground)
# Colour properties of the parts of a figure that do not have a role.
AXIS = {
    "axis_label_text_color": SOFT,
    "major_label_text_color": SOFT,
    "axis_line_color": LINE,
    "major_tick_line_color": LINE,
}
GRID = {"grid_line_color": LINE}
# Pictures grow with the window, the main picture most.
TALL = """
:host { height: clamp(%s) !important; }
@media (max-width: 760px) { :host { height: %s !important; } }
"""
MAIN, SIDE = TALL % ("300px, 48vh, 640px", "260px"), TALL % ("200px, 33vh, 440px", "220px")


def variables(dark: bool) -> str:
    """Return the colours as variables of a style sheet."""
    return " ".join(f"--{name}: {pair[dark]};" for name, pair in COLOURS.items())


def style_figures(view: View) -> list[tuple[Model, str, str, str]]:
    """Give each figure of a view the file's colours, font and heights, and hide its title, which the page has as text.

    Return (model, property, colour on light ground, colour on dark ground) of everything that has a colour.
    """
    plots = list(view.figures.values())
    painted = [(model, name, *ROLES[role]) for model, name, role in view.paint.painted if model not in plots]
    for plot in plots:
        title: Any = plot.title
        title.visible = False
        plot.min_border_top = 10
        plot.background_fill_color = plot.border_fill_color = None  # transparent, so that the page's colour shows
        plot.grid.grid_line_alpha = 1
        plot.stylesheets = [MAIN if plot is view.hero else SIDE]
        for models, colours in ((plot.axis, AXIS), (plot.grid, GRID)):
            for model in models:
                for name, pair in colours.items():
                    setattr(model, name, pair[0])
                    painted.append((model, name, *pair))
        for axis in plot.axis:
            axis.axis_label_text_font = axis.major_label_text_font = FONT
        for words in plot.select(Text):
            words.update(text_font=value(FONT))
    return painted


# A label has its curve's colour, darkened for the contrast that small text needs.
NAMES = "".join(f" .name.{role} {{ color: color-mix(in srgb, var(--{role}) 65%, var(--ink)); }}" for role in ROLES)
STYLE = (
    f":root {{ {variables(False)} }} @media (prefers-color-scheme: dark) {{ :root {{ {variables(True)} }} }} "
    + sheet("shared", "exported")
    + NAMES
)
