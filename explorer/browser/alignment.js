/** A slider that is the axis of its picture begins and ends where the frame does, and so does the row below it. */

/** @import {Context, Figure, Model} from './bokeh.js' */

/** @typedef {Model & {styles: object}} Styled */

/**
 * Whenever the frame has learnt its size, the parts under it take its edges.
 * @param {{cb_obj: Figure, cb_context: Context, slider: Styled, row: Styled}} hero
 */
export const align = ({cb_obj, cb_context, slider, row}) => {
  const view = cb_context.index.find_one(cb_obj)
  if (!view) return
  const {left, right} = view.frame.bbox
  const edges = {'padding-left': `${left}px`, 'padding-right': `${view.bbox.width - right}px`}
  for (const part of [slider, row])
    part.setv({styles: {...part.styles, ...edges, 'box-sizing': 'border-box'}}, {sync: false})
}
