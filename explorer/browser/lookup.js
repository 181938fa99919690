/** Slider that the browser answers without the server, from a table that was sent while the user paused. */

/** @import {Pane, Source} from './bokeh.js' */
/** @import {Request} from './pacing.js' */
/** @import {Target} from './rows.js' */
import {follow as ask} from './pacing.js'
import {drawRow} from './rows.js'

/**
 * Version of the table that the browser draws from; `pages/interaction/slider_table.py` describes each part.
 * @typedef {object} Stamp
 * @property {number} shown
 * @property {number} table
 * @property {number[]} starts
 * @property {number[]} lengths
 * @property {string[]} sentences
 */
/**
 * @typedef {object} Answer
 * @property {{value: number, value_label: string | null}} cb_obj the slider, whose value is a row
 * @property {Stamp} stamp
 * @property {Source} table
 * @property {Source[]} sources
 * @property {Target[]} targets
 * @property {Pane} headline
 */

/**
 * Draw the slider's row, and return whether there was one. If the table is outdated, the server has to answer.
 * @param {Answer} answer
 */
export const answer = ({cb_obj, stamp, table, sources, targets, headline}) => {
  cb_obj.value_label = null // from now on the label is the number
  if (stamp.table !== stamp.shown) return false
  const {starts, lengths, sentences} = stamp
  drawRow(cb_obj.value, {flat: table.data.flat, starts, lengths}, sources, targets)
  headline.text = sentences[cb_obj.value]
  return true
}

/**
 * Draw the slider's row, and send the move to the server.
 * @param {Answer & {request: Request, name: string}} move
 */
export const follow = (move) => ask(move, () => answer(move))
