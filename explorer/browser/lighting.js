/**
 * Highlight of a block's points: the block at the pointer in one picture is highlighted in another.
 *
 * A cell of a strip has the first and last position of its rows in the order of the blocks, and each row has its
 * position in that order. So no lists of members are sent, even while a slider changes the blocks.
 */

/** @import {Context, Figure, Frame, Numbers, Source} from './bokeh.js' */
import {distance, isNew, surfaceOf} from './surface.js'

/**
 * @typedef {object} Blocks
 * @property {Figure} cb_obj
 * @property {Context} cb_context
 * @property {Source} cells the cells of the strip
 * @property {Source} cell the highlighted cell
 * @property {Source} rows the pairs, with their positions in the order of the blocks
 * @property {Source} points the highlighted pairs
 * @property {Source} means
 * @property {Source} bad_means the means of blocks with an outlier
 * @property {Source} mean the highlighted mean
 * @property {number} reach the distance around a point, in px
 * @property {string} label
 */

/** @type {WeakSet<Figure>} */
const listening = new WeakSet()
/** @type {WeakMap<Source, number>} the block that both pictures of a page highlight, by the source of its cell */
const lit = new WeakMap()

/** @type {(source: Source, columns: Record<string, Numbers>) => void} */
const write = (source, columns) => {
  Object.assign(source.data, columns)
  source.change.emit()
}

/** @param {Source} cells */
const countOf = (cells) => [...cells.data.right].filter((edge) => !Number.isNaN(edge)).length

/**
 * Highlight a block, or none.
 * @param {Blocks} blocks
 * @param {number} k the block; -1 is none
 */
export const light = ({cells, cell, rows, points, means, bad_means, mean}, k) => {
  if (lit.get(cell) === k) return
  lit.set(cell, k)
  const {first, end, clean, bad, right} = cells.data
  const {place} = rows.data
  const on = k < 0 ? [] : [...Array(place.length).keys()].filter((row) => first[k] <= place[row] && place[row] < end[k])
  const names = ['P_x', 'P_y', 'Q_x', 'Q_y']
  write(points, Object.fromEntries(names.map((name) => [name, on.map((row) => rows.data[name][row])])))
  const left = Number.isNaN(clean[k]) ? bad[k] : clean[k]
  write(cell, k < 0 ? {left: [], right: []} : {left: [left], right: [right[k]]})
  const {x, y} = (k >= 0 && Number.isNaN(means.data.x[k]) ? bad_means : means).data
  write(mean, k < 0 ? {x: [], y: []} : {x: [x[k]], y: [y[k]]})
}

/**
 * Return the block of the nearest pair within reach, or -1.
 * @param {Blocks} blocks
 * @param {Frame} frame
 * @param {[number, number]} place
 */
export const blockOfPoint = ({cells, rows, reach}, frame, place) => {
  let row = -1
  let least = reach
  for (const side of ['P', 'Q']) {
    const xs = rows.data[`${side}_x`]
    const ys = rows.data[`${side}_y`]
    for (let i = 0; i < xs.length; i++) {
      const far = distance(frame, xs[i], ys[i], place)
      if (far < least) {
        row = i
        least = far
      }
    }
  }
  if (row < 0) return -1
  const at = rows.data.place[row]
  return [...cells.data.first].findIndex((first, k) => first <= at && at < cells.data.end[k])
}

/**
 * Return the block of the cell at a position, or -1. All cells have the same width.
 * @param {Blocks} blocks
 * @param {Frame} frame
 * @param {[number, number]} place
 */
export const blockOfCell = ({cells}, frame, [x, y]) => {
  const at = frame.x_scale.invert(x)
  return frame.bbox.contains(x, y) && at >= 0 && at < 1 ? Math.floor(at * countOf(cells)) : -1
}

/**
 * Make a figure highlight blocks. Return its surface, or null if it does so already.
 * @param {Blocks} blocks
 * @param {typeof blockOfCell} under returns the block at a position
 */
const listen = (blocks, under) => {
  if (!isNew(listening, blocks.cb_obj)) return null
  const {element, frame, place} = surfaceOf(blocks.cb_obj, blocks.cb_context)
  /** @param {MouseEvent} event */
  const at = (event) => under(blocks, frame, place(event))
  // the blocks have changed
  for (const source of [blocks.cells, blocks.rows]) source.change.connect(() => light(blocks, -1))
  element.addEventListener('pointermove', (event) => light(blocks, event.buttons ? -1 : at(event)))
  element.addEventListener('pointerdown', (event) => event.pointerType !== 'mouse' && light(blocks, at(event)))
  element.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && light(blocks, -1))
  return element
}

/**
 * Highlight the block of the pair at the pointer.
 * @param {Blocks} blocks
 */
export const points = (blocks) => {
  listen(blocks, blockOfPoint)
}

/** @type {Record<string, number | undefined>} */
const STEPS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}

/**
 * Highlight the block of the cell at the pointer. If the strip has the focus, the arrow keys move through the cells.
 * @param {Blocks} blocks
 */
export const cells = (blocks) => {
  const element = listen(blocks, blockOfCell)
  if (!element) return
  const {cells, cell, label} = blocks
  /** @param {number} k */
  const says = (k) => {
    const outlier = Number.isNaN(cells.data.bad[k]) ? '' : ', holds an outlier'
    return `block ${k + 1} of ${countOf(cells)} in the order of their means${outlier}`
  }
  /** @param {Record<string, string | number>} values */
  const tell = (values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value))
  }
  tell({role: 'slider', tabindex: 0, 'aria-label': label, 'aria-valuemin': 1, 'aria-valuemax': countOf(cells)})
  tell({'aria-valuenow': 1, 'aria-valuetext': says(0)})
  element.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const k = Math.min(Math.max((lit.get(cell) ?? -1) + step, 0), countOf(cells) - 1)
    light(blocks, k)
    tell({'aria-valuenow': k + 1, 'aria-valuetext': says(k)})
  })
  element.addEventListener('blur', () => light(blocks, -1))
  cells.change.connect(() => tell({'aria-valuemax': countOf(cells)}))
}
