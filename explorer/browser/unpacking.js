/** Unpacking of the texts in a notebook: gzip in base 64, a third of their length. */

/**
 * @param {string} text
 * @returns {Promise<any>} the parsed JSON
 */
export const unpack = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(plain).text())
}

/**
 * Add a script or a style sheet to the document's head.
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

const PATIENCE = 15_000 // ms that a lab's cell and other plots wait for announced scripts

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
