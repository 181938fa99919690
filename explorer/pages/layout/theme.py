"""How the page looks: its sheet for what is text, and light and dark, where the toggle repaints what has a colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.browser import BAR, call, on_change, sheet
from explorer.browser import NARROW as QUERY
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT, colour

if TYPE_CHECKING:
    from bokeh.model import DataModel
    from bokeh.plotting import figure
    from panel.pane import HTML

    from explorer.views.style import Painter

# names of curves have their colours, with some ink: small words need more contrast than curves
STYLE = sheet("shared", "page") + "".join(
    f" .name.{role} {{ color: color-mix(in srgb, var(--{role}) 70%, var(--ink)); }}" for role in ROLES
)

NARROW = f"@media {QUERY}"  # below it the columns of a lab stand one below the other

# a button that is always at hand and never in the way; where a page is narrow its sign alone is seen
TOOL: dict[str, Any] = {
    "variant": "text",
    "size": "small",
    "margin": 0,
    "sx": {
        "color": "var(--ink)",
        "&.Mui-disabled": {"color": "var(--soft)", "opacity": 0.6},
        "minWidth": 0,
        "padding": "4px 7px",
        NARROW: {
            "fontSize": 0,
            "padding": "12px",
            "minHeight": 44,
            "& .MuiButton-startIcon": {"margin": 0},
            "& .MuiButton-startIcon > *": {"fontSize": "20px !important"},  # of the set's own sheet, in em
        },
    },
}

# one for a screen that a room looks at; a window of its width or less would cut the bar's words off
ROOM_TOOL: dict[str, Any] = {**TOOL, "sx": {**TOOL["sx"], "@media (max-width: 1060px)": {"display": "none"}}}

# sheets of the widget set's own parts; a class named twice outweighs the set's own rule
ROW = sheet("compact", "row")  # word, then what takes the hand, in one row
BRIEF = sheet("compact", "row", "brief")  # the same where several share a row: a word as wide as it is
ROW += ".MuiFormLabel-root.Mui-disabled.Mui-disabled { color: var(--soft); }"  # still to be read
BOX = sheet("compact", "unseen")
VALUE = BOX + sheet("value")
MAIN = sheet("unseen", "slider")
BUTTONS = sheet("buttons")

TYPE: dict[str, Any] = {"fontFamily": FONT, "button": {"textTransform": "none"}}
# a fold's title is a heading of the second order, right below the page's own; the set would have an h6 within an h3
HEADINGS: dict[str, Any] = {
    "MuiAccordion": {"defaultProps": {"slotProps": {"heading": {"component": "h2"}}}},
    "MuiTypography": {"defaultProps": {"variantMapping": {"subtitle2": "span", "h5": "div"}}},
}


def _palette(dark):
    """The colours of the widgets."""
    ground = colour("ground", dark)
    return {
        "palette": {
            "primary": {"main": INK[dark], "contrastText": ground},
            "background": {"default": ground, "paper": ground},
            "text": {"primary": INK[dark], "secondary": SOFT[dark]},
            "divider": LINE[dark],
        },
        "typography": TYPE,
        "components": HEADINGS,
        "shape": {"borderRadius": 7},
    }


THEME: dict[str, Any] = {"light": _palette(False), "dark": _palette(True)}


def variables(dark: bool) -> dict[str, str]:
    """What a sheet of any part of the page may ask for: each role's colour, ink, soft ink and hairlines."""
    colours = {f"--{role}": colour(role, dark) for role in ROLES}
    tint = f"color-mix(in srgb, {colour('harm', dark)} 9%, transparent)"
    return {**colours, "--ink": INK[dark], "--soft": SOFT[dark], "--line": LINE[dark], "--harm-tint": tint}


PAGE: dict[str, Any] = {
    "&.mui-light": variables(False),
    "&.mui-dark": variables(True),
    "& .MuiLinearProgress-root": {"display": "none"},  # no busy indicator: None alone reaches no browser
    "& .MuiToolbar-root": {
        "minHeight": f"{BAR}px !important",
        "height": f"{BAR}px",
        "padding": {"xs": "0 14px", "sm": "0 24px"},
        "margin": 0,
    },
    "& .MuiToolbar-root > .MuiBox-root": {"minWidth": 0},  # else what is at hand would push the last of it off a phone
    "& .MuiAppBar-root": {
        "backgroundColor": "var(--ground)",
        "backgroundImage": "none",
        "color": "var(--ink)",
        "boxShadow": "none",
        "borderBottom": "1px solid var(--line)",
    },
    "& .MuiAppBar-root .MuiIconButton-root": {NARROW: {"minWidth": 44, "minHeight": 44}},
    "@media print": {  # all of the page, on paper, and not what a window holds of it
        "&.mui-dark": variables(False),
        "&, & .main, & .main > .MuiBox-root, & .main-content": {
            "display": "block",
            "height": "auto !important",
            "background": "none",
            "overflow": "visible !important",
        },
        "& .MuiAppBar-root": {"display": "none"},
    },
}


def follow_system(figure: figure) -> None:
    """Open dark where the visitor's system is dark: once, when a figure first learns its size.

    The toggle stays free.
    """
    figure.js_on_change("inner_width", call("theme.followSystem"))


def follow(page: Any, painter: Painter, legend: HTML, texts: DataModel) -> None:
    """Repaint a view's roles and palettes, and its legend from `texts`, in the browser when the theme changes."""
    models = [[model, name, role] for model, name, role in painter.painted]
    shaded = [[mapper, list(palettes)] for mapper, palettes in painter.shaded]
    args = {"painted": models, "shaded": shaded, "roles": ROLES, "texts": texts}
    if page.select(lambda part: part is legend):  # not every page has one, and a script may name only what is there
        args["legend"] = legend
    on_change(page, "dark_theme", "theme.repaint", **args)
