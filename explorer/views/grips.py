"""How a figure takes a hand: within reach of a handle it drags, anywhere else the page scrolls."""

from __future__ import annotations

REACH = 12  # px around a handle

# once for each figure, when it first learns its size; `find` gives what lies within reach of (x, y), or null, and
# `drag` moves it
LISTEN = """
if (cb_obj._handles) return
cb_obj._handles = true
const view = cb_context.index.find_one(cb_obj), surface = view.canvas_view.events_el, {frame} = view
const place = (event) => {
  const box = surface.getBoundingClientRect()
  return [event.clientX - box.left, event.clientY - box.top]
}
%s
let held = null
surface.addEventListener('pointerdown', (event) => {
  if (!event.isPrimary || event.button !== 0) return
  held = find(...place(event))
  if (held !== null) surface.setPointerCapture(event.pointerId)
})
// a touch that begins on a handle is no scroll
surface.addEventListener('touchstart', (event) => { if (held !== null) event.preventDefault() }, {passive: false})
surface.addEventListener('pointermove', (event) => {
  const [x, y] = place(event)
  if (held !== null) drag(held, x, y)
  surface.style.cursor = held !== null ? 'grabbing' : find(x, y) !== null ? 'grab' : ''
})
for (const end of ['pointerup', 'pointercancel']) surface.addEventListener(end, () => { held = null })
"""

# what stands where its slider does: to drag it is to `move` the slider to the stop that is nearest
SLIDE = """
const drag = (held, x) => {
  const way = [...stops.data[column]].map((stop) => Math.abs(frame.x_scale.compute(stop) - x))
  move(way.indexOf(Math.min(...way)))
}
"""
LINE = f"""
const find = (x, y) => {{
  const near = Math.abs(frame.x_scale.compute(line.data.x[0]) - x) <= reach
  return near && frame.bbox.contains(x, y) ? 0 : null
}}
{SLIDE}
"""
