"""Choice between the pictures that share a slot: two as buttons in a row, the others in a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import param

from explorer.browser import component, sheet
from explorer.languages import bind_language

from .localized import LocalizedComponent


class PictureTabs(LocalizedComponent):
    """Choice of one picture. `value` is one of `options`, label -> value, and changes when the user presses a label."""

    label: param.String[str] = param.String(doc="what the user chooses, for screen readers")
    words: param.List[list[str]] = param.List(item_type=str, doc="the labels")
    chosen: param.Integer[int] = param.Integer(0, doc="the index of the visible picture")
    disabled: param.Boolean[bool] = param.Boolean(False, doc="whether input is ignored")
    options: param.Dict = param.Dict(default={}, doc="label -> value")
    value: param.Parameter[Any] = param.Parameter(doc="the value of the visible picture")

    _module = "tabs"
    _esm = component("tabs.tabs")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "picture_tabs")]
    _rename: ClassVar[Mapping[str, str | None]] = {"options": None, "value": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._follow, ["options", "value"])
        self.on_msg(bind_language(self._pressed))
        self._follow()

    def _follow(self, *events):
        values = list(self.options.values())
        self.param.update(words=list(self.options), chosen=values.index(self.value) if self.value in values else -1)

    def _pressed(self, event):
        index = event.data
        if type(index) is int and 0 <= index < len(self.words) and not self.disabled:
            self.value = self.options[self.words[index]]
