"""What a notebook's cell does in the browser: it unpacks a page, draws it, and keeps it and the kernel in step."""

from __future__ import annotations

from .packing import UNPACK

UNTIL = """
const until = async (get, patience) => {
  for (const end = performance.now() + patience; performance.now() < end;) {
    const value = get()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}
"""
# once for all cells of a notebook; a component that carries the module's text lends it to all others by its name. Where
# another output, of HoloViews or Panel, brings Bokeh too, theirs is left to load first: it would replace ours
LOAD = """
const load = async () => {
  const {scripts, shims, module, sheet} = await unpack(cell.runtime)
  const add = (tag, text, type) => {
    const element = document.createElement(tag)
    if (type) element.type = type
    element.textContent = text
    document.head.append(element)
  }
  if (sheet) add('style', sheet)
  let since = performance.now()
  const settled = () => {
    if (window._bokeh_is_initializing) since = performance.now()
    return window._bokeh_timeout === undefined || performance.now() - since > 300
  }
  await until(settled, 15000)
  if (shims && !window.importShim) {
    add('script', '{"shimMode": true}', 'esms-options')
    add('script', shims)
  }
  if (window.Bokeh?.version !== cell.version || !window.Bokeh.Panel) {
    delete window.Bokeh
    for (const text of scripts) add('script', text)
  }
  const {Document} = Bokeh.loader['@bokehjs/document/document']
  if (!module) return Document
  const lender = {type: 'object', name: 'panel.models.esm.ReactComponent', id: `${cell.widgets}-lender`, attributes: {
    bundle: cell.widgets, esm: module, class_name: 'Lender', data: null,
  }}
  const lending = Document.from_json({version: cell.version, title: '', defs: [], roots: [lender]})
  Bokeh.documents.splice(Bokeh.documents.indexOf(lending), 1)
  await lending.roots()[0].compiled_module
  return Document
}
"""
NOTICE = """
const notice = (words) => {
  place.querySelector('.explorer-notice')?.remove()
  if (!words) return
  const line = document.createElement('div')
  line.className = 'explorer-notice'
  line.setAttribute('role', 'alert')
  line.style.cssText = 'font: 14px/1.45 system-ui, sans-serif; padding: 8px 14px; margin: 4px 0; color: #1a1a1a;'
    + 'border-left: 4px solid #B3261E; background: #F9EAE9; border-radius: 2px'
  line.textContent = words
  place.prepend(line)
}
"""
SHOW = """
// what a hand does before the kernel has said welcome waits for it
let shown = null, number = cell.number, events = [], comm = null, connecting = true
const clear = () => {
  if (!shown) return
  const last = shown
  shown = null
  last.clear({sync: false})
  Bokeh.documents.splice(Bokeh.documents.indexOf(last), 1)
}
const draw = async (json) => {
  clear()
  const next = Document.from_json(json)
  next.on_change((event) => next === shown && changed(event))
  shown = next
  const inner = document.createElement('div')
  inner.dataset.lmSuppressShortcuts = 'true'  // JupyterLab's keys are not for what has the focus in here
  place.replaceChildren(inner)
  await Bokeh.embed.add_document_standalone(next, inner)
}
const changed = (event) => {
  const each = event.events ?? [event]
  const synced = (e) => e.kind !== 'ModelChanged' || e.model.properties[e.attr].syncable
  const told = each.filter((e) => e.sync !== false && synced(e))
  if (!(comm || connecting) || !told.length) return
  if (!events.length) setTimeout(tell, 0)
  events.push(...told)
}
const tell = () => {
  if (connecting) return
  const told = events
  events = []
  if (!comm || !shown || !told.length) return
  const patch = shown.create_json_patch(told)
  const plain = (key, value) => typeof value?.to_base64 === 'function' ? value.to_base64() : value
  if (!comm.send({patch: JSON.parse(JSON.stringify(patch, plain))})) notice(cell.words.lost)
}
const hear = async (data, buffers) => {
  if (left) return
  if (data.elsewhere) {
    comm = null
    return notice(cell.words.elsewhere)
  }
  if (data.welcome) {
    welcomed = true
    notice('')
    if (data.document) {
      events = []  // they are of the document that was shown before
      await draw(JSON.parse(data.document))
    }
    connecting = false
    tell()
  } else if (shown) {
    const all = (buffers ?? []).map((each) => each.buffer
      ? each.buffer.slice(each.byteOffset, each.byteOffset + each.byteLength) : each)
    shown.apply_json_patch(JSON.parse(data.patch), new Map(data.buffers.map((id, i) => [id, all[i]])))
  }
}
"""
CONNECT = """
let welcomed = false
const byJupyter = async () => {
  const kernels = () => window.PyViz?.kernels?.[cell.id]
  const kernel = await until(kernels, 1000)
  if (!kernel) return null
  const open = kernel.connectToComm(cell.target)
  open.onMsg = (message) => hear(message.content.data, message.buffers)
  if (!await until(() => open.active, 10000)) return null
  open.open()
  return {send: (data) => {
    if (!kernels()) return false
    open.send(data)
    return true
  }}
}
const bySocket = () => new Promise((resolve) => {
  const socket = new WebSocket(`ws://127.0.0.1:${cell.port}/${cell.target}`)
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer
  socket.onerror = () => resolve(null)
  socket.onmessage = (event) => {
    const said = JSON.parse(event.data)
    hear(said, said.bytes.map(bytes))
  }
  socket.onopen = () => resolve({send: (data) => {
    if (socket.readyState !== WebSocket.OPEN) return false
    socket.send(JSON.stringify(data))
    return true
  }})
})
const connect = async () => {
  comm = await byJupyter() ?? await bySocket()
  comm?.send({hello: number})
  if (await until(() => welcomed, 5000)) return
  notice(cell.words.alone)
  connecting = false
  tell()
}
"""
# parts of a page find themselves in the browser by their names, so that two cells cannot draw it at once
DRAW = """
let left = false
const cells = window.explorerCells ??= {}
const leave = cells[cell.target]
const drawing = (async () => {
  await leave?.()
  await draw(await unpack(cell.document))
})()
cells[cell.target] = async () => {
  left = true
  await drawing
  clear()
  place.replaceChildren()
  notice(cell.words.elsewhere)
}
await drawing
if (!left) await connect()
"""
SCRIPT = f"""(async (cell) => {{
const places = [...document.querySelectorAll(`[id="${{cell.id}}"]`)]  // more than one where an output has a second view
const place = places.find((each) => !each.firstChild) ?? places.at(-1)
{UNTIL}{UNPACK}{LOAD}{NOTICE}
const key = `explorer-${{cell.version}}-${{cell.material}}`
const Document = await (window[key] ??= load())
{SHOW}{CONNECT}{DRAW}}})"""
