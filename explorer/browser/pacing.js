/**
 * The browser sets the pace: it asks while fewer than two answers are awaited, one to be drawn, one to be computed
 * meanwhile. A moved control leaves its newest value here until it may be asked for; what the hand skipped is never
 * computed.
 */

/** @import {Model} from './bokeh.js' */
import {onPath} from './path.js'

/**
 * What browser and server say to each other; `explorer/pages/interaction/request_pacing.py` says what each part means.
 * @typedef {object} Exchange
 * @property {string} asked
 * @property {number} answered
 * @property {string} placed
 * @property {string} page
 * @property {string} ended
 */
/** @typedef {Model & Exchange} Request */
/** @typedef {{[name: string]: [value: unknown, drawn: boolean]}} Moves */

const MOST = 2 // questions that may wait for an answer
const LOST = 5000 // ms after which an answer counts as lost

export class Pace {
  /** @type {Moves | null} the newest value of each control that the server has not been asked for */
  next = null
  since = 0 // when it was asked last
  /** @type {{[name: string]: number}} the last place that was seen of each control which the server has moved */
  seen = {}

  /** @param {Request} request */
  constructor(request) {
    this.request = request
    this.serial = request.answered // of the newest question
    // what a button or a key does comes after the moves before it, so these wait no longer; clicks on pictures are moves
    window.addEventListener('click', (event) => !onPath(event, '.bk-Figure') && this.tell(), true)
    window.addEventListener('keydown', (event) => !event.repeat && this.tell(), true)
  }

  /**
   * Whether a control stands where the server has put it: then it was no hand that moved it.
   * @param {string} name
   * @param {unknown} value
   */
  isEcho(name, value) {
    const [serial, place] = JSON.parse(this.request.placed)[name] ?? [0, null]
    const echo = this.seen[name] !== serial && place === value
    this.seen[name] = serial
    return echo
  }

  /**
   * Leave the newest value of a control, and ask where one may.
   * @param {string} name
   * @param {unknown} value
   * @param {boolean} [drawn] whether the browser has drawn it already
   */
  leave(name, value, drawn = false) {
    this.next = {...this.next, [name]: [value, drawn]}
    this.ask()
  }

  /** Ask, unless enough questions wait for an answer. */
  ask() {
    if (this.serial - this.request.answered < MOST || performance.now() - this.since >= LOST) this.tell()
  }

  /** Ask for what was left. */
  tell() {
    if (!this.next) return
    const {next} = this
    this.next = null
    this.since = performance.now()
    this.request.asked = JSON.stringify([++this.serial, next])
  }
}

/** @type {WeakMap<Request, Pace>} */
const paces = new WeakMap()

/**
 * The pace of a page.
 * @param {Request} request
 */
export const paceOf = (request) => {
  const pace = paces.get(request) ?? new Pace(request)
  paces.set(request, pace)
  return pace
}

/**
 * Whether the server has yet to answer a question of a page.
 * @param {Request} request
 */
export const awaits = (request) => (paces.get(request)?.serial ?? 0) > request.answered

/**
 * Ask with a move of a hand; `draw` does first what the browser can do by itself, and gives whether it did.
 * @param {{request: Request, name: string, cb_obj: {value: unknown}}} move
 * @param {() => boolean} [draw]
 */
export const follow = ({request, name, cb_obj}, draw = () => false) => {
  const pace = paceOf(request)
  if (pace.isEcho(name, cb_obj.value)) return
  const drawn = draw()
  pace.leave(name, cb_obj.value, drawn)
}

/**
 * Ask for what was left meanwhile, once the whole answer is in the document, and before it is drawn.
 * @param {{request: Request}} answer
 */
export const answered = ({request}) => {
  const pace = paces.get(request)
  if (pace) setTimeout(() => pace.ask(), 0)
}
