/** Tabs of the pictures that share a slot: a row of labels, two of them with a list of the others. */

/** @import {Component} from './menus.js' */
import {buttonOf, element} from './element.js'
import {dropping} from './menus.js'
import {said} from './words.js'

const FIRST = 2 // labels in the row if there are at least two more

/** @typedef {{label: string, words: string[], chosen: number, disabled: boolean}} Tabs */

/** @param {{model: Component<Tabs>}} props */
export const tabs = ({model}) => {
  const row = element('div', {className: 'row', role: 'group', ariaLabel: model.label})
  const {root: more, head, list} = dropping(model, 'more')
  /** @type {HTMLButtonElement[]} */
  let buttons = []
  const others = said(model, 'More pictures')
  const mark = () => {
    for (const [i, tab] of buttons.entries()) {
      tab.setAttribute('aria-pressed', String(i === model.chosen))
      tab.disabled = model.disabled
    }
    const hidden = buttons[model.chosen]?.parentNode === list
    head.textContent = `${hidden ? model.words[model.chosen] : others} ▾`
    head.setAttribute('aria-label', hidden ? `${others}: ${model.words[model.chosen]}` : others)
    head.classList.toggle('here', hidden)
    head.disabled = model.disabled
  }
  const draw = () => {
    buttons = model.words.map((word, i) => buttonOf(word, () => model.send_msg(i), 'tab'))
    const kept = buttons.length > FIRST + 1 ? FIRST : buttons.length
    list.replaceChildren(...buttons.slice(kept))
    row.replaceChildren(...buttons.slice(0, kept), ...(kept < buttons.length ? [more] : []))
    mark()
  }
  draw()
  model.on('words', draw)
  for (const name of ['chosen', 'disabled']) model.on(name, mark)
  return row
}
