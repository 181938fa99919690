"""A row of small buttons as one component.

With one component per button, these would take half of the time in which a page opens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import param

from explorer.browser import NARROW, component, sheet
from explorer.languages import bind_language
from explorer.markup import meant

from .localized import LocalizedComponent

if TYPE_CHECKING:
    from explorer.markup import Markup


OnIndex: TypeAlias = Callable[[int], object]


class ButtonRow(LocalizedComponent):
    """Row of buttons with labels, and with a picture for each if `look` is given.

    `press(index)` is called when a button is pressed. `look(index)` is called when the user points at a button that has
    no picture yet; it passes the picture to `illustrate`.
    """

    words: param.List[list[str]] = param.List(item_type=str, doc="the labels of the buttons")
    chosen: param.Integer[int] = param.Integer(-1, doc="the index of the marked button, -1 for none")

    looks: param.Boolean[bool] = param.Boolean(False, doc="whether the buttons have pictures")
    pictures: param.Dict = param.Dict(default={}, doc="index -> SVG that is visible while the user points at it")

    _module = "chips"
    _esm = component("chips.chips", narrow=NARROW)
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "chips")]

    def __init__(self, press: OnIndex, look: OnIndex | None = None, **params: Any) -> None:
        super().__init__(looks=look is not None, **params)
        self.press = press
        self.look = look
        self.on_msg(bind_language(self._heard))

    def _heard(self, event):
        for wish, index in event.data.items() if isinstance(event.data, dict) else ():
            hear = {"press": self.press, "look": self.look}.get(wish)
            if hear and type(index) is int and 0 <= index < len(self.words):
                hear(index)

    def illustrate(self, index: int, picture: Markup) -> None:
        """Show a picture while the user points at a button."""
        self.pictures = {**self.pictures, str(index): str(meant(picture))}
