/** Scroll target: the page scrolls to its headline once the user's data are in use, because their result is there. */

/** @import {Context, Pane} from './bokeh.js' */

/**
 * Scroll the page, or the part of it that scrolls, to its beginning, and move the focus to the headline too.
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
