/** Pictures with editable points: a click on empty space adds one, a drag moves one, a click on one selects it. */

/** @import {Hand, Points} from './grips.js' */
import {findPoint, hintAt, inside, movePoint, take} from './grips.js'
import {paceOf} from './pacing.js'

const STILL = 3 // a press that moves less than its reach divided by this is a click

/**
 * @typedef {object} Taking
 * @property {boolean[]} free whether the browser moves the points of a group itself; if not, the server does
 * @property {number | null} low the least height of a point; null is the picture's current limit
 * @property {number | null} high the greatest height of a point; null is the picture's current limit
 */

/**
 * Make a figure take points. Clicks that come faster than answers are sent together: [[x, y], ...].
 * @param {Hand & Points & Taking} hand
 */
export const takePoints = (hand) =>
  take(hand, ({element, frame, place}) => {
    const {cb_obj, names, free, low, high, reach} = hand
    const pace = paceOf(hand.request)
    /** @param {number} value */
    const height = (value) => inside(value, {start: low ?? cb_obj.y_range.start, end: high ?? cb_obj.y_range.end})
    /** @type {[number, number] | null} */
    let pressed = null
    element.addEventListener('pointerdown', (event) => {
      const at = place(event)
      pressed = event.isPrimary && event.button === 0 && frame.bbox.contains(...at) ? at : null
    })
    element.addEventListener('pointerup', (event) => {
      const at = place(event)
      const still = pressed !== null && Math.hypot(at[0] - pressed[0], at[1] - pressed[1]) < reach / STILL
      pressed = null
      if (!still) return
      const found = findPoint(frame, hand, at)
      const x = frame.x_scale.invert(at[0])
      const y = frame.y_scale.invert(at[1])
      if (found !== null) pace.leave('chosen', [names[found[0]], found[1]])
      else if (height(y) === y) pace.leave('added', [...waiting(pace.next?.added), [x, y]])
    })
    element.addEventListener('pointercancel', () => {
      pressed = null
    })
    return {
      find: (at) => findPoint(frame, hand, at),
      drag: (held, [x, y]) => {
        /** @type {[number, number]} */
        const to = [inside(frame.x_scale.invert(x), cb_obj.x_range), height(frame.y_scale.invert(y))]
        if (free[held[0]]) movePoint(hand, held, to)
        pace.leave(names[held[0]], [held[1], ...to])
      },
      ...hintAt(frame, hand),
    }
  })

/** @param {[value: unknown, drawn: boolean] | undefined} added */
const waiting = (added) => (Array.isArray(added?.[0]) ? added[0] : [])
