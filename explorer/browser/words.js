/** The language of a page: what its parts say in the place of English words, and how it changes. */

/**
 * Words of a part in its page's language; where `speaks` has none for them, they stay English.
 * @param {{speaks?: Record<string, string>}} model
 * @param {string} words
 */
export const said = ({speaks}, words) => speaks?.[words] ?? words

/**
 * Let a browser know which language the page is in, so that words are read aloud as what they are.
 * @param {{language: string}} page
 */
export const declare = ({language}) => {
  document.documentElement.lang = language
}

/**
 * The address of a page's state in another language.
 * @param {string} address
 * @param {string} code
 */
export const inLanguage = (address, code) => {
  const other = new URL(address)
  if (code === 'en') other.searchParams.delete('lang')
  else other.searchParams.set('lang', code)
  return other.href
}
