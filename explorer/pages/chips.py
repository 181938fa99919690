"""A row of small buttons as one part of the page: a button of its own for each would cost a page half its opening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import NARROW, component, sheet


class Chips(JSComponent):
    """Buttons with these words; `press(index)` hears which was pressed."""

    words: param.List[list[str]] = param.List(item_type=str, doc="what stands on each")
    chosen: param.Integer[int] = param.Integer(-1, doc="which is marked as the one that is shown, -1 for none")

    _esm = component("chips.chips", narrow=NARROW)
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "chips")]

    def __init__(self, press: Callable[[int], object], **params: Any) -> None:
        super().__init__(**params)
        self.press = press
        self.on_msg(self._pressed)

    def _pressed(self, event):
        index = event.data
        if isinstance(index, int) and 0 <= index < len(self.words):
            self.press(index)
