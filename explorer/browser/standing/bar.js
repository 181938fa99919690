/** Bar of the site's pages: the theme that the reader chooses, and a key for the search. */

const DARK = '(prefers-color-scheme: dark)'

/** Start the bar. */
export const begin = () => {
  const bar = /** @type {HTMLElement} */ (document.querySelector('header.bar'))
  const button = /** @type {HTMLButtonElement} */ (bar.querySelector('button'))
  const search = /** @type {HTMLInputElement} */ (bar.querySelector('input'))
  const {dataset} = document.documentElement
  const isDark = () => (dataset.theme ? dataset.theme === 'dark' : matchMedia(DARK).matches)
  const say = () => {
    button.setAttribute('aria-label', isDark() ? 'Light theme' : 'Dark theme')
    if (!dataset.theme) return
    for (const widget of document.querySelectorAll('kernel-mean-widget')) widget.setAttribute('theme', dataset.theme)
  }
  say()
  button.hidden = false
  // on a phone the sections are one row that scrolls
  bar.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'})
  button.addEventListener('click', () => {
    dataset.theme = isDark() ? 'light' : 'dark'
    try {
      localStorage.theme = dataset.theme
    } catch {} // a page without storage keeps the theme until it is left
    say()
  })
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    search.focus()
  })
}
