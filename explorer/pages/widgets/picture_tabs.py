"""The pictures that share a place, as words in a row: two of them, and a list of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import param

from explorer.browser import component, sheet

from .localized import LocalizedComponent


class PictureTabs(LocalizedComponent):
    """Which of several pictures is shown: `value` is one of `options`, words -> values, and a press changes it."""

    label: param.String[str] = param.String(doc="what is chosen, for those who listen")
    words: param.List[list[str]] = param.List(item_type=str, doc="what stands on each")
    chosen: param.Integer[int] = param.Integer(0, doc="which is shown")
    disabled: param.Boolean[bool] = param.Boolean(False, doc="whether none can be pressed")
    options: param.Dict = param.Dict(default={}, doc="words -> values")
    value: param.Parameter[Any] = param.Parameter(doc="the value of the one that is shown")

    _module = "tabs"
    _esm = component("tabs.tabs")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list", "picture_tabs")]
    _rename: ClassVar[Mapping[str, str | None]] = {"options": None, "value": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._follow, ["options", "value"])
        self.on_msg(self._pressed)
        self._follow()

    def _follow(self, *events):
        values = list(self.options.values())
        self.param.update(words=list(self.options), chosen=values.index(self.value) if self.value in values else -1)

    def _pressed(self, event):
        index = event.data
        if type(index) is int and 0 <= index < len(self.words) and not self.disabled:
            self.value = self.options[self.words[index]]
