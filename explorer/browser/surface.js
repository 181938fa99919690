/** The surface of a figure that a hand touches: its element, its frame, and where an event lies on it. */

/** @import {Context, Figure, Frame} from './bokeh.js' */

/**
 * @typedef {object} Surface
 * @property {HTMLElement} element
 * @property {Frame} frame
 * @property {(event: MouseEvent) => [number, number]} place in px from the left upper corner
 */

/**
 * The surface of a figure that has been drawn.
 * @param {Figure} figure
 * @param {Context} context
 * @returns {Surface}
 */
export const surfaceOf = (figure, context) => {
  const view = context.index.find_one(figure)
  if (!view) throw new Error('the figure has no view yet')
  const element = view.canvas_view.events_el
  return {
    element,
    frame: view.frame,
    place: (event) => {
      const box = element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    },
  }
}

/**
 * Whether a model is seen for the first time by who keeps this set: a figure tells often that it has learnt its size.
 * @param {WeakSet<object>} known
 * @param {object} model
 */
export const isNew = (known, model) => !known.has(model) && !!known.add(model)

/**
 * How far a point of the data lies from a place, in px.
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @param {[number, number]} place
 */
export const distance = (frame, x, y, place) =>
  Math.hypot(frame.x_scale.compute(x) - place[0], frame.y_scale.compute(y) - place[1])
