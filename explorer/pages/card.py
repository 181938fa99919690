"""The card of a story as one part of the page: the question, what to press or to place, and the answer."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from explorer.browser import component

from .theme import FONT

SHEET = f"""
.story {{ font: 400 15px/1.45 {FONT}; max-width: 60ch; padding: 4px 0 4px 14px;
  border-left: 3px solid color-mix(in srgb, currentColor 35%, transparent); }}
.story p {{ margin: 0 0 8px 0; }}
header {{ display: flex; justify-content: space-between; gap: 12px; font-size: 14px; margin-bottom: 4px; }}
header b {{ font-weight: 600; }}
.asks {{ font-size: 17px; line-height: 1.4; text-wrap: pretty; }}
.row {{ display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 8px 0; }}
button {{ font: 500 14px/1.75 {FONT}; padding: 4px 12px; border-radius: 16px; cursor: pointer; color: inherit;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: none; }}
button:hover:not([aria-disabled=true]):not([disabled]) {{
  background: color-mix(in srgb, currentColor 9%, transparent); }}
button:focus-visible, input:focus-visible {{ outline: 3px solid color-mix(in srgb, currentColor 45%, transparent); }}
button[disabled] {{ opacity: 0.4; cursor: default; }}
button[aria-disabled=true] {{ cursor: default; }}
button[aria-pressed=true] {{ background: color-mix(in srgb, currentColor 14%, transparent); }}
button.right {{ border: 2px solid currentColor; font-weight: 700; }}
nav button {{ border-color: transparent; padding: 4px 8px; }}
nav .on {{ border-color: color-mix(in srgb, currentColor 45%, transparent); padding: 4px 12px; }}
input {{ appearance: none; color: inherit; flex: 1 1 160px; min-width: 120px; height: 4px; border-radius: 2px;
  cursor: pointer; background: color-mix(in srgb, currentColor 25%, transparent); }}
input::-webkit-slider-thumb {{ appearance: none; width: 20px; height: 20px; border-radius: 50%;
  background: currentColor; }}
input::-moz-range-thumb {{ width: 20px; height: 20px; border: 0; border-radius: 50%; background: currentColor; }}
output {{ font-weight: 600; min-width: 4ch; text-align: right; font-variant-numeric: tabular-nums; }}
.verdict {{ font-weight: 600; }}
svg {{ display: block; width: 100%; max-width: 420px; margin-bottom: 8px; }}
[hidden] {{ display: none; }}
"""


class Card(JSComponent):
    """One step of a story; `hear(act, value)` hears what was pressed.

    A guess is the place of its word; -1 asks for the answer without one.
    """

    shown = param.Dict({}, doc="what stands on the card, as the script reads it")

    _esm = component("card.card")
    _stylesheets = (SHEET,)
    _acts = ("guess", "go", "return", "leave")

    def __init__(self, hear, **params):
        super().__init__(**params)
        self.hear = hear
        self.on_msg(self._heard)

    def _heard(self, event):
        message = event.data if isinstance(event.data, dict) else {}
        act, value = message.get("act"), message.get("value", 0)
        if act in self._acts and isinstance(value, int):
            self.hear(act, value)
