/** Words at the first handle of a page, until something on the page is dragged. They are for the eye only. */

/** @typedef {[after: string, before: string]} Words for the right and for the left side of a handle */

/** @type {WeakMap<object, HTMLElement | null>} page -> its hint, or null once something has been dragged */
const hints = new WeakMap()
const APART = 14 // distance from the handle, in px

/**
 * Show a hint in an element, unless its page has one or needs none any more. Return the function that places it.
 * @param {object} page
 * @param {HTMLElement} element
 * @param {Words} words
 * @param {() => [x: number, y: number] | null} at the position of the handle, in px
 * @param {boolean} [left] whether the words are left of the handle if there is room for them
 */
export const offer = (page, element, [after, before], at, left = false) => {
  if (hints.has(page)) return () => {}
  const hint = document.createElement('span')
  hint.className = 'drag-hint'
  hint.setAttribute('aria-hidden', 'true')
  hint.style.cssText =
    'position:absolute;pointer-events:none;width:max-content;font:13px var(--font, system-ui, sans-serif);' +
    'color:var(--ink, currentColor);background:color-mix(in srgb, var(--ground, white) 80%, transparent);' +
    'border-radius:4px;padding:0 3px'
  element.append(hint)
  hints.set(page, hint)
  const place = () => {
    const [x, y] = at() ?? [NaN, NaN]
    const {clientWidth} = element
    hint.hidden = !Number.isFinite(x + y)
    hint.textContent = after
    hint.style.maxWidth = 'none'
    // on a narrow page neither side may have room for the words in one line
    const isRight = left
      ? x > 2 * APART + hint.offsetWidth
      : x + APART + hint.offsetWidth > clientWidth && x > 0.7 * clientWidth
    if (isRight) hint.textContent = before
    hint.style.maxWidth = `${(isRight ? x : clientWidth - x) - 2 * APART}px`
    hint.style.left = `${isRight ? x - APART : x + APART}px`
    hint.style.top = `${y}px`
    hint.style.transform = `translate(${isRight ? '-100%' : '0'}, -50%)`
  }
  place()
  return place
}

/**
 * Remove a page's hint for good.
 * @param {object} page
 */
export const withdraw = (page) => {
  hints.get(page)?.remove()
  hints.set(page, null)
}
