"""Which points make up a block: what lies under the pointer in one picture lights up in another.

The browser does it by itself. A cell of a strip says from where to where its rows lie in the blocks' order, and each
row has its place in that order, so no list of members is sent, also while a slider makes other blocks of them.
"""

from __future__ import annotations

from bokeh.models import CustomJS

REACH = 14  # px around a point

# once for each figure, when it first learns its size; `under` gives the cell that (x, y) px stand for, or -1
LIGHT = """
if (cb_obj._lights) return
cb_obj._lights = true
const view = cb_context.index.find_one(cb_obj), surface = view.canvas_view.events_el, {frame} = view
const place = (event) => {
  const box = surface.getBoundingClientRect()
  return [event.clientX - box.left, event.clientY - box.top]
}
const left = (k) => Number.isNaN(cells.data.clean[k]) ? cells.data.bad[k] : cells.data.clean[k]
const count = () => [...cells.data.right].filter((edge) => !Number.isNaN(edge)).length
const write = (source, columns) => { Object.assign(source.data, columns); source.change.emit() }
const light = (k) => {
  if (cell._lit === k) return
  cell._lit = k
  const on = k < 0 ? [] : [...rows.data.place.keys()].filter((row) =>
    cells.data.first[k] <= rows.data.place[row] && rows.data.place[row] < cells.data.end[k])
  const names = ['P_x', 'P_y', 'Q_x', 'Q_y']
  write(points, Object.fromEntries(names.map((name) => [name, on.map((row) => rows.data[name][row])])))
  write(cell, k < 0 ? {left: [], right: []} : {left: [left(k)], right: [cells.data.right[k]]})
  const source = k >= 0 && Number.isNaN(means.data.x[k]) ? bad_means : means
  write(mean, k < 0 ? {x: [], y: []} : {x: [source.data.x[k]], y: [source.data.y[k]]})
}
%s
for (const source of [cells, rows]) source.change.connect(() => light(-1))  // another state has other blocks
surface.addEventListener('pointermove', (event) => light(event.buttons ? -1 : under(...place(event))))
surface.addEventListener('pointerdown', (event) => { if (event.pointerType !== 'mouse') light(under(...place(event))) })
surface.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') light(-1) })
"""

# a point stands for its block; the nearest within reach
OF_POINTS = """
const under = (x, y) => {
  let row = -1, least = reach
  for (const side of ['P', 'Q']) {
    const {[`${side}_x`]: xs, [`${side}_y`]: ys} = rows.data
    for (let i = 0; i < xs.length; i++) {
      const far = Math.hypot(frame.x_scale.compute(xs[i]) - x, frame.y_scale.compute(ys[i]) - y)
      if (far < least) [row, least] = [i, far]
    }
  }
  if (row < 0) return -1
  const at = rows.data.place[row]
  return [...cells.data.first].findIndex((first, k) => first <= at && at < cells.data.end[k])
}
"""

# cells are as wide as each other; arrows go from one to the next where the strip has the focus
OF_CELLS = """
const under = (x, y) => {
  const at = frame.x_scale.invert(x)
  return frame.bbox.contains(x, y) && at >= 0 && at < 1 ? Math.floor(at * count()) : -1
}
const says = (k) => `block ${k + 1} of ${count()} in the order of their means` +
  (Number.isNaN(cells.data.bad[k]) ? '' : ', holds an outlier')
const focus = (k) => {
  light(k)
  surface.setAttribute('aria-valuenow', k + 1)
  surface.setAttribute('aria-valuetext', says(k))
}
for (const [name, value] of Object.entries({role: 'slider', tabindex: 0, 'aria-label': label, 'aria-valuemin': 1,
    'aria-valuemax': count(), 'aria-valuenow': 1, 'aria-valuetext': says(0)})) surface.setAttribute(name, value)
surface.addEventListener('keydown', (event) => {
  const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key]
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  focus(Math.min(Math.max((cell._lit ?? -1) + step, 0), count() - 1))
})
surface.addEventListener('blur', () => light(-1))
cells.change.connect(() => surface.setAttribute('aria-valuemax', count()))
"""


def light_blocks(strip, pairs, means):
    """Let pictures light each other up: a cell of the Strip its pairs and its mean, a pair its cell and its mean."""
    args = {
        "cells": strip.sources["cells"],
        "cell": strip.sources["lit_cell"],
        "rows": pairs.sources["rows"],
        "points": pairs.sources["lit"],
        "means": means.sources["values"],
        "bad_means": means.sources["bad_values"],
        "mean": means.sources["lit_mean"],
        "reach": REACH,
        "label": "blocks in the order of their means",
    }
    for picture, under in ((strip, OF_CELLS), (pairs, OF_POINTS)):
        picture.plot.js_on_change("inner_width", CustomJS(args=args, code=LIGHT % under))
