"""Keys that do what a button does, anywhere on the page, or in its cell of a notebook, except where one types."""

from __future__ import annotations

import json

from bokeh.core.properties import List, String
from bokeh.model import DataModel
from bokeh.models import CustomJS


class Keys(DataModel):
    """The keys that mean something here, and the last one, as JSON [serial number, key]."""

    known = List(String)
    pressed = String(default="")


# once, when a figure first learns its size: then the page is there
LISTEN = """
if (keys._heard !== undefined) return
keys._heard = keys.pressed ? JSON.parse(keys.pressed)[0] : 0  // a page that has come back counts on
const TYPING = 'input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], ' +
               '[role=combobox], [role=listbox], [role=option], [role=menu]'
let cell = cb_context.index.find_one(cb_obj)?.el  // in a notebook, keys that are pressed elsewhere mean something else
while (cell && !cell.matches?.('.explorer-cell')) cell = cell.parentNode ?? cell.host
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !keys.known.includes(event.key)) return
  const path = event.composedPath()
  if (cell && !path.includes(cell)) return
  if (path.some((element) => element.matches?.(TYPING))) return
  if (event.key.startsWith('Arrow') && path.some((element) => element.matches?.('input'))) return  // it moves a slider
  if (event.key === ' ' && path.some((element) => element.matches?.('button, a, summary'))) return  // it presses these
  event.preventDefault()
  keys.pressed = JSON.stringify([++keys._heard, event.key])
})
"""


class Shortcuts:
    """`actions` maps a key to (what it does in words, a function)."""

    def __init__(self, actions, figure):
        self.actions, self.keys = actions, Keys(known=list(actions))
        self.keys.on_change("pressed", self._pressed)
        figure.js_on_change("inner_width", CustomJS(args={"keys": self.keys}, code=LISTEN))

    def _pressed(self, attr, old, new):
        self.actions[json.loads(new)[1]][1]()
