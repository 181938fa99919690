/** Figure with a slider that runs through a reel. */

import {reelOf} from './reel.js'

/**
 * @typedef {object} Held
 * @property {{said: string, html: string}[]} texts the texts of the stops, for screen readers and below the picture
 * @property {number} start the stop of the drawing in the page
 */

const PACE = 300 // time from one stop to the next, in ms

/** Start every such figure of the page. */
export const begin = () => {
  for (const figure of document.querySelectorAll('.turned')) turned(/** @type {HTMLElement} */ (figure))
}

/** @param {HTMLElement} figure */
export const turned = (figure) => {
  /** @param {string} name */
  const find = (name) => /** @type {HTMLElement} */ (figure.querySelector(name))
  /** @type {Held} */
  const {texts, start} = JSON.parse(find('.texts').textContent ?? '')
  const svg = /** @type {SVGSVGElement} */ (figure.querySelector('svg'))
  const draw = reelOf(svg, find('.reel').textContent ?? '')
  const input = /** @type {HTMLInputElement} */ (find('input'))
  const play = find('button')
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  /** @param {number} stop */
  const show = (stop) => {
    find('.name b').hidden = true // the reader has found the slider
    input.value = String(stop)
    input.setAttribute('aria-valuetext', texts[stop].said)
    find('.told').innerHTML = texts[stop].html
    return draw((stop - start + texts.length) % texts.length)
  }
  const pause = () => {
    clearInterval(timer)
    timer = undefined
    say()
  }
  const say = () => {
    play.textContent = timer === undefined ? '▶' : '❚❚'
    play.setAttribute('aria-label', timer === undefined ? 'Play' : 'Pause')
  }
  /** Play from the slider's position to its end, or from its beginning if it is at its end. */
  const go = () => {
    const at = Number(input.value)
    show(at < texts.length - 1 ? at : 0)
    timer = setInterval(() => {
      const next = Number(input.value) + 1
      show(next)
      if (next >= texts.length - 1) pause()
    }, PACE)
    say()
  }

  find('.controls').hidden = false
  input.addEventListener('input', () => {
    pause()
    show(Number(input.value))
  })
  play.addEventListener('click', () => (timer === undefined ? go() : pause()))
}
