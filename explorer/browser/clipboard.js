/** What a button copies. */

/** @import {Part} from './bokeh.js' */

const THANKS = 1200 // ms for which a button says that it has copied

/** @typedef {Part<{label: string}>} Button */

/**
 * Copy a text. A page that another machine serves without TLS has no clipboard: it selects and copies as browsers
 * always could.
 * @param {string} text
 * @param {() => void} done
 */
export const copy = (text, done) => {
  if (navigator.clipboard && window.isSecureContext) {
    navigator.clipboard.writeText(text).then(done)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.appendChild(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  done()
}

/**
 * Let a button thank for a while.
 * @param {(word: string) => void} say
 * @param {string} label that it has otherwise
 * @param {string} thanks
 */
export const thank = (say, label, thanks = 'Copied') => {
  say(thanks)
  setTimeout(() => say(label), THANKS)
}

/** @type {(button: Button, text: string) => void} */
const copyBy = ({data}, text) => {
  const {label} = data
  copy(text, () =>
    thank((word) => {
      data.label = word
    }, label),
  )
}

/**
 * Copy the Python that gives the page's numbers.
 * @param {{button: Button, texts: {code: string}}} part
 */
export const copyCode = ({button, texts}) => copyBy(button, texts.code)
