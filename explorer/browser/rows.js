/** The rows of a slider's table, as `explorer/views/rows.py` packs them into one column. */

/** @import {Numbers, Source} from './bokeh.js' */

/**
 * @typedef {object} Packed
 * @property {Numbers} flat all columns, row by row, one after the other
 * @property {number[]} starts where each column's first row lies
 * @property {number[]} lengths how long a row of each is; 0 where all its rows are the same
 */
/** @typedef {[source: number, column: string]} Target */

/**
 * Let the sources show a row, each target its slice of the table; nothing is sent back to a server.
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
