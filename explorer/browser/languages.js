/** Menu of the languages of a page, which keeps the page's state. */

/** @import {Component} from './menus.js' */
import {buttonOf} from './element.js'
import {dropping} from './menus.js'
import {inLanguage, said} from './words.js'

/**
 * `languages` are all that the page has, each [code, its own name]; `current` is the code of the page's own.
 * @typedef {{languages: [string, string][], current: string}} Languages
 */

/** @param {{model: Component<Languages>}} props */
export const choice = ({model}) => {
  const {root, head, list} = dropping(model, 'right')
  const here = new Map(model.languages).get(model.current) ?? model.current
  head.textContent = `${here} ▾`
  head.dataset.code = model.current.toUpperCase()
  head.setAttribute('aria-label', `${said(model, 'Language')}: ${here}`)
  const entries = model.languages.map(([code, name]) => {
    const made = buttonOf(name, () => location.assign(inLanguage(location.href, code)))
    if (code === model.current) made.setAttribute('aria-current', 'true')
    return Object.assign(made, {lang: code})
  })
  list.replaceChildren(...entries)
  return root
}
