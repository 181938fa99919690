"""A picture that takes points: a click where nothing is adds one, a drag moves one, a click on one chooses it."""

from __future__ import annotations

from .handles import FIND, listen
from .pacing import ASK, SETUP

# `free` groups move at once under the hand, between two heights; the others the server moves, by what the hand asks
# for. Where no heights are given they are the picture's own, which may change. Clicks that come faster than answers are
# kept together: [[x, y], ...]
ADD = f"""
{SETUP}
{FIND}
const {{y_range}} = cb_obj
const height = (value) => Math.min(Math.max(value, low ?? y_range.start), high ?? y_range.end)
const ask = (name, value) => {{
  const drawn = false
  {ASK}
}}
const drag = ([g, row], x, y) => {{
  const to = [inside(frame.x_scale.invert(x), cb_obj.x_range), height(frame.y_scale.invert(y))]
  if (free[g]) {{
    for (const source of groups[g].map((index) => sources[index])) {{
      [source.data.x[row], source.data.y[row]] = to
      source.change.emit()
    }}
  }}
  ask(names[g], [row, ...to])
}}
let pressed = null
surface.addEventListener('pointerdown', (event) => {{
  const [x, y] = place(event)
  pressed = event.isPrimary && event.button === 0 && frame.bbox.contains(x, y) ? [x, y] : null
}})
surface.addEventListener('pointerup', (event) => {{
  const [x, y] = place(event), still = pressed !== null && Math.hypot(x - pressed[0], y - pressed[1]) < reach / 3
  pressed = null
  if (!still) return
  const found = find(x, y), [at, up] = [frame.x_scale.invert(x), frame.y_scale.invert(y)]
  if (found !== null) ask('chosen', [names[found[0]], found[1]])
  else if (height(up) === up) ask('added', [...(s.next?.added?.[0] ?? []), [at, up]])
}})
surface.addEventListener('pointercancel', () => {{ pressed = null }})
"""


def add_points(figure, free, led, pacer, heights=(None, None)):
    """Let a hand add, move and choose points between two heights of a figure, or anywhere in it.

    `free` and `led` map a name to the sources that draw its points. The pacer hears [row, x, y] under a point's name,
    where those of `free` have already moved in the picture; "added" as [[x, y], ...]; "chosen" as [name, row].
    """
    groups = {**free, **led}
    sources = [source for drawn in groups.values() for source in drawn]
    places = [[sources.index(source) for source in drawn] for drawn in groups.values()]
    listen(
        figure,
        ADD,
        sources=sources,
        groups=places,
        names=list(groups),
        free=[name in free for name in groups],
        request=pacer.request,
        low=heights[0],
        high=heights[1],
    )
