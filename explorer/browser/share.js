/** Menu to share a page: its address, the Python of its numbers, code that embeds it, and files. */

/** @import {Component} from './menus.js' */
import {copy, thank} from './clipboard.js'
import {buttonOf} from './element.js'
import {dropping} from './menus.js'
import {said} from './words.js'

/**
 * `files` are the labels of the files; `linked` is whether the page has an address.
 * @typedef {{code: string, files: string[], linked: boolean}} Share
 */

/**
 * Return the HTML that embeds a page, without its tools, in another one.
 * @param {string} address
 */
export const frameOf = (address) => {
  const bare = new URL(address)
  bare.searchParams.set('ui', 'min')
  return `<iframe src="${bare.href.replaceAll('&', '&amp;')}" width="100%" height="760" style="border: 0"></iframe>`
}

/** @param {{model: Component<Share>}} props */
export const share = ({model}) => {
  const {root, head, list} = dropping(model, 'right')
  const label = `${said(model, 'Share')} ▾`
  /** @param {string} word */
  const say = (word) => {
    head.textContent = word
  }
  /** @type {(words: string, text: () => string) => HTMLElement} */
  const copying = (words, text) => buttonOf(words, () => copy(text(), () => thank(say, label, said(model, 'Copied'))))
  const draw = () => {
    const link = copying(said(model, 'Copy link'), () => location.href)
    const frame = copying(said(model, 'Copy iframe'), () => frameOf(location.href))
    const code = buttonOf(said(model, 'QR code'), () => model.send_msg({address: location.href}))
    list.replaceChildren(
      ...(model.linked ? [link] : []),
      copying(said(model, 'Copy Python'), () => model.code),
      ...(model.linked ? [frame, code] : []),
      ...model.files.map((words) => buttonOf(words, () => model.send_msg({file: words}))),
    )
  }
  say(label)
  draw()
  model.on('linked', draw)
  return root
}
