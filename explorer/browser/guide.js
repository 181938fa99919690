/** Help of a page, with a map of the screen, drawn from the positions of the page's parts. */

/** @import {Context, Model, View} from './bokeh.js' */
/** @import {Component} from './menus.js' */
import {element} from './element.js'
import {overlay} from './menus.js'

/** @typedef {{name: string, words: string, x: number, y: number, w: number, h: number}} Place of a part, in px */

const WIDE = 460 // greatest width of the map, in px
const HIGH = 340

/**
 * Draw the help as an overlay, with the map in its element.
 * @param {{model: Component<{text: string, open: boolean, places: Place[]}>}} props
 */
export const guide = ({model}) => {
  const dialog = overlay({model})
  const draw = () => dialog.querySelector('.plan')?.replaceChildren(...planOf(model.places))
  for (const name of ['open', 'places', 'after_render']) model.on(name, draw)
  return dialog
}

/**
 * Find the parts of a page when its help opens: the named ones, and every visible picture.
 * @param {{cb_obj: {open: boolean, places: Place[]}, cb_context: Context, whole: Model, names: string[],
 *   words: Record<string, string>} & Record<string, any>} page the parts by their names, among the rest
 */
export const look = ({cb_obj, cb_context, whole, names, words, ...parts}) => {
  if (!cb_obj.open) return
  const {index} = cb_context
  const named = names.flatMap((name) => placeOf(name, words[name], index.find_one(parts[name])))
  const pictures = figuresIn(index.find_one(whole)).flatMap((view) =>
    placeOf('picture', `${words.picture} ${titleOf(view)}`, view),
  )
  cb_obj.places = [...named, ...pictures].sort((a, b) => a.y - b.y || a.x - b.x)
}

/** @type {(view: View | null) => View[]} */
const figuresIn = (view) => {
  if (!view) return []
  if (view.model.type.endsWith('Figure')) return [view]
  return (view.children_views?.() ?? []).flatMap(figuresIn)
}

/** @param {View} view */
const titleOf = (view) => {
  const text = /** @type {import('./bokeh.js').Figure} */ (view.model).title?.text
  return (typeof text === 'object' ? /** @type {{text: string}} */ (text).text : text) ?? ''
}

/**
 * Return the position of a part on the page, or none if it is not visible.
 * @param {string} name
 * @param {string} words
 * @param {View | null} view
 * @returns {Place[]}
 */
const placeOf = (name, words, view) => {
  const box = view?.el.getBoundingClientRect()
  if (!box?.width || !box.height) return []
  const [x, y, w, h] = [box.x, box.y, box.width, box.height].map(Math.round)
  return [{name, words, x, y, w, h}]
}

/**
 * Return a map with a numbered box for each part, and the list of the descriptions.
 * @param {Place[]} places
 */
export const planOf = (places) => {
  if (!places.length) return []
  const [left, top] = [Math.min(...places.map(({x}) => x)), Math.min(...places.map(({y}) => y))]
  const wide = Math.max(...places.map(({x, w}) => x + w)) - left
  const high = Math.max(...places.map(({y, h}) => y + h)) - top
  const scale = Math.min(WIDE / wide, HIGH / high)
  const plan = element('div', {className: 'screen'})
  plan.setAttribute('aria-hidden', 'true') // the list contains the same
  Object.assign(plan.style, {width: `${scale * wide}px`, height: `${scale * high}px`})
  const boxes = places.map(({name, x, y, w, h}, i) => {
    const box = element('div', {className: name})
    const [l, t, width, height] = [x - left, y - top, w, h].map((px) => `${scale * px}px`)
    Object.assign(box.style, {left: l, top: t, width, height})
    box.append(element('b', {textContent: String(i + 1)}))
    return box
  })
  plan.append(...boxes)
  const list = element('ol')
  list.append(...places.map(({words}) => element('li', {textContent: words})))
  return [plan, list]
}
