/** Pictures of the plane, with units of the same length in both directions, and labels that need space. */

/** @import {Figure, Model, Range} from './bokeh.js' */

const AROUND = 1.06 // half height of what is visible, relative to the half side of the required square

/**
 * Show at least the square that the figure's tags describe, and its surroundings up to `wide` half sides to the left
 * and right, for any shape of the frame.
 * @param {{plot: Figure}} picture
 */
export const square = ({plot}) => {
  // a picture that is hidden at first has no size yet; Bokeh calls this again once it has
  if (plot.properties?.inner_width.is_unset) return
  const [{cx, cy, half, wide}] = /** @type {{cx: number, cy: number, half: number, wide: number}[]} */ (plot.tags)
  const {inner_width: w, inner_height: h} = plot
  if (!(w > 0 && h > 0)) return
  const kx = AROUND * half * Math.max(wide, w / h)
  const ky = (kx * h) / w
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
