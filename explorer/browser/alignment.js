/** A slider that is the axis of its picture: it begins and ends where the frame does. */

/** @import {Context, Figure, Slider} from './bokeh.js' */

/**
 * Whenever the frame has learnt its size, the slider takes its edges.
 * @param {{cb_obj: Figure, cb_context: Context, slider: Slider}} hero
 */
export const align = ({cb_obj, cb_context, slider}) => {
  const view = cb_context.index.find_one(cb_obj)
  if (!view) return
  const {left, right} = view.frame.bbox
  const edges = {'padding-left': `${left}px`, 'padding-right': `${view.bbox.width - right}px`}
  slider.setv({styles: {...slider.styles, ...edges, 'box-sizing': 'border-box'}}, {sync: false})
}
