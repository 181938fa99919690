/**
 * An essay's picture, pinned beside its text: how far one has read decides what it shows, and so do words in the text.
 *
 * Every scene stands in the text as a figure, for paper and for those who listen. Its drawing is copied onto the stage
 * when it is first shown there.
 */

import {reelOf} from './reel.js'

/**
 * @typedef {object} Scene
 * @property {HTMLElement} figure in the text
 * @property {Element} start what it begins with: its part, or the first words that show it
 * @property {Element} part
 * @property {number} stops
 * @property {string} says
 * @property {SVGSVGElement} [view] its drawing on the stage
 * @property {(k: number) => unknown} [turn] shows a drawing of its reel, which begins with the last one
 */

const EYE = 0.5 // of the text that is seen: how far down a reader is taken to be
const [BEGINS, ENDS] = [0.08, 0.8] // of a scene that moves: between them its reel runs
const [STILL, MOVING] = [90, 260] // px of reading that a scene has at least, where its part is long enough
const PLAYED = 1400 // ms that a reel runs when words are pressed
const BEYOND = 6 // px that a button leads into a scene

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Kind[]}
 */
const all = (root, selector) => Array.from(/** @type {NodeListOf<Kind>} */ (root.querySelectorAll(selector)))

/**
 * The first of them, which the page has.
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Kind}
 */
const one = (root, selector) => /** @type {Kind[]} */ (all(root, selector))[0]

/** Every essay of the page. */
export const begin = () => {
  for (const root of all(document, '.essay')) essay(/** @type {HTMLElement} */ (root))
}

/** @param {HTMLElement} root */
export const essay = (root) => {
  /** @type {HTMLElement[]} */
  const [pinned, stage, says, count, told] = ['.pinned', '.stage', '.says', '.count', '.told'].map((each) =>
    one(root, each),
  )
  /** @type {HTMLAnchorElement[]} */
  const words = all(root, 'a.shows')
  const scenes = all(root, 'section').flatMap(scenesOf)
  /** @type {Scene | undefined} on the stage */
  let shown
  /** @type {Scene | undefined} where the reader was last */
  let read
  /** @type {HTMLAnchorElement | undefined} whose scene is shown until one reads on */
  let pressed
  let asked = 0
  let playing = 0

  /** @param {HTMLAnchorElement} word */
  const sceneOf = (word) => scenes.find(({figure}) => figure.id === word.dataset.scene)

  /** @type {(scene: Scene, share: number) => void} */
  const show = (scene, share) => {
    const {stops} = scene
    scene.view ??= placed(stage, scene)
    const far = Math.min(Math.max((share - BEGINS) / (ENDS - BEGINS), 0), 1)
    scene.turn?.(stops - 1 - Math.round((calm() ? Math.round(far) : far) * (stops - 1)))
    if (scene === shown) return
    shown?.view?.classList.remove('shown')
    scene.view.classList.add('shown')
    shown = scene
    says.replaceChildren(...one(scene.figure, 'figcaption').cloneNode(true).childNodes)
    count.textContent = `${scenes.indexOf(scene) + 1} / ${scenes.length}`
    for (const each of words) each.classList.toggle('shown', sceneOf(each) === scene)
  }

  /** How far down the window the reader is taken to be, and what is left of the page below the window. */
  const sight = () => {
    const {left, bottom} = pinned.getBoundingClientRect()
    const above = left <= root.getBoundingClientRect().left ? Math.max(bottom, 0) : 0
    const rest = Math.max(document.documentElement.scrollHeight - scrollY - innerHeight, 0)
    return {middle: above + EYE * (innerHeight - above), rest}
  }

  /** Where that is: in the middle of the text that is seen and, at the end of the page, at its foot. */
  const eye = () => {
    const {middle, rest} = sight()
    return Math.max(middle, innerHeight - rest)
  }

  const follow = () => {
    asked = 0
    const {scene, share} = place(scenes, eye())
    if (scene !== read) release()
    read = scene
    if (!pressed) show(scene, share)
  }

  const release = () => {
    pressed?.setAttribute('aria-pressed', 'false')
    pressed = undefined
    cancelAnimationFrame(playing)
  }

  /** @param {Scene} scene */
  const play = (scene) => {
    const begun = performance.now()
    /** @param {number} now */
    const step = (now) => {
      const far = calm() ? 1 : Math.min(Math.max(now - begun, 0) / PLAYED, 1)
      show(scene, BEGINS + far * (ENDS - BEGINS))
      if (far < 1) playing = requestAnimationFrame(step)
    }
    step(begun)
  }

  /** @param {HTMLAnchorElement} word */
  const press = (word) => {
    const again = word === pressed
    const scene = sceneOf(word)
    release()
    if (again || !scene) return follow()
    read = place(scenes, eye()).scene
    pressed = word
    word.setAttribute('aria-pressed', 'true')
    told.textContent = scene.says
    play(scene)
  }

  /** @param {number} by */
  const go = (by) => {
    release()
    const begins = beginnings(scenes)[scenes.indexOf(place(scenes, eye()).scene) + by]
    if (begins === undefined) return
    const {middle, rest} = sight()
    const into = begins + BEYOND
    // to the middle, or to where the eye comes to meet it, as it goes down as fast as the text goes up
    const top = Math.min(into - middle, (into + rest - innerHeight) / 2)
    scrollBy({top, behavior: calm() ? 'instant' : 'smooth'})
  }

  for (const word of words) {
    word.setAttribute('role', 'button')
    word.setAttribute('aria-pressed', 'false')
    word.addEventListener('click', (event) => {
      event.preventDefault()
      press(word)
    })
    word.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return
      event.preventDefault()
      press(word)
    })
  }
  one(root, '.back').addEventListener('click', () => go(-1))
  one(root, '.on').addEventListener('click', () => go(1))
  const moved = () => {
    if (!asked) asked = requestAnimationFrame(follow)
  }
  addEventListener('scroll', moved, {passive: true})
  addEventListener('resize', moved)
  follow()
}

/** @type {(part: Element) => Scene[]} */
const scenesOf = (part) =>
  all(part, 'figure').map((figure, i) => ({
    figure: /** @type {HTMLElement} */ (figure),
    part,
    start: i ? one(part, `a.shows[data-scene="${figure.id}"]`) : part,
    stops: Number(figure.getAttribute('data-stops')),
    says: one(figure, 'figcaption').textContent ?? '',
  }))

/** @type {(stage: HTMLElement, scene: Scene) => SVGSVGElement} */
const placed = (stage, scene) => {
  const view = /** @type {SVGSVGElement} */ (one(scene.figure, 'svg').cloneNode(true))
  const packed = one(scene.figure, 'script')?.textContent
  if (packed) scene.turn = reelOf(view, packed)
  stage.append(view)
  return view
}

/**
 * Where each scene begins, px down the window: with its words, but for as much reading as the one before it needs, and
 * as those after it in its part do.
 * @param {Scene[]} scenes
 */
const beginnings = (scenes) => {
  const begins = scenes.map(({start}) => start.getBoundingClientRect().top)
  const ends = scenes.map(({part}) => part.getBoundingClientRect().bottom)
  const needs = scenes.map(({part, stops}) => {
    const together = scenes.reduce((sum, each) => sum + (each.part === part ? lasting(each.stops) : 0), 0)
    const {height} = part.getBoundingClientRect()
    return lasting(stops) * Math.min(1, height / together)
  })
  for (let i = 1; i < scenes.length; i++) {
    if (scenes[i].part === scenes[i - 1].part) begins[i] = Math.max(begins[i], begins[i - 1] + needs[i - 1])
  }
  for (let i = scenes.length - 1; i >= 0; i--) {
    const next = scenes[i + 1]?.part === scenes[i].part ? begins[i + 1] : ends[i]
    begins[i] = Math.min(begins[i], next - needs[i])
  }
  return begins
}

/** @param {number} stops */
const lasting = (stops) => (stops > 1 ? MOVING : STILL)

/** @type {(scenes: Scene[], line: number) => {scene: Scene, share: number}} the scene at a line, and how far into it */
const place = (scenes, line) => {
  const begins = beginnings(scenes)
  const at = Math.max(
    begins.findLastIndex((begin) => begin <= line),
    0,
  )
  const end = begins[at + 1] ?? scenes[at].part.getBoundingClientRect().bottom
  return {scene: scenes[at], share: (line - begins[at]) / Math.max(end - begins[at], 1)}
}
