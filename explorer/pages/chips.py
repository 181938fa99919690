"""A row of small buttons as one part of the page: a button of its own for each would cost a page half its opening."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .menus import BUTTON, DROPPING, LIST
from .narrow import NARROW

SHEET = f"""
{BUTTON}{LIST}
.row {{ display: flex; gap: 8px; align-items: center; }}
.chip, .more > .head {{ flex: none; padding: 3px 11px; border-radius: 99px; border: 1px solid var(--line); }}
.chip:hover {{ background: color-mix(in srgb, currentColor 7%, transparent); }}
.chip[aria-pressed=true], .more > .head.here {{ background: var(--ink); color: var(--ground);
  border-color: var(--ink); }}
.list .chip {{ border-radius: 6px; border: 0; padding: 6px 10px; }}
.more[hidden] {{ display: none; }}
{NARROW} {{ .row {{ overflow-x: auto; scrollbar-width: none; }} }}
"""
# what has no place in the row drops down from its end; a narrow page lets the row scroll instead
DRAW = (
    DROPPING
    + """
export function render({model}) {
  const row = document.createElement('div'), {root: more, head, list} = dropping(model, 'more right')
  row.className = 'row'  // Panel's own element around it is named chips
  let chips = []
  const mark = () => {
    chips.forEach((chip, i) => chip.setAttribute('aria-pressed', i === model.chosen))
    head.classList.toggle('here', chips[model.chosen]?.parentNode === list)
  }
  const fit = () => {
    for (const chip of chips) row.insertBefore(chip, more)
    more.hidden = true
    const room = row.clientWidth
    const ends = chips.map((chip) => chip.offsetLeft + chip.offsetWidth - row.offsetLeft)
    if (room > 0 && ends.at(-1) > room && !matchMedia('(max-width: 700px)').matches) {
      const kept = ends.filter((end) => end < room - 60).length
      list.replaceChildren(...chips.slice(kept))
      head.textContent = `+ ${chips.length - kept}`
      head.setAttribute('aria-label', `${chips.length - kept} more`)
      more.hidden = false
    }
    mark()
  }
  const draw = () => {
    chips = model.words.map((word, i) => {
      const chip = document.createElement('button')
      chip.type = 'button'
      chip.className = 'chip'
      chip.textContent = word
      chip.addEventListener('click', () => model.send_msg(i))
      return chip
    })
    list.replaceChildren()
    row.replaceChildren(...chips, more)
    fit()
  }
  draw()
  model.on('words', draw)
  model.on('chosen', mark)
  const watch = new ResizeObserver(fit)
  watch.observe(row)
  model.on('remove', () => watch.disconnect())
  return row
}
"""
)


class Chips(JSComponent):
    """Buttons with these words; `press(index)` hears which was pressed."""

    words = param.List(item_type=str, doc="what stands on each")
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
