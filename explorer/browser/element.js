/** Elements with their properties. */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export const element = (name, properties = {}) => Object.assign(document.createElement(name), properties)

/**
 * Return a button that calls `press` and submits no form.
 * @param {string} words
 * @param {() => void} press
 * @param {string} [className]
 */
export const buttonOf = (words, press, className = '') => {
  const button = element('button', {type: 'button', textContent: words, className})
  button.addEventListener('click', press)
  return button
}
