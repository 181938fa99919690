/** Interaction of an exported file: figures with their table, the slider, draggable lines, and the theme. */

/** @import {Context, Figure, Model, Source} from './bokeh.js' */
/** @import {Hand, Upright} from './grips.js' */
/** @import {Target} from './rows.js' */
import {take, uprightHandle} from './grips.js'
import {drawRow} from './rows.js'
import {install} from './style_cache.js'

/** @typedef {{said: string, html: Record<string, string>}} Texts the spoken text of a stop, and element -> its HTML */
/** @typedef {{at: number[], patterns: (string | string[])[][]}} Packed see exports/state_pages.py */
/**
 * @typedef {object} Living
 * @property {Source} table
 * @property {number[]} starts
 * @property {number[]} lengths
 * @property {Source[]} sources
 * @property {Target[]} targets
 * @property {number} count the number of the slider's stops; one more row is for the lab's automatic choice
 * @property {[model: Model, property: string, light: string, dark: string][]} painted
 * @property {[mapper: Model, light: string[], dark: string[]][]} shaded
 */

const PACE = 100 // ms from stop to stop while it plays
const REST = 600 // ms without a move after which a screen reader gets the headline
const HIGH = ['headline', 'caption'] // elements with the height of their longest text, so that nothing below them moves

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id))
const slider = () => /** @type {HTMLInputElement} */ (find('stop'))

/**
 * Draw the figures of the file's document in their elements.
 * @param {{item: object, unpatched?: boolean}} file `unpatched` leaves Bokeh's functions as they are
 */
export const embed = ({item, unpatched}) => {
  if (!unpatched) install()
  const lab = JSON.parse(find('lab').textContent ?? '')
  Bokeh.embed.embed_items({lab}, [item])
}

/**
 * Open the file in the language that the address names by ?lang=, if there is one.
 * @param {Record<string, string>} tongues code of a language -> its file
 */
export const turn = (tongues) => {
  const there = tongues[new URLSearchParams(location.search).get('lang') ?? '']
  if (there) location.replace(there)
}

/**
 * Align the slider's track with the axis of the main picture, so that its thumb is below the line.
 * @param {{cb_obj: Figure, cb_context: Context, thumb: number}} hero
 */
export const align = ({cb_obj, cb_context, thumb}) => {
  const view = cb_context.index.find_one(cb_obj)
  if (!view) return
  const {style} = find('slider')
  style.marginLeft = `${view.frame.bbox.left - thumb / 2}px`
  style.marginRight = `${view.bbox.width - view.frame.bbox.right - thumb / 2}px`
}

/**
 * Make a line draggable: dragging it moves the slider.
 * @param {Hand & Upright} hand
 */
export const dragLine = (hand) => take(hand, uprightHandle(hand, slideTo))

/** @param {number} stop */
const slideTo = (stop) => {
  const input = slider()
  if (Number(input.value) === stop && !input.dataset.auto) return
  input.value = String(stop)
  input.dispatchEvent(new Event('input'))
}

/**
 * Make the file interactive.
 * @param {Living} living
 */
export const begin = ({table, starts, lengths, sources, targets, count, painted, shaded}) => {
  const texts = unpacked(JSON.parse(find('texts').textContent ?? ''))
  const input = slider()
  const auto = document.getElementById('auto')
  /** @type {ReturnType<typeof setTimeout>} */
  let rest
  /** @param {number} row */
  const show = (row) => {
    drawRow(row, {flat: table.data.flat, starts, lengths}, sources, targets)
    for (const [id, text] of Object.entries(texts[row].html)) find(id).innerHTML = text
    input.setAttribute('aria-valuetext', texts[row].said)
    input.dataset.auto = row === count ? 'auto' : ''
    auto?.setAttribute('aria-pressed', String(row === count))
    clearTimeout(rest)
    rest = setTimeout(() => {
      find('status').textContent = find('headline').textContent
    }, REST)
  }
  const pause = player(input, () => show(Number(input.value)))
  input.addEventListener('input', () => {
    pause()
    show(Number(input.value))
  })
  auto?.addEventListener('click', () => show(input.dataset.auto ? Number(input.value) : count))
  const reserve = () => {
    for (const id of HIGH) reserveFor(id, texts)
  }
  window.addEventListener('resize', reserve)
  reserve()
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const page = document.documentElement // on a site the reader may have chosen a theme
  const isDark = () => Number(page.dataset.theme ? page.dataset.theme === 'dark' : dark.matches)
  const repaint = () => {
    for (const [model, property, ...pair] of painted) model.setv({[property]: pair[isDark()]})
    for (const [mapper, ...pair] of shaded) mapper.setv({palette: pair[isDark()]})
  }
  dark.addEventListener('change', repaint)
  new MutationObserver(repaint).observe(page, {attributeFilter: ['data-theme']})
  if (isDark()) repaint()
  document.body.classList.add('ready')
}

/**
 * Let Play move the slider to its end, or from its beginning if it is at its end.
 * @param {HTMLInputElement} input
 * @param {() => void} show
 * @returns {() => void} a function that pauses
 */
const player = (input, show) => {
  const button = find('play')
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer
  const say = () => {
    button.textContent = timer === undefined ? '▶' : '❚❚'
    button.setAttribute('aria-label', button.dataset[timer === undefined ? 'play' : 'pause'] ?? '')
  }
  const pause = () => {
    clearInterval(timer)
    timer = undefined
    say()
  }
  const step = () => {
    input.value = String(Number(input.value) + 1)
    show()
    if (input.value === input.max) pause()
  }
  const go = () => {
    if (input.value === input.max) input.value = '0'
    else input.value = String(Number(input.value) + 1)
    show()
    // with reduced motion each press moves one stop
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) timer = setInterval(step, PACE)
    say()
  }
  button.addEventListener('click', () => (timer === undefined ? go() : pause()))
  return pause
}

/** @type {(packed: {said: string[], html: Record<string, Packed>}) => Texts[]} */
const unpacked = ({said, html}) =>
  said.map((word, row) => ({
    said: word,
    html: Object.fromEntries(Object.entries(html).map(([id, packed]) => [id, textOf(packed, row)])),
  }))

/** @type {(packed: Packed, row: number) => string} */
const textOf = ({at, patterns}, row) => {
  const place = at.slice(0, row).filter((pattern) => pattern === at[row]).length
  return patterns[at[row]].map((part) => (Array.isArray(part) ? part[place] : part)).join('')
}

/** @type {(id: string, texts: Texts[]) => void} */
const reserveFor = (id, texts) => {
  const element = find(id)
  const now = element.innerHTML
  element.style.minHeight = ''
  const heights = texts.map(({html}) => {
    element.innerHTML = html[id]
    return element.offsetHeight
  })
  element.innerHTML = now
  element.style.minHeight = `${Math.max(...heights)}px`
}
