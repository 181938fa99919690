/** Pictures of the plane, with units of the same length in both directions, and labels that need space. */

/** @import {Figure, Model, Range} from './bokeh.js' */

const AROUND = 1.06 // half side of the visible square, relative to that of the required one

/**
 * Show at least the square that the figure's tags describe, for any shape of the frame.
 * @param {{plot: Figure}} picture
 */
export const square = ({plot}) => {
  // a picture that is hidden at first has no size yet; Bokeh calls this again once it has
  if (plot.properties?.inner_width.is_unset) return
  const [{cx, cy, half}] = /** @type {{cx: number, cy: number, half: number}[]} */ (plot.tags)
  const {inner_width: w, inner_height: h} = plot
  if (!(w > 0 && h > 0)) return
  const kx = AROUND * half * Math.max(1, w / h)
  const ky = AROUND * half * Math.max(1, h / w)
  plot.x_range.setv({start: cx - kx, end: cx + kx})
  plot.y_range.setv({start: cy - ky, end: cy + ky})
}

/**
 * Show labels only while a unit of each axis is longer than a least number of px.
 * @param {{plot: Figure, x: Range, y: Range, words: Model, least: [wide: number, high: number]}} picture
 */
export const whereThereIsRoom = ({plot, x, y, words, least}) => {
  const wide = plot.inner_width / (x.end - x.start)
  const high = plot.inner_height / (y.end - y.start)
  words.setv({visible: wide > least[0] && high > least[1]}, {sync: false})
}
