/** Pointer events on a figure: its element, its frame, and the position of an event. */

/** @import {Context, Figure, Frame} from './bokeh.js' */

/**
 * @typedef {object} Surface
 * @property {HTMLElement} element
 * @property {Frame} frame
 * @property {(event: MouseEvent) => [number, number]} place position of an event in px, from the upper left
 */

/**
 * Return the surface of a figure that has been drawn.
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
 * Add a model to a set, and return whether it was new. A figure often reports that it has got its size.
 * @param {WeakSet<object>} known
 * @param {object} model
 */
export const isNew = (known, model) => !known.has(model) && !!known.add(model)

/**
 * Return the distance of a data point from a position, in px.
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @param {[number, number]} place
 */
export const distance = (frame, x, y, place) =>
  Math.hypot(frame.x_scale.compute(x) - place[0], frame.y_scale.compute(y) - place[1])
