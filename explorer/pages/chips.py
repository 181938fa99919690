"""A row of small buttons as one part of the page: a button of its own for each would cost a page half its opening."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .narrow import NARROW
from .theme import FONT

SHEET = f"""
.chips {{ display: flex; flex-wrap: wrap; gap: 8px 6px; }}
button {{ font: 500 13px/1.75 {FONT};
  display: inline-flex; align-items: center; gap: 8px; padding: 5px 9px; border-radius: 4px; cursor: pointer;
  border: 1px solid color-mix(in srgb, var(--panel-primary-color) 50%, transparent); background: none;
  color: var(--panel-primary-color); white-space: nowrap; }}
button:hover {{ background: color-mix(in srgb, var(--panel-primary-color) 8%, transparent); }}
button:focus-visible {{ outline: 3px solid color-mix(in srgb, var(--panel-primary-color) 45%, transparent); }}
button[aria-pressed=true] {{ background: var(--panel-primary-color); color: var(--panel-on-primary-color);
  border-color: var(--panel-primary-color); }}
.plain button {{ border-color: transparent; }}
.icon {{ font: normal 18px/1 'Material Icons'; font-feature-settings: 'liga'; }}
{NARROW} {{ .chips {{ flex-wrap: nowrap; overflow-x: auto; }} button {{ flex: none; }} }}
"""
DRAW = """
export function render({model}) {
  const row = document.createElement('div')
  row.className = model.icon ? 'chips plain' : 'chips'
  const mark = () => [...row.children].forEach((chip, i) => {
    if (!model.icon) chip.setAttribute('aria-pressed', i === model.chosen)
  })
  const draw = () => {
    row.replaceChildren(...model.words.map((word, i) => {
      const chip = document.createElement('button')
      chip.type = 'button'
      if (model.icon) {
        const icon = document.createElement('span')
        icon.className = 'icon'
        icon.ariaHidden = true
        icon.textContent = model.icon
        chip.append(icon)
      }
      chip.append(word)
      chip.addEventListener('click', () => model.send_msg(i))
      return chip
    }))
    mark()
  }
  draw()
  model.on('words', draw)
  model.on('chosen', mark)
  return row
}
"""


class Chips(JSComponent):
    """Buttons with these words; `press(index)` hears which was pressed."""

    words = param.List(item_type=str, doc="what stands on each")
    icon = param.String(doc="a material icon before each word; these look like words, and none is ever chosen")
    chosen = param.Integer(-1, doc="which is marked as the one that is shown, -1 for none")

    _esm = DRAW
    _stylesheets = (SHEET,)

    def __init__(self, press, **params):
        super().__init__(**params)
        self.press = press
        self.on_msg(self._pressed)

    def _pressed(self, event):
        index = event.data
        if isinstance(index, int) and 0 <= index < len(self.words):
            self.press(index)
