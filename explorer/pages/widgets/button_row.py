"""A row of small buttons as one part of the page: a button of its own for each would cost a page half its opening."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import param

from explorer.browser import NARROW, component, sheet
from explorer.markup import meant

from .localized import LocalizedComponent

if TYPE_CHECKING:
    from explorer.markup import Markup


Hears: TypeAlias = Callable[[int], object]


class ButtonRow(LocalizedComponent):
    """Buttons with these words; `press(index)` hears which was pressed, `look(index)` of which a picture is wanted."""

    words: param.List[list[str]] = param.List(item_type=str, doc="what stands on each")
    chosen: param.Integer[int] = param.Integer(-1, doc="which is marked as the one that is shown, -1 for none")

    looks: param.Boolean[bool] = param.Boolean(False, doc="whether there are pictures to ask for")
    pictures: param.Dict = param.Dict(default={}, doc="index -> SVG of what one shows, for whoever points at it")

    _module = "chips"
    _esm = component("chips.chips", narrow=NARROW)
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "chips")]

    def __init__(self, press: Hears, look: Hears | None = None, **params: Any) -> None:
        super().__init__(looks=look is not None, **params)
        self.press = press
        self.look = look
        self.on_msg(self._heard)

    def _heard(self, event):
        for wish, index in event.data.items() if isinstance(event.data, dict) else ():
            hear = {"press": self.press, "look": self.look}.get(wish)
            if hear and type(index) is int and 0 <= index < len(self.words):
                hear(index)

    def illustrate(self, index: int, picture: Markup) -> None:
        """Show a picture to the hand that points at a button."""
        self.pictures = {**self.pictures, str(index): str(meant(picture))}
