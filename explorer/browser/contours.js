/**
 * Functions of the plane as filled contours, and tables of numbers as images.
 *
 * The numbers belong to coarse cells, and if the browser answers the slider, only these numbers change. So the browser
 * computes the contours: a raster several times finer, interpolated between the centres of the cells.
 */

/** @import {Numbers, Raster, Source} from './bokeh.js' */

/**
 * @typedef {object} Levels
 * @property {number} lines the number of cells from bottom to top
 * @property {number} first the least value with a tint
 * @property {number} apart the difference between two tints
 * @property {{lines: number, cells: number}} least the least numbers of pixels, vertically and horizontally
 */

/** @type {(values: Float32Array, ...shape: number[]) => Raster} */
const shaped = (values, ...shape) => Object.assign(values, {dimension: 2, shape})

/**
 * Replace a column by a raster for each image, all computed alike; without numbers by one empty pixel.
 * @param {Numbers} xs
 * @param {Source} source
 * @param {(w: Numbers) => Raster} make
 */
const forEach = (xs, source, make) => {
  const {w} = source.data
  const raster = w.length ? make(w) : shaped(new Float32Array(1), 1, 1)
  return Array.from(xs, () => raster)
}

/**
 * Return the numbers unchanged, as an image.
 * @param {{xs: Numbers, source: Source, lines: number}} image
 */
export const table = ({xs, source, lines}) =>
  forEach(xs, source, (w) => shaped(Float32Array.from(w), lines, w.length / lines))

/**
 * Return the contours of the numbers, as an image.
 * @param {{xs: Numbers, source: Source} & Levels} image
 */
export const contours = ({xs, source, ...levels}) => forEach(xs, source, (w) => rasterOf(w, levels))

/**
 * Return the last cell whose centre is not past each pixel's, of `times` pixels per cell, and the distance in cells.
 * @param {number} count
 * @param {number} times
 * @returns {[below: Int32Array, share: Float64Array]}
 */
const between = (count, times) => {
  const below = new Int32Array(count * times)
  const share = new Float64Array(count * times)
  for (let i = 0; i < below.length; i++) {
    const at = Math.min(Math.max((i + 0.5) / times - 0.5, 0), count - 1)
    below[i] = Math.floor(at)
    share[i] = at - below[i]
  }
  return [below, share]
}

/**
 * Return the tints of values: 0 is no tint, 1 the faintest, -1 the faintest below 0. On an outline two tints blend, by
 * the share of the pixel on either side.
 * @param {Numbers} w
 * @param {Levels} levels
 */
export const rasterOf = (w, {lines, first, apart, least}) => {
  const across = w.length / lines
  const up = Math.ceil(least.lines / lines)
  const along = Math.ceil(least.cells / across)
  const wide = across * along
  const high = lines * up
  const [left, shares] = between(across, along)
  const [below, parts] = between(lines, up)
  const tints = Float64Array.from(w, (value) => ((Number.isFinite(value) ? value : 0) - first) / apart + 0.5)
  const row = new Float64Array(across + 1)
  const rise = new Float64Array(across + 1)
  const values = new Float32Array(high * wide)
  for (let j = 0, place = 0; j < high; j++) {
    const low = across * below[j]
    const next = low + (below[j] + 1 < lines ? across : 0)
    // the last cell is used twice
    for (let i = 0; i <= across; i++) {
      const cell = Math.min(i, across - 1)
      const step = tints[next + cell] - tints[low + cell]
      row[i] = tints[low + cell] + parts[j] * step
      rise[i] = step / up
    }
    for (let i = 0; i < wide; i++, place++) {
      const cell = left[i]
      const step = row[cell + 1] - row[cell]
      const value = row[cell] + shares[i] * step
      const tint = Math.floor(value)
      const beyond = value - tint - 0.5
      const dx = step / along
      const dy = rise[cell] + shares[i] * (rise[cell + 1] - rise[cell])
      values[place] = beyond < 0 ? tint : tint + 1
      // about the width of a pixel
      if (2 * Math.abs(beyond) < Math.abs(dx) + Math.abs(dy)) {
        const part = 0.5 + beyond / Math.sqrt(dx * dx + dy * dy)
        values[place] = tint + Math.min(Math.max(part, 0), 1)
      }
    }
  }
  return shaped(values, high, wide)
}
