/** Language of a page: the translations of its parts' texts, and how to change the language. */

/**
 * Return a text of a part in its page's language, or in English if `speaks` has no translation.
 * @param {{speaks?: Record<string, string>}} model
 * @param {string} words
 */
export const said = ({speaks}, words) => speaks?.[words] ?? words

/**
 * Set the language of the page in the browser, so that a screen reader pronounces it correctly.
 * @param {{language: string}} page
 */
export const declare = ({language}) => {
  document.documentElement.lang = language
}

/**
 * Return the address of a page's state in another language.
 * @param {string} address
 * @param {string} code
 */
export const inLanguage = (address, code) => {
  const other = new URL(address)
  if (code === 'en') other.searchParams.delete('lang')
  else other.searchParams.set('lang', code)
  return other.href
}
