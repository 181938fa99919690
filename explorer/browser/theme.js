/** Light and dark theme: the browser changes the colours, and the server need not know. */

/** @import {Model, Part} from './bokeh.js' */

/**
 * @typedef {object} Painted
 * @property {[model: Model, property: string, role: string][]} painted
 * @property {Record<string, [light: string, dark: string]>} roles
 * @property {[mapper: Model, palettes: [light: string[], dark: string[]]][]} [shaded]
 */

/** @type {Set<string>} the ids of figures that have been darkened; after a reconnection a figure keeps its theme */
const opened = new Set()

/**
 * Make the page of these roots dark if the visitor's system is.
 * @param {Iterable<Model>} roots
 */
export const darken = (roots) => {
  if (!window.matchMedia('(prefers-color-scheme: dark)').matches) return
  for (const root of roots) {
    const {data} = /** @type {Partial<Part<{dark_theme?: boolean}>>} */ (root)
    if (data && 'dark_theme' in data) {
      data.dark_theme = true
      return
    }
  }
}

/**
 * Open in the dark theme if the visitor's system is dark: once, when a figure first gets its size.
 * @param {{cb_obj: Model}} figure
 */
export const followSystem = ({cb_obj}) => {
  if (opened.has(cb_obj.id)) return
  opened.add(cb_obj.id)
  darken(cb_obj.document?.roots() ?? [])
}

/**
 * Apply the page's current theme to the colours of roles and to palettes. The signs of legends follow CSS variables.
 * @param {Painted & {cb_obj: {dark_theme: boolean}}} page
 */
export const repaint = ({cb_obj, painted, roles, shaded = []}) => {
  const dark = cb_obj.dark_theme ? 1 : 0
  for (const [model, property, role] of painted) model.setv({[property]: roles[role][dark]}, {sync: false})
  for (const [mapper, palettes] of shaded) mapper.setv({palette: palettes[dark]}, {sync: false})
}
