/** Row of small buttons. Those without space are in a menu at its end; on a narrow page the row scrolls instead. */

/** @import {Component} from './menus.js' */
import {buttonOf, element} from './element.js'
import {dropping} from './menus.js'
import {said} from './words.js'

const MORE = 60 // width of the button at the row's end, in px
const MOST = 4 // most chips in the row; if there are at least two more, these are in the menu
const PAUSE = 250 // ms that the pointer stays on a chip before its picture is requested

/**
 * Return the number of chips that fit in a row of a width; `ends` are the right edges of the chips.
 * @param {number[]} ends
 * @param {number} room
 */
export const keptIn = (ends, room) => {
  const last = ends.at(-1)
  const few = ends.length <= MOST + 1
  if (room <= 0 || last === undefined) return ends.length
  if (few && last <= room) return ends.length
  return Math.min(ends.filter((end) => end < room - MORE).length, MOST)
}

/**
 * @param {{model: Component<{words: string[], chosen: number, looks: boolean, pictures: Record<string, string>}>}} props
 * @param {{narrow: string}} page the media query of a narrow page
 */
export const chips = ({model}, {narrow}) => {
  const row = element('div', {className: 'row'}) // the class chips belongs to Panel's element around it
  const {root: more, head, list} = dropping(model, 'more right')
  /** @type {HTMLButtonElement[]} */
  let buttons = []
  const card = element('div', {className: 'card', hidden: true}) // the picture of the chip at the pointer
  let at = -1
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let asking
  const show = () => {
    const picture = at < 0 ? undefined : model.pictures[at]
    card.hidden = !picture
    if (!picture) return
    card.innerHTML = picture
    const {offsetLeft, offsetTop, offsetHeight} = buttons[at]
    const kept = buttons[at].parentNode === row
    card.style.left = `${kept ? Math.min(offsetLeft, row.clientWidth - card.offsetWidth) : 0}px`
    card.style.top = `${kept ? offsetTop + offsetHeight + 6 : row.clientHeight + 6}px`
  }
  /** @param {number} i */
  const point = (i) => {
    clearTimeout(asking)
    at = i
    if (i >= 0 && model.looks && model.pictures[i] === undefined)
      asking = setTimeout(() => model.send_msg({look: i}), PAUSE)
    show()
  }
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
      head.setAttribute('aria-label', said(model, '{} more').replace('{}', String(buttons.length - kept)))
      more.hidden = false
    }
    mark()
  }
  const draw = () => {
    /** @param {number} i */
    const press = (i) => {
      point(-1) // the picture has said what it can
      model.send_msg({press: i})
    }
    buttons = model.words.map((word, i) => buttonOf(word, () => press(i), 'chip'))
    for (const [i, chip] of buttons.entries()) {
      chip.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && point(i))
      chip.addEventListener('pointerleave', () => point(-1))
      chip.addEventListener('focus', () => chip.matches(':focus-visible') && point(i))
      chip.addEventListener('blur', () => point(-1))
    }
    list.replaceChildren()
    row.replaceChildren(...buttons, more, card)
    fit()
  }
  draw()
  model.on('words', draw)
  model.on('chosen', mark)
  model.on('pictures', show)
  const watch = new ResizeObserver(fit)
  watch.observe(row)
  model.on('remove', () => watch.disconnect())
  return row
}
