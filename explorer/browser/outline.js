/** The frame of the picture that has the focus: for those who use the keyboard, and not after a press of the pointer. */

import {onPath} from './path.js'

let listens = false

/** @param {Event} event */
const frame = (event) => {
  const picture = onPath(event, '.bk-events')
  if (picture) picture.style.outline = picture.matches(':focus-visible') ? '' : 'none'
}

/** Listen to the focus of a page's pictures, once, when a figure first gets its size. */
export const listen = () => {
  if (!listens) document.addEventListener('focusin', frame)
  listens = true
}
