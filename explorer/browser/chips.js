/** A row of small buttons: what has no place in it drops down from its end; a narrow page lets it scroll instead. */

/** @import {Component} from './menus.js' */
import {buttonOf, element} from './element.js'
import {dropping} from './menus.js'

const MORE = 60 // px that the button at the row's end takes

/**
 * How many chips stay in a row of a width, when the first of these edges is where the first chip ends.
 * @param {number[]} ends
 * @param {number} room
 */
export const keptIn = (ends, room) => {
  const last = ends.at(-1)
  if (room <= 0 || last === undefined || last <= room) return ends.length
  return ends.filter((end) => end < room - MORE).length
}

/**
 * @param {{model: Component<{words: string[], chosen: number}>}} props
 * @param {{narrow: string}} page the media query of a narrow one
 */
export const chips = ({model}, {narrow}) => {
  const row = element('div', {className: 'row'}) // Panel's own element around it is named chips
  const {root: more, head, list} = dropping(model, 'more right')
  /** @type {HTMLButtonElement[]} */
  let buttons = []
  const mark = () => {
    for (const [i, chip] of buttons.entries()) chip.setAttribute('aria-pressed', String(i === model.chosen))
    head.classList.toggle('here', buttons[model.chosen]?.parentNode === list)
  }
  const fit = () => {
    for (const chip of buttons) row.insertBefore(chip, more)
    more.hidden = true
    const ends = buttons.map((chip) => chip.offsetLeft + chip.offsetWidth - row.offsetLeft)
    const kept = matchMedia(narrow).matches ? buttons.length : keptIn(ends, row.clientWidth)
    if (kept < buttons.length) {
      list.replaceChildren(...buttons.slice(kept))
      head.textContent = `+ ${buttons.length - kept}`
      head.setAttribute('aria-label', `${buttons.length - kept} more`)
      more.hidden = false
    }
    mark()
  }
  const draw = () => {
    buttons = model.words.map((word, i) => buttonOf(word, () => model.send_msg(i), 'chip'))
    list.replaceChildren()
    row.replaceChildren(...buttons, more)
    fit()
  }
  draw()
  model.on('words', draw)
  model.on('chosen', mark)
  const watch = new ResizeObserver(fit)
  watch.observe(row)
  model.on('remove', () => watch.disconnect())
  return row
}
