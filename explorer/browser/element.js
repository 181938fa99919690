/** An element with what it needs. */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export const element = (name, properties = {}) => Object.assign(document.createElement(name), properties)

/**
 * A button that calls `press` and sends no form.
 * @param {string} words
 * @param {() => void} press
 * @param {string} [className]
 */
export const buttonOf = (words, press, className = '') => {
  const button = element('button', {type: 'button', textContent: words, className})
  button.addEventListener('click', press)
  return button
}
