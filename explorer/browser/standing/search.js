/** Search of the site: titles, headings and names that have the phrase come first, then pages that have its words. */

import {unpack} from '../unpacking.js'

/** @typedef {[text: string, anchor: string]} Heading */
/**
 * @typedef {[address: string, section: string, title: string, about: string, headings: Heading[], names: string[],
 *   keywords: string[]]} Page see search.py
 */
/** @typedef {{pages: Page[], words: string[], where: number[][]}} Index */
/** @typedef {{page: Page, score: number, title: string, anchor: string}} Found */

const MOST = 50 // results that are listed
// among pages that match equally well, the later come first
const ORDER = ['', 'Widgets', 'Gallery', 'Guide', 'Reference', 'Lessons', 'Essays', 'Labs']
const [EQUAL, BEGINS, HAS, WORDS, TEXT] = [100, 80, 70, 50, 20] // scores
const [HEADING, PART] = [2, 1] // what a match of a heading, or of a part of the library, scores less than the title

/** Start the search of the page's address, and search again when the reader asks for something else. */
export const begin = async () => {
  const input = /** @type {HTMLInputElement} */ (document.querySelector('main input'))
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  if (!input.value) return input.focus()
  const {searchIndex} = /** @type {{searchIndex: string} & typeof globalThis} */ (globalThis)
  const query = input.value
  show(query, search(await unpack(searchIndex), query))
}

/** @type {(text: string) => string} words in small letters, with a space before, between and after them */
const plain = (text) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')} `

/**
 * Return how well a text matches a query.
 * @type {(text: string, query: string) => number}
 */
const match = (text, query) => {
  const words = plain(text)
  if (words === query) return EQUAL
  if (words.startsWith(query)) return BEGINS
  if (words.includes(query)) return HAS
  return query
    .trim()
    .split(' ')
    .every((word) => words.includes(` ${word}`))
    ? WORDS
    : 0
}

/**
 * Return the pages that match a query, the best ones first.
 * @type {(index: Index, asked: string) => Found[]}
 */
export const search = (index, asked) => {
  const query = plain(asked)
  if (!query.trim()) return []
  const inText = havingWords(index, query.trim().split(' '))
  /** @type {Found[]} */
  const found = []
  index.pages.forEach((page, i) => {
    const [, section, title, , headings, names, keywords] = page
    const text = {page, score: inText.has(i) ? TEXT : 0, title, anchor: ''}
    /** @type {(named: string, anchor: string, text: string, less: number) => Found} */
    const hit = (named, anchor, text, less) => ({page, anchor, title: named, score: match(text, query) - less})
    const best = [
      hit(title, '', title, 0),
      ...keywords.map((word) => hit(title, '', word, 0)),
      ...headings.map(([text, anchor]) => hit(`${title}: ${text}`, anchor, text, HEADING)),
      ...names.map((name) => hit(name, `explorer.${name}`, name.split('.').slice(-1)[0], PART)),
    ].reduce((one, other) => (other.score > one.score ? other : one), text)
    if (best.score > 0) found.push({...best, score: best.score + ORDER.indexOf(section) / ORDER.length})
  })
  return found.sort((one, other) => other.score - one.score)
}

/**
 * Return the places of the pages that have, for each word asked for, one that begins with it.
 * @type {(index: Index, asked: string[]) => Set<number>}
 */
const havingWords = ({words, where}, asked) => {
  const [first, ...others] = asked.map(
    (word) => new Set(words.flatMap((other, i) => (other.startsWith(word) ? where[i] : []))),
  )
  return new Set([...first].filter((page) => others.every((each) => each.has(page))))
}

/** @type {(query: string, found: Found[]) => void} */
const show = (query, found) => {
  const told = /** @type {HTMLElement} */ (document.querySelector('#search-told'))
  const pages = `${found.length} ${found.length === 1 ? 'page' : 'pages'}`
  const most = found.length > MOST ? `, of which the first ${MOST} are listed` : ''
  told.textContent = found.length ? `${pages} about “${query}”${most}.` : `No page has “${query}”.`
  document.querySelector('#search-results')?.replaceChildren(...found.slice(0, MOST).map(item))
}

/** @type {(found: Found) => HTMLElement} */
const item = ({page: [address, section, , about], title, anchor}) => {
  const [line, link, place, says] = ['li', 'a', 'small', 'p'].map((name) => document.createElement(name))
  link.setAttribute('href', anchor ? `${address}#${anchor}` : address)
  link.textContent = title
  place.textContent = section
  says.textContent = about
  line.append(link, place, ...(about ? [says] : []))
  return line
}
