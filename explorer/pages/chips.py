"""A row of small buttons as one part of the page: a button of its own for each would cost a page half its opening."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import NARROW, component, sheet
from explorer.markup import meant

if TYPE_CHECKING:
    from explorer.markup import Markup


class Chips(JSComponent):
    """Buttons with these words; `press(index)` hears which was pressed, `look(index)` of which a picture is wanted."""

    words: param.List[list[str]] = param.List(item_type=str, doc="what stands on each")
    chosen: param.Integer[int] = param.Integer(-1, doc="which is marked as the one that is shown, -1 for none")

    pictures: param.Dict = param.Dict(default={}, doc="index -> SVG of what one shows, for a hand that points at it")

    _esm = component("chips.chips", narrow=NARROW)
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "chips")]

    def __init__(self, press: Callable[[int], object], look: Callable[[int], object], **params: Any) -> None:
        super().__init__(**params)
        self.wishes: dict[str, Callable[[int], object]] = {"press": press, "look": look}
        self.on_msg(self._heard)

    def _heard(self, event):
        for wish, index in event.data.items() if isinstance(event.data, dict) else ():
            if wish in self.wishes and type(index) is int and 0 <= index < len(self.words):
                self.wishes[wish](index)

    def show(self, index: int, picture: Markup) -> None:
        """Show a picture to the hand that points at a button."""
        self.pictures = {**self.pictures, str(index): str(meant(picture))}
