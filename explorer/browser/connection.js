/**
 * Reconnection: after a lost connection the page says so, ignores input, and reconnects by itself.
 *
 * If the session still exists on the server, the browser loads its document again. If it is gone, as after a restart,
 * the page reloads its address, which contains its whole state.
 */

/** @import {Document, Documents, Model, Part} from './bokeh.js' */
/** @import {Request} from './pacing.js' */

/**
 * The parts of Bokeh's connection to its server that this module uses.
 * @typedef {object} Connection
 * @property {string} url
 * @property {string} token
 * @property {unknown} socket
 * @property {{document: Document}} session
 * @property {boolean} closed_permanently
 * @property {(() => void) | undefined} send
 * @property {object} _receiver
 * @property {(message: Message) => unknown} _current_handler
 * @property {(resolve: (session: object) => void, reject: (error: unknown) => void) => Promise<void>} _repull_session_doc
 * @property {() => Promise<{doc_json: {roots: object[]}, buffers: unknown}>} _pull_doc_json
 * @property {(milliseconds: number) => void} _schedule_reconnect
 * @property {() => void} reconnect
 */
/** @typedef {{msgtype(): string}} Message */
/** @typedef {Model & {attributes: {pathname: string, search: string}}} Place the page's address, as Panel stores it */
/**
 * @typedef {object} Terms
 * @property {Request} request
 * @property {string} token the token that opens the session again
 * @property {string} words the message of the notice
 * @property {string} ground the notice's colour
 * @property {number} first seconds from the first attempt to the second; each wait is twice the previous one
 * @property {number} longest the longest wait, in seconds
 * @property {number} silence seconds without an answer after which an attempt has failed
 * @property {number} most the number of refusals by the server after which the page requests a new session
 */

/** Style of the notice, as high as the bar that it covers. */
const LOOK = {
  position: 'fixed',
  zIndex: '10000',
  inset: '0 0 auto 0',
  minHeight: '64px',
  padding: '8px 16px',
  boxSizing: 'border-box',
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  textAlign: 'center',
  textWrap: 'balance',
  font: '16px/1.4 system-ui, sans-serif',
  color: '#FFFFFF',
  boxShadow: '0 2px 8px rgba(0, 0, 0, 0.4)',
}

class Loss {
  /** @type {HTMLElement | null} */
  notice = null
  anew = false // whether the document was loaded again and has yet to be drawn
  ended = false // whether the server has ended the session
  refusals = 0
  wait = 0 // seconds until the next attempt
  scrolled = 0 // the page's scroll position

  /**
   * Show why the page ignores input. A screen reader reads text that is added to an existing alert.
   * @param {string} words
   * @param {string} ground
   */
  say(words, ground) {
    const notice = document.createElement('div')
    notice.setAttribute('role', 'alert')
    notice.className = 'explorer-lost'
    Object.assign(notice.style, LOOK, {background: ground})
    setInert(true)
    document.body.append(notice)
    notice.textContent = words
    this.notice = notice
  }
}

/** @param {boolean} inert */
const setInert = (inert) => {
  for (const part of document.body.children) /** @type {HTMLElement} */ (part).inert = inert
}

let loss = new Loss()

/**
 * Handle a lost connection. Bokeh reports each failed attempt by the same event, so this repeats until one succeeds.
 * @param {Terms & {cb_data: {connection: WeakRef<Connection>}}} terms
 */
export const lost = (terms) => {
  const connection = terms.cb_data.connection.deref()
  if (!connection) return
  if (loss.ended) {
    connection.closed_permanently = true
    return
  }
  loss.anew = false
  loss.wait ||= terms.first
  if (!loss.notice) loss.say(terms.words, terms.ground)
  connection.token = terms.token
  connection.send = () => {} // input of a user who still drags a slider is ignored
  // discards a message that has arrived only in part
  connection._receiver = new /** @type {new () => object} */ (connection._receiver.constructor)()
  connection._repull_session_doc = (resolve, reject) => takeSession(connection, terms, resolve, reject)
  setTimeout(() => attempt(connection, terms), 1000 * loss.wait)
}

/**
 * Check whether the server answers, and connect if it does.
 * @param {Connection} connection
 * @param {Terms} terms
 */
export const attempt = async (connection, {first, longest, silence, most}) => {
  const address = connection.url.replace(/^ws/, 'http').replace(/ws$/, 'metadata')
  const options = {cache: /** @type {const} */ ('no-store'), signal: AbortSignal.timeout(1000 * silence)}
  const answers = await fetch(address, options).then(
    (reply) => reply.status < 500,
    () => false,
  )
  loss.wait = answers ? first : Math.min(2 * loss.wait, longest) // a server that refuses is asked again soon
  if (!answers) connection._schedule_reconnect(0)
  else if (loss.refusals++ < most) connection.reconnect()
  else location.reload() // the server no longer accepts the page's token
}

/**
 * Load the session's document again.
 * @param {Connection} connection
 * @param {Terms} terms
 * @param {(session: object) => void} resolve
 * @param {(error: unknown) => void} reject
 */
const takeSession = async (connection, {request, first}, resolve, reject) => {
  delete connection.send
  // changes are ignored, because they may concern parts that only the new document has
  const hear = connection._current_handler
  connection._current_handler = (message) => message.msgtype() === 'PATCH-DOC' || hear(message)
  try {
    const {doc_json, buffers} = await connection._pull_doc_json()
    connection._current_handler = hear
    // a new session, made from the first address of the page, would show another state
    if (!JSON.stringify(doc_json.roots).includes(request.page)) return location.reload()
    take(connection.session.document, doc_json, buffers)
    Object.assign(loss, {anew: true, wait: first, refusals: 0})
    resolve(connection.session)
  } catch (error) {
    reject(error)
    if (connection.socket) location.reload() // otherwise the connection was lost again
  }
}

/**
 * Replace the parts of a document by the server's. Bokeh's own function loses the arrays.
 * @param {Document} now
 * @param {object} doc_json
 * @param {unknown} buffers
 */
const take = (now, doc_json, buffers) => {
  const anew = /** @type {Documents} */ (now.constructor).from_json(doc_json, [], buffers)
  const {config} = anew
  const roots = [...anew.roots()]
  const page = /** @type {Part<{dark_theme: boolean}>} */ (roots.find(isThemed))
  // the server's document is always light: the colours of the dark theme are the browser's
  if (page.data.dark_theme) for (const dark of [false, true]) page.data.dark_theme = dark
  // so are images, which follow a column of their source
  for (const source of anew.all_models) if (source.type === 'ColumnDataSource') source.change.emit()
  const place = /** @type {Place} */ (roots.find(isPlace))
  const {pathname, search} = place.attributes
  // otherwise the browser would send the server its address at the time of the loss
  if (search !== location.search) history.replaceState({}, '', pathname + search)
  loss.scrolled = main()?.scrollTop ?? 0
  for (const each of [now, anew]) each.clear({sync: false})
  Bokeh.documents.splice(Bokeh.documents.indexOf(anew), 1)
  now._notified_idle = false // otherwise no event reports that all new parts are drawn
  now._new_models.add = () => now._new_models // the server knows them all
  now.config = config
  for (const root of roots) now.add_root(root, {sync: false})
  delete (/** @type {{add?: unknown}} */ (now._new_models).add)
}

/** @param {Model & {data?: object}} root */
const isThemed = (root) => !!root.data && 'dark_theme' in root.data

/** @param {Model} root */
const isPlace = (root) => 'pathname' in root.attributes

/** Return the element that scrolls. */
const main = () => {
  const parts = [...document.querySelectorAll('*')]
  return parts.map((part) => part.shadowRoot?.querySelector('.main-content')).find(Boolean)
}

/** Accept input again after the document was drawn, and restore the scroll position. */
export const returned = () => {
  if (!loss.anew) return
  const {notice, scrolled} = loss
  loss = new Loss()
  notice?.remove()
  setInert(false)
  const place = main()
  if (scrolled && place) place.scrollTop = scrolled
}

/**
 * Handle the end of a session after a long time without input: the next input opens the page again.
 * @param {{request: Request, ground: string}} page
 */
export const ended = ({request, ground}) => {
  loss.ended = true
  loss.notice?.remove()
  loss.say(request.ended, ground)
  const again = () => location.reload()
  for (const hand of ['pointerdown', 'keydown', 'wheel']) window.addEventListener(hand, again, {once: true})
  document.addEventListener('visibilitychange', () => document.hidden || again())
}
