/**
 * Request pacing: the browser sends a request while fewer than two are pending, one whose answer is being drawn and one
 * that is being computed. The newest value of a moved control waits here until it may be sent; values that the user has
 * skipped are never computed.
 */

/** @import {Model} from './bokeh.js' */
import {onPath} from './path.js'

/**
 * Messages of browser and server; `pages/interaction/request_pacing.py` describes each part.
 * @typedef {object} Exchange
 * @property {string} asked
 * @property {number} answered
 * @property {string} placed
 * @property {string} page
 * @property {string} ended
 */
/** @typedef {Model & Exchange} Request */
/** @typedef {{[name: string]: [value: unknown, drawn: boolean]}} Moves */

const MOST = 2 // most requests that may be pending
const LOST = 5000 // ms after which an answer is considered lost

export class Pace {
  /** @type {Moves | null} the newest value of each control that has not been sent */
  next = null
  since = 0 // time of the last request
  /** @type {{[name: string]: number}} the serial number of the server's last move of each control that was handled */
  seen = {}

  /** @param {Request} request */
  constructor(request) {
    this.request = request
    this.serial = request.answered // number of the last request
    // a button or a key acts after the moves before it, so these are sent now; clicks on pictures are moves themselves
    window.addEventListener('click', (event) => !onPath(event, '.bk-Figure') && this.tell(), true)
    window.addEventListener('keydown', (event) => !event.repeat && this.tell(), true)
  }

  /**
   * Return whether the server, not the user, has moved a control to its value.
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
   * Store the newest value of a control, and send it if that is allowed now.
   * @param {string} name
   * @param {unknown} value
   * @param {boolean} [drawn] whether the browser has drawn it already
   */
  leave(name, value, drawn = false) {
    this.next = {...this.next, [name]: [value, drawn]}
    this.ask()
  }

  /** Send the stored values, unless enough requests are pending. */
  ask() {
    if (this.serial - this.request.answered < MOST || performance.now() - this.since >= LOST) this.tell()
  }

  /** Send the stored values. */
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
 * Return the pace of a page.
 * @param {Request} request
 */
export const paceOf = (request) => {
  const pace = paces.get(request) ?? new Pace(request)
  paces.set(request, pace)
  return pace
}

/**
 * Return whether a request of a page is pending.
 * @param {Request} request
 */
export const awaits = (request) => (paces.get(request)?.serial ?? 0) > request.answered

/**
 * Send a move by the user. `draw` first draws what the browser can draw alone, and returns whether it did.
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
 * Send the values stored in the meantime, after the whole answer is in the document and before it is drawn.
 * @param {{request: Request}} answer
 */
export const answered = ({request}) => {
  const pace = paces.get(request)
  if (pace) setTimeout(() => pace.ask(), 0)
}
