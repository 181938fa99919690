/** Menus and overlays: a drop-down menu, a button that shows and hides a part, and an overlay with text. */

import {buttonOf, element} from './element.js'
import {said} from './words.js'

/**
 * Language and messages of a component; `speaks` has the translations of its English texts.
 * @typedef {object} Talk
 * @property {Record<string, string>} [speaks]
 * @property {(name: string, hear: () => void) => void} on
 * @property {(message: unknown) => void} send_msg
 */
/**
 * A component as Panel passes it to `render`: its parameters, and functions to observe changes and to send messages.
 * @template Parameters
 * @typedef {Parameters & Talk} Component
 */
/** @typedef {{root: HTMLElement, head: HTMLButtonElement, list: HTMLElement}} Dropping */

/**
 * Return a list under a button. A press outside it, Escape, or a choice closes it.
 * @param {Component<{}>} model
 * @param {string} classes
 * @returns {Dropping}
 */
export const dropping = (model, classes) => {
  const root = element('div', {className: `drop ${classes}`})
  const list = element('div', {className: 'list'})
  /** @param {boolean} wanted */
  const open = (wanted) => {
    list.hidden = !wanted
    head.setAttribute('aria-expanded', String(wanted))
  }
  const head = buttonOf('', () => open(!!list.hidden), 'head')
  root.append(head, list)
  list.addEventListener('click', () => open(false))
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return
    open(false)
    head.focus()
    event.stopPropagation()
  })
  /** @param {Event} event */
  const beside = (event) => {
    if (!event.composedPath().includes(root)) open(false)
  }
  document.addEventListener('pointerdown', beside)
  model.on('remove', () => document.removeEventListener('pointerdown', beside))
  open(false)
  return {root, head, list}
}

/**
 * @typedef {{label: string, words: string[], remarks: string[], links: string[], current: number, classes: string}} Labelled
 * @typedef {Labelled & {sections: [string, number][]}} Menu
 */

/**
 * Return the entries of a menu under the headings of its sections; each section is a group with its heading as name.
 * @param {HTMLElement[]} entries
 * @param {[string, number][]} sections
 */
export const grouped = (entries, sections) => {
  let end = 0
  return sections.map(([heading, count]) => {
    const group = element('div', {className: 'section', role: 'group', ariaLabel: heading})
    group.append(element('div', {className: 'heading', textContent: heading, ariaHidden: 'true'}))
    end += count
    group.append(...entries.slice(end - count, end))
    return group
  })
}

/**
 * Draw a menu whose entries are links or buttons.
 * @param {{model: Component<Menu>}} props
 */
export const dropDown = ({model}) => {
  const {root, head, list} = dropping(model, model.classes)
  /** @type {(word: string, i: number) => HTMLElement} */
  const entry = (word, i) => {
    const href = model.links[i]
    const made = href ? element('a', {href, textContent: word}) : buttonOf(word, () => model.send_msg(i))
    if (model.remarks[i]) made.append(element('small', {textContent: model.remarks[i]}))
    if (i === model.current) made.setAttribute('aria-current', 'page')
    return made
  }
  const draw = () => {
    head.textContent = `${model.label} ▾`
    const entries = model.words.map(entry)
    const {sections} = model
    list.classList.toggle('wide', sections.length > 0)
    list.replaceChildren(...(sections.length ? grouped(entries, sections) : entries))
  }
  draw()
  for (const name of ['label', 'words', 'links', 'current']) model.on(name, draw)
  return root
}

/**
 * Draw a button that indicates whether its part is open.
 * @param {{model: Component<{label: string, open: boolean}>}} props
 */
export const opener = ({model}) => {
  const press = () => {
    model.open = !model.open
  }
  const head = buttonOf('', press, 'head')
  const draw = () => {
    head.textContent = `${model.label} ${model.open ? '▴' : '▾'}`
    head.setAttribute('aria-expanded', String(model.open))
  }
  draw()
  model.on('open', draw)
  model.on('label', draw)
  return head
}

/**
 * Draw a text in front of the page. Escape, its button or a press outside it closes it.
 * @param {{model: Component<{text: string, open: boolean}>}} props
 */
export const overlay = ({model}) => {
  const dialog = element('dialog', {ariaLabel: said(model, 'Help')})
  const text = element('div')
  dialog.append(
    buttonOf(said(model, 'Close'), () => dialog.close(), 'head'),
    text,
  )
  const draw = () => {
    if (model.open && !dialog.open) {
      text.innerHTML = model.text
      dialog.showModal()
    } else if (!model.open && dialog.open) dialog.close()
  }
  dialog.addEventListener('close', () => {
    model.open = false
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  dialog.addEventListener('keydown', (event) => {
    if (event.key === '?') dialog.close() // the key that opens it also closes it
    event.stopPropagation()
  })
  model.on('open', draw)
  model.on('after_render', draw)
  return dialog
}
