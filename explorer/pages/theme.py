"""How the page looks: its sheet for what is text, and light and dark, where the toggle repaints what has a colour."""

from __future__ import annotations

from explorer.browser import call, on_change
from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT, colour

from .narrow import NARROW

STYLE = """
:host { font-variant-numeric: tabular-nums; }
.says { font-size: 21px; line-height: 1.3; font-weight: 500; letter-spacing: -0.01em; text-wrap: pretty; }
.says b { font-weight: 700; }
.says b, .name { white-space: nowrap; }
.trust { font-size: 13px; line-height: 1.4; color: var(--soft); margin-top: 2px; }
.told { font-size: 14px; margin: 0; }
.notice { margin: 0; padding: 8px 14px 8px 30px; border-left: 4px solid var(--harm); background: var(--harm-tint);
          font-size: 14px; line-height: 1.45; border-radius: 2px; }
.trouble { font-size: 13px; line-height: 1.4; padding: 6px 10px; border-left: 4px solid var(--harm);
           background: var(--harm-tint); border-radius: 2px; }
.badge { border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 13px; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 12px; align-items: center; color: var(--soft); }
.legend span { display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }
.legend svg { flex: none; }
.group { line-height: 29px; font-size: 12px; letter-spacing: 0.02em; font-weight: 600; color: var(--soft); }
.word { font-size: 13px; white-space: nowrap; }
.symbol { font: italic 600 18px Georgia, 'DejaVu Serif', serif; }
.caption { font-size: 15px; line-height: 1.55; max-width: 86ch; }
math { font-family: 'Cambria Math', 'STIX Two Math', 'Latin Modern Math', math, serif; font-size: 1.12em; }
.equation { display: flex; flex-wrap: wrap; gap: 5px 0.5em; align-items: baseline; line-height: 1.3;
            margin-bottom: 3px; }
.caption .name { text-decoration: underline dotted 1px; text-underline-offset: 3px; }
.caption math .name { text-decoration: none; }
.control { border-bottom: 1px dashed var(--soft); }
.caption :is(.name, .control):focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
.try { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
       text-decoration: underline; text-underline-offset: 3px; }
.code { font: 13px/1.5 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; overflow-x: auto; margin: 0;
        padding: 12px 14px; border: 1px solid var(--line); border-radius: 6px; }
.pair { font-size: 13px; }
.read { font: 15px/1.6 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; overflow-wrap: anywhere; }
.who { font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.story { font-size: 16px; line-height: 1.5; max-width: 78ch; padding: 8px 14px; border-left: 4px solid var(--ink); }
.story summary { cursor: pointer; font-weight: 600; padding: 4px 0; }
.preview { overflow-x: auto; }
.preview caption { text-align: left; font-size: 13px; padding: 10px 0 2px 0; color: var(--soft); }
.preview table { border-collapse: collapse; font-size: 13px; }
.preview th, .preview td { text-align: right; padding: 3px 10px; border-bottom: 1px solid var(--line); }
.preview th { font-weight: 600; }
.preview .words { color: var(--soft); }
.operators { display: flex; flex-wrap: wrap; gap: 14px 28px; }
.operators caption { text-align: left; font-size: 14px; font-weight: 600; padding: 0 0 4px 0; white-space: nowrap; }
.operators table { border-collapse: collapse; font-size: 14px; }
.operators th, .operators td { text-align: right; padding: 3px 8px; border-bottom: 1px solid var(--line); }
.operators th { font-weight: 400; color: var(--soft); white-space: nowrap; }
@media (min-width: 700.02px) { :host(.lecture) .says { font-size: 28px; } :host(.lecture) .trust { font-size: 17px; } }
@media (max-width: 700px) { .says { font-size: 18px; } .trust { font-size: 12px; } }
@media (min-width: 1700px) { .says { font-size: 26px; } .trust { font-size: 15px; } .caption { font-size: 17px; } }
""" + "\n".join(
    # with some ink: small words need more contrast than curves
    f".name.{role} {{ color: color-mix(in srgb, var(--{role}) 70%, var(--ink)); }}"
    for role in ROLES
)

# a button that is always at hand and never in the way; where a page is narrow its sign alone is seen
TOOL = {
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
            "padding": "4px",
            "& .MuiButton-startIcon": {"margin": 0},
            "& .MuiButton-startIcon > *": {"fontSize": "20px !important"},  # of the set's own sheet, in em
        },
    },
}

# one that a telephone has no room for, and no use
DESK_TOOL = {**TOOL, "sx": {**TOOL["sx"], NARROW: {"display": "none"}}}

# one for a screen that a room looks at; a window of its width or less would cut the bar's words off
ROOM_TOOL = {**TOOL, "sx": {**TOOL["sx"], "@media (max-width: 1060px)": {"display": "none"}}}

# sheets of the widget set's own parts; a class named twice outweighs the set's own rule
COMPACT = """
.MuiInputBase-root.MuiInputBase-root { flex: 1 1 auto; font-size: 13px; background: transparent; }
.MuiInputBase-input.MuiInputBase-input { padding: 3px 9px; height: auto; min-height: 0; line-height: 1.6; }
.MuiSelect-select.MuiSelect-select { padding-right: 28px; }
.MuiOutlinedInput-notchedOutline { top: 0 !important; border-color: var(--line) !important; }
.MuiOutlinedInput-notchedOutline legend { display: none; }
.MuiSlider-root.MuiSlider-root { color: var(--soft); }
.MuiSlider-rail.MuiSlider-rail { background: var(--soft); opacity: 0.3; }
.MuiToggleButtonGroup-root.MuiToggleButtonGroup-root { width: auto; flex-wrap: wrap; }
.MuiToggleButton-root.MuiToggleButton-root { padding: 2px 9px; font-size: 12.5px; line-height: 1.6;
  color: var(--ink); border-color: var(--line); }
.MuiToggleButton-root.MuiToggleButton-root { width: auto; }
.MuiToggleButton-root.Mui-selected.Mui-selected { background: var(--ink) !important; color: var(--ground) !important; }
"""
UNSEEN = """
.MuiFormLabel-root.MuiFormLabel-root { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; padding: 0; margin: 0; }
"""
# word, then what takes the hand, in one row
ROW = f"""{COMPACT}
.MuiFormControl-root.MuiFormControl-root {{ flex-direction: row; align-items: center; gap: 10px; min-height: 31px; }}
.MuiFormLabel-root.MuiFormLabel-root {{ position: static; transform: none; flex: 0 0 140px; max-width: 140px;
  padding: 0; font-size: 13px; line-height: 1.15; color: var(--ink); white-space: normal; }}
"""
# the same where several share a row: a word as wide as it is
BRIEF = f"""{ROW}
.MuiFormControl-root.MuiFormControl-root {{ gap: 6px; }}
.MuiFormLabel-root.MuiFormLabel-root {{ flex: 0 0 auto; max-width: none; }}
"""
ROW += ".MuiFormLabel-root.Mui-disabled.Mui-disabled { color: var(--soft); }"  # still to be read
BOX = COMPACT + UNSEEN
# the slider that is the axis of its picture: its track ends where the axis does
MAIN = f"""{UNSEEN}
.MuiSlider-root.MuiSlider-root {{ width: 100%; margin: 0; padding: 9px 0; color: var(--ink); }}
.MuiSlider-rail.MuiSlider-rail {{ background: var(--soft); opacity: 0.3; }}
.MuiSlider-track.MuiSlider-track {{ display: none; }}
.MuiSlider-thumb.MuiSlider-thumb {{ width: 18px; height: 18px; }}
"""
BUTTONS = """
.MuiButton-root.MuiButton-root { padding: 1px 10px; font-size: 13px; line-height: 1.6; height: 28px;
  min-width: 0; box-shadow: none; }
.MuiButton-outlined.MuiButton-outlined:not(.Mui-disabled) { border-color: var(--line); }
"""
TABS = f"""{UNSEEN}
.MuiToggleButtonGroup-root.MuiToggleButtonGroup-root {{ width: auto; gap: 14px; flex-wrap: wrap; }}
.MuiToggleButton-root.MuiToggleButton-root {{ padding: 2px 0; width: auto; font-size: 13px; line-height: 1.5; border: 0;
  border-bottom: 2px solid transparent; border-radius: 0; margin: 0; color: var(--soft); background: none; }}
.MuiToggleButton-root.Mui-selected.Mui-selected {{ color: var(--ink) !important; font-weight: 600;
  border-bottom-color: var(--ink); background: none !important; }}
"""

TYPE = {"fontFamily": FONT, "button": {"textTransform": "none"}}


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
        "shape": {"borderRadius": 7},
    }


THEME = {"light": _palette(False), "dark": _palette(True)}


def variables(dark):
    """What a sheet of any part of the page may ask for: each role's colour, ink, soft ink and hairlines."""
    colours = {f"--{role}": colour(role, dark) for role in ROLES}
    tint = f"color-mix(in srgb, {colour('harm', dark)} 9%, transparent)"
    return {**colours, "--ink": INK[dark], "--soft": SOFT[dark], "--line": LINE[dark], "--harm-tint": tint}


HEIGHT = 48  # px of the bar
PAGE = {
    "&.mui-light": variables(False),
    "&.mui-dark": variables(True),
    "& .MuiLinearProgress-root": {"display": "none"},  # no busy indicator: None alone reaches no browser
    "& .MuiToolbar-root": {
        "minHeight": f"{HEIGHT}px !important",
        "height": f"{HEIGHT}px",
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
}


def follow_system(figure):
    """Open dark where the visitor's system is dark: once, when a figure first learns its size.

    The toggle stays free.
    """
    figure.js_on_change("inner_width", call("theme.followSystem"))


def follow(page, painter, legend, texts):
    """Repaint a view's roles and palettes, and its legend from `texts`, in the browser when the theme changes."""
    models = [[model, name, role] for model, name, role in painter.painted]
    shaded = [[mapper, list(palettes)] for mapper, palettes in painter.shaded]
    args = {"painted": models, "shaded": shaded, "roles": ROLES, "legend": legend, "texts": texts}
    on_change(page, "dark_theme", "theme.repaint", **args)
