/** A menu: lines that show the page in another one, and its address as a QR code. */

/** @import {Component} from './menus.js' */
import {copy, thank} from './clipboard.js'
import {buttonOf} from './element.js'
import {dropping} from './menus.js'

const LABEL = 'Share ▾'

/**
 * Lines that show a page without its tools in another one.
 * @param {string} address
 */
export const frameOf = (address) => {
  const bare = new URL(address)
  bare.searchParams.set('ui', 'min')
  return `<iframe src="${bare.href.replaceAll('&', '&amp;')}" width="100%" height="760" style="border: 0"></iframe>`
}

/** @param {{model: Component<{}>}} props */
export const share = ({model}) => {
  const {root, head, list} = dropping(model, 'right')
  /** @param {string} word */
  const say = (word) => {
    head.textContent = word
  }
  say(LABEL)
  list.append(
    buttonOf('Copy iframe', () => copy(frameOf(location.href), () => thank(say, LABEL))),
    buttonOf('QR code', () => model.send_msg(location.href)),
  )
  return root
}
