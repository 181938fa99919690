/** Keyboard shortcuts, on the whole page or in its cell of a notebook, except in fields in which the user types. */

/** @import {Context, Model} from './bokeh.js' */
import {onPath, pathOf} from './path.js'

/** @typedef {Model & {known: string[], pressed: string}} Keys `pressed` is JSON [serial number, key] */

const TYPING =
  'input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], ' +
  '[role=combobox], [role=listbox], [role=option], [role=menu]'

/** @type {WeakSet<Keys>} */
const heard = new WeakSet()

/**
 * Listen to the keys of a page, once, when a figure first gets its size: the page has been built then.
 * @param {{keys: Keys, cb_obj: Model, cb_context: Context}} page
 */
export const listen = ({keys, cb_obj, cb_context}) => {
  if (heard.has(keys)) return
  heard.add(keys)
  let serial = serialOf(keys.pressed)
  const cell = cellAround(cb_context.index.find_one(cb_obj)?.el)
  document.addEventListener('keydown', (event) => {
    if (!keys.known.includes(event.key) || !means(event, cell)) return
    event.preventDefault()
    keys.pressed = JSON.stringify([++serial, event.key])
  })
}

/**
 * Return the serial number of the last message, so that a page that has reconnected continues the count.
 * @param {string} said
 * @returns {number}
 */
export const serialOf = (said) => (said ? JSON.parse(said)[0] : 0)

/**
 * Return the cell of a notebook around an element, or null. Keys that are pressed elsewhere mean something else.
 * @param {Node | undefined} element
 */
const cellAround = (element) => {
  for (let part = element; part; part = part.parentNode ?? /** @type {ShadowRoot} */ (part).host)
    if ('matches' in part && /** @type {Element} */ (part).matches('.explorer-cell')) return part
  return null
}

/**
 * Return whether a key is meant for the page.
 * @param {KeyboardEvent} event
 * @param {Node | null} cell
 */
export const means = (event, cell) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false
  if (cell && !pathOf(event).some((element) => element === cell)) return false
  if (onPath(event, TYPING)) return false
  if (event.key.startsWith('Arrow') && onPath(event, 'input')) return false // the key moves a slider
  return event.key !== ' ' || !onPath(event, 'button, a, summary') // the key presses these
}
