/** Path of an event: the elements that it passes, from the innermost outward, also inside shadow roots. */

/**
 * @param {Event} event
 * @returns {HTMLElement[]}
 */
export const pathOf = (event) => /** @type {HTMLElement[]} */ (event.composedPath().filter((part) => 'matches' in part))

/**
 * Return the innermost element on an event's path that matches a selector.
 * @param {Event} event
 * @param {string} selector
 */
export const onPath = (event, selector) => pathOf(event).find((element) => element.matches(selector))
