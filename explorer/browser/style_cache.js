/**
 * Style cache: skips changes of style sheets that would make the browser compute all styles again without an effect.
 *
 * With every paint Bokeh writes the rules of each part again, mostly unchanged or the position of an empty part. It
 * also looks for a CSS rule for the colour, the width and the font of each line and text that it draws, a hundred
 * thousand times while a page opens. This project has no such rules: these are properties of the models.
 */

const PLACED = /position: absolute/

/**
 * Return whether a part needs these rules: they change more than the position of an empty part.
 * @param {string} now
 * @param {string} rules
 * @param {Node} part
 */
export const needs = (now, rules, part) => {
  if (rules === now) return false
  const moved = PLACED.test(now) && PLACED.test(rules)
  return !(moved && part instanceof ShadowRoot && !part.querySelector(':not(style)'))
}

/** Install the cache, after Bokeh has loaded and before it draws anything. */
export const install = () => {
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
