"""A picture of a matrix whose cells a hand may press: a press picks a cell, a mouse that is held goes on picking."""

from __future__ import annotations

from panel.links import Callback

from .pacing import ASK, SETUP

# once for each figure, when it first learns its size; the image covers -1 to 1 on both axes, its first row on top
LISTEN = f"""
if (cb_obj._cells) return
cb_obj._cells = true
{SETUP}
const view = cb_context.index.find_one(cb_obj), surface = view.canvas_view.events_el, {{frame}} = view
let held = false, last = ''
const cell = (event) => {{
  const box = surface.getBoundingClientRect(), count = source.data[column][0].shape[0]
  const x = frame.x_scale.invert(event.clientX - box.left), y = frame.y_scale.invert(event.clientY - box.top)
  const at = [Math.floor((1 - y) / 2 * count), Math.floor((x + 1) / 2 * count)]
  return at.every((k) => k >= 0 && k < count) ? at : null
}}
const pick = (value) => {{
  if (value === null || String(value) === last) return
  last = String(value)
  const drawn = false
  {ASK}
}}
surface.addEventListener('pointerdown', (event) => {{
  if (!event.isPrimary || event.button !== 0) return
  last = ''
  held = cell(event) !== null && event.pointerType === 'mouse'
  if (event.pointerType === 'mouse') pick(cell(event))
}})
surface.addEventListener('click', (event) => {{ pick(cell(event)) }})  // a finger that scrolled does not click
surface.addEventListener('pointermove', (event) => {{
  if (held) pick(cell(event))
  surface.style.cursor = cell(event) !== null ? 'crosshair' : ''
}})
for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {{
  surface.addEventListener(end, () => {{ held = false }})
}}
"""


def pick_cells(figure, pacer, name, source, column="image"):
    """Let a hand pick cells of the image that `source` has in a column; the pacer hears [row, column] under `name`."""
    Callback(
        figure,
        code={"inner_width": LISTEN},
        args={"request": pacer.request, "name": name, "source": source, "column": column},
    )
