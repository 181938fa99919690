/**
 * Picture of an essay, pinned next to its text. It follows the reader's scrolling and words that the reader presses.
 *
 * Every scene is a figure in the text, for print and for screen readers. Its drawing is copied onto the stage when it
 * is first shown there.
 */

import {reelOf} from './reel.js'

/**
 * @typedef {object} Scene
 * @property {HTMLElement} figure its figure in the text
 * @property {Element} start the element with which it begins: its part, or the first words that show it
 * @property {Element} part
 * @property {number} stops
 * @property {string} says
 * @property {SVGSVGElement} [view] its drawing on the stage
 * @property {(k: number) => unknown} [turn] shows a drawing of its reel, which starts with the last one
 */

const EYE = 0.5 // assumed position of the reader, as a share of the visible text from its top
const [BEGINS, ENDS] = [0.08, 0.8] // shares of a moving scene between which its reel runs
const [STILL, MOVING] = [90, 260] // least height of a scene in px, if its part is long enough
const PLAYED = 1400 // duration of a reel after a press, in ms
const REST = 400 // a reader who has not scrolled for so many ms reads, so the reel goes on to what the words say
const BEYOND = 6 // distance into a scene to which a button scrolls, in px

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Kind[]}
 */
const all = (root, selector) => Array.from(/** @type {NodeListOf<Kind>} */ (root.querySelectorAll(selector)))

/**
 * Return the first match, which has to exist.
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Kind}
 */
const one = (root, selector) => /** @type {Kind[]} */ (all(root, selector))[0]

/** Start every essay of the page. */
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
  /** @type {Scene | undefined} the scene on the stage */
  let shown
  /** @type {Scene | undefined} the scene that was read last */
  let read
  /** @type {HTMLAnchorElement | undefined} the pressed words, whose scene is shown until the reader scrolls on */
  let pressed
  /** @type {Scene | undefined} the scene whose reel is at its end, and stays there while the reader is at it */
  let ended
  let asked = 0
  let playing = 0
  let resting = 0

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

  /** Return the assumed position of the reader in the window, and the height of the page below the window. */
  const sight = () => {
    const {left, bottom} = pinned.getBoundingClientRect()
    const above = left <= root.getBoundingClientRect().left ? Math.max(bottom, 0) : 0
    const rest = Math.max(document.documentElement.scrollHeight - scrollY - innerHeight, 0)
    return {middle: above + EYE * (innerHeight - above), rest}
  }

  /** Return the reader's position: the middle of the visible text or, near the page's end, closer to its bottom. */
  const eye = () => {
    const {middle, rest} = sight()
    return Math.max(middle, innerHeight - rest)
  }

  const follow = () => {
    asked = 0
    const {scene, share} = place(scenes, eye())
    if (scene !== read) {
      release()
      ended = undefined
    }
    read = scene
    clearTimeout(resting)
    if (pressed) return
    cancelAnimationFrame(playing)
    show(scene, scene === ended ? ENDS : share)
    if (scene !== ended) resting = setTimeout(() => play(scene, share), REST)
  }

  const release = () => {
    pressed?.setAttribute('aria-pressed', 'false')
    pressed = undefined
    cancelAnimationFrame(playing)
  }

  /**
   * Run a reel from a share of its scene to its end.
   * @param {Scene} scene
   * @param {number} from
   */
  const play = (scene, from) => {
    const begun = performance.now()
    const begins = Math.min(Math.max(from, BEGINS), ENDS)
    /** @param {number} now */
    const step = (now) => {
      const share = calm() ? ENDS : Math.min(begins + (Math.max(now - begun, 0) / PLAYED) * (ENDS - BEGINS), ENDS)
      show(scene, share)
      if (share < ENDS) playing = requestAnimationFrame(step)
      else if (scene === read) ended = scene
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
    clearTimeout(resting)
    play(scene, BEGINS)
  }

  /** @param {number} by */
  const go = (by) => {
    release()
    const begins = beginnings(scenes)[scenes.indexOf(place(scenes, eye()).scene) + by]
    if (begins === undefined) return
    const {middle, rest} = sight()
    const into = begins + BEYOND
    // to the middle, or near the end half as far, because there the reader's position moves towards the scene
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
  // the page opens with the picture that its words describe
  read = ended = place(scenes, eye()).scene
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
 * Return the position in the window at which each scene begins, in px: with its words, but no earlier than the scene
 * before it allows, and no later than the scenes after it in its part allow.
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

/**
 * Return the scene at a line, and the share of it above the line.
 * @type {(scenes: Scene[], line: number) => {scene: Scene, share: number}}
 */
const place = (scenes, line) => {
  const begins = beginnings(scenes)
  const at = Math.max(
    begins.findLastIndex((begin) => begin <= line),
    0,
  )
  const end = begins[at + 1] ?? scenes[at].part.getBoundingClientRect().bottom
  return {scene: scenes[at], share: (line - begins[at]) / Math.max(end - begins[at], 1)}
}
