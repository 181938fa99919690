/** Texts as a notebook holds them, unpacked: gzip in base 64, a third of their length. */

/**
 * @param {string} text
 * @returns {Promise<any>} what its JSON says
 */
export const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(plain).text())
}

/**
 * An element in the document's head that holds a script or a style sheet.
 * @param {'script' | 'style'} name
 * @param {string} text
 * @param {string} [type]
 */
export const add = (name, text, type) => {
  const element = document.createElement(name)
  if (type) element.type = type
  element.textContent = text
  document.head.append(element)
}

const PATIENCE = 15_000 // ms that a lab's cell, and other plots, wait for scripts that are said to be on their way

/**
 * Load packed scripts of HoloViews.
 * @param {string} packed
 */
export const load = async (packed) => {
  const page = /** @type {{_bokeh_is_initializing?: boolean, _bokeh_timeout?: number}} */ (window)
  page._bokeh_is_initializing = true
  page._bokeh_timeout = Date.now() + PATIENCE
  const scripts = await unpack(packed)
  delete page._bokeh_timeout
  page._bokeh_is_initializing = false
  for (const text of scripts) add('script', text)
}
