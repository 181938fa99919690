/** Paste box: a text field whose text is sent when its button is pressed. */

/** @import {Component} from './menus.js' */
import {buttonOf, element} from './element.js'

/** @param {{model: Component<{label: string, hint: string, most: number}>}} props */
export const paste = ({model}) => {
  const fold = element('details')
  const area = element('textarea', {rows: 6, spellcheck: false, placeholder: model.hint, ariaLabel: model.label})
  const send = () => model.send_msg(area.value.length > model.most ? null : area.value)
  fold.append(element('summary', {textContent: model.label}), area, buttonOf('Read the pasted text', send))
  // a file that misses the zone would replace the page
  for (const type of ['dragover', 'drop']) window.addEventListener(type, (event) => event.preventDefault())
  return fold
}
