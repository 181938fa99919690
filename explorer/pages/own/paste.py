"""A box to paste data into, whose text is sent once, when its button is pressed."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from explorer.browser import component
from explorer.checks import Refusal
from explorer.datasets import files
from explorer.pages.theme import FONT

MOST = 5_000_000  # letters that the browser sends at once: a message that is too long ends the connection
SHEET = f"""
details {{ font: 400 14px/1.5 {FONT}; }}
summary {{ cursor: pointer; padding: 6px 0; }}
textarea {{ display: block; box-sizing: border-box; width: 100%; padding: 8px 10px; border-radius: 4px;
  font: 13px/1.45 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; color: inherit; background: none;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); resize: vertical; }}
button {{ font: 500 13px/1.75 {FONT}; margin: 8px 0; padding: 4px 12px; border-radius: 4px; cursor: pointer;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: none; color: inherit; }}
button:hover {{ background: color-mix(in srgb, currentColor 8%, transparent); }}
:is(textarea, button, summary):focus-visible {{ outline: 3px solid
  color-mix(in srgb, var(--panel-primary-color) 45%, transparent); }}
"""


class PasteBox(JSComponent):
    """A box, folded away at first. `take(raw)` hears the text as bytes, `refuse(sentence)` why there are none."""

    label = param.String("Or paste a table", doc="what the box is for")
    hint = param.String(doc="what a pasted text may look like")
    most = param.Integer(MOST, doc="letters that are sent")

    _esm = component("paste.paste")
    _stylesheets = (SHEET,)

    def __init__(self, take, refuse, **params):
        super().__init__(**params)
        self._take, self._refuse = take, refuse
        self.on_msg(self._pressed)

    async def _pressed(self, event):
        try:
            raw = _pasted(event.data)
        except Refusal as refusal:
            self._refuse(str(refusal))
        else:
            await self._take(raw)


def _pasted(text):
    """The bytes of a pasted text; Refusal where it is too long or nothing."""
    if text is not None and not isinstance(text, str):
        raise Refusal("The pasted text did not arrive as it was sent; paste it again.")
    if text is None or len(text) > MOST:
        raise Refusal(f"The pasted text has more than {MOST:,} letters; save it as a file and drop that instead.")
    if not text.strip():
        raise Refusal("The box is empty; paste a table into it first.")
    raw = text.encode("utf-8", "replace")
    if len(raw) > files.MEGABYTES * 1_000_000:
        raise files.too_large("The pasted text")
    return raw
