/** Dragging on a figure: a press within reach of a handle drags it, anywhere else the page scrolls. */

/** @import {Context, Figure, Frame, Range, Slider, Source} from './bokeh.js' */
/** @import {Surface} from './surface.js' */
/** @import {Request} from './pacing.js' */
/** @import {Words} from './hint.js' */
import {offer, withdraw} from './hint.js'
import {paceOf} from './pacing.js'
import {distance, surfaceOf} from './surface.js'

/**
 * @typedef {object} Hand
 * @property {Figure} cb_obj
 * @property {Context} cb_context
 * @property {number} reach in px around a handle
 * @property {Words} [hint] what the page says at its first handle
 */
/**
 * @template Held
 * @typedef {object} Handle
 * @property {(place: [number, number]) => Held | null} find returns the object within reach of a position
 * @property {(held: Held, place: [number, number]) => void} drag moves it
 * @property {() => [number, number] | null} [at] returns the position of a first object, for the page's hint
 * @property {boolean} [left] whether the hint is left of it if there is room
 * @property {Source[]} [sources] what draws that object
 */
/** @typedef {{line: Source, stops: Source, column: string, reach: number}} Upright a vertical line at a stop */

/** @type {WeakMap<Figure, () => void>} figures with a handle, and what places the hint at it */
const taken = new WeakMap()

/**
 * Make a figure draggable by the handle that is made for its surface. A figure has one handle.
 * @template Held
 * @param {Pick<Hand, 'cb_obj' | 'cb_context' | 'hint'>} figure
 * @param {(surface: Surface) => Handle<Held>} make
 */
export const take = ({cb_obj, cb_context, hint}, make) => {
  const known = taken.get(cb_obj)
  if (known) {
    known() // the figure has a new size
    return
  }
  const surface = surfaceOf(cb_obj, cb_context)
  const {element, place} = surface
  const {find, drag, at, left, sources = []} = make(surface)
  const page = cb_obj.document ?? cb_obj
  const point = hint && at ? offer(page, element, hint, at, left) : () => {}
  taken.set(cb_obj, point)
  if (hint) for (const {change} of sources) change.connect(point)
  /** @type {Held | null} */
  let held = null
  /** @type {[number, number]} position in the window of the figure's corner when the drag began */
  let corner = [0, 0]
  element.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return
    const from = place(event)
    held = find(from)
    corner = [event.clientX - from[0], event.clientY - from[1]]
    if (held !== null) element.setPointerCapture(event.pointerId)
  })
  // a touch that begins on a handle does not scroll
  element.addEventListener('touchstart', (event) => held !== null && event.preventDefault(), {passive: false})
  element.addEventListener('pointermove', (event) => {
    /** @type {[number, number]} a drag follows the hand, also if the page moves because a sentence gets shorter */
    const to = held === null ? place(event) : [event.clientX - corner[0], event.clientY - corner[1]]
    if (held !== null) {
      drag(held, to)
      withdraw(page)
    }
    element.style.cursor = held !== null ? 'grabbing' : find(to) !== null ? 'grab' : ''
  })
  for (const end of ['pointerup', 'pointercancel']) {
    element.addEventListener(end, () => {
      held = null
    })
  }
}

/**
 * Drag to the stop nearest to the pointer.
 * @param {Frame} frame
 * @param {Iterable<number>} stops
 * @param {number} x position in px
 */
export const nearestStop = (frame, stops, x) => nearest(stops, (stop) => Math.abs(frame.x_scale.compute(stop) - x))

/**
 * Return the index of the nearest value.
 * @param {Iterable<number>} values
 * @param {(value: number) => number} far
 */
export const nearest = (values, far) => {
  const way = Array.from(values, far)
  return way.indexOf(Math.min(...way))
}

/**
 * Move a slider to a stop, unless it is at it already.
 * @param {Slider} slider
 * @returns {(stop: number) => void}
 */
export const mover = (slider) => (stop) => {
  if (slider.data.value !== stop) slider.data.value = stop
}

/**
 * Return the handle of a line at its slider's position. Dragging the line moves the slider.
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
    at: () => [frame.x_scale.compute(line.data.x[0]), frame.bbox.top + 2 * reach],
    left: true, // the names of curves are at their right ends
    sources: [line],
  })

/**
 * Make the vertical line of a source draggable.
 * @param {Hand & Upright & {slider: Slider}} hand
 */
export const line = (hand) => take(hand, uprightHandle(hand, mover(hand.slider)))

/**
 * Make the one point of a source draggable along the stops. The press has to begin on it.
 * @param {Hand & {point: Source, stops: Source, column: string, slider: Slider}} hand
 */
export const point = (hand) =>
  take(hand, ({frame}) => ({
    find: (place) => {
      const {x, y} = hand.point.data
      return distance(frame, x[0], y[0], place) <= hand.reach ? 0 : null
    },
    drag: (_, [x]) => mover(hand.slider)(nearestStop(frame, hand.stops.data[hand.column], x)),
    at: () => firstPoint(frame, [hand.point]),
    sources: [hand.point],
  }))

/**
 * @typedef {object} Points
 * @property {Source[]} sources
 * @property {number[][]} groups the indices of the sources that draw the same points
 * @property {string[]} names the name of each group in requests to the server
 * @property {Request} request
 */

/**
 * Return the group and row of the nearest point within reach; of equally near ones the last.
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
 * Return the position of the first point of the source with the fewest points, or null if none has any.
 * @param {Frame} frame
 * @param {Source[]} sources
 * @returns {[number, number] | null}
 */
const firstPoint = ({x_scale, y_scale}, sources) => {
  const [least] = sources.filter(({data}) => data.x.length > 0).sort((a, b) => a.data.x.length - b.data.x.length)
  const {x, y} = least?.data ?? {x: [], y: []}
  return x.length > 0 ? [x_scale.compute(x[0]), y_scale.compute(y[0])] : null
}

/**
 * Return what the hint of points needs: the position of the first one, and what draws it.
 * @param {Frame} frame
 * @param {Points} points
 */
export const hintAt = (frame, {groups, sources}) => ({
  at: () =>
    firstPoint(
      frame,
      groups.map(([first]) => sources[first]),
    ),
  sources,
})

/**
 * Return a value, clipped to a range.
 * @param {number} value
 * @param {Pick<Range, 'start' | 'end'>} range
 */
export const inside = (value, range) => Math.min(Math.max(value, range.start), range.end)

/**
 * Move a point immediately, in all sources that draw it.
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
 * Return the handle of points. They move immediately, and the server answers with the rest of the picture.
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
  ...hintAt(frame, hand),
})

/**
 * Make points draggable.
 * @param {Hand & Points} hand
 */
export const points = (hand) => take(hand, (surface) => pointsHandle(hand, surface))
