/** The element of a widget: a picture at the stops of a slider, on whatever page it stands. See exports/widget.py. */

import {reelOf} from './reel.js'

/** @typedef {{said: string, value: string, headline: string}} Texts what is said at a row */
/**
 * @typedef {object} Held
 * @property {Texts[]} texts of the stops, and perhaps of what the lab chooses by itself
 * @property {number} start the row that the element was made of
 * @property {number} stops how many the slider has
 * @property {number[] | null} line where the line is at each row, as a share of the picture's width
 * @property {number} pace ms from one stop to the next
 */

const NAME = 'kernel-mean-widget'
const REST = 600 // ms after which who listens hears the headline
// a deck of slides would turn its page with them, and a notebook would leave the cell
const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', ' ']
const HELD = 'button, input, .grip'
const CALM = '(prefers-reduced-motion: reduce)'

/** Define the element, once on a page, whichever of its scripts comes first. */
export const begin = () => {
  if (customElements.get(NAME)) return
  customElements.define(
    NAME,
    class extends HTMLElement {
      connectedCallback() {
        // what stands in the page's own text may not be read to its end yet
        if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => open(this))
        else open(this)
      }
    },
  )
}

/** @type {WeakSet<Element>} the elements that live */
const lively = new WeakSet()

/**
 * Let an element live. A page that was given it as a text has left its inside in a template.
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
 * Whether an element is all that a page has: then it is a file that somebody opened.
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
  Object.assign(icon, {rel: 'icon', href: 'data:,'}) // else a browser asks the host for one
  document.head.append(meta, icon)
}

/**
 * The stop whose line is next to a place.
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
 * Let the slider, Play, the keys and the line that a hand may drag move the picture.
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
  /** Go on from where the slider is to its end, or from its beginning where it is there. */
  const go = () => {
    if (timer !== undefined) {
      pause()
      return
    }
    const at = Number(input.value)
    const first = at < stops - 1 ? at : 0
    if (matchMedia(CALM).matches) {
      slide(at < stops - 1 ? at + 1 : 0) // who wants little motion has one stop for each press
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
  // nor is a hand on the slider one that turns pages
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
 * Keep a headline as high as the longest of its texts, so that the picture stays where it is.
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
