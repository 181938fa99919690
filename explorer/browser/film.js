/**
 * Film of more samples: their curves appear one after the other and pile up, while their average settles.
 *
 * It runs once when the samples arrive. At its end the bands replace the curves.
 */

/** @import {Model, Numbers, Source} from './bokeh.js' */

/**
 * @typedef {object} Film
 * @property {Source} samples the curves one after the other, each with a gap at its end, and the weight of each
 * @property {Source} film the source of the visible curves
 * @property {Source} average
 * @property {Model[]} bands
 * @property {number} pace ms from one sample to the next
 * @property {number} top values above the picture are not drawn
 */

/** @type {WeakMap<Source, object>} the running film; it ends if another begins */
const rolling = new WeakMap()

/** @type {(film: Source, x: Numbers, y: Numbers) => void} */
const draw = (film, x, y) => {
  Object.assign(film.data, {x, y})
  film.change.emit()
}

/** @param {Film} picture */
export const roll = ({samples, film, average, bands, pace, top}) => {
  const {x, y, weight} = samples.data
  const token = {}
  rolling.set(samples, token)
  /** @param {boolean} visible */
  const show = (visible) => {
    for (const band of bands) band.setv({visible}, {sync: false})
  }
  draw(film, [], [])
  show(true)
  if (!x.length || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const settled = average.data.y
  const length = settled.length
  const count = x.length / (length + 1)
  const sums = new Float64Array(length)
  let weights = 0
  let k = 0
  show(false)
  /** @param {Numbers} values */
  const below = (values) => values.map((value) => (value > top ? NaN : value))
  /** @param {Numbers} values */
  const put = (values) => {
    average.data.y = values
    average.change.emit()
  }
  const step = () => {
    if (rolling.get(samples) !== token) return
    if (k === count) {
      draw(film, [], [])
      put(settled)
      show(true)
      return
    }
    const begin = k++ * (length + 1)
    weights += weight[begin]
    for (let j = 0; j < length; j++) sums[j] += weight[begin] * y[begin + j]
    put(below(sums.map((sum) => sum / weights)))
    draw(film, x.slice(0, k * (length + 1)), below(y.slice(0, k * (length + 1))))
    setTimeout(step, pace)
  }
  step()
}
