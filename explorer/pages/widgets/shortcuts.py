"""Keyboard shortcuts of the page, or of its notebook cell. They do not act while the user types text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from bokeh.core.properties import List, String
from bokeh.model import DataModel

from explorer.browser import call
from explorer.languages import bind_language

if TYPE_CHECKING:
    from bokeh.plotting import figure


# key -> (description, function)
Actions: TypeAlias = dict[str, tuple[str, Callable[[], object]]]


class Keys(DataModel):
    """The keys that have an action, and the last one pressed, as JSON [serial number, key]."""

    known: List[str] = List(String)
    pressed: String = String(default="")


class Shortcuts:
    """Connects the keys of `actions` with their functions."""

    def __init__(self, actions: Actions, figure: figure) -> None:
        self.actions = actions
        self.keys: Keys = Keys(known=list(actions))
        self.keys.on_change("pressed", bind_language(self._pressed))
        figure.js_on_change("inner_width", call("keys.listen", keys=self.keys))

    def _pressed(self, attr, old, new):
        self.actions[json.loads(new)[1]][1]()
