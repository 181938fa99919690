/** Interactive captions: a name highlights its curve, the words for a control highlight it, and "try" sets fields. */

/** @import {Model} from './bokeh.js' */
import {serialOf} from './keys.js'
import {onPath} from './path.js'

/** @typedef {Model & {pressed: string}} Wish `pressed` is JSON [serial number, query parameters] */
/** @typedef {Model & Record<string, {value?: number} | undefined>} Glyph */
/** @typedef {[glyph: Glyph, roles: string[]]} Curve a glyph, and the roles whose colours it has */

const WORDS = '.caption :is(.name, .control), :is(.says, .trust) .name'
const WIDER = 1.7 // factor of the line width of a curve while the pointer is at its name
const FAINT = 0.25 // share of their opacity that the other curves keep
const INKS = ['line', 'fill', 'text', 'hatch']

/** @type {WeakSet<Wish>} */
const heard = new WeakSet()

/**
 * Make captions interactive, once, when a figure first gets its size: the page has been built then.
 * @param {{wish: Wish, curves: Curve[]}} page
 */
export const listen = ({wish, curves}) => {
  if (heard.has(wish)) return
  heard.add(wish)
  let serial = serialOf(wish.pressed)
  const light = lighter(curves)
  // not by pointerover and focusin, which never leave a caption between two of its words
  for (const kind of ['pointermove', 'pointerdown', 'keyup'])
    document.addEventListener(kind, (event) => light(onPath(event, WORDS)), {passive: true})
  document.addEventListener('click', (event) => {
    const pressed = onPath(event, ':is(.caption, .told) .try')
    if (pressed) wish.pressed = JSON.stringify([++serial, pressed.dataset.set])
  })
}

/**
 * Return a function that highlights what a word names, and undoes its last highlight; the server is not involved.
 * @param {Curve[]} curves
 */
export const lighter = (curves) => {
  const known = new Set(curves.flatMap(([, roles]) => roles))
  /** @type {string | null} */
  let lit = null
  /** @type {(() => void)[]} */
  let back = []
  /** @type {(glyph: Glyph, name: string, factor: number) => void} */
  const scale = (glyph, name, factor) => {
    const spec = glyph[name]
    if (spec?.value === undefined || !Number.isFinite(spec.value)) return
    glyph.setv({[name]: {...spec, value: factor * spec.value}}, {sync: false})
    back.push(() => glyph.setv({[name]: spec}, {sync: false}))
  }
  /** @param {string} role */
  const lightCurves = (role) => {
    if (!known.has(role)) return
    for (const [glyph, roles] of curves) {
      if (roles.includes(role)) scale(glyph, 'line_width', WIDER)
      else for (const part of INKS) scale(glyph, `${part}_alpha`, FAINT)
    }
  }
  /** @param {string} field */
  const lightControl = (field) => {
    for (const view of Bokeh.index.query(({model}) => !!model.css_classes?.includes(`at-${field}`))) {
      const {style} = view.el
      const {outline, outlineOffset} = style
      Object.assign(style, {outline: '2px solid currentColor', outlineOffset: '2px'})
      back.push(() => Object.assign(style, {outline, outlineOffset}))
    }
  }
  /** @param {HTMLElement | undefined} word */
  return (word) => {
    const field = word?.dataset.field
    const role = word && [...word.classList].find((each) => each !== 'name')
    const wanted = field ?? role ?? null
    if (wanted === lit) return
    lit = wanted
    for (const undo of back.reverse()) undo()
    back = []
    if (field) lightControl(field)
    else if (role) lightCurves(role)
  }
}
