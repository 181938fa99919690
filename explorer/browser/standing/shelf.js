/** Pages of the site that show widgets: buttons that copy their HTML, and the theme that the reader has chosen. */

import {copy, thank} from '../clipboard.js'

const WIDGETS = 'kernel-mean-widget'
const RELATIVE = /((?:href|src)=")((?:\.\.\/|[\w-]+\.html)[^"]*)/g // relative links

/** Make the buttons copy, and set the page's theme for its widgets. */
export const begin = () => {
  for (const text of document.querySelectorAll('textarea')) text.value = absolute(text.value, location)
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('button[data-copies]'))) {
    button.hidden = false
    button.addEventListener('click', () => copyBy(button))
  }
  const {documentElement: page} = document
  const follow = () => {
    const {theme = ''} = page.dataset
    for (const widget of document.querySelectorAll(WIDGETS)) widget.setAttribute('theme', theme)
  }
  new MutationObserver(follow).observe(page, {attributes: true, attributeFilter: ['data-theme']})
  follow()
}

/**
 * Return HTML with absolute links to this host. Links of a file on this machine are unchanged.
 * @param {string} html
 * @param {{protocol: string, href: string}} here
 */
export const absolute = (html, {protocol, href}) => {
  if (!protocol.startsWith('http')) return html
  return html.replace(RELATIVE, (_, before, to) => before + new URL(to, href).href)
}

/** @param {HTMLElement} button */
const copyBy = (button) => {
  const text = /** @type {HTMLTextAreaElement} */ (document.getElementById(button.dataset.copies ?? ''))
  const label = button.textContent ?? ''
  copy(text.value, () =>
    thank((word) => {
      button.textContent = word
    }, label),
  )
}
