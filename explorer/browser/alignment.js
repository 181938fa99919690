/** Alignment of a slider, and of the row below it, with the axis of the picture above it. */

/** @import {Context, Figure, Frame, Model} from './bokeh.js' */

/** @typedef {Model & {styles: object}} Styled */

/**
 * Return the places of the first and the last stop, which are as far apart from one to the next, within the frame.
 * @param {Frame} frame
 * @param {number[]} stops
 * @returns {[left: number, right: number]}
 */
const edgesOf = ({bbox, x_scale}, stops) => {
  const last = stops.length - 1
  const first = stops.findIndex((stop) => Number.isFinite(x_scale.compute(stop))) // 0 has no place on a log axis
  if (first < 0 || first === last) return [bbox.left, bbox.right]
  const right = x_scale.compute(stops[last])
  const apart = (right - x_scale.compute(stops[first])) / (last - first)
  return [Math.max(right - last * apart, bbox.left), Math.min(right, bbox.right)]
}

/**
 * Set the edges of the parts below a frame whenever the frame has got a new size: to the places of the slider's ends on
 * the axis, or to the frame's edges if the axis has other units and there are no `stops`.
 * @param {{cb_obj: Figure, cb_context: Context, slider: Styled, row: Styled, stops: number[]}} hero
 */
export const align = ({cb_obj, cb_context, slider, row, stops}) => {
  const view = cb_context.index.find_one(cb_obj)
  if (!view) return
  const [left, right] = edgesOf(view.frame, stops)
  const edges = {'padding-left': `${left}px`, 'padding-right': `${view.bbox.width - right}px`}
  for (const part of [slider, row])
    part.setv({styles: {...part.styles, ...edges, 'box-sizing': 'border-box'}}, {sync: false})
}
