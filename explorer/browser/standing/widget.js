/** Custom element of a widget: a picture at the stops of a slider, for any page. See exports/widget.py. */

import {reelOf} from './reel.js'

/** @typedef {{said: string, value: string, headline: string}} Texts the texts of a row */
/**
 * @typedef {object} Held
 * @property {Texts[]} texts the texts of the stops and, if there is one, of the lab's automatic choice
 * @property {number} start the row with which the element was made
 * @property {number} stops the number of the slider's stops
 * @property {number[] | null} line the line's position at each row, as a share of the picture's width
 * @property {number} pace the time from one stop to the next, in ms
 */

const NAME = 'kernel-mean-widget'
const REST = 600 // ms without a move after which a screen reader gets the headline
// keys that would otherwise turn a page of slides or leave the cell of a notebook
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', ' ']
const HELD = 'button, input, .grip'
const CALM = '(prefers-reduced-motion: reduce)'

/** Define the element, once per page, by the script that runs first. */
export const begin = () => {
  if (customElements.get(NAME)) return
  customElements.define(
    NAME,
    class extends HTMLElement {
      connectedCallback() {
        // the content of an element in the page's HTML may not be parsed completely yet
        if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => open(this))
        else open(this)
      }
    },
  )
}

/** @type {WeakSet<Element>} the elements that have been started */
const lively = new WeakSet()

/**
 * Start an element. If the page has inserted it as text, its content is still in a template.
 * @param {HTMLElement} element
 */
export const open = (element) => {
  if (lively.has(element)) return
  const template = element.querySelector('template')
  if (!element.shadowRoot && template) element.attachShadow({mode: 'open'}).append(template.content)
  if (!element.shadowRoot) return
  lively.add(element)
  liven(element.shadowRoot)
  if (isWhole(element)) entitle(element, element.shadowRoot)
}

/**
 * Return whether an element is the whole page: a file that the user has opened.
 * @param {HTMLElement} element
 */
const isWhole = (element) => !document.doctype && !document.title && element.parentElement === document.body

/** @type {(element: HTMLElement, root: ShadowRoot) => void} */
const entitle = (element, root) => {
  const title = /** @type {HTMLElement} */ (root.querySelector('.title'))
  document.title = title.textContent ?? ''
  document.documentElement.lang ||= element.lang
  document.documentElement.style.colorScheme = 'light dark'
  element.setAttribute('role', 'main')
  title.setAttribute('role', 'heading')
  title.setAttribute('aria-level', '1')
  const [meta, icon] = [document.createElement('meta'), document.createElement('link')]
  Object.assign(meta, {name: 'viewport', content: 'width=device-width, initial-scale=1'})
  Object.assign(icon, {rel: 'icon', href: 'data:,'}) // otherwise the browser requests one from the host
  document.head.append(meta, icon)
}

/**
 * Return the stop whose line is nearest to a position.
 * @param {number[]} line
 * @param {number} stops
 * @param {number} place
 */
export const nearest = (line, stops, place) => {
  let found = 0
  for (let stop = 1; stop < stops; stop++) {
    if (Math.abs(line[stop] - place) < Math.abs(line[found] - place)) found = stop
  }
  return found
}

/**
 * Connect the slider, Play, the keys and the draggable line to the picture.
 * @param {ShadowRoot} root
 */
export const liven = (root) => {
  /** @param {string} name */
  const find = (name) => /** @type {HTMLElement} */ (root.querySelector(name))
  /** @type {Held} */
  const {texts, start, stops, line, pace} = JSON.parse(find('.texts').textContent ?? '')
  const picture = find('.moving')
  const svg = /** @type {SVGSVGElement} */ (picture.querySelector('svg'))
  const draw = reelOf(svg, find('.reel').textContent ?? '')
  const input = /** @type {HTMLInputElement} */ (find('input'))
  const [headline, play] = [find('.headline'), find('.play')]
  const auto = root.querySelector('.auto')
  const grip = /** @type {HTMLElement | null} */ (root.querySelector('.grip'))
  let now = start
  /** @type {ReturnType<typeof setTimeout>} */
  let rest
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  /** @param {number} row */
  const show = (row) => {
    now = row
    draw((row - start + texts.length) % texts.length)
    headline.innerHTML = texts[row].headline
    find('.value').textContent = texts[row].value
    input.setAttribute('aria-valuetext', texts[row].said)
    auto?.setAttribute('aria-pressed', String(row === stops))
    hold()
    clearTimeout(rest)
    rest = setTimeout(() => {
      find('.status').textContent = headline.textContent
    }, REST)
  }
  const hold = () => {
    if (line) grip?.style.setProperty('--at', `${100 * line[now]}%`)
  }
  /** @param {number} stop */
  const slide = (stop) => {
    input.value = String(stop)
    if (now !== stop) show(stop)
  }

  const pause = () => {
    clearInterval(timer)
    timer = undefined
    say()
  }
  const say = () => {
    play.textContent = timer === undefined ? '▶' : '❚❚'
    play.setAttribute('aria-label', (timer === undefined ? play.dataset.play : play.dataset.pause) ?? '')
  }
  /** Play from the slider's position to its end, or from its beginning if it is at its end. */
  const go = () => {
    if (timer !== undefined) {
      pause()
      return
    }
    const at = Number(input.value)
    const first = at < stops - 1 ? at : 0
    if (matchMedia(CALM).matches) {
      slide(at < stops - 1 ? at + 1 : 0) // with reduced motion each press moves one stop
      return
    }
    slide(first)
    timer = setInterval(() => {
      if (root.host.isConnected) slide(Number(input.value) + 1)
      if (!root.host.isConnected || Number(input.value) >= stops - 1) pause()
    }, pace)
    say()
  }

  play.addEventListener('click', go)
  input.addEventListener('input', () => {
    pause()
    show(Number(input.value))
  })
  auto?.addEventListener('click', () => {
    pause()
    show(now === stops ? Number(input.value) : stops)
  })
  root.addEventListener('keydown', (event) => {
    const {key, target, ctrlKey, metaKey, altKey} = /** @type {KeyboardEvent} */ (event)
    if (!KEYS.includes(key) || ctrlKey || metaKey || altKey || /** @type {Element} */ (target).matches('a')) return
    event.stopPropagation()
    if (key !== ' ' || /** @type {Element} */ (target).matches('button')) return
    event.preventDefault()
    go()
  })
  // a drag of the slider must not turn pages either
  for (const type of ['pointerdown', 'touchstart']) {
    const keep = (/** @type {Event} */ event) => {
      if (/** @type {Element} */ (event.target).closest(HELD)) event.stopPropagation()
    }
    root.addEventListener(type, keep, {passive: true})
  }
  if (grip && line) {
    grip.addEventListener('pointerdown', (event) => {
      pause()
      grip.setPointerCapture(event.pointerId)
    })
    grip.addEventListener('pointermove', (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return
      const {left, width} = picture.getBoundingClientRect()
      slide(nearest(line, stops, (event.clientX - left) / width))
    })
  }
  hold()
  reserve(headline, texts)
}

/**
 * Reserve the height of a headline's longest text, so that the picture does not move.
 * @param {HTMLElement} headline
 * @param {Texts[]} texts
 */
const reserve = (headline, texts) => {
  let width = 0
  new ResizeObserver(() => {
    if (headline.offsetWidth === width) return
    width = headline.offsetWidth
    const now = headline.innerHTML
    headline.style.minHeight = ''
    const heights = texts.map((each) => {
      headline.innerHTML = each.headline
      return headline.offsetHeight
    })
    headline.innerHTML = now
    headline.style.minHeight = `${Math.max(...heights)}px`
  }).observe(headline)
}
