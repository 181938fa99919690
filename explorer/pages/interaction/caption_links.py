"""Interactive captions: names highlight curves, labels of controls highlight controls, and "try" sets fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from bokeh.core.properties import String
from bokeh.model import DataModel
from bokeh.models.glyph import Glyph

from explorer.browser import call
from explorer.checks import Refusal
from explorer.languages import bind_language
from explorer.markup import rewritten
from explorer.model import parse_field
from explorer.workbench.safe_call import run_safely

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.page_protocol import Page


class CaptionClick(DataModel):
    """The setting that the user pressed in a caption, as JSON [serial number, query string]."""

    pressed: String = String(default="")


class CaptionLinks:
    """Connects captions with curves and controls, and moves the lab when the user presses a setting in a caption."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wish: CaptionClick = CaptionClick()
        self.wish.on_change("pressed", bind_language(self._pressed))
        bindings, view = page.bindings, page.view
        for name in (*page.controls, *page.choice):
            for part in bindings.widgets(name):
                part.css_classes = [*part.css_classes, f"at-{name}"]
        listen = call("captions.listen", wish=self.wish, curves=_curves(view.paint))
        view.hero.js_on_change("inner_width", listen)

    def _pressed(self, attr, old, new):
        words = dict(parse_qsl(json.loads(new)[1]))
        first = next(iter(words), None)
        fields, sentence = run_safely(lambda: self._fields(words), f"{words} of a caption")
        if sentence:
            self.page.refuse(first, sentence)
        elif fields:
            self.page.move(first, **fields)

    def _fields(self, words):
        """Return the values of the fields, with those that a choice also changes."""
        fields, lab_class = {}, self.page.lab_class
        known = lab_class.fields
        for name, word in words.items():
            if name not in known:
                raise Refusal("Unknown setting '{}' in a caption was ignored.", name[:60])
            value = parse_field(known[name], word)
            fields |= self.page.on_choice(name, value) if name in self.page.choosers else {name: value}
        return fields


def focusable(caption: Markup) -> Markup:
    """Make a caption's names of curves and controls reachable by the Tab key, except those in formulas."""
    return rewritten("<span class='(name|control)", r"<span tabindex='0' class='\1", caption)


def _curves(painter):
    """Return [glyph, roles of its colours] for every glyph that a view draws."""
    roles = {}
    for model, _, role in painter.painted:
        if isinstance(model, Glyph) and role != "ground":
            roles.setdefault(model, []).append(role)
    return [[glyph, own] for glyph, own in roles.items()]
