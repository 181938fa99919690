"""Story card as one component: the question, the choices or the scale, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from explorer.browser import component, sheet
from explorer.pages.widgets.localized import LocalizedComponent


class StoryCard(LocalizedComponent):
    """Card of one step of a story. `hear(act, value)` is called with the action that was pressed.

    A guess is the index of its choice; -1 asks for the answer without a guess.
    """

    shown: param.Dict[dict[str, Any]] = param.Dict({}, doc="the content of the card, as the script reads it")

    _module = "card"
    _esm = component("card.card")
    _stylesheets: ClassVar[list[str]] = [sheet("card")]
    _acts = ("guess", "go", "return", "leave", "next story")

    def __init__(self, hear: Callable[[str, int], None], **params: Any) -> None:
        super().__init__(**params)
        self.hear = hear
        self.on_msg(self._on_message)

    def _on_message(self, event):
        message = event.data if isinstance(event.data, dict) else {}
        act, value = message.get("act"), message.get("value", 0)
        if act in self._acts and isinstance(value, int):
            self.hear(act, value)
