/** The rim of the disc that is nearest: to drag it is to move σ's slider to the stop whose radius is nearest. */

/** @import {Slider, Source} from './bokeh.js' */
/** @import {Hand} from './grips.js' */
import {mover, nearest, take} from './grips.js'
import {distance} from './surface.js'

/** @param {Hand & {discs: Source, stops: Source, slider: Slider}} hand */
export const rim = (hand) =>
  take(hand, ({frame}) => {
    /** @param {number} value */
    const length = (value) => Math.abs(frame.x_scale.compute(value) - frame.x_scale.compute(0))
    /** @type {(row: number, place: [number, number]) => number} */
    const far = (row, place) => distance(frame, hand.discs.data.x[row], hand.discs.data.y[row], place)
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
