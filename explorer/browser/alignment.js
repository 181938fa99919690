/** Alignment of a slider, and of the row below it, with the frame of the picture whose axis it is. */

/** @import {Context, Figure, Model} from './bokeh.js' */

/** @typedef {Model & {styles: object}} Styled */

/**
 * Set the edges of the parts below a frame whenever the frame has got a new size.
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
