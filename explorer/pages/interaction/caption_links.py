"""Captions that act: a name lights its curve, the words for a control light the control, and "try" sets fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from bokeh.core.properties import String
from bokeh.model import DataModel
from bokeh.models.glyph import Glyph

from explorer.browser import call
from explorer.checks import Refusal
from explorer.markup import rewritten
from explorer.model import parse_field
from explorer.workbench.safe_call import run_safely

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.protocol import Page


class CaptionClick(DataModel):
    """What was pressed in a caption, as JSON [serial number, words of a link]."""

    pressed: String = String(default="")


class CaptionLinks:
    """Lets the captions of a page light its curves and controls, and moves its lab to what is pressed in them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wish: CaptionClick = CaptionClick()
        self.wish.on_change("pressed", self._pressed)
        for name in (*page.controls, *page.choice):
            for part in page.bindings.widgets(name):
                part.css_classes = [*part.css_classes, f"at-{name}"]
        listen = call("captions.listen", wish=self.wish, curves=_curves(page.view.paint))
        page.view.hero.js_on_change("inner_width", listen)

    def _pressed(self, attr, old, new):
        words = dict(parse_qsl(json.loads(new)[1]))
        first = next(iter(words), None)
        fields, sentence = run_safely(lambda: self._fields(words), f"{words} of a caption")
        if sentence:
            self.page.refuse(first, sentence)
        elif fields:
            self.page.move(first, **fields)

    def _fields(self, words):
        """The values of fields, with what each brings with it."""
        fields, known = {}, self.page.lab_class.fields
        for name, word in words.items():
            if name not in known:
                raise Refusal(f"Unknown setting '{name[:60]}' in a caption was ignored.")
            value = parse_field(known[name], word)
            fields |= self.page.on_choice(name, value) if name in self.page.choosers else {name: value}
        return fields


def focusable(caption: Markup) -> Markup:
    """A caption whose names of curves and controls the tab key reaches too, those in formulas aside."""
    return rewritten("<span class='(name|control)", r"<span tabindex='0' class='\1", caption)


def _curves(painter):
    """[glyph, the roles whose colours it has] of all that a view draws."""
    roles = {}
    for model, _, role in painter.painted:
        if isinstance(model, Glyph) and role != "ground":
            roles.setdefault(model, []).append(role)
    return [[glyph, own] for glyph, own in roles.items()]
