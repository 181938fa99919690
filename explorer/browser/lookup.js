/** A slider that the browser answers by itself, from a table that was sent while the hand rested. */

/** @import {Pane, Source} from './bokeh.js' */
/** @import {Request} from './pacing.js' */
/** @import {Target} from './rows.js' */
import {follow as ask} from './pacing.js'
import {drawRow} from './rows.js'

/**
 * What a browser must know to draw from the table; `explorer/pages/interaction/slider_table.py` says what each part means.
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
 * Draw the slider's row; whether there was one. A table of another version leaves the answer to the server.
 * @param {Answer} answer
 */
export const answer = ({cb_obj, stamp, table, sources, targets, headline}) => {
  cb_obj.value_label = null // a number of its own from now on
  if (stamp.table !== stamp.shown) return false
  const {starts, lengths, sentences} = stamp
  drawRow(cb_obj.value, {flat: table.data.flat, starts, lengths}, sources, targets)
  headline.text = sentences[cb_obj.value]
  return true
}

/**
 * Draw it, and tell the server of it.
 * @param {Answer & {request: Request, name: string}} move
 */
export const follow = (move) => ask(move, () => answer(move))
