"""Components that open: a drop-down menu, a button that shows or hides a part, and a dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from explorer.browser import component, sheet
from explorer.languages import bind_language
from explorer.pages.layout.markup_pane import MarkupOnly

from .localized import LocalizedComponent


class DropdownMenu(JSComponent):
    """A button that opens a list. Each entry is a link, or calls `press(index)`."""

    label: param.String[str] = param.String(doc="the label of the button")
    words: param.List[list[str]] = param.List(item_type=str, doc="the labels of the entries")
    remarks: param.List[list[str]] = param.List(
        item_type=str, doc="a smaller text below each entry; none at all, or one for each"
    )
    links: param.List[list[str]] = param.List(
        item_type=str, doc="the link of each entry; none if entries call `press` instead"
    )
    sections: param.List[list[list[Any]]] = param.List(
        item_type=list, doc="[heading, number of entries] of each section, in two columns; none at all for one list"
    )
    current: param.Integer[int] = param.Integer(-1, doc="the index of the current entry, -1 for none")
    classes: param.String[str] = param.String(
        doc="CSS classes: 'boxed' draws the button's edge, 'right' aligns the list at the right"
    )

    _esm = component("menus.dropDown")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list")]

    def __init__(self, press: Callable[[int], object] | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.press = press
        self.on_msg(bind_language(self._pressed))

    def _pressed(self, event):
        index = event.data
        if self.press and isinstance(index, int) and 0 <= index < len(self.words):
            self.press(index)


class DisclosureButton(JSComponent):
    """A button with the state `open`. Its creator connects the part that it shows or hides."""

    label: param.String[str] = param.String(doc="the label of the button")
    open: param.Boolean[bool] = param.Boolean(False, doc="whether the part is visible")

    _esm = component("menus.opener")
    _stylesheets: ClassVar[list[str]] = [sheet("button")]


class Dialog(LocalizedComponent):
    """Text in front of the page while `open` is true. Escape, its button and a click outside close it."""

    text: MarkupOnly = MarkupOnly(default="", doc="the Markup in the dialog")
    open: param.Boolean[bool] = param.Boolean(False, doc="whether the dialog is visible")

    _module = "menus"
    _esm = component("menus.overlay")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "overlay")]
