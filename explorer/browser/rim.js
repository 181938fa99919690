/** Handles of a sample's noise: the rim of a disc moves σ's slider, and the ends of an ellipse's axes are points. */

/** @import {Slider, Source} from './bokeh.js' */
/** @import {Hand, Handle, Points} from './grips.js' */
/** @import {Surface} from './surface.js' */
import {mover, nearest, pointsHandle, take} from './grips.js'

/** @typedef {Hand & {discs: Source, stops: Source, slider: Slider}} Rim */

/**
 * Make the ends of an ellipse's axes draggable as points, and otherwise the rim of a disc.
 * @param {Rim & Points} hand
 */
export const noise = (hand) =>
  take(hand, (surface) => {
    const axes = pointsHandle(hand, surface)
    const rims = rimHandle(hand, surface)
    /** @typedef {{axis: [group: number, row: number] | null, rim: number | null}} Held */
    return {
      find: (place) => {
        const axis = axes.find(place)
        const rim = axis === null ? rims.find(place) : null
        return axis === null && rim === null ? null : {axis, rim}
      },
      drag: (/** @type {Held} */ {axis, rim}, place) => {
        if (axis !== null) axes.drag(axis, place)
        if (rim !== null) rims.drag(rim, place)
      },
    }
  })

/**
 * Return the handle of the nearest disc's rim. Dragging it moves σ's slider to the stop with the nearest radius. A disc
 * is round in the units of the axes, which may differ in px, so all lengths are measured in px along x.
 * @param {Rim} hand
 * @param {Surface} surface
 * @returns {Handle<number>}
 */
const rimHandle = (hand, {frame}) => {
  /** @param {number} value */
  const length = (value) => Math.abs(frame.x_scale.compute(value) - frame.x_scale.compute(0))
  /** @type {(row: number, place: [number, number]) => number} */
  const far = (row, [x, y]) => {
    const {x_scale, y_scale} = frame
    const across = x - x_scale.compute(hand.discs.data.x[row])
    const up = Math.abs(y_scale.invert(y) - hand.discs.data.y[row])
    return Math.hypot(across, length(up))
  }
  return {
    find: (place) => {
      let found = null
      let least = hand.reach
      for (let row = 0; row < hand.discs.data.x.length; row++) {
        const off = Math.abs(far(row, place) - length(hand.discs.data.radius[row]))
        if (off <= least) {
          found = row
          least = off
        }
      }
      return found
    },
    drag: (row, place) => {
      const way = far(row, place)
      mover(hand.slider)(nearest(hand.stops.data.radius, (radius) => Math.abs(length(radius) - way)))
    },
  }
}
