/** Cell of a notebook in the browser: unpacks a page, draws it, and synchronises it with the kernel. */

/** @import {Change, Document, Documents} from './bokeh.js' */
import {add, unpack} from './unpacking.js'

/**
 * Data of a cell.
 * @typedef {object} Cell
 * @property {string} id the id of the element that holds the page
 * @property {string} target the name of its session
 * @property {number} port the port of the kernel's socket
 * @property {number} number the number of the document
 * @property {string} version the version of Bokeh
 * @property {string} widgets the name under which components find the module that one of them provides
 * @property {{alone: string, lost: string, elsewhere: string}} words
 * @property {{ink: string, ground: string, harm: string}} colours the colours of a notice
 * @property {boolean} material whether the page uses the material widget set
 * @property {string} runtime the runtime, packed
 * @property {string} document the document, packed
 */
/** @typedef {{scripts: string[], shims?: string, module?: string, sheet?: string}} Runtime */
/** @typedef {{elsewhere?: boolean, welcome?: boolean, document?: string, patch: string, buffers: string[]}} Said */
/** @typedef {{send(data: object): boolean}} Wire `send` returns whether the data were sent */
/** @typedef {ArrayBuffer | ArrayBufferView<ArrayBuffer>} Bytes */

/**
 * Interface of Jupyter: its kernels, by the cells that they run.
 * @typedef {{content: {data: Said}, buffers?: Bytes[]}} Message
 * @typedef {{onMsg: (message: Message) => void, active: boolean, open(): void, send(data: object): void}} Comm
 * @typedef {Record<string, {connectToComm(target: string): Comm}>} Kernels
 */
/**
 * @typedef {object} Shared data that all cells of a notebook share
 * @property {{kernels?: Kernels}} [PyViz]
 * @property {unknown} [importShim]
 * @property {boolean} [_bokeh_is_initializing]
 * @property {number} [_bokeh_timeout]
 * @property {Record<string, () => Promise<void>>} [explorerCells] functions that remove each page from its current cell
 * @property {Record<string, Promise<Documents>>} [explorerRuntimes]
 */

const shared = () => /** @type {Shared} */ (/** @type {unknown} */ (window))

/** Data that cells share, even if they are of different versions of this project. */
const kept = () => {
  const page = shared()
  page.explorerRuntimes ??= {}
  page.explorerCells ??= {}
  return /** @type {Required<Shared>} */ (page)
}

/**
 * Return the first value of `get` that is not empty, or null after `patience` ms.
 * @template T
 * @param {() => T} get
 * @param {number} patience
 */
const until = async (get, patience) => {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const value = get()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}

/**
 * Load Bokeh, Panel and the widget set, once for all cells of a notebook. A component that carries the module's text
 * provides it to all others by its name. If an output of HoloViews or Panel loads Bokeh too, wait until it has: it
 * would otherwise replace this Bokeh.
 * @param {Cell} cell
 * @returns {Promise<Documents>}
 */
const load = async (cell) => {
  /** @type {Runtime} */
  const {scripts, shims, module, sheet} = await unpack(cell.runtime)
  const page = shared()
  if (sheet) add('style', sheet)
  let since = performance.now()
  const settled = () => {
    if (page._bokeh_is_initializing) since = performance.now()
    return page._bokeh_timeout === undefined || performance.now() - since > 300
  }
  await until(settled, 15000)
  if (shims && !page.importShim) {
    add('script', '{"shimMode": true}', 'esms-options')
    add('script', shims)
  }
  if (window.Bokeh?.version !== cell.version || !window.Bokeh.Panel) {
    delete (/** @type {{Bokeh?: unknown}} */ (window).Bokeh)
    for (const text of scripts) add('script', text)
  }
  const {Document} = Bokeh.loader['@bokehjs/document/document']
  if (!module) return Document
  const lender = {
    type: 'object',
    name: 'panel.models.esm.ReactComponent',
    id: `${cell.widgets}-lender`,
    attributes: {bundle: cell.widgets, esm: module, class_name: 'Lender', data: null},
  }
  const lending = Document.from_json({version: cell.version, title: '', defs: [], roots: [lender]})
  Bokeh.documents.splice(Bokeh.documents.indexOf(lending), 1)
  await /** @type {{compiled_module?: Promise<unknown>}} */ (lending.roots()[0]).compiled_module
  return Document
}

/** A page in its cell. Input before the kernel's welcome message waits for it. */
export class Shown {
  /** @type {Document | null} */
  document = null
  /** @type {Change[]} */
  events = []
  /** @type {Wire | null} */
  wire = null
  connecting = true
  welcomed = false
  left = false // whether the page is now shown elsewhere

  /**
   * @param {Cell} cell
   * @param {HTMLElement} place
   * @param {Documents} documents
   */
  constructor(cell, place, documents) {
    this.cell = cell
    this.place = place
    this.documents = documents
  }

  /**
   * Show a message above the page; "" removes it.
   * @param {string} words
   */
  say(words) {
    this.place.querySelector('.explorer-notice')?.remove()
    if (!words) return
    const line = document.createElement('div')
    line.className = 'explorer-notice'
    line.setAttribute('role', 'alert')
    const {ink, ground, harm} = this.cell.colours
    Object.assign(line.style, {
      font: '14px/1.45 system-ui, sans-serif',
      padding: '8px 14px',
      margin: '4px 0',
      color: ink,
      borderLeft: `4px solid ${harm}`,
      background: `color-mix(in srgb, ${harm} 9%, ${ground})`,
      borderRadius: '2px',
    })
    line.textContent = words
    this.place.prepend(line)
  }

  /** Remove the page's document. */
  clear() {
    if (!this.document) return
    const last = this.document
    this.document = null
    last.clear({sync: false})
    Bokeh.documents.splice(Bokeh.documents.indexOf(last), 1)
  }

  /**
   * Draw a document.
   * @param {unknown} json
   */
  async draw(json) {
    this.clear()
    const next = this.documents.from_json(json)
    next.on_change((event) => next === this.document && this.changed(event))
    this.document = next
    const inner = document.createElement('div')
    inner.dataset.lmSuppressShortcuts = 'true' // JupyterLab's shortcuts must not act while the focus is on the page
    this.place.replaceChildren(inner)
    await Bokeh.embed.add_document_standalone(next, inner)
  }

  /**
   * Store a change by the user for the kernel.
   * @param {Change} event
   */
  changed(event) {
    const told = (event.events ?? [event]).filter((each) => each.sync !== false && isSynced(each))
    if (!(this.wire || this.connecting) || !told.length) return
    if (!this.events.length) setTimeout(() => this.tell(), 0)
    this.events.push(...told)
  }

  /** Send the stored changes to the kernel in one message. */
  tell() {
    if (this.connecting) return
    const told = this.events
    this.events = []
    if (!this.wire || !this.document || !told.length) return
    const patch = JSON.parse(JSON.stringify(this.document.create_json_patch(told), plainly))
    if (!this.wire.send({patch})) this.say(this.cell.words.lost)
  }

  /**
   * Handle a message of the kernel.
   * @param {Said} data
   * @param {Bytes[]} [buffers]
   */
  async hear(data, buffers = []) {
    if (this.left) return
    if (data.elsewhere) {
      this.wire = null
      this.say(this.cell.words.elsewhere)
    } else if (data.welcome) {
      this.welcomed = true
      this.say('')
      if (data.document) {
        this.events = [] // they belong to the previous document
        await this.draw(JSON.parse(data.document))
      }
      this.connecting = false
      this.tell()
    } else if (this.document) {
      const all = new Map(data.buffers.map((id, i) => [id, bytesOf(buffers[i])]))
      this.document.apply_json_patch(JSON.parse(data.patch), all)
    }
  }

  /** Connect to the kernel, by Jupyter or by a separate socket, or show that there is none. */
  async connect() {
    this.wire = (await byJupyter(this)) ?? (await bySocket(this))
    this.wire?.send({hello: this.cell.number})
    if (await until(() => this.welcomed, 5000)) return
    this.say(this.cell.words.alone)
    this.connecting = false
    this.tell()
  }
}

/** @param {Change} event */
const isSynced = (event) => event.kind !== 'ModelChanged' || event.model.properties[event.attr].syncable

/** @type {(key: string, value: {to_base64?: () => string} | null) => unknown} */
const plainly = (_, value) => (typeof value?.to_base64 === 'function' ? value.to_base64() : value)

/** @param {Bytes} bytes */
const bytesOf = (bytes) =>
  'buffer' in bytes ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) : bytes

/**
 * @param {Shown} shown
 * @returns {Promise<Wire | null>}
 */
const byJupyter = async (shown) => {
  const {id, target} = shown.cell
  const kernels = () => shared().PyViz?.kernels?.[id]
  const kernel = await until(kernels, 1000)
  if (!kernel) return null
  const comm = kernel.connectToComm(target)
  comm.onMsg = (message) => shown.hear(message.content.data, message.buffers)
  if (!(await until(() => comm.active, 10000))) return null
  comm.open()
  return {
    send: (data) => {
      if (!kernels()) return false
      comm.send(data)
      return true
    },
  }
}

/**
 * @param {Shown} shown
 * @returns {Promise<Wire | null>}
 */
const bySocket = (shown) =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${shown.cell.port}/${shown.cell.target}`)
    /** @param {string} text */
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
    socket.onerror = () => resolve(null)
    socket.onmessage = (event) => {
      const said = JSON.parse(event.data)
      shown.hear(said, said.bytes.map(bytes))
    }
    /** @param {object} data */
    const send = (data) => {
      if (socket.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(data))
      return true
    }
    socket.onopen = () => resolve({send})
  })

/**
 * Show a page in its cell.
 * @param {Cell} cell
 */
export const show = async (cell) => {
  /** @type {HTMLElement[]} more than one if an output has a second view */
  const places = [...document.querySelectorAll(/** @type {'div'} */ (`[id="${cell.id}"]`))]
  const place = places.find((each) => !each.firstChild) ?? places[places.length - 1]
  const {explorerRuntimes: runtimes, explorerCells: cells} = kept()
  const key = `${cell.version}-${cell.material}`
  runtimes[key] ??= load(cell)
  const shown = new Shown(cell, place, await runtimes[key])
  // the parts of a page are global by name in the browser, so two cells cannot draw it at the same time
  const leave = cells[cell.target]
  const drawing = (async () => {
    await leave?.()
    await shown.draw(await unpack(cell.document))
  })()
  cells[cell.target] = async () => {
    shown.left = true
    await drawing
    shown.clear()
    place.replaceChildren()
    shown.say(cell.words.elsewhere)
  }
  await drawing
  if (!shown.left) await shown.connect()
}
