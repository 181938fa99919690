"""Captions that act: a name lights its curve, the words for a control light the control, and "try" sets fields."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

from bokeh.core.properties import String
from bokeh.model import DataModel
from bokeh.models import CustomJS, Glyph

from explorer.checks import Refusal
from explorer.markup import rewritten
from explorer.model import parsed
from explorer.workbench.attempt import attempted


class Wish(DataModel):
    """What was pressed in a caption, as JSON [serial number, words of a link]."""

    pressed = String(default="")


# once, when a figure first learns its size: then the page is there. What is lit is written in this browser alone, and
# taken back as it was
LISTEN = """
if (wish._heard !== undefined) return
wish._heard = wish.pressed ? JSON.parse(wish.pressed)[0] : 0
const WORDS = '.caption :is(.name, .control), :is(.says, .trust) .name'
const known = new Set(curves.flatMap(([, own]) => own))
let lit = null, back = []
const write = (glyph, name, factor) => {
  const spec = glyph[name]
  if (!Number.isFinite(spec?.value)) return
  glyph.setv({[name]: {...spec, value: factor * spec.value}}, {sync: false})
  back.push(() => glyph.setv({[name]: spec}, {sync: false}))
}
const light_curves = (role) => {
  if (!known.has(role)) return
  for (const [glyph, own] of curves) {
    if (own.includes(role)) write(glyph, 'line_width', 1.7)
    else for (const part of ['line', 'fill', 'text', 'hatch']) write(glyph, `${part}_alpha`, 0.25)
  }
}
const light_control = (field) => {
  for (const view of Bokeh.index.query(({model}) => model.css_classes?.includes(`at-${field}`))) {
    const {style} = view.el, {outline, outlineOffset} = style
    Object.assign(style, {outline: '2px solid currentColor', outlineOffset: '2px'})
    back.push(() => Object.assign(style, {outline, outlineOffset}))
  }
}
const light = (element) => {
  const field = element?.dataset.field, role = element && [...element.classList].find((each) => each !== 'name')
  const wanted = field ?? role ?? null
  if (wanted === lit) return
  lit = wanted
  for (const undo of back.reverse()) undo()
  back = []
  if (field) light_control(field)
  else if (role) light_curves(role)
}
const named = (event) => event.composedPath().find((each) => each.matches?.(WORDS))
// not by pointerover and focusin: between two words of one caption these never leave it
for (const kind of ['pointermove', 'pointerdown', 'keyup'])
  document.addEventListener(kind, (event) => light(named(event)), {passive: true})
document.addEventListener('click', (event) => {
  const pressed = event.composedPath().find((each) => each.matches?.('.caption .try'))
  if (pressed) wish.pressed = JSON.stringify([++wish._heard, pressed.dataset.set])
})
"""


class Captions:
    """Lets the captions of a page light its curves and controls, and moves its lab to what is pressed in them."""

    def __init__(self, page):
        self.page, self.wish = page, Wish()
        self.wish.on_change("pressed", self._pressed)
        for name, control in (*page.controls.items(), *page.choice.items()):
            for part in (control.slider, control.box) if name in page.sliders else (getattr(control, "box", control),):
                part.css_classes = [*part.css_classes, f"at-{name}"]
        args = {"wish": self.wish, "curves": _curves(page.view.paint)}
        page.view.hero.js_on_change("inner_width", CustomJS(args=args, code=LISTEN))

    def _pressed(self, attr, old, new):
        words = dict(parse_qsl(json.loads(new)[1]))
        first = next(iter(words), None)
        fields, sentence = attempted(lambda: self._fields(words), f"{words} of a caption")
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
            value = parsed(known[name], word)
            fields |= self.page.chosen(name, value) if name in self.page.menus else {name: value}
        return fields


def focusable(caption):
    """A caption whose names of curves and controls the tab key reaches too, those in formulas aside."""
    return rewritten("<span class='(name|control)", r"<span tabindex='0' class='\1", caption)


def _curves(painter):
    """[glyph, the roles whose colours it has] of all that a view draws."""
    roles = {}
    for model, _, role in painter.painted:
        if isinstance(model, Glyph) and role != "ground":
            roles.setdefault(model, []).append(role)
    return [[glyph, own] for glyph, own in roles.items()]
