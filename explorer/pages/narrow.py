"""What a narrow page does differently: lesser controls are folded away."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

NARROW = "@media (max-width: 700px)"  # below it the columns of a lab stand one below the other

FOLDED = f"{NARROW} {{ :host(:not(.open)) {{ display: none; }} }}"
ONLY_WIDE = f"{NARROW} {{ :host {{ display: none !important; }} }}"
ONLY_NARROW = "@media (min-width: 700.02px) { :host { display: none !important; } }"
TOGGLE = """
const open = part0.css_classes.includes('open')
for (const part of [%s]) part.css_classes = open ? [] : ['open']
button.data.label = open ? more : fewer
"""


def flowing(*parts):
    """Buttons and menus side by side, in as many lines as they need."""
    return pn.FlexBox(*parts, align_items="center", gap="6px", margin=(6, 4))


def abreast(*parts):
    """Two controls side by side, one below the other where the page is narrow."""
    parts = [pn.Column(part, margin=0, styles={"flex": "1 1 280px", "min-width": "0"}) for part in parts]
    return pn.FlexBox(*parts, gap="0 10px", margin=0, sizing_mode="stretch_width")


def folding(*parts, more="More controls", fewer="Fewer controls"):
    """The button that a narrow page shows instead of these parts until it is pressed."""
    for part in parts:
        part.stylesheets = [*part.stylesheets, FOLDED]
    button = pmui.Button(label=more, icon="tune", variant="text", size="small", stylesheets=[ONLY_NARROW])
    named = {
        f"part{i}": part for i, part in enumerate(parts)
    }  # Panel finds its models among arguments, not in lists of them
    button.js_on_click(args={**named, "button": button, "more": more, "fewer": fewer}, code=TOGGLE % ", ".join(named))
    return button
