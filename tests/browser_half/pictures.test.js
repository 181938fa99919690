import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {align} from '../../explorer/browser/alignment.js'
import {pick} from '../../explorer/browser/cells.js'
import {contours, rasterOf, table} from '../../explorer/browser/contours.js'
import {roll} from '../../explorer/browser/film.js'
import {cells, points} from '../../explorer/browser/lighting.js'
import {onPaper, placeKeys} from '../../explorer/browser/paper.js'
import {square, whereThereIsRoom} from '../../explorer/browser/plane.js'
import {save} from '../../explorer/browser/saving.js'
import {FakeElement, figureOf, modelOf, page, requestOf, sourceOf} from './fakes.js'

let figure, document
beforeEach(() => {
  ;({document} = page())
  figure = figureOf()
})

// cells

const pressing = () => {
  // from -1 to 1 over 100 px
  Object.assign(figure.frame, {
    x_scale: {invert: (px) => px / 50 - 1},
    y_scale: {invert: (px) => 1 - px / 50},
  })
  const request = requestOf()
  pick({...figure, request, name: 'cell', source: {data: {image: [{shape: [4, 4]}]}}, column: 'image'})
  return () => request.asked && JSON.parse(request.asked)
}

test('a press of a mouse picks a cell, and goes on picking while it is held', () => {
  const asked = pressing()
  const {element, at} = figure
  element.fire('pointerdown', at(10, 10))
  assert.deepEqual(asked(), [1, {cell: [[0, 0], false]}])
  element.fire('pointermove', at(20, 20)) // the same cell
  assert.equal(asked()[0], 1)
  element.fire('pointermove', at(60, 99))
  assert.deepEqual(asked(), [2, {cell: [[3, 2], false]}])
  element.fire('pointerup', at(60, 99))
  element.fire('pointermove', at(10, 10))
  assert.equal(asked()[0], 2)
})

test('a finger picks where it clicks, as one that scrolls does not; beside the picture there is no cell', () => {
  const asked = pressing()
  const {element, at} = figure
  element.fire('pointerdown', at(10, 10, {pointerType: 'touch'}))
  element.fire('pointermove', at(60, 60, {pointerType: 'touch'}))
  assert.equal(asked(), '')
  element.fire('click', at(120, 50))
  assert.equal(asked(), '')
  element.fire('click', at(60, 60))
  assert.deepEqual(asked(), [1, {cell: [[2, 2], false]}])
})

// blocks that light up

const blocks = () => ({
  cb_obj: figure.cb_obj,
  cb_context: figure.cb_context,
  cells: sourceOf({first: [0, 2], end: [2, 3], clean: [0, NaN], bad: [NaN, 0.5], right: [0.5, 1]}),
  cell: sourceOf({}),
  rows: sourceOf({place: [2, 0, 1], P_x: [1, 5, 9], P_y: [1, 5, 9], Q_x: [2, 6, 8], Q_y: [2, 6, 8]}),
  points: sourceOf({}),
  means: sourceOf({x: [3, NaN], y: [4, NaN]}),
  bad_means: sourceOf({x: [NaN, 7], y: [NaN, 8]}),
  mean: sourceOf({}),
  reach: 14,
  label: 'blocks',
})

test('the pair under the pointer lights its whole block, its cell and its mean', () => {
  const given = blocks()
  points(given)
  figure.element.fire('pointermove', figure.at(51, 50))
  assert.deepEqual(given.points.data, {P_x: [5, 9], P_y: [5, 9], Q_x: [6, 8], Q_y: [6, 8]})
  assert.deepEqual(
    [given.cell.data, given.mean.data],
    [
      {left: [0], right: [0.5]},
      {x: [3], y: [4]},
    ],
  )
  figure.element.fire('pointermove', figure.at(20, 20))
  assert.deepEqual(
    [given.cell.data, given.mean.data],
    [
      {left: [0.5], right: [1]},
      {x: [7], y: [8]},
    ],
  )
  figure.element.fire('pointerleave', figure.at(20, 20))
  assert.deepEqual([given.points.data.P_x, given.cell.data.left, given.mean.data.x], [[], [], []])
})

test('other blocks, or a hand that presses, put the light out', () => {
  const given = blocks()
  points(given)
  figure.element.fire('pointermove', figure.at(51, 50))
  given.rows.change.emit()
  assert.deepEqual(given.points.data.P_x, [])
  figure.element.fire('pointermove', figure.at(51, 50, {buttons: 1}))
  assert.deepEqual(given.points.data.P_x, [])
})

test('arrows go from one block to the next, and say which it is', () => {
  const given = blocks()
  cells(given)
  const {element} = figure
  assert.deepEqual([element.attributes.role, element.attributes['aria-valuemax']], ['slider', '2'])
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) assert.ok(element.fire('keydown', {key}).prevented)
  assert.deepEqual(given.cell.data, {left: [0.5], right: [1]})
  assert.equal(element.attributes['aria-valuetext'], 'block 2 of 2 in the order of their means, holds an outlier')
  assert.ok(!element.fire('keydown', {key: 'Tab'}).prevented)
  element.fire('blur')
  assert.deepEqual(given.cell.data.left, [])
})

// contours

const LEVELS = {lines: 2, first: 0.5, apart: 1, least: {lines: 4, cells: 8}}

test('the raster has at least the pixels that are asked for, and a whole number of them a cell', () => {
  const raster = rasterOf([0, 0, 0, 0, 0, 0], LEVELS) // 2 lines of 3 cells
  assert.deepEqual([raster.shape, raster.length, raster.dimension], [[4, 9], 36, 2])
  assert.deepEqual([...new Set(raster)], [0])
})

test('what lies between two levels has the tint of the lower one, above the first', () => {
  assert.deepEqual([...new Set(rasterOf([1.2, 1.2], {...LEVELS, lines: 1}))], [1])
  assert.deepEqual([...new Set(rasterOf([NaN, Infinity], {...LEVELS, lines: 1}))], [0]) // count as 0
})

test('on an outline two tints blend, and beside it they do not', () => {
  const row = [...rasterOf([0, 2], {lines: 1, first: 0.5, apart: 1, least: {lines: 1, cells: 6}})]
  assert.deepEqual([row[0], row.at(-1)], [0, 2])
  assert.ok(row.some((tint) => tint % 1 !== 0))
  assert.deepEqual(
    row,
    row.toSorted((a, b) => a - b),
  )
})

test('each image has the same raster, and without numbers a pixel of nothing', () => {
  const source = sourceOf({w: [1, 2, 3, 4]})
  const two = table({xs: [0, 0], source, lines: 2})
  assert.equal(two[0], two[1])
  assert.deepEqual(
    [[...two[0]], two[0].shape],
    [
      [1, 2, 3, 4],
      [2, 2],
    ],
  )
  assert.deepEqual(contours({xs: [], source, ...LEVELS}), [])
  const [none] = contours({xs: [0], source: sourceOf({w: []}), ...LEVELS})
  assert.deepEqual([[...none], none.shape], [[0], [1, 1]])
})

// a film

const film = () => ({
  samples: sourceOf({x: [0, 1, NaN, 0, 1, NaN], y: [1, 2, NaN, 3, 40, NaN], weight: [1, 1, 1, 1, 1, 1]}),
  film: sourceOf({x: [], y: []}),
  average: sourceOf({x: [0, 1], y: [2, 21]}),
  bands: [modelOf({visible: true})],
  pace: 70,
  top: 10,
})

test('curves pile up, their average settles, and the bands take their place', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const given = film()
  roll(given)
  assert.deepEqual([...given.film.data.y], [1, 2, NaN])
  assert.deepEqual([...given.average.data.y], [1, 2])
  assert.ok(!given.bands[0].visible)
  t.mock.timers.tick(70)
  assert.deepEqual([...given.film.data.y], [1, 2, NaN, 3, NaN, NaN]) // what is above the picture is not drawn
  assert.deepEqual([...given.average.data.y], [2, NaN])
  t.mock.timers.tick(70)
  assert.deepEqual([given.film.data.y, given.average.data.y, given.bands[0].visible], [[], [2, 21], true])
})

test('a film ends where another begins, and who wants little motion sees none', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const given = film()
  roll(given)
  given.samples.data = {x: [], y: [], weight: []}
  roll(given)
  t.mock.timers.tick(700)
  assert.deepEqual([given.film.data.y, given.bands[0].visible], [[], true])
  page({media: ['(prefers-reduced-motion: reduce)']})
  const still = film()
  roll(still)
  assert.deepEqual([still.film.data.y, still.average.data.y, still.bands[0].visible], [[], [2, 21], true])
})

// where things lie

test('a figure of the plane shows at least its square, whatever the shape of the frame', () => {
  const plot = modelOf({
    ...figure.cb_obj,
    tags: [{cx: 1, cy: 2, half: 10, wide: 1}],
    inner_width: 200,
    inner_height: 100,
  })
  square({plot})
  const {x_range: x, y_range: y} = plot
  assert.equal((x.end - x.start) / 200, (y.end - y.start) / 100)
  assert.ok(x.start < -9 && x.end > 11 && y.start < -8 && y.end > 12)
  square({plot: modelOf({...plot, tags: [{cx: 1, cy: 2, half: 10, wide: 3}]})})
  assert.equal((x.end - x.start) / 200, (y.end - y.start) / 100)
  assert.ok(x.start < -29 && x.end > 31)
  const before = x.changes.length
  square({plot: {...plot, inner_width: 0}})
  const unset = {...plot, properties: {inner_width: {is_unset: true}}}
  Object.defineProperty(unset, 'inner_width', {get: () => assert.fail('Bokeh has no size of it yet')})
  square({plot: unset})
  assert.equal(x.changes.length, before)
})

test('words are seen where there is room for them', () => {
  const words = modelOf()
  const picture = {plot: {inner_width: 100, inner_height: 100}, x: {start: 0, end: 10}, y: {start: 0, end: 5}, words}
  whereThereIsRoom({...picture, least: [9, 19]})
  assert.ok(words.visible)
  whereThereIsRoom({...picture, least: [9, 21]})
  assert.ok(!words.visible)
})

test('a slider begins and ends where the frame of its picture does', () => {
  const [slider, row] = [modelOf({styles: {color: 'red'}}), modelOf({styles: {}})]
  Object.assign(figure.frame.bbox, {left: 40, right: 90})
  align({...figure, slider, row, stops: []})
  assert.equal(slider.styles.color, 'red')
  assert.deepEqual([slider.styles['padding-left'], slider.styles['padding-right']], ['40px', '10px'])
  assert.equal(row.styles['padding-left'], '40px')
  assert.deepEqual(slider.changes[0][1], {sync: false})
})

test('a slider in the units of its axis begins and ends at its stops, and never outside the frame', () => {
  const [slider, row] = [modelOf({styles: {}}), modelOf({styles: {}})]
  Object.assign(figure.frame, {bbox: {left: 40, right: 90}, x_scale: {compute: (value) => 40 + 25 * Math.log10(value)}})
  const placesOf = (stops) => {
    align({...figure, slider, row, stops})
    return ['padding-left', 'padding-right'].map((name) => Number.parseFloat(slider.styles[name]).toFixed(6))
  }
  const x = (value) => 40 + 25 * Math.log10(value)
  assert.deepEqual(placesOf([2, 10, 50]), [x(2).toFixed(6), (100 - x(50)).toFixed(6)])
  assert.deepEqual(placesOf([0, 2, 4, 8]), [x(1).toFixed(6), (100 - x(8)).toFixed(6)]) // 0 is one stop left of 2
  assert.deepEqual(placesOf([0.1, 1, 10, 100, 1000]), ['40.000000', '10.000000'])
})

const corners = [
  [
    [-4, -4],
    [4, -4],
    [4, 4],
    [-4, -4],
  ],
]

test('the keys of a legend go on in a second line where the first is full', () => {
  const keys = [
    ['KME', '', [], 1, '#111', '#eee'],
    ['S-KMSE', 'band', corners, 0.35, '#222', '#ddd'],
    ['truth', 'square', corners, 1, '#333', '#ccc'],
  ]
  const {placed, top} = placeKeys(keys, 150, (words) => 6 * words.length, 1)
  assert.deepEqual(
    placed.map(({at, tint, length}) => [...at, tint, length]),
    [
      [12, 46, '#eee', 30],
      [84, 46, '#ddd', 12],
      [12, 66, '#ccc', 12],
    ],
  )
  assert.equal(top, 80)
  assert.equal(placeKeys([], 150, () => 0, 0).top, 38)
})

// a picture as a file

const contextOf = (ground) => {
  const texts = []
  const known = {
    texts,
    measureText: (words) => ({width: 6 * words.length}),
    getImageData: () => ({data: ground}),
    fillText: (words, x, y) => texts.push([words, x, y]),
  }
  return new Proxy(known, {get: (ctx, name) => ctx[name] ?? (() => {})})
}

class Layer {
  bbox = {width: 200, height: 100}
  pixel_ratio = 2
  constructor(backend) {
    Object.assign(this, {backend, ctx: contextOf()})
  }
  resize(...size) {
    this.size = size
  }
  async to_blob() {
    return 'blob'
  }
}

const said = {
  title: 'Loss',
  keys: [['KME', 'square', corners, 1, '#111', '#EEE']],
  foot: 'n = 20',
  ink: ['#000', '#FFF'],
  font: 'serif',
}

const drawn = (ground) => {
  const title = modelOf({text: 'Loss', text_alpha: 1, visible: true})
  const plot = modelOf({title, border_fill_color: '#FBFBF9', border_fill_alpha: 1})
  const views = {find_one: () => ({layout: {bbox: {bottom: 20}}})}
  const view = {...figure.view, model: plot, views, export: (kind) => new Layer(kind)}
  document.createElement = (name) => Object.assign(new FakeElement(name), {getContext: () => contextOf(ground)})
  return {title, plot, view}
}

test('a picture leaves with its name and keys above it and its state below, and the page keeps its own title', () => {
  const {title, view} = drawn([251, 251, 249, 255])
  const sheet = onPaper(view, 'svg', said)
  assert.equal(sheet.backend, 'svg')
  assert.deepEqual(sheet.ctx.texts, [
    ['Loss', 12, 26],
    ['KME', 30, 46],
    ['n = 20', 12, 157],
  ])
  assert.deepEqual(sheet.size, [200, 168]) // without the band of its own title
  assert.equal(sheet.ctx.fillStyle, '#000')
  assert.deepEqual([title.text_alpha, title.changes.every(([, options]) => options.silent)], [1, true])
})

test('on dark ground the words are light', () => {
  const {view} = drawn([20, 23, 28, 255])
  assert.equal(onPaper(view, 'png', said).ctx.fillStyle, '#FFF')
})

test('what is ordered is saved under its name, and a file that the server made is not kept', async () => {
  const saved = []
  URL.createObjectURL = (blob) => {
    saved.push(blob)
    return 'blob:1'
  }
  const {plot, view} = drawn([251, 251, 249, 255])
  const links = []
  const create = document.createElement
  document.createElement = (name) => {
    const made = create(name)
    if (name === 'a') links.push(made)
    return made
  }
  const context = {index: {find_one: (model) => (model === plot ? view : null)}}
  const order = (what, more) => {
    const cb_obj = modelOf({asked: JSON.stringify(what), text: '', plot: null, ...more})
    save({cb_obj, cb_context: context})
    return cb_obj
  }
  assert.equal(order({name: 'lab.html', kind: 'html'}, {text: '<p>'}).text, '')
  assert.equal(order({name: 'lab.gif', kind: 'gif'}, {text: btoa('GIF\xff')}).text, '')
  order({name: 'lab-loss.png', kind: 'png', said}, {plot})
  order({name: 'none.png', kind: 'png', said}, {plot: modelOf()}) // it is not drawn
  await null
  await null
  assert.deepEqual(
    links.map(({download, href}) => [download, href]),
    [
      ['lab.html', 'blob:1'],
      ['lab.gif', 'blob:1'],
      ['lab-loss.png', 'blob:1'],
    ],
  )
  assert.equal(await saved[0].text(), '<p>')
  assert.deepEqual([saved[1].type, [...new Uint8Array(await saved[1].arrayBuffer())]], ['image/gif', [71, 73, 70, 255]])
  assert.equal(saved[2], 'blob')
})
