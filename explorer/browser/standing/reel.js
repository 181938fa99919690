/** Reel: the page contains the first drawing of a picture, and this module applies the others' differences to it. */

import {unpack} from '../unpacking.js'

/** @typedef {(string | number | null)[] | string | null} Value of a slot: children, or a text, or no attribute */
/** @typedef {[element: number, name: string, values: Value[], which: number[]]} Slot see svg/frame_diffs.py */

const SVG = 'http://www.w3.org/2000/svg'
const TEXT = ''
const CHILDREN = '<'

/**
 * Return a function that shows a drawing. Of the requests while the reel is unpacked only the last one is shown.
 * @param {SVGSVGElement} svg the first drawing, as it is in the reel
 * @param {string} packed
 * @returns {(k: number) => Promise<void>}
 */
export const reelOf = (svg, packed) => {
  const elements = [svg, ...svg.querySelectorAll('*')]
  const told = JSON.parse(packed)
  const unpacked = typeof told === 'string' ? unpack(told) : Promise.resolve(told)
  let shown = 0
  let wanted = 0
  return async (k) => {
    wanted = k
    /** @type {{slots: Slot[]}} */
    const {slots} = await unpacked
    if (wanted === shown) return
    for (const [element, name, values, which] of slots) {
      if (which[wanted] !== which[shown]) put(elements[element], name, values[which[wanted]], elements)
    }
    shown = wanted
  }
}

/** @type {(element: Element, name: string, value: Value, elements: Element[]) => void} */
const put = (element, name, value, elements) => {
  if (name === TEXT) element.textContent = String(value)
  else if (name === CHILDREN && Array.isArray(value)) {
    element.replaceChildren(...value.map((each) => (typeof each === 'number' ? elements[each] : parsed(String(each)))))
  } else if (value === null) element.removeAttribute(name)
  else element.setAttribute(name, String(value))
}

/** @param {string} markup of one element of an SVG */
const parsed = (markup) => {
  const around = document.createElementNS(SVG, 'svg')
  around.innerHTML = markup
  return /** @type {Element} */ (around.firstElementChild)
}
