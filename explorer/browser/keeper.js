/** What a page that is no lab's asks of the browser: the visitor's key, dark where the system is, no file that opens. */

/** @import {Component} from './menus.js' */
import {element} from './element.js'
import {darken} from './theme.js'

/** Open dark where the visitor's system is dark; the toggle stays free. */
const followSystem = () => {
  for (const shown of Bokeh.documents) darken(shown.roots())
}

/**
 * Keep the key, which no link has, for the pages of this server alone and until the browser is closed.
 * @param {string} name
 * @param {string} key
 */
const keep = (name, key) => {
  if (!key) return
  const path = location.pathname.replace(/[^/]*$/, '')
  const safe = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser that we know has a cookie store
  document.cookie = `${name}=${key}; Path=${path}; SameSite=Strict${safe}`
}

/**
 * @param {{model: Component<{cookie: string, key: string, follows: boolean}>}} props
 */
export const keeper = ({model}) => {
  keep(model.cookie, model.key)
  model.on('key', () => keep(model.cookie, model.key))
  if (model.follows) setTimeout(followSystem, 0) // once the document is in its place
  // a file that misses the zone would be opened in the place of the page
  for (const type of ['dragover', 'drop']) window.addEventListener(type, (event) => event.preventDefault())
  return element('span', {hidden: true})
}
