"""What opens on the page: a menu that drops down, a button that shows and hides a part, and an overlay of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import component, sheet
from explorer.pages.layout.markup_pane import MarkupOnly

from .localized import LocalizedComponent


class DropdownMenu(JSComponent):
    """A button under which a list drops down; each entry is a link, or `press(index)` hears of it."""

    label: param.String[str] = param.String(doc="what stands on the button")
    words: param.List[list[str]] = param.List(item_type=str, doc="what the entries say")
    remarks: param.List[list[str]] = param.List(
        item_type=str, doc="what stands below each, smaller; none at all, or one for each"
    )
    links: param.List[list[str]] = param.List(
        item_type=str, doc="where each entry leads; none where they are pressed instead"
    )
    current: param.Integer[int] = param.Integer(-1, doc="the entry where one is, -1 for none")
    classes: param.String[str] = param.String(
        doc="of the whole: 'boxed' draws the button's edge, 'right' hangs the list at the right"
    )

    _esm = component("menus.dropDown")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list")]

    def __init__(self, press: Callable[[int], object] | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.press = press
        self.on_msg(self._pressed)

    def _pressed(self, event):
        index = event.data
        if self.press and isinstance(index, int) and 0 <= index < len(self.words):
            self.press(index)


class DisclosureButton(JSComponent):
    """A button that says whether what it shows is `open`; who makes it lets the part follow."""

    label: param.String[str] = param.String(doc="what stands on the button")
    open: param.Boolean[bool] = param.Boolean(False, doc="whether the part is there")

    _esm = component("menus.opener")
    _stylesheets: ClassVar[list[str]] = [sheet("button")]


class Dialog(LocalizedComponent):
    """Text in front of the page, as long as it is `open`; Escape, its button and a press beside it close it."""

    text: MarkupOnly = MarkupOnly(default="", doc="the Markup that is shown")
    open: param.Boolean[bool] = param.Boolean(False, doc="whether it is shown")

    _module = "menus"
    _esm = component("menus.overlay")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "overlay")]
