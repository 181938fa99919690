import assert from 'node:assert/strict'
import {afterEach, beforeEach, mock, test} from 'node:test'
import {FakeElement, modelOf, page, requestOf, sourceOf} from './fakes.js'

let ours, browser, now, connection, terms, times
beforeEach(async () => {
  browser = page()
  Object.assign(globalThis, {
    ShadowRoot: class {},
    history: {replaced: [], replaceState: (...args) => history.replaced.push(args[2])},
    Bokeh: {documents: []},
  })
  mock.timers.enable({apis: ['setTimeout']})
  times = (times ?? 0) + 1
  ours = await import(`../../explorer/browser/connection.js?${times}`) // each test has a page that has lost nothing yet
  now = documentOf([])
  connection = {
    url: 'ws://lab.example/shrinkage/ws',
    token: 'first',
    socket: {},
    session: {document: now},
    _receiver: {constructor: class {}},
    _current_handler: (message) => connection.heard.push(message.msgtype()),
    heard: [],
    reconnects: 0,
    scheduled: 0,
    reconnect: () => connection.reconnects++,
    _schedule_reconnect: () => connection.scheduled++,
  }
  terms = {
    request: requestOf({page: 'f00d'}),
    token: 'lasting',
    words: 'Connection lost.',
    ground: '#B3261E',
    first: 0.5,
    longest: 2,
    silence: 10,
    most: 2,
  }
})

afterEach(() => mock.timers.reset())

const documentOf = (roots) => {
  const made = {
    cleared: 0,
    all_models: roots,
    config: {},
    _new_models: new Set(),
    roots: () => roots,
    clear: () => made.cleared++,
    added: [],
    add_root: (root) => made.added.push(root),
  }
  made.constructor = {from_json: (json) => documents.get(json)}
  return made
}
const documents = new Map()

const lose = () => ours.lost({...terms, cb_data: {connection: {deref: () => connection}}})
const answerWith = (status) => {
  globalThis.fetch = (address) => {
    connection.asked = address
    return status ? Promise.resolve({status}) : Promise.reject(new Error('nobody'))
  }
}
const notice = () => browser.document.body.children.find((each) => each.className === 'explorer-lost')

test('a lost connection is said, and the page takes no hand', () => {
  const part = new FakeElement()
  browser.document.body.append(part)
  lose()
  assert.equal(notice().textContent, 'Connection lost.')
  assert.equal(notice().getAttribute('role'), 'alert')
  assert.ok(part.inert)
  assert.equal(connection.token, 'lasting')
  connection.send() // what a hand does goes nowhere
  lose()
  assert.equal(browser.document.body.children.filter((each) => each.className === 'explorer-lost').length, 1)
})

test('it asks whether the server answers, and connects at once where it does', async () => {
  answerWith(200)
  lose()
  await ours.attempt(connection, terms)
  assert.equal(connection.asked, 'http://lab.example/shrinkage/metadata')
  assert.deepEqual([connection.reconnects, connection.scheduled], [1, 0])
})

test('without an answer it waits twice as long each time, up to the longest', async (t) => {
  const waits = []
  t.mock.method(globalThis, 'setTimeout', (_, wait) => waits.push(wait))
  answerWith(null)
  for (let times = 0; times < 4; times++) {
    lose()
    await ours.attempt(connection, terms)
  }
  assert.deepEqual(waits, [500, 1000, 2000, 2000])
  assert.deepEqual([connection.reconnects, connection.scheduled], [0, 4])
  answerWith(503) // a proxy without its server
  await ours.attempt(connection, terms)
  assert.equal(connection.scheduled, 5)
})

test('a server that takes the token no more is asked for a new session', async () => {
  answerWith(404)
  lose()
  for (let times = 0; times < 3; times++) await ours.attempt(connection, terms)
  assert.deepEqual([connection.reconnects, browser.location.reloads], [2, 1])
})

const pulled = (page, {dark = false, search = '?v=1'} = {}) => {
  const themed = modelOf({data: {dark_theme: dark}, attributes: {}})
  const place = modelOf({attributes: {pathname: '/shrinkage', search}, pathname: '/shrinkage', search})
  const source = sourceOf({})
  source.attributes = {}
  const roots = [themed, place, source]
  const doc_json = {roots: [{page}]}
  const anew = documentOf(roots)
  documents.set(doc_json, anew)
  Bokeh.documents.push(now, anew)
  connection._pull_doc_json = () => Promise.resolve({doc_json, buffers: []})
  return {anew, roots, source, themed}
}
const repull = () => {
  const end = {}
  return connection
    ._repull_session_doc(
      (session) => (end.session = session),
      (error) => (end.error = error),
    )
    .then(() => end)
}

test('a session that lives gives its document, and the page takes hands again where it was', async () => {
  const part = new FakeElement()
  browser.document.body.append(part)
  const {anew, roots, source} = pulled(terms.request.page, {search: '?v=1&n=50'})
  lose()
  const {session, error} = await repull()
  assert.equal(error, undefined)
  assert.equal(session, connection.session)
  assert.deepEqual([now.added, Bokeh.documents], [roots, [now]])
  assert.equal(source.told, 1) // images follow their source
  assert.deepEqual(history.replaced, ['/shrinkage?v=1&n=50'])
  assert.deepEqual([anew.cleared, now.cleared, connection.send], [1, 1, undefined])
  assert.ok(notice())
  ours.returned()
  assert.deepEqual([notice(), part.inert], [undefined, false])
})

test('changes that come before the document are of parts that only it has', async () => {
  pulled(terms.request.page)
  lose()
  const repulled = repull()
  for (const kind of ['PATCH-DOC', 'OK']) connection._current_handler({msgtype: () => kind})
  await repulled
  connection._current_handler({msgtype: () => 'PATCH-DOC'})
  assert.deepEqual(connection.heard, ['OK', 'PATCH-DOC'])
})

test('a session that is not ours is not shown: the page opens its own address', async () => {
  pulled('another')
  lose()
  const {session} = await repull()
  assert.deepEqual([session, browser.location.reloads, now.added], [undefined, 1, []])
})

test('a connection that is lost once more while it comes back waits for the next attempt', async () => {
  connection._pull_doc_json = () => Promise.reject(new Error('lost'))
  connection.socket = null
  lose()
  const {error} = await repull()
  assert.deepEqual([error.message, browser.location.reloads], ['lost', 0])
})

test('a page that the server has let go says so, and the next hand opens it again', () => {
  ours.ended({request: requestOf({ended: 'Closed after an hour.'}), ground: '#B3261E'})
  assert.equal(notice().textContent, 'Closed after an hour.')
  lose()
  assert.ok(connection.closed_permanently)
  browser.window.fire('keydown')
  assert.equal(browser.location.reloads, 1)
})

test('a page that opens has nothing to come back from', () => {
  ours.returned()
  assert.equal(notice(), undefined)
})
