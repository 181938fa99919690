/** Font sizes of pictures, which are larger in a wide window and in a lecture. */

/** @import {Model} from './bokeh.js' */

const WIDE = '(min-width: 1700px)' // as in the style sheets
const GROWS = 1.2 // in a wide window
/** @type {WeakMap<Model, Record<string, {base: string, written: string}>>} */
const known = new WeakMap()

/**
 * Write the font sizes of a picture: `sizes` in a lecture, and otherwise those of the widget set and of the server.
 * It runs when one of them changes, and when the picture gets its width.
 * @param {{texts: [model: Model, property: string][], sizes: [model: Model, property: string, size: string][]}} picture
 */
export const fit = ({texts, sizes}) => {
  const isWide = window.matchMedia(WIDE).matches
  for (const [model, property] of texts) {
    const attributes = /** @type {Record<string, unknown>} */ (model.attributes)
    const value = attributes[property]
    const isObject = value !== null && typeof value === 'object' // as glyphs have it
    const now = isObject ? /** @type {{value?: unknown}} */ (value).value : value
    if (typeof now !== 'string') continue
    const before = known.get(model) ?? {}
    const own = before[property]
    const asked = sizes.find(([each, name]) => each === model && name === property)?.[2]
    const base = asked ?? (own?.written === now ? own.base : now)
    const written = isWide ? `${Number((GROWS * parseFloat(base)).toFixed(3))}${base.replace(/^[\d.]+/, '')}` : base
    known.set(model, {...before, [property]: {base, written}})
    if (written !== now) model.setv({[property]: isObject ? {value: written} : written}, {sync: false})
  }
}
