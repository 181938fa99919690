/** Browser side of pages without a lab: the visitor's key, the system's dark theme, and files that miss a zone. */

/** @import {Component} from './menus.js' */
import {element} from './element.js'
import {darken} from './theme.js'

/** Open in the dark theme if the visitor's system is dark. The toggle still works. */
const followSystem = () => {
  for (const shown of Bokeh.documents) darken(shown.roots())
}

/**
 * Store the key, which no link carries, for this server only and until the browser is closed.
 * @param {string} name
 * @param {string} key
 */
const keep = (name, key) => {
  if (!key) return
  const path = location.pathname.replace(/[^/]*$/, '')
  const safe = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has a cookie store
  document.cookie = `${name}=${key}; Path=${path}; SameSite=Strict${safe}`
}

/**
 * @param {{model: Component<{cookie: string, key: string, follows: boolean}>}} props
 */
export const keeper = ({model}) => {
  keep(model.cookie, model.key)
  model.on('key', () => keep(model.cookie, model.key))
  if (model.follows) setTimeout(followSystem, 0) // after the document has been added
  // a file that misses the zone would replace the page
  for (const type of ['dragover', 'drop']) window.addEventListener(type, (event) => event.preventDefault())
  return element('span', {hidden: true})
}
