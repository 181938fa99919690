import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {go as arrive} from '../../explorer/browser/arrival.js'
import {lighter, listen as listenToCaptions} from '../../explorer/browser/captions.js'
import {copyCode} from '../../explorer/browser/clipboard.js'
import {leave} from '../../explorer/browser/early.js'
import {listen} from '../../explorer/browser/keys.js'
import {listen as frames} from '../../explorer/browser/outline.js'
import {go} from '../../explorer/browser/playing.js'
import {followSystem, repaint} from '../../explorer/browser/theme.js'
import {FakeElement, figureOf, modelOf, page, requestOf} from './fakes.js'

let document
beforeEach(() => {
  ;({document} = page())
})

// keys

const keysOf = (more = {}) => modelOf({known: ['n', ' ', 'ArrowRight'], pressed: '', ...more})
const inside = (...names) => {
  const elements = names.map((name) => (typeof name === 'string' ? new FakeElement(name) : name))
  return {path: [...elements, document.body]}
}
const typed = (type) => new FakeElement('input', {attributes: type ? {type} : {}})

test('a known key is told with a serial number, and does nothing else', () => {
  const keys = keysOf({pressed: '[4, "n"]'}) // a page that has come back counts on
  listen({keys, ...figureOf()})
  assert.ok(document.fire('keydown', {key: 'n', ...inside('div')}).prevented)
  assert.equal(keys.pressed, '[5,"n"]')
  assert.ok(!document.fire('keydown', {key: 'x', ...inside('div')}).prevented)
  assert.equal(keys.pressed, '[5,"n"]')
})

for (const [words, key, event] of [
  ['where one types', 'n', () => inside(typed())],
  ['in a menu that is open', 'n', () => inside('li', new FakeElement('ul', {attributes: {role: 'listbox'}}))],
  ['with Ctrl', 'n', () => ({...inside('div'), ctrlKey: true})],
  ['that is held', 'n', () => ({...inside('div'), repeat: true})],
  ['on a slider that an arrow moves', 'ArrowRight', () => inside(typed('range'))],
  ['on a button that Space presses', ' ', () => inside('button')],
])
  test(`a key ${words} is not the page's`, () => {
    const keys = keysOf()
    listen({keys, ...figureOf()})
    assert.ok(!document.fire('keydown', {key, ...event()}).prevented)
    assert.equal(keys.pressed, '')
  })

test("a letter on a slider is the page's, and so is Space", () => {
  const keys = keysOf()
  listen({keys, ...figureOf()})
  document.fire('keydown', {key: 'n', ...inside(typed('range'))})
  document.fire('keydown', {key: ' ', ...inside(typed('range'))})
  assert.equal(keys.pressed, '[2," "]')
})

test('in a notebook, keys that are pressed outside the cell mean something else', () => {
  const keys = keysOf()
  const figure = figureOf()
  const cell = new FakeElement('div', {className: 'explorer-cell'})
  cell.append(figure.element)
  listen({keys, ...figure})
  document.fire('keydown', {key: 'n', ...inside('div')})
  assert.equal(keys.pressed, '')
  document.fire('keydown', {key: 'n', path: [figure.element, cell, document.body]})
  assert.equal(keys.pressed, '[1,"n"]')
})

test('a figure that learns its size once more adds no second ear', () => {
  const keys = keysOf()
  const figure = figureOf()
  for (let times = 0; times < 2; times++) listen({keys, ...figure})
  assert.equal(document.listeners.get('keydown').length, 1)
})

// captions

const glyphOf = (more = {}) =>
  modelOf({line_width: {value: 2}, line_alpha: {value: 1}, fill_alpha: {field: 'a'}, ...more})
const word = (className, dataset = {}) => {
  const caption = new FakeElement('p', {className: 'caption'})
  const made = new FakeElement('span', {className, dataset})
  caption.append(made)
  return made
}

test('a name lights its curve, the others step back, and all is as it was afterwards', () => {
  const own = glyphOf()
  const other = glyphOf()
  const light = lighter([
    [own, ['kme']],
    [other, ['skmse']],
  ])
  light(word('name kme'))
  assert.deepEqual([own.line_width.value, other.line_alpha.value], [3.4, 0.25])
  assert.deepEqual(other.fill_alpha, {field: 'a'})
  assert.ok([...own.changes, ...other.changes].every(([, options]) => options.sync === false))
  light(word('name kme'))
  assert.equal(own.line_width.value, 3.4) // not wider yet
  light(undefined)
  assert.deepEqual([own.line_width.value, other.line_alpha.value], [2, 1])
  light(word('name monk')) // no curve of this page
  assert.equal(other.line_alpha.value, 1)
})

test('the words for a control light the control', () => {
  const control = {el: new FakeElement(), model: {css_classes: ['at-n']}}
  const views = [control, {el: new FakeElement(), model: {}}]
  globalThis.Bokeh = {index: {query: (wanted) => views.filter(wanted)}}
  const light = lighter([])
  light(word('control', {field: 'n'}))
  assert.ok(control.el.style.outline)
  light(undefined)
  assert.equal(control.el.style.outline, undefined)
})

test('what is pressed in a caption is told, and what only looks like it is not', () => {
  const wish = modelOf({pressed: ''})
  for (let times = 0; times < 2; times++) listenToCaptions({wish, curves: []})
  const pressed = word('try', {set: 'n=50'})
  document.fire('click', {path: [new FakeElement('b'), ...pressed.path]})
  assert.equal(wish.pressed, '[1,"n=50"]')
  document.fire('click', {path: [new FakeElement('button', {className: 'try', dataset: {set: 'n=9'}})]})
  assert.equal(wish.pressed, '[1,"n=50"]')
})

// light and dark

test('roles and palettes follow the theme, and the server hears of none', () => {
  const [glyph, mapper] = [modelOf(), modelOf()]
  const painted = [[glyph, 'line_color', 'kme']]
  const given = {painted, roles: {kme: ['#111', '#EEE']}, shaded: [[mapper, [['#a'], ['#b']]]]}
  repaint({...given, cb_obj: {dark_theme: true}})
  assert.deepEqual([glyph.line_color, mapper.palette], ['#EEE', ['#b']])
  assert.deepEqual([glyph.changes[0][1], mapper.changes[0][1]], [{sync: false}, {sync: false}])
  repaint({painted, roles: given.roles, cb_obj: {dark_theme: false}})
  assert.equal(glyph.line_color, '#111')
})

test('a page opens dark where the system is, once, and the toggle stays free', () => {
  page({media: ['(prefers-color-scheme: dark)']})
  const root = {data: {dark_theme: false}}
  const figure = modelOf({document: {roots: () => [{}, root]}})
  followSystem({cb_obj: figure})
  assert.ok(root.data.dark_theme)
  root.data.dark_theme = false
  followSystem({cb_obj: figure})
  followSystem({cb_obj: {...figure}}) // a page that has come back has figures of the same ids
  assert.ok(!root.data.dark_theme)
})

test('a page stays light where the system is', () => {
  const root = {data: {dark_theme: false}}
  followSystem({cb_obj: modelOf({document: {roots: () => [root]}})})
  assert.ok(!root.data.dark_theme)
})

// playing

const playing = (value, more = {}) => ({
  cb_obj: {playing: true},
  button: {},
  slider: {data: {value, options: [0, 1, 2, 3]}},
  request: requestOf(),
  pace: 90,
  ...more,
})

test('a slider goes from where it is to its end, and stops there', (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const given = playing(1)
  go(given)
  t.mock.timers.tick(90)
  assert.equal(given.slider.data.value, 2)
  t.mock.timers.tick(180)
  assert.deepEqual([given.slider.data.value, given.cb_obj.playing], [3, false])
  go(given)
  given.cb_obj.playing = true
  go(given)
  assert.equal(given.slider.data.value, 0) // from its beginning
})

test('a hand that moves the slider pauses it', (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const given = playing(0)
  go(given)
  t.mock.timers.tick(90)
  given.slider.data.value = 3
  t.mock.timers.tick(90)
  assert.deepEqual([given.slider.data.value, given.cb_obj.playing], [3, false])
})

test('any other act ends it: a press of what acts, or a key, but neither Play itself nor the ground', (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const {document} = page()
  const path = (...names) => names.map((name) => new FakeElement(...name))
  const heard = (type, event) => {
    const given = playing(0)
    go(given)
    document.fire(type, event)
    const {playing: still} = given.cb_obj
    given.cb_obj.playing = false
    go(given) // nothing listens any longer
    return !still
  }
  assert.ok(heard('pointerdown', {path: path(['span'], ['button'])}))
  assert.ok(heard('pointerdown', {path: path(['canvas'])}))
  assert.ok(heard('keydown', {key: 'n'}))
  assert.ok(!heard('keydown', {key: ' '}))
  assert.ok(!heard('pointerdown', {path: path(['button', {className: 'play'}])}))
  assert.ok(!heard('pointerdown', {path: path(['p'])}))
  assert.deepEqual([document.listeners.get('pointerdown'), document.listeners.get('keydown')], [[], []])
})

test('who wants little motion has one stop for each press', () => {
  page({media: ['(prefers-reduced-motion: reduce)']})
  const given = playing(1)
  go(given)
  assert.deepEqual([given.slider.data.value, given.cb_obj.playing], [2, false])
})

// the frame of a picture with the focus

test('a picture has a frame for the keyboard, and none after a press of the pointer', () => {
  frames()
  frames() // every figure of the page calls it
  const picture = new FakeElement('div', {className: 'bk-layer bk-events'})
  const {matches} = picture
  const focus = (isVisible) => {
    picture.matches = (selector) => (selector === ':focus-visible' ? isVisible : matches.call(picture, selector))
    document.fire('focusin', {path: [new FakeElement('canvas'), picture]})
    return picture.style.outline
  }
  assert.deepEqual([focus(false), focus(true)], ['none', ''])
  document.fire('focusin', {path: [new FakeElement('input')]})
  assert.equal(document.listeners.get('focusin').length, 1)
})

// the rest

test("data of one's own lead to the headline: all that scrolls goes to its beginning", () => {
  const outer = new FakeElement('main', {scrollTop: 300})
  const headline = new FakeElement('div', {scrollTop: 5})
  outer.append(headline)
  arrive({cb_context: {index: {find_one: () => ({el: headline})}}, headline: modelOf()})
  assert.deepEqual([outer.scrollTop, headline.scrollTop], [0, 0])
  assert.equal(document.activeElement, headline)
  arrive({cb_context: {index: {find_one: () => null}}, headline: modelOf()})
})

test('a button says that it has copied, for a while', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const copied = []
  const navigator = {clipboard: {writeText: async (text) => copied.push(text)}}
  Object.defineProperty(globalThis, 'navigator', {value: navigator, configurable: true})
  const button = {data: {label: 'Copy Python'}}
  copyCode({button, texts: {code: 'print(1)'}})
  await null
  assert.deepEqual([copied, button.data.label], [['print(1)'], 'Copied'])
  t.mock.timers.tick(1200)
  assert.equal(button.data.label, 'Copy Python')
})

test('a page that another machine serves without TLS copies as browsers always could', () => {
  globalThis.window.isSecureContext = false
  let copied = ''
  document.execCommand = () => {
    copied = document.body.children.at(-1).value
  }
  const create = document.createElement
  document.createElement = (name) => Object.assign(create(name), {select: () => {}})
  copyCode({button: {data: {label: 'Copy Python'}}, texts: {code: 'print(1)'}})
  assert.deepEqual([copied, document.body.children], ['print(1)', []])
})

test('what is seen first stays until the page is there', () => {
  let next = () => {}
  globalThis.requestAnimationFrame = (look) => {
    next = look
  }
  globalThis.window.Bokeh = undefined
  const early = new FakeElement('div', {id: 'early'})
  document.body.append(early)
  leave()
  assert.equal(early.parentElement, document.body)
  globalThis.window.Bokeh = {index: {roots: [{is_idle: false}]}}
  next()
  assert.equal(early.parentElement, document.body)
  globalThis.window.Bokeh.index.roots[0].is_idle = true
  next()
  assert.equal(early.parentElement, null)
})
