"""A film of more samples: their curves come one after the other and pile up, while their average settles.

It runs in the browser, once when the samples come; at its end the bands take the curves' place.
"""

from __future__ import annotations

from bokeh.models import CustomJS

PACE = 70  # ms from one sample to the next
ROLL = """
const {x, y, weight} = samples.data, there = [...bands]
const show = (renderers, visible) => renderers.forEach((each) => each.setv({visible}, {sync: false}))
const draw = (xs, ys) => { Object.assign(film.data, {x: xs, y: ys}); film.change.emit() }
const token = samples._film = {}  // a film that is under way ends where another begins
draw([], [])
show(there, true)
if (!x.length || matchMedia('(prefers-reduced-motion: reduce)').matches) return
const settled = average.data.y, length = settled.length, count = x.length / (length + 1)
const sums = new Float64Array(length)
let weights = 0, k = 0
show(there, false)
const below = (values) => values.map((value) => value > top ? NaN : value)  // what is above the picture is not drawn
const put = (values) => { average.data.y = values; average.change.emit() }
const step = () => {
  if (samples._film !== token) return
  if (k === count) {
    draw([], [])
    put(settled)
    show(there, true)
    return
  }
  const begin = k++ * (length + 1)
  weights += weight[begin]
  for (let j = 0; j < length; j++) sums[j] += weight[begin] * y[begin + j]
  put(below(sums.map((sum) => sum / weights)))
  draw(x.slice(0, k * (length + 1)), below(y.slice(0, k * (length + 1))))
  setTimeout(step, pace)
}
step()
"""


def roll(picture, sources, inked):
    """Let the film of each line of a picture of losses run when its samples come; its bands wait until it has ended."""
    for name, role, *_ in picture.lines:
        samples, film, average = (sources[f"{name}_{part}"] for part in ("samples", "film", "average"))
        bands = [renderer for mark, renderer in inked if (mark.source, mark.role) == ("bands", role)]
        film.tags = [samples]  # no glyph draws it, and without one that knows it no document would have it
        args = {"samples": samples, "film": film, "average": average, "bands": bands}
        args |= {"pace": PACE, "top": picture.y.range[1]}
        samples.js_on_change("data", CustomJS(args=args, code=ROLL))
