/** The way of an event: the elements that it passes, from the innermost on, also inside shadow roots. */

/**
 * @param {Event} event
 * @returns {HTMLElement[]}
 */
export const pathOf = (event) => /** @type {HTMLElement[]} */ (event.composedPath().filter((part) => 'matches' in part))

/**
 * The innermost element of an event's way that a selector names.
 * @param {Event} event
 * @param {string} selector
 */
export const onPath = (event, selector) => pathOf(event).find((element) => element.matches(selector))
