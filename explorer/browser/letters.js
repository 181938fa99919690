/** The letters of pictures, which a lecture has larger. */

/** @import {Model} from './bokeh.js' */

/**
 * Keep the letters of an axis or a title as large as they are to be: the widget set has just written a size of its own.
 * @param {{cb_obj: Model, sizes: [model: Model, property: string, size: string][]}} written
 */
export const keep = ({cb_obj, sizes}) => {
  for (const [model, property, size] of sizes) {
    const now = /** @type {Record<string, unknown>} */ (model.attributes)[property]
    if (model === cb_obj && now !== size) model.setv({[property]: size})
  }
}
