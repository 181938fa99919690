/** The first thing that the tab key reaches: a button that leads past the page's bar to its main slider. */

/** @import {Component} from './menus.js' */
import {buttonOf} from './element.js'
import {said} from './words.js'

/** Bring the main slider that is seen to the keyboard. */
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
 * The button, which is seen only while the keyboard is at it.
 * @param {{model: Component<object>}} props
 */
export const skip = ({model}) => buttonOf(said(model, 'Skip to the slider'), toSlider, 'skip')
