"""The card of a story as one part of the page: the question, what to press or to place, and the answer."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .theme import FONT

SHEET = f"""
.story {{ font: 400 15px/1.45 {FONT}; max-width: 60ch; padding: 4px 0 4px 14px;
  border-left: 3px solid color-mix(in srgb, currentColor 35%, transparent); }}
.story p {{ margin: 0 0 8px 0; }}
header {{ display: flex; justify-content: space-between; gap: 12px; font-size: 14px; margin-bottom: 4px; }}
header b {{ font-weight: 600; }}
.asks {{ font-size: 17px; line-height: 1.4; text-wrap: pretty; }}
.row {{ display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 8px 0; }}
button {{ font: 500 14px/1.75 {FONT}; padding: 4px 12px; border-radius: 16px; cursor: pointer; color: inherit;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: none; }}
button:hover:not([aria-disabled=true]):not([disabled]) {{
  background: color-mix(in srgb, currentColor 9%, transparent); }}
button:focus-visible, input:focus-visible {{ outline: 3px solid color-mix(in srgb, currentColor 45%, transparent); }}
button[disabled] {{ opacity: 0.4; cursor: default; }}
button[aria-disabled=true] {{ cursor: default; }}
button[aria-pressed=true] {{ background: color-mix(in srgb, currentColor 14%, transparent); }}
button.right {{ border: 2px solid currentColor; font-weight: 700; }}
nav button {{ border-color: transparent; padding: 4px 8px; }}
nav .on {{ border-color: color-mix(in srgb, currentColor 45%, transparent); padding: 4px 12px; }}
input {{ appearance: none; color: inherit; flex: 1 1 160px; min-width: 120px; height: 4px; border-radius: 2px;
  cursor: pointer; background: color-mix(in srgb, currentColor 25%, transparent); }}
input::-webkit-slider-thumb {{ appearance: none; width: 20px; height: 20px; border-radius: 50%;
  background: currentColor; }}
input::-moz-range-thumb {{ width: 20px; height: 20px; border: 0; border-radius: 50%; background: currentColor; }}
output {{ font-weight: 600; min-width: 4ch; text-align: right; font-variant-numeric: tabular-nums; }}
.verdict {{ font-weight: 600; }}
svg {{ display: block; width: 100%; max-width: 420px; margin-bottom: 8px; }}
[hidden] {{ display: none; }}
"""
# one skeleton that stays: what is read aloud, and where the focus is, must not be made anew with each step
DRAW = """
const made = (name, words = '', more = {}) => Object.assign(document.createElement(name), {textContent: words, ...more})

export function render({model}) {
  const send = (act, value = 0) => model.send_msg({act, value})
  const button = (words, act, value) => {
    const it = made('button', words, {type: 'button'})
    it.addEventListener('click', () => { if (it.getAttribute('aria-disabled') !== 'true') send(act, value) })
    return it
  }
  const title = made('b'), step = made('span'), header = made('header')
  const asks = made('p', '', {className: 'asks'}), choices = made('div', '', {className: 'row choices'})
  const astray = made('p'), verdict = made('p', '', {className: 'verdict'}), bar = made('div'), says = made('p')
  const back = button('Back', 'go', -1), next = button('Next', 'go', 1), leave = button('Leave the story', 'leave')
  const reveal = button('Show the answer', 'guess', -1), home = button('Return', 'return')
  const card = made('section', '', {className: 'story'})
  const answer = made('div'), nav = made('nav', '', {className: 'row'})
  card.setAttribute('aria-label', 'Story')
  nav.setAttribute('aria-label', 'Steps of the story')
  for (const part of [asks, answer]) part.setAttribute('aria-live', 'polite')
  next.className = 'on'
  header.append(title, step)
  answer.append(astray, verdict, bar, says)
  nav.append(back, next, reveal, home, leave)
  card.append(header, asks, choices, answer, nav)

  const pressed = (shown) => shown.words.map((word, i) => {
    const it = button(word, 'guess', i), open = shown.veiled && !shown.astray
    it.setAttribute('aria-disabled', !open)
    it.setAttribute('aria-pressed', shown.guess === i)
    if (shown.truth === i) { it.className = 'right'; it.prepend('✓ ') }
    return it
  })
  const placed = (shown) => {
    const slider = made('input', '', {type: 'range', min: 0, max: shown.words.length - 1})
    slider.value = shown.guess ?? Math.floor((shown.words.length - 1) / 2)
    const value = made('output', shown.words[slider.value])
    slider.setAttribute('aria-label', shown.places)
    const say = () => {
      value.textContent = shown.words[slider.value]
      slider.setAttribute('aria-valuetext', shown.words[slider.value])
    }
    say()
    slider.addEventListener('input', say)
    const set = made('button', 'Guess', {type: 'button'})
    set.addEventListener('click', () => send('guess', Number(slider.value)))
    return [slider, value, set]
  }
  let guessed = ''  // what the choices were drawn for: a press must not take the focus from them
  const draw = () => {
    const shown = model.shown
    if (!shown.title) return
    title.textContent = shown.title
    step.textContent = shown.step
    asks.textContent = shown.asks
    const state = JSON.stringify([shown.asks, shown.words, shown.veiled, shown.astray, shown.guess, shown.truth])
    if (state !== guessed) {
      const focused = [...choices.children].indexOf(card.getRootNode().activeElement)
      choices.replaceChildren(...(shown.places ? placed(shown) : pressed(shown)))
      guessed = state
      if (focused >= 0 && !shown.veiled) (shown.last ? leave : next).focus()
    }
    choices.hidden = !shown.words.length || (!!shown.places && (!shown.veiled || !!shown.astray))
    astray.textContent = shown.astray
    verdict.textContent = shown.verdict ?? ''
    bar.innerHTML = shown.bar ?? ''
    says.textContent = shown.says ?? ''
    for (const part of [astray, verdict, says]) part.hidden = !part.textContent
    back.disabled = shown.first
    next.disabled = shown.last
    reveal.hidden = !shown.veiled || !!shown.astray
    home.hidden = !shown.astray
  }
  draw()
  model.on('shown', draw)
  return card
}
"""


class Card(JSComponent):
    """One step of a story; `hear(act, value)` hears what was pressed.

    A guess is the place of its word; -1 asks for the answer without one.
    """

    shown = param.Dict({}, doc="what stands on the card, as the script reads it")

    _esm = DRAW
    _stylesheets = (SHEET,)
    _acts = ("guess", "go", "return", "leave")

    def __init__(self, hear, **params):
        super().__init__(**params)
        self.hear = hear
        self.on_msg(self._heard)

    def _heard(self, event):
        message = event.data if isinstance(event.data, dict) else {}
        act, value = message.get("act"), message.get("value", 0)
        if act in self._acts and isinstance(value, int):
            self.hear(act, value)
