"""Keys that do what a button does, anywhere on the page, or in its cell of a notebook, except where one types."""

from __future__ import annotations

import json

from bokeh.core.properties import List, String
from bokeh.model import DataModel

from explorer.browser import call


class Keys(DataModel):
    """The keys that mean something here, and the last one, as JSON [serial number, key]."""

    known = List(String)
    pressed = String(default="")


class Shortcuts:
    """`actions` maps a key to (what it does in words, a function)."""

    def __init__(self, actions, figure):
        self.actions, self.keys = actions, Keys(known=list(actions))
        self.keys.on_change("pressed", self._pressed)
        figure.js_on_change("inner_width", call("keys.listen", keys=self.keys))

    def _pressed(self, attr, old, new):
        self.actions[json.loads(new)[1]][1]()
