"""What a hand may take hold of in a page's pictures: lines, points, and what else a lab has."""

from __future__ import annotations

from functools import wraps

from panel.links import Callback

from explorer.checks import Refusal
from explorer.printing import shown
from explorer.views.grips import LINE, LISTEN, REACH, SLIDE
from explorer.workbench.by_hand import number_pair

from .pacing import ASK, SETUP

# to drag what stands where a slider does is to move the slider
MOVE = """
const move = (stop) => { if (slider.data.value !== stop) slider.data.value = stop }
"""
POINT = f"""
const find = (x, y) => {{
  const [across, up] = [frame.x_scale.compute(point.data.x[0]), frame.y_scale.compute(point.data.y[0])]
  return Math.hypot(across - x, up - y) <= reach ? 0 : null
}}
{SLIDE}
"""

# the nearest point of all groups within reach: its group and its row
FIND = """
const find = (x, y) => {
  let found = null, least = reach
  groups.forEach((group, g) => {
    const {x: xs, y: ys} = sources[group[0]].data
    for (let i = 0; i < xs.length; i++) {
      const far = Math.hypot(frame.x_scale.compute(xs[i]) - x, frame.y_scale.compute(ys[i]) - y)
      if (far <= least) [found, least] = [[g, i], far]
    }
  })
  return found
}
const inside = (value, range) => Math.min(Math.max(value, range.start), range.end)
"""

# a point moves at once, in all the sources that draw it; the server hears of it and answers with the rest of the
# picture
POINTS = f"""
{SETUP}
{FIND}
const drag = ([g, row], x, y) => {{
  const to = [inside(frame.x_scale.invert(x), cb_obj.x_range), inside(frame.y_scale.invert(y), cb_obj.y_range)]
  for (const source of groups[g].map((index) => sources[index])) {{
    [source.data.x[row], source.data.y[row]] = to
    source.change.emit()
  }}
  const name = names[g], value = [row, ...to], drawn = false
  {ASK}
}}
"""


def drag_line(figure, line, slider, stops, column):
    """Let a hand drag the vertical line of the source `line` along the slider's stops, a column of the source
    `stops`.
    """
    listen(figure, MOVE + LINE, line=line, slider=slider, stops=stops, column=column)


def drag_point(figure, point, slider, stops, column):
    """Let a hand drag the one point of the source `point` as `drag_line` does a line: only by taking hold of it."""
    listen(figure, MOVE + POINT, point=point, slider=slider, stops=stops, column=column)


def drag_points(figure, points, pacer):
    """Let a hand drag points: `points` maps a name, under which the pacer hears [row, x, y], to the sources that
    draw them.

    Where two are within reach the nearest is taken, and of equally near ones the last.
    """
    sources = [source for drawn in points.values() for source in drawn]
    groups = [[sources.index(source) for source in drawn] for drawn in points.values()]
    listen(figure, POINTS, sources=sources, groups=groups, names=list(points), request=pacer.request)


def telling(put):
    """A page's `put` whose refusals are said at the control, or above the pictures, which stay as they are."""

    @wraps(put)
    def told(page, name, value):
        try:
            put(page, name, value)
        except Refusal as refusal:
            page.refuse(name, str(refusal))

    return told


def dragged(value, count):
    """(row, x, y) of what a browser says of a dragged point, one of `count`; Refusal where there is no such point."""
    try:
        row, *place = value
        x, y = number_pair(place)
    except (OverflowError, TypeError, ValueError):
        raise Refusal(f"a dragged point is [row, x, y], and this is {shown(value)}; drag it once more.") from None
    return row_of(row, count), x, y


def row_of(row, count):
    """A row that a browser names, one of `count`; Refusal where there is none: the picture may have changed."""
    if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < count:
        raise Refusal(f"there is no point {shown(row)} here, of {count} counted from 0; drag one that is drawn.")
    return row


def listen(figure, code, **args):
    """Let a figure take a hand by the `find` and `drag` of a script; one script a figure."""
    Callback(figure, code={"inner_width": LISTEN % code}, args={"reach": REACH, **args})
