/** The rim of the disc that is nearest: to drag it is to move σ's slider to the stop whose radius is nearest. */

/** @import {Slider, Source} from './bokeh.js' */
/** @import {Hand} from './grips.js' */
import {mover, nearest, take} from './grips.js'

/**
 * A disc is round in the units of the axes, which may differ in px: all is measured in px along x.
 * @param {Hand & {discs: Source, stops: Source, slider: Slider}} hand
 */
export const rim = (hand) =>
  take(hand, ({frame}) => {
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
  })
