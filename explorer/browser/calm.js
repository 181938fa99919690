/**
 * Rules of style that are there already are not written again.
 *
 * With every paint Bokeh writes each part's rules anew, mostly the same ones, or where an empty part of the page would
 * lie; for each the browser computes all styles again.
 */

const PLACED = /position: absolute/

/**
 * Whether a part needs these rules: they are others than it has, and not merely another place for nothing.
 * @param {string} now
 * @param {string} rules
 * @param {Node} part
 */
export const needs = (now, rules, part) => {
  if (rules === now) return false
  const moved = PLACED.test(now) && PLACED.test(rules)
  return !(moved && part instanceof ShadowRoot && !part.querySelector(':not(style)'))
}

/** Let this browser skip such rules. */
export const calm = () => {
  const text = /** @type {Required<PropertyDescriptor>} */ (
    Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  )
  Object.defineProperty(HTMLStyleElement.prototype, 'textContent', {
    configurable: true,
    get() {
      return text.get.call(this)
    },
    set(rules) {
      if (needs(text.get.call(this), rules, this.getRootNode())) text.set.call(this, rules)
    },
  })
}
