"""A slider that goes by itself, one stop after the other, in the browser; a hand that moves it pauses it."""

from __future__ import annotations

import param
from panel.custom import JSComponent

from .menus import BUTTON

PACE = 90  # ms from one stop to the next, of a slider that the browser answers
STEPS = """
const s = (button._play ??= {})
clearInterval(s.timer)
if (!cb_obj.playing) return
const last = () => slider.data.options.length - 1, at = () => slider.data.value
const go = (stop) => { s.at = stop; slider.data.value = stop }
if (at() >= last()) go(0)
// who wants little motion has one stop for each press
if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
  go(Math.min(at() + 1, last()))
  cb_obj.playing = false
  return
}
s.at = at()
s.timer = setInterval(() => {
  const asked = request._state?.serial ?? 0
  if (asked > request.answered) return  // the last picture is still to come
  if (at() !== s.at || at() >= last()) cb_obj.playing = false
  else go(at() + 1)
}, pace)
"""


class Play(JSComponent):
    """A button that lets a slider go from where it is to its end, or from its beginning where it is at its end."""

    of = param.String(doc="what is played, in a word")
    playing = param.Boolean(False, doc="whether it goes")

    _esm = """
export function render({model}) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'play'
  const draw = () => {
    button.textContent = model.playing ? '❚❚' : '▶'
    button.setAttribute('aria-label', `${model.playing ? 'Pause' : 'Play'} ${model.of}`)
    button.title = `${model.playing ? 'Pause' : 'Play'} ${model.of} (Space)`
  }
  button.addEventListener('click', () => { model.playing = !model.playing })
  draw()
  model.on('playing', draw)
  return button
}
"""
    _stylesheets = (
        BUTTON
        + """
.play { width: 26px; height: 26px; padding: 0; font-size: 10px; line-height: 1; border: 1px solid var(--line);
        border-radius: 50%; }
.play:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
""",
    )

    @classmethod
    def over(cls, control, request, pace=PACE):
        """The button that plays a slider, whose page asks by `request`."""
        button = cls(of=control.slider.label.split()[0], margin=0)
        args = {"button": button, "slider": control.slider, "request": request, "pace": pace}
        button.jscallback(args=args, playing=STEPS)
        return button
