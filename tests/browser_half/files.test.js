import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {Shown, show} from '../../explorer/browser/cell.js'
import {begin, dragLine, embed, turn as goTo} from '../../explorer/browser/exported.js'
import {needs} from '../../explorer/browser/style_cache.js'
import {load, unpack} from '../../explorer/browser/unpacking.js'
import {FakeElement, figureOf, modelOf, page, sourceOf} from './fakes.js'

let document, media
beforeEach(() => {
  ;({document, media} = page())
  globalThis.ShadowRoot = class {}
})

const packed = (value) => gzipSync(JSON.stringify(value)).toString('base64')
const put = (id, more = {}) => {
  const element = new FakeElement('div', {id, ...more})
  document.body.append(element)
  return element
}

// an exported file

test('a file in another language is gone to where the address asks for that, and there is one', () => {
  const gone = []
  for (const search of ['?lang=de', '?lang=fr', '', '?lang=']) {
    globalThis.location = {search, replace: (there) => gone.push(there)}
    goTo({de: 'a.de.html'})
  }
  assert.deepEqual(gone, ['a.de.html'])
})

const file = () => {
  const said = ['a', 'b', 'auto']
  const at = [0, 0, 1]
  const texts = {
    said,
    html: {
      headline: {at, patterns: [['<b>', ['a', 'b'], '</b>'], ['<b>auto</b>']]},
      caption: {at, patterns: [[['a', 'b']], ['auto']]},
    },
  }
  put('texts', {textContent: JSON.stringify(texts)})
  const slider = put('stop', {value: '0', max: '1', dataset: {auto: ''}})
  const play = put('play', {dataset: {play: 'Play', pause: 'Pause'}})
  const [headline, caption, status, auto] = ['headline', 'caption', 'status', 'auto'].map((id) => put(id))
  const curve = sourceOf({y: [0]})
  const living = {
    table: sourceOf({flat: [1, 2, 3]}),
    starts: [0],
    lengths: [1],
    sources: [curve],
    targets: [[0, 'y']],
    count: 2,
    painted: [[modelOf(), 'line_color', '#111', '#EEE']],
    shaded: [[modelOf(), ['#a'], ['#b']]],
  }
  return {slider, play, headline, caption, status, auto, curve, living}
}

test("a file's slider draws its row and says its texts; who listens hears the headline once the hand rests", (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {slider, headline, status, curve, living} = file()
  begin(living)
  slider.value = '1'
  slider.fire('input')
  assert.deepEqual([curve.data.y, headline.innerHTML, slider.getAttribute('aria-valuetext')], [[2], '<b>b</b>', 'b'])
  headline.textContent = 'b'
  t.mock.timers.tick(599)
  assert.equal(status.textContent, '')
  t.mock.timers.tick(1)
  assert.equal(status.textContent, 'b')
})

test('a button leaves the value to the lab, and a second press takes it back', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {slider, auto, curve, living} = file()
  begin(living)
  auto.click()
  assert.deepEqual([curve.data.y, slider.dataset.auto, auto.getAttribute('aria-pressed')], [[3], 'auto', 'true'])
  auto.click()
  assert.deepEqual([curve.data.y, slider.dataset.auto, auto.getAttribute('aria-pressed')], [[1], '', 'false'])
})

test('Play moves a slider to its end, begins again there, and ends once a hand moves the slider', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  let beat = null
  t.mock.method(globalThis, 'setInterval', (step) => {
    beat = step
    return 1
  })
  t.mock.method(globalThis, 'clearInterval', (timer) => {
    if (timer === 1) beat = null
  })
  const {slider, play, curve, living} = file()
  begin(living)
  const now = () => [curve.data.y[0], slider.value, play.getAttribute('aria-label'), beat !== null]
  slider.value = slider.max
  play.click()
  assert.deepEqual(now(), [1, '0', 'Pause', true])
  beat()
  assert.deepEqual(now(), [2, '1', 'Play', false])
  play.click()
  slider.fire('input')
  assert.deepEqual(now(), [1, '0', 'Play', false])
})

test('a line that is dragged moves the slider, also from what the lab has chosen', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {slider, living} = file()
  begin(living)
  const figure = figureOf()
  dragLine({...figure, line: sourceOf({x: [2]}), stops: sourceOf({x: [1, 2]}), column: 'x', reach: 12})
  let heard = 0
  slider.addEventListener('input', () => heard++)
  figure.element.fire('pointerdown', figure.at(20, 50))
  figure.element.fire('pointermove', figure.at(9, 50)) // where it is
  assert.equal(heard, 0)
  slider.dataset.auto = 'auto'
  figure.element.fire('pointermove', figure.at(9, 50))
  figure.element.fire('pointermove', figure.at(19, 50))
  assert.deepEqual([heard, slider.value], [2, '1'])
})

test('a file is as dark as the system, and its texts have places as high as the longest', () => {
  media.push('(prefers-color-scheme: dark)')
  const {headline, living} = file()
  Object.defineProperty(headline, 'offsetHeight', {
    get() {
      return this.innerHTML.length
    },
  })
  begin(living)
  assert.deepEqual([living.painted[0][0].line_color, living.shaded[0][0].palette], ['#EEE', ['#b']])
  assert.equal(headline.style.minHeight, `${'<b>auto</b>'.length}px`)
  assert.ok(document.body.className.includes('ready'))
})

test("a file's document is drawn in its places, and no line of it asks for a rule of style", () => {
  put('lab', {textContent: '{"roots": []}'})
  let drawn
  class VisualProperties {
    _get_css_value() {
      return 'red'
    }
  }
  globalThis.Node = class {
    get textContent() {
      return ''
    }
  }
  globalThis.HTMLStyleElement = class extends globalThis.Node {}
  globalThis.Bokeh = {
    loader: {'@bokehjs/core/visuals/visual': {VisualProperties}},
    embed: {embed_items: (...args) => (drawn = [VisualProperties.prototype._get_css_value('line-color'), ...args])},
  }
  embed({item: {docid: 'lab'}})
  assert.deepEqual(drawn, ['', {lab: {roots: []}}, [{docid: 'lab'}]])
})

// a notebook's cell

test('a text comes back as it was packed', async () => {
  assert.deepEqual(await unpack(packed({words: ['λ', 1]})), {words: ['λ', 1]})
})

test('scripts of plots are loaded in their order, and a lab waits until they are', async () => {
  const loading = load(packed(['first', 'second']))
  assert.ok(globalThis.window._bokeh_is_initializing)
  await loading
  assert.equal(globalThis.window._bokeh_is_initializing, false)
  assert.deepEqual(
    document.head.children.map(({name, textContent}) => [name, textContent]),
    [
      ['script', 'first'],
      ['script', 'second'],
    ],
  )
})

const documentOf = (json) => {
  const made = {
    json,
    patches: [],
    on_change: (hear) => (made.change = hear),
    clear: () => {},
    create_json_patch: (events) => ({events: events.map(({attr}) => attr), array: {to_base64: () => 'AA=='}}),
    apply_json_patch: (patch, buffers) => made.patches.push([patch, buffers]),
  }
  Bokeh.documents.push(made)
  return made
}
const changed = (attr, more = {}) => ({
  kind: 'ModelChanged',
  attr,
  model: {properties: {[attr]: {syncable: attr !== 'inner_width'}}},
  ...more,
})
const COLOURS = {ink: '#111', ground: '#FFF', harm: '#B00'}
const WORDS = {alone: 'No kernel.', lost: 'Gone.', elsewhere: 'Moved.'}

const cellOf = async () => {
  globalThis.Bokeh = {documents: [], embed: {add_document_standalone: async () => {}}}
  const place = put('cell')
  const shown = new Shown({words: WORDS, colours: COLOURS, number: 3}, place, {from_json: documentOf})
  await shown.draw({})
  const sent = []
  shown.wire = {send: (data) => sent.push(data) > 0}
  const says = () => place.children.find((each) => each.className === 'explorer-notice')?.textContent
  return {shown, sent, says}
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

test('what a hand does before the kernel has said welcome waits for it, and goes in one message', async () => {
  const {shown, sent} = await cellOf()
  shown.document.change(changed('value'))
  shown.document.change(changed('inner_width')) // the browser's alone
  shown.document.change(changed('colour', {sync: false}))
  shown.document.change({kind: 'MessageSent', attr: 'message'})
  await turn()
  assert.deepEqual(sent, [])
  await shown.hear({welcome: true})
  assert.deepEqual(sent, [{patch: {events: ['value', 'message'], array: 'AA=='}}])
})

test('a document that has changed since is drawn anew, and what was done to the old one is dropped', async () => {
  const {shown, sent} = await cellOf()
  const old = shown.document
  old.change(changed('value'))
  await shown.hear({welcome: true, document: '{"present": 1}'})
  await turn()
  assert.deepEqual([shown.document.json, Bokeh.documents.length, sent], [{present: 1}, 1, []])
  old.change(changed('value'))
  await turn()
  assert.deepEqual(sent, [])
})

test('a change of the kernel is applied with its arrays, views of a larger buffer too', async () => {
  const {shown} = await cellOf()
  const whole = Uint8Array.of(1, 2, 3, 4).buffer
  await shown.hear({patch: '{"a": 1}', buffers: ['x', 'y']}, [new DataView(whole, 1, 2), whole])
  const [[patch, buffers]] = shown.document.patches
  assert.deepEqual(patch, {a: 1})
  assert.deepEqual([...new Uint8Array(buffers.get('x'))], [2, 3])
  assert.equal(buffers.get('y'), whole)
})

test('a kernel that is gone, and a page that has moved, are said', async () => {
  const {shown, says} = await cellOf()
  await shown.hear({welcome: true})
  shown.wire.send = () => false
  shown.document.change(changed('value'))
  await turn()
  assert.equal(says(), 'Gone.')
  await shown.hear({elsewhere: true})
  assert.deepEqual([says(), shown.wire], ['Moved.', null])
})

test('a page that is shown in a second cell leaves the first', async () => {
  const {Bokeh: before} = globalThis
  globalThis.Bokeh = globalThis.window.Bokeh = {
    ...before,
    version: '3',
    Panel: {},
    documents: [],
    embed: {add_document_standalone: async () => {}},
    loader: {'@bokehjs/document/document': {Document: {from_json: documentOf}}},
  }
  globalThis.window.PyViz = {
    kernels: {
      one: {connectToComm: () => commOf()},
      two: {connectToComm: () => commOf()},
    },
  }
  const commOf = () => {
    const comm = {active: true, open: () => {}, send: () => comm.onMsg({content: {data: {welcome: true}}})}
    return comm
  }
  const select = (selector) => [document.getElementById(/"(.*)"/.exec(selector)[1])]
  document.getElementById = (
    (all) => (id) =>
      all().find((each) => each.id === id)
  )(document.querySelectorAll)
  document.querySelectorAll = select
  const [one, two] = [put('one'), put('two')]
  const cell = {target: 't', version: '3', material: false, words: WORDS, colours: COLOURS, number: 1}
  const given = {...cell, runtime: packed({scripts: []}), document: packed({n: 1})}
  await show({...given, id: 'one'})
  assert.equal(one.children.length, 1)
  await show({...given, id: 'two'})
  assert.deepEqual([one.children.map((each) => each.textContent), two.children.length], [['Moved.'], 1])
  assert.equal(Bokeh.documents.length, 1)
})

// rules of style

test('rules that stand are not written again, nor another place for a part with nothing in it', () => {
  const empty = Object.assign(new ShadowRoot(), {querySelector: () => null})
  const full = Object.assign(new ShadowRoot(), {querySelector: () => new FakeElement()})
  const [here, there] = ['position: absolute; left: 1px', 'position: absolute; left: 2px']
  assert.ok(!needs(here, here, full))
  assert.ok(needs(here, there, full))
  assert.ok(!needs(here, there, empty))
  assert.ok(needs('', there, empty)) // its first place
  assert.ok(needs('color: red', 'color: blue', empty))
})
