/** Play: the slider moves from stop to stop until the user does anything else. */

/** @import {Part, Slider} from './bokeh.js' */
/** @import {Component} from './menus.js' */
/** @import {Request} from './pacing.js' */
import {buttonOf} from './element.js'
import {awaits} from './pacing.js'
import {pathOf} from './path.js'
import {said} from './words.js'

/** @typedef {{of: string, playing: boolean, disabled: boolean}} Play */

/**
 * Draw the button that starts and pauses the slider.
 * @param {{model: Component<Play>}} props
 */
export const button = ({model}) => {
  const press = () => {
    model.playing = !model.playing
  }
  const made = buttonOf('', press, 'play')
  const draw = () => {
    const says = (model.playing ? said(model, 'Pause {}') : said(model, 'Play {}')).replace('{}', model.of)
    made.textContent = model.playing ? '❚❚' : '▶'
    made.setAttribute('aria-label', says)
    made.title = said(model, '{} (Space)').replace('{}', says)
    made.disabled = model.disabled
  }
  draw()
  for (const name of ['playing', 'disabled']) model.on(name, draw)
  return made
}

/** @type {WeakMap<object, () => void>} */
const endings = new WeakMap()

const ACTS = 'a, button, input, select, textarea, summary, canvas, [role], [tabindex]' // what a pointer acts on
const IDLE = [' ', 'Tab', 'Shift', 'Control', 'Alt', 'Meta'] // keys that do nothing, and Play's own

/**
 * Whether an event is an act of the user other than pressing Play.
 * @param {Event} event
 */
const isAct = (event) => {
  if (event.type === 'keydown') return !IDLE.includes(/** @type {KeyboardEvent} */ (event).key)
  const path = pathOf(event)
  return path.some((each) => each.matches(ACTS)) && !path.some((each) => each.matches('.play'))
}

/**
 * Move the slider from its position to its end, or from its beginning if it is at its end.
 * @param {{cb_obj: {playing: boolean}, button: Part<Play>, slider: Slider, request: Request, pace: number}} page
 */
export const go = ({cb_obj, button, slider, request, pace}) => {
  endings.get(button)?.()
  if (!cb_obj.playing) return
  const {data} = slider
  const last = () => data.options.length - 1
  let at = data.value // the stop that Play has set
  /** @param {number} stop */
  const put = (stop) => {
    at = stop
    data.value = stop
  }
  if (data.value >= last()) put(0)
  // with reduced motion each press moves one stop
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    put(Math.min(data.value + 1, last()))
    cb_obj.playing = false
    return
  }
  at = data.value
  const step = () => {
    if (awaits(request)) return // the last picture is still pending
    if (data.value !== at || data.value >= last()) cb_obj.playing = false
    else put(data.value + 1)
  }
  /** @param {Event} event */
  const hear = (event) => {
    if (isAct(event)) cb_obj.playing = false
  }
  const timer = setInterval(step, pace)
  for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, hear, true)
  endings.set(button, () => {
    clearInterval(timer)
    for (const type of ['pointerdown', 'keydown']) document.removeEventListener(type, hear, true)
  })
}
