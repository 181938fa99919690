/** How a figure takes a hand: within reach of a handle it drags, anywhere else the page scrolls. */

/** @import {Context, Figure, Frame, Range, Slider, Source} from './bokeh.js' */
/** @import {Surface} from './surface.js' */
/** @import {Request} from './pacing.js' */
import {paceOf} from './pacing.js'
import {distance, isNew, surfaceOf} from './surface.js'

/** @typedef {{cb_obj: Figure, cb_context: Context, reach: number}} Hand `reach` is in px around a handle */
/**
 * @template Held
 * @typedef {object} Handle
 * @property {(place: [number, number]) => Held | null} find what lies within reach of a place
 * @property {(held: Held, place: [number, number]) => void} drag move it
 */
/** @typedef {{line: Source, stops: Source, column: string, reach: number}} Upright a line that stands at a stop */

/** @type {WeakSet<Figure>} */
const taken = new WeakSet()

/**
 * Let a figure take a hand by the handle that is made of its surface; one handle a figure.
 * @template Held
 * @param {{cb_obj: Figure, cb_context: Context}} figure
 * @param {(surface: Surface) => Handle<Held>} make
 */
export const take = ({cb_obj, cb_context}, make) => {
  if (!isNew(taken, cb_obj)) return
  const surface = surfaceOf(cb_obj, cb_context)
  const {element, place} = surface
  const {find, drag} = make(surface)
  /** @type {Held | null} */
  let held = null
  element.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return
    held = find(place(event))
    if (held !== null) element.setPointerCapture(event.pointerId)
  })
  // a touch that begins on a handle is no scroll
  element.addEventListener('touchstart', (event) => held !== null && event.preventDefault(), {passive: false})
  element.addEventListener('pointermove', (event) => {
    const at = place(event)
    if (held !== null) drag(held, at)
    element.style.cursor = held !== null ? 'grabbing' : find(at) !== null ? 'grab' : ''
  })
  for (const end of ['pointerup', 'pointercancel']) {
    element.addEventListener(end, () => {
      held = null
    })
  }
}

/**
 * Drag to the stop that is nearest to the hand.
 * @param {Frame} frame
 * @param {Iterable<number>} stops
 * @param {number} x in px
 */
export const nearestStop = (frame, stops, x) => nearest(stops, (stop) => Math.abs(frame.x_scale.compute(stop) - x))

/**
 * The place of the value that is least far.
 * @param {Iterable<number>} values
 * @param {(value: number) => number} far
 */
export const nearest = (values, far) => {
  const way = Array.from(values, far)
  return way.indexOf(Math.min(...way))
}

/**
 * Move a slider to a stop, unless it is there.
 * @param {Slider} slider
 * @returns {(stop: number) => void}
 */
export const mover = (slider) => (stop) => {
  if (slider.data.value !== stop) slider.data.value = stop
}

/**
 * The handle of a line that stands where its slider does: to drag it is to move the slider.
 * @param {Upright} upright
 * @param {(stop: number) => void} move
 * @returns {(surface: Surface) => Handle<number>}
 */
export const uprightHandle =
  ({line, stops, column, reach}, move) =>
  ({frame}) => ({
    find: ([x, y]) => {
      const near = Math.abs(frame.x_scale.compute(line.data.x[0]) - x) <= reach
      return near && frame.bbox.contains(x, y) ? 0 : null
    },
    drag: (_, [x]) => move(nearestStop(frame, stops.data[column], x)),
  })

/**
 * Drag the vertical line of a source.
 * @param {Hand & Upright & {slider: Slider}} hand
 */
export const line = (hand) => take(hand, uprightHandle(hand, mover(hand.slider)))

/**
 * Drag the one point of a source as `line` does a line: only by taking hold of it.
 * @param {Hand & {point: Source, stops: Source, column: string, slider: Slider}} hand
 */
export const point = (hand) =>
  take(hand, ({frame}) => ({
    find: (place) => {
      const {x, y} = hand.point.data
      return distance(frame, x[0], y[0], place) <= hand.reach ? 0 : null
    },
    drag: (_, [x]) => mover(hand.slider)(nearestStop(frame, hand.stops.data[hand.column], x)),
  }))

/**
 * @typedef {object} Points
 * @property {Source[]} sources
 * @property {number[][]} groups the places among the sources of those that draw the same points
 * @property {string[]} names under which the server hears of each group
 * @property {Request} request
 */

/**
 * The nearest point of all groups within reach, its group and its row; of equally near ones the last.
 * @param {Frame} frame
 * @param {Points & Hand} points
 * @param {[number, number]} place
 * @returns {[group: number, row: number] | null}
 */
export const findPoint = (frame, {groups, sources, reach}, place) => {
  /** @type {[number, number] | null} */
  let found = null
  let least = reach
  groups.forEach((group, g) => {
    const {x: xs, y: ys} = sources[group[0]].data
    for (let i = 0; i < xs.length; i++) {
      const far = distance(frame, xs[i], ys[i], place)
      if (far <= least) {
        found = [g, i]
        least = far
      }
    }
  })
  return found
}

/**
 * A value, or the end of a range that it lies beyond.
 * @param {number} value
 * @param {Pick<Range, 'start' | 'end'>} range
 */
export const inside = (value, range) => Math.min(Math.max(value, range.start), range.end)

/**
 * Move a point at once, in all the sources that draw it.
 * @param {Points} points
 * @param {[group: number, row: number]} held
 * @param {[number, number]} to
 */
export const movePoint = ({groups, sources}, [group, row], to) => {
  for (const source of groups[group].map((index) => sources[index])) {
    source.data.x[row] = to[0]
    source.data.y[row] = to[1]
    source.change.emit()
  }
}

/**
 * The handle of points: they move at once, and the server hears of it and answers with the rest of the picture.
 * @param {Hand & Points} hand
 * @param {Surface} surface
 * @returns {Handle<[group: number, row: number]>}
 */
export const pointsHandle = (hand, {frame}) => ({
  find: (place) => findPoint(frame, hand, place),
  drag: (held, [x, y]) => {
    const {x_range, y_range} = hand.cb_obj
    /** @type {[number, number]} */
    const to = [inside(frame.x_scale.invert(x), x_range), inside(frame.y_scale.invert(y), y_range)]
    movePoint(hand, held, to)
    paceOf(hand.request).leave(hand.names[held[0]], [held[1], ...to])
  },
})

/**
 * Drag points.
 * @param {Hand & Points} hand
 */
export const points = (hand) => take(hand, (surface) => pointsHandle(hand, surface))
