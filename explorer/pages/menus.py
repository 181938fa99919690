"""What opens on the page: a menu that drops down, a button that shows and hides a part, and an overlay of text."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from explorer.browser import component
from explorer.marks.roles import FONT

from .text import MarkupOnly

BUTTON = f"""
button, a {{ font: 500 13px/1.5 {FONT}; color: inherit; background: none; cursor: pointer; white-space: nowrap; }}
button:focus-visible, a:focus-visible {{ outline: 2px solid currentColor; outline-offset: 1px; }}
.head {{ padding: 4px 8px; border: 1px solid transparent; border-radius: 7px; }}
.head:hover {{ background: color-mix(in srgb, currentColor 7%, transparent); }}
.head[aria-expanded=true] {{ background: color-mix(in srgb, currentColor 9%, transparent); }}
.boxed .head {{ border-color: var(--line); }}
"""
LIST = """
.drop { position: relative; display: inline-block; }
.list { position: absolute; top: calc(100% + 4px); left: 0; z-index: 1400; min-width: 100%; max-height: 70vh;
        overflow-y: auto; box-sizing: border-box; padding: 6px; display: flex; flex-direction: column;
        background: var(--ground); color: var(--ink); border: 1px solid var(--line); border-radius: 9px;
        box-shadow: 0 6px 24px rgba(0, 0, 0, 0.16); }
.list[hidden] { display: none; }
.right .list { left: auto; right: 0; }
.list > * { text-align: left; text-decoration: none; padding: 6px 10px; border: 0; border-radius: 6px; }
.list > *:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
.list small { display: block; font-size: 12px; font-weight: 400; color: var(--soft); }
[aria-current] { font-weight: 700; }
"""


class DropDown(JSComponent):
    """A button under which a list drops down; each entry is a link, or `press(index)` hears of it."""

    label = param.String(doc="what stands on the button")
    words = param.List(item_type=str, doc="what the entries say")
    remarks = param.List(item_type=str, doc="what stands below each, smaller; none at all, or one for each")
    links = param.List(item_type=str, doc="where each entry leads; none where they are pressed instead")
    current = param.Integer(-1, doc="the entry where one is, -1 for none")
    classes = param.String(doc="of the whole: 'boxed' draws the button's edge, 'right' hangs the list at the right")

    _esm = component("menus.dropDown")
    _stylesheets = (BUTTON + LIST,)

    def __init__(self, press=None, **params):
        super().__init__(**params)
        self.press = press
        self.on_msg(self._pressed)

    def _pressed(self, event):
        index = event.data
        if self.press and isinstance(index, int) and 0 <= index < len(self.words):
            self.press(index)


class Opener(JSComponent):
    """A button that says whether what it shows is `open`; who makes it lets the part follow."""

    label = param.String(doc="what stands on the button")
    open = param.Boolean(False, doc="whether the part is there")

    _esm = component("menus.opener")
    _stylesheets = (BUTTON,)


class Overlay(JSComponent):
    """Text in front of the page, as long as it is `open`; Escape, its button and a press beside it close it."""

    text = MarkupOnly(default="", doc="the Markup that is shown")
    open = param.Boolean(False, doc="whether it is shown")

    _esm = component("menus.overlay")
    _stylesheets = (
        BUTTON
        + """
dialog { max-width: min(880px, 92vw); max-height: 86vh; overflow-y: auto; box-sizing: border-box; padding: 18px 26px;
         color: var(--ink); background: var(--ground); border: 1px solid var(--line); border-radius: 12px; }
dialog::backdrop { background: rgba(0, 0, 0, 0.45); }
dialog > button { float: right; }
kbd { font: 600 13px ui-monospace, 'DejaVu Sans Mono', monospace; padding: 1px 7px; border: 1px solid var(--line);
      border-radius: 5px; }
dl { display: grid; grid-template-columns: max-content auto; gap: 5px 14px; font-size: 14px; }
dd { margin: 0; }
""",
    )
