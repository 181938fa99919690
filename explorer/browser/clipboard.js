/** Buttons that copy text to the clipboard. */

/** @import {Part} from './bokeh.js' */

const THANKS = 1200 // ms for which a button confirms that it has copied

/** @typedef {Part<{label: string}>} Button */

/**
 * Copy a text. A page that another machine serves without TLS has no clipboard API; it uses the old way of selecting
 * the text and copying the selection.
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
 * Show for a while on a button that it has copied.
 * @param {(word: string) => void} say
 * @param {string} label its normal label
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
 * Copy the Python that computes the page's numbers.
 * @param {{button: Button, texts: {code: string}}} part
 */
export const copyCode = ({button, texts}) => copyBy(button, texts.code)
