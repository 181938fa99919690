"""The card of a story as one part of the page: the question, what to press or to place, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from explorer.browser import component, sheet
from explorer.pages.widgets.localized import LocalizedComponent


class StoryCard(LocalizedComponent):
    """One step of a story; `hear(act, value)` hears what was pressed.

    A guess is the place of its word; -1 asks for the answer without one.
    """

    shown: param.Dict[dict[str, Any]] = param.Dict({}, doc="what stands on the card, as the script reads it")

    _module = "card"
    _esm = component("card.card")
    _stylesheets: ClassVar[list[str]] = [sheet("card")]
    _acts = ("guess", "go", "return", "leave", "next story")

    def __init__(self, hear: Callable[[str, int], None], **params: Any) -> None:
        super().__init__(**params)
        self.hear = hear
        self.on_msg(self._heard)

    def _heard(self, event):
        message = event.data if isinstance(event.data, dict) else {}
        act, value = message.get("act"), message.get("value", 0)
        if act in self._acts and isinstance(value, int):
            self.hear(act, value)
