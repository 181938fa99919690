/**
 * What makes a browser compute all styles again and changes nothing is left out.
 *
 * With every paint Bokeh writes each part's rules anew, mostly the same ones, or where an empty part of the page would
 * lie; and it asks whether a rule names the colour, the width and the font of each line and word that it draws, a hundred
 * thousand times while a page opens. None of ours does: those are their models'.
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

/** Let this browser leave it out, once Bokeh is there and before it draws anything. */
export const calm = () => {
  Bokeh.loader['@bokehjs/core/visuals/visual'].VisualProperties.prototype._get_css_value = () => ''
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
