/** Rows of a slider's table, as `views/rows.py` packs them into one column. */

/** @import {Numbers, Source} from './bokeh.js' */

/**
 * @typedef {object} Packed
 * @property {Numbers} flat all columns, row by row, one after the other
 * @property {number[]} starts the position of each column's first row
 * @property {number[]} lengths the length of a row of each column; 0 if all its rows are equal
 */
/** @typedef {[source: number, column: string]} Target */

/**
 * Show a row in the sources, in each target its slice of the table. Nothing is sent to the server.
 * @param {number} row
 * @param {Packed} packed
 * @param {Source[]} sources
 * @param {Target[]} targets
 */
export const drawRow = (row, {flat, starts, lengths}, sources, targets) => {
  /** @type {Set<Source>} */
  const changed = new Set()
  targets.forEach(([index, column], i) => {
    const length = lengths[i]
    const start = starts[i] + row * length
    if (length === 0) return
    sources[index].data[column] = flat.slice(start, start + length)
    changed.add(sources[index])
  })
  for (const source of changed) source.change.emit()
}
