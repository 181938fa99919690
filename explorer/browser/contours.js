/**
 * Functions of the plane as filled contours, and tables of numbers as images.
 *
 * The numbers are those of coarse cells, and a slider that the browser answers moves them alone. So it is the browser
 * that makes contours of them: a raster several times finer, interpolated between the cells' middles.
 */

/** @import {Numbers, Raster, Source} from './bokeh.js' */

/**
 * @typedef {object} Levels
 * @property {number} lines the cells from below to above
 * @property {number} first the least value that has a tint
 * @property {number} apart from one tint to the next
 * @property {{lines: number, cells: number}} least pixels from below to above, and from left to right
 */

/** @type {(values: Float32Array, ...shape: number[]) => Raster} */
const shaped = (values, ...shape) => Object.assign(values, {dimension: 2, shape})

/**
 * The same raster for each image, in place of a column; without any numbers, a pixel of nothing.
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
 * The numbers as they are.
 * @param {{xs: Numbers, source: Source, lines: number}} image
 */
export const table = ({xs, source, lines}) =>
  forEach(xs, source, (w) => shaped(Float32Array.from(w), lines, w.length / lines))

/**
 * Their contours.
 * @param {{xs: Numbers, source: Source} & Levels} image
 */
export const contours = ({xs, source, ...levels}) => forEach(xs, source, (w) => rasterOf(w, levels))

/**
 * Of each of `times` pixels a cell: the cell whose middle lies below its own, and how far it is from there to the next.
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
 * Values are tints: 0 is nothing, 1 the faintest, -1 the faintest below 0. On an outline two of them blend, by the share
 * of the pixel that lies on either side.
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
    // the last cell twice
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
      // about as near as a pixel
      if (2 * Math.abs(beyond) < Math.abs(dx) + Math.abs(dy)) {
        const part = 0.5 + beyond / Math.sqrt(dx * dx + dy * dy)
        values[place] = tint + Math.min(Math.max(part, 0), 1)
      }
    }
  }
  return shaped(values, high, wide)
}
