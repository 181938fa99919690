"""A film of more samples: their curves come one after the other and pile up, while their average settles.

It runs in the browser, once when the samples come; at its end the bands take the curves' place.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import CustomJS

from . import marks
from .marks import MOVES, nothing

SHOWN = 50  # of the samples: more would be a blot, and their curves are a message of 100 kB
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


def columns(samples, name, stops, top):
    """The sources of an estimator's film: {"samples", "film", "average"}; empty where there are no Replicates.

    Curves follow one another, with a gap of nan between them. The average of a loss is relative to the average loss of
    the plain average, as a sample of a large loss counts more; where it lies above `top` it is not drawn.
    """
    film = {"film": nothing("x", "y")}
    if samples is None:
        return {**film, "samples": nothing("x", "y", "weight"), "average": nothing("x", "y")}
    losses, weights = samples.losses[name][:, :-1], samples.empirical
    shown, average = losses[:SHOWN], weights @ losses / weights.sum()
    gap = np.full((len(shown), 1), np.nan)
    return {
        **film,
        "samples": {
            "x": np.tile(np.append(stops, np.nan), len(shown)),
            "y": np.hstack([shown, gap]).ravel(),
            "weight": np.repeat(weights[: len(shown)], len(stops) + 1),
        },
        "average": {"x": stops, "y": np.where(average > top, np.nan, average)},
    }


def roll(plot, paint, sources, name, role, bands, top):
    """Draw an estimator's film, whose sources are called `name`_samples and so on; `bands` wait until it has ended."""
    film, average, samples = (sources[f"{name}_{part}"] for part in ("film", "average", "samples"))
    marks.curve(plot, paint, film, "x", "y", role, line_width=1, line_alpha=0.28, level=MOVES)
    marks.curve(plot, paint, average, "x", "y", role, line_width=6, line_alpha=0.35, level=MOVES)
    film.tags = [samples]  # no glyph draws it, and without one that knows it no document would have it
    args = {"samples": samples, "film": film, "average": average, "bands": bands, "pace": PACE, "top": top}
    samples.js_on_change("data", CustomJS(args=args, code=ROLL))
