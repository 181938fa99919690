/** Downloads of a page: the server, which knows what is shown, orders a file, and the browser saves it. */

/** @import {Context, Figure, Model} from './bokeh.js' */
/** @import {Around} from './paper.js' */
import {onPaper} from './paper.js'

/** @typedef {Model & {asked: string, text: string, plot: Figure | null}} Order */

/** @type {Record<string, string>} kinds of files that the server sends in base64 -> their media type */
const FILMS = {gif: 'image/gif', mp4: 'video/mp4'}
const KEPT = 1000 // ms after which a file's address is released

/**
 * Save the ordered file: a picture as the browser draws it, or a file that the server has made.
 * @param {{cb_obj: Order, cb_context: Context}} order
 */
export const save = ({cb_obj, cb_context}) => {
  /** @type {{name: string, kind: string, said?: Around}} */
  const {name, kind, said} = JSON.parse(cb_obj.asked)
  if (!said) {
    const film = FILMS[kind]
    give(name, film ? new Blob([bytesOf(cb_obj.text)], {type: film}) : new Blob([cb_obj.text], {type: `text/${kind}`}))
    cb_obj.text = '' // the server need not store it either
    return
  }
  const view = cb_obj.plot && cb_context.index.find_one(cb_obj.plot)
  if (view)
    onPaper(view, kind, said)
      .to_blob()
      .then((blob) => give(name, blob))
}

/** @type {(letters: string) => Uint8Array<ArrayBuffer>} */
const bytesOf = (letters) => Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))

/** @type {(name: string, blob: Blob) => void} */
const give = (name, blob) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT)
}
