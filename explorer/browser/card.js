/** Story card: the question, the choices or the scale, and the answer. */

/** @import {Component} from './menus.js' */
import {buttonOf, element} from './element.js'
import {said} from './words.js'

/**
 * Content of the card, as `pages/sections/story.py` sends it.
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} step
 * @property {string} asks
 * @property {string[]} words the labels of the choices
 * @property {string} places the label of the slider over the choices; "" has a button for each choice instead
 * @property {boolean} veiled whether the answer has to stay hidden
 * @property {string} astray a message if the page has left the step, or ""
 * @property {number | null} guess
 * @property {number | null} truth
 * @property {string} [verdict]
 * @property {string} [bar] SVG
 * @property {string} [says]
 * @property {string} [score] how many guesses of the story were right
 * @property {{words: string, link: string} | null} [onward] the next story; its link is "" if it is on this page
 * @property {boolean} first
 * @property {boolean} last
 */

/**
 * Draw the card. Its elements are made once, because a new element would lose the focus and be read aloud again.
 * @param {{model: Component<{shown: Shown}>}} props
 */
export const card = ({model}) => {
  /** @type {(act: string, value?: number) => void} */
  const send = (act, value = 0) => model.send_msg({act, value})
  /** @type {(words: string, act: string, value?: number) => HTMLButtonElement} */
  const button = (words, act, value) => {
    const it = buttonOf(words, () => it.getAttribute('aria-disabled') !== 'true' && send(act, value))
    return it
  }
  const title = element('h2')
  const step = element('span')
  const header = element('header')
  const asks = element('p', {className: 'asks'})
  const choices = element('div', {className: 'row choices'})
  const astray = element('p')
  const verdict = element('p', {className: 'verdict'})
  const bar = element('div')
  const says = element('p')
  const score = element('p', {className: 'score'})
  const back = button(said(model, 'Back'), 'go', -1)
  const next = button(said(model, 'Next'), 'go', 1)
  const leave = button(said(model, 'Leave the story'), 'leave')
  const nextStory = button('', 'next story')
  const nextLab = element('a')
  const reveal = button(said(model, 'Show the answer'), 'guess', -1)
  const home = button(said(model, 'Return'), 'return')
  const whole = element('section', {className: 'story', ariaLabel: said(model, 'Story')})
  const answer = element('div')
  const nav = element('nav', {className: 'row', ariaLabel: said(model, 'Steps of the story')})
  for (const part of [asks, answer]) part.setAttribute('aria-live', 'polite')
  header.append(title, step)
  answer.append(astray, verdict, bar, says, score)
  nav.append(back, next, nextStory, nextLab, reveal, home, leave)
  whole.append(header, asks, choices, answer, nav)

  /**
   * Show the link to the next step or, at the end, to the next story.
   * @param {Shown} shown
   */
  const leadOn = ({onward, last}) => {
    const story = onward?.link ? nextLab : nextStory
    story.textContent = onward?.words ?? ''
    if (onward?.link) nextLab.href = onward.link
    for (const part of [nextStory, nextLab]) part.hidden = part !== story || !onward
    next.hidden = !!onward
    if (onward) return story
    return last ? leave : next
  }
  /** @param {Shown} shown */
  const pressed = (shown) =>
    shown.words.map((word, i) => {
      const it = button(word, 'guess', i)
      it.setAttribute('aria-disabled', String(!shown.veiled || !!shown.astray))
      it.setAttribute('aria-pressed', String(shown.guess === i))
      if (shown.truth === i) {
        it.className = 'right'
        it.prepend('✓ ')
      }
      return it
    })
  /** @param {Shown} shown */
  const placed = (shown) => {
    const most = shown.words.length - 1
    const slider = element('input', {type: 'range', min: '0', max: String(most)})
    slider.value = String(shown.guess ?? Math.floor(most / 2))
    const value = element('output')
    slider.setAttribute('aria-label', shown.places)
    const say = () => {
      value.textContent = shown.words[Number(slider.value)]
      slider.setAttribute('aria-valuetext', shown.words[Number(slider.value)])
    }
    say()
    slider.addEventListener('input', say)
    return [slider, value, buttonOf(said(model, 'Guess'), () => send('guess', Number(slider.value)))]
  }
  let guessed = '' // the state whose choices are drawn; drawing them again after a press would lose the focus
  const draw = () => {
    const {shown} = model
    if (!shown.title) return
    title.textContent = shown.title
    step.textContent = shown.step
    asks.textContent = shown.asks
    const on = leadOn(shown)
    const state = JSON.stringify([shown.asks, shown.words, shown.veiled, shown.astray, shown.guess, shown.truth])
    if (state !== guessed) {
      const {activeElement} = /** @type {ShadowRoot} */ (whole.getRootNode())
      const focused = !!activeElement && [...choices.children].includes(activeElement)
      choices.replaceChildren(...(shown.places ? placed(shown) : pressed(shown)))
      guessed = state
      if (focused && !shown.veiled) on.focus({preventScroll: true}) // otherwise a phone scrolls the answer out of view
    }
    const asked = shown.veiled && !shown.astray
    choices.classList.toggle('asked', asked)
    for (const part of [next, nextStory, nextLab]) part.classList.toggle('on', !asked) // quiet until one has guessed
    choices.hidden = !shown.words.length || (!!shown.places && (!shown.veiled || !!shown.astray))
    astray.textContent = shown.astray
    verdict.textContent = shown.verdict ?? ''
    bar.innerHTML = shown.bar ?? ''
    says.textContent = shown.says ?? ''
    score.textContent = shown.score ?? ''
    for (const part of [astray, verdict, says, score]) part.hidden = !part.textContent
    back.disabled = shown.first
    next.disabled = shown.last
    reveal.hidden = !asked
    home.hidden = !shown.astray
  }
  draw()
  model.on('shown', draw)
  return whole
}
