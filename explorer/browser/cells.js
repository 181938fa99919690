/** Picture of a matrix with selectable cells: a press selects a cell, and a drag of the mouse selects further ones. */

/** @import {Context, Figure} from './bokeh.js' */
/** @import {Request} from './pacing.js' */
import {paceOf} from './pacing.js'
import {isNew, surfaceOf} from './surface.js'

/** @typedef {{data: Record<string, {shape: number[]}[]>}} Images */

/** @type {WeakSet<Figure>} */
const taken = new WeakSet()

/**
 * The image covers -1 to 1 on both axes, its first row on top.
 * @param {{cb_obj: Figure, cb_context: Context, request: Request, name: string, source: Images, column: string}} hand
 */
export const pick = ({cb_obj, cb_context, request, name, source, column}) => {
  if (!isNew(taken, cb_obj)) return
  const {element, frame, place} = surfaceOf(cb_obj, cb_context)
  let held = false
  let last = ''
  /** @param {MouseEvent} event */
  const cellAt = (event) => {
    const count = source.data[column][0].shape[0]
    const [x, y] = place(event)
    const across = frame.x_scale.invert(x)
    const up = frame.y_scale.invert(y)
    const cell = [Math.floor(((1 - up) / 2) * count), Math.floor(((across + 1) / 2) * count)]
    return cell.every((k) => k >= 0 && k < count) ? cell : null
  }
  /** @param {number[] | null} cell */
  const ask = (cell) => {
    if (cell === null || String(cell) === last) return
    last = String(cell)
    paceOf(request).leave(name, cell)
  }
  element.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return
    last = ''
    held = cellAt(event) !== null && event.pointerType === 'mouse'
    if (event.pointerType === 'mouse') ask(cellAt(event))
  })
  element.addEventListener('click', (event) => ask(cellAt(event))) // a touch that scrolled does not click
  element.addEventListener('pointermove', (event) => {
    if (held) ask(cellAt(event))
    element.style.cursor = cellAt(event) !== null ? 'crosshair' : ''
  })
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
    element.addEventListener(end, () => {
      held = false
    })
  }
}
