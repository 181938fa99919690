/** Font sizes of pictures, which are larger in a lecture. */

/** @import {Model} from './bokeh.js' */

/**
 * Restore the font size of an axis or a title, after the widget set has replaced it by its own size.
 * @param {{cb_obj: Model, sizes: [model: Model, property: string, size: string][]}} written
 */
export const keep = ({cb_obj, sizes}) => {
  for (const [model, property, size] of sizes) {
    const now = /** @type {Record<string, unknown>} */ (model.attributes)[property]
    if (model === cb_obj && now !== size) model.setv({[property]: size})
  }
}
