/** Skip link, the first element in tab order: a button that moves the focus past the page's bar to the main slider. */

/** @import {Component} from './menus.js' */
import {buttonOf} from './element.js'
import {said} from './words.js'

/** Move the focus to the visible main slider. */
export const toSlider = () => {
  const views = Bokeh.index.query(({model}) => !!model.css_classes?.includes('track'))
  for (const {el} of views) {
    if (!el.checkVisibility()) continue
    const input = /** @type {HTMLElement | null | undefined} */ (el.shadowRoot?.querySelector('input[type=range]'))
    input?.focus()
    return
  }
}

/**
 * Draw the button, which is visible only while it has the focus.
 * @param {{model: Component<object>}} props
 */
export const skip = ({model}) => buttonOf(said(model, 'Skip to the slider'), toSlider, 'skip')
