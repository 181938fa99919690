"""Colours and style sheets of a page, in light and dark. The toggle recolours the pictures in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.browser import BAR, call, on_change, sheet
from explorer.browser import NARROW as QUERY
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT, colour

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from explorer.views.style import Painter

# Names of curves have the curves' colours mixed with some ink, because small text needs more contrast than curves.
STYLE = sheet("shared", "page") + "".join(
    f" .name.{role} {{ color: color-mix(in srgb, var(--{role}) 70%, var(--ink)); }}" for role in ROLES
)

NARROW = f"@media {QUERY}"  # at this width or less the columns of a lab are one below the other

# A button in the navigation bar. On a narrow page only its icon is visible.
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
            # overrides the widget set's own size, which is in em
            "& .MuiButton-startIcon > *": {"fontSize": "20px !important"},
        },
    },
}

# A button for lectures. It is hidden if the window is too narrow for the labels of the bar.
ROOM_TOOL: dict[str, Any] = {**TOOL, "sx": {**TOOL["sx"], "@media (max-width: 1060px)": {"display": "none"}}}

# Style sheets for the widget set's components. A class that is repeated in a selector outweighs the set's own rule.
ROW = sheet("compact", "row")  # the label and then the input, in one row
BRIEF = sheet("compact", "row", "brief")  # for several inputs in one row: each label is as wide as its text
# the label stays readable while the input is disabled
ROW += ".MuiFormLabel-root.Mui-disabled.Mui-disabled { color: var(--soft); }"
BOX = sheet("compact", "unseen")
VALUE = BOX + sheet("value")
MAIN_BOX = BOX + sheet("main_box")
MAIN = sheet("unseen", "slider")
BUTTONS = sheet("buttons")

TYPE: dict[str, Any] = {"fontFamily": FONT, "button": {"textTransform": "none"}}
# The title of a section is a heading of the second level, below the page's own. The widget set would make it an h6
# inside an h3.
HEADINGS: dict[str, Any] = {
    "MuiAccordion": {"defaultProps": {"slotProps": {"heading": {"component": "h2"}}}},
    "MuiTypography": {"defaultProps": {"variantMapping": {"subtitle2": "span", "h5": "div"}}},
}


def _palette(dark):
    """Return the colours of the widgets."""
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
    """Return the CSS variables of the page's style sheets: each role's colour, ink, soft ink and hairlines."""
    colours = {f"--{role}": colour(role, dark) for role in ROLES}
    tint = f"color-mix(in srgb, {colour('harm', dark)} 9%, transparent)"
    return {**colours, "--ink": INK[dark], "--soft": SOFT[dark], "--line": LINE[dark], "--harm-tint": tint}


PAGE: dict[str, Any] = {
    "&.mui-light": variables(False),
    "&.mui-dark": variables(True),
    # hides the busy indicator; the parameter's value None does not reach the browser
    "& .MuiLinearProgress-root": {"display": "none"},
    "& .MuiToolbar-root": {
        "minHeight": f"{BAR}px !important",
        "height": f"{BAR}px",
        "padding": {"xs": "0 14px", "sm": "0 24px"},
        "margin": 0,
    },
    # otherwise the bar's last buttons would be pushed off a phone's screen
    "& .MuiToolbar-root > .MuiBox-root": {"minWidth": 0},
    "& .MuiAppBar-root": {
        "backgroundColor": "var(--ground)",
        "backgroundImage": "none",
        "color": "var(--ink)",
        "boxShadow": "none",
        "borderBottom": "1px solid var(--line)",
    },
    "& .MuiAppBar-root .MuiIconButton-root": {NARROW: {"minWidth": 44, "minHeight": 44}},
    "@media print": {  # print the whole page, not only the part that the window shows
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
    """Switch to dark if the visitor's system is dark: once, when a figure first gets its size.

    The user may still toggle the theme. From then on a picture with the focus has a frame only for
    users of the keyboard.
    """
    figure.js_on_change("inner_width", call("theme.followSystem"), call("outline.listen"))


def follow(page: Any, painter: Painter) -> None:
    """Recolour a view's roles and palettes in the browser when the theme changes."""
    models = [[model, name, role] for model, name, role in painter.painted]
    shaded = [[mapper, list(palettes)] for mapper, palettes in painter.shaded]
    on_change(page, "dark_theme", "theme.repaint", painted=models, shaded=shaded, roles=ROLES)
