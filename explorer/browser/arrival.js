/** To the headline: where a page goes once data of one's own are in use, as their verdict stands there. */

/** @import {Context, Pane} from './bokeh.js' */

/**
 * Whatever scrolls, the page or a part of it, goes to its beginning; keys and screen readers are at the headline too.
 * @param {{cb_context: Context, headline: Pane}} page
 */
export const go = ({cb_context, headline}) => {
  const view = cb_context.index.find_one(headline)
  if (!view) return
  /** @type {Element | null} */
  let part = view.el
  while (part) {
    part.scrollTop = 0
    part = part.parentElement ?? /** @type {ShadowRoot} */ (part.getRootNode()).host ?? null
  }
  view.el.tabIndex = -1
  view.el.style.outline = 'none'
  view.el.focus({preventScroll: true})
}
