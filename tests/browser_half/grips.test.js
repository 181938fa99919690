import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {takePoints} from '../../explorer/browser/adding.js'
import {line, point, points} from '../../explorer/browser/grips.js'
import {noise} from '../../explorer/browser/rim.js'
import {figureOf, page, requestOf, sourceOf} from './fakes.js'

let figure, slider
beforeEach(() => {
  page()
  figure = figureOf()
  slider = {data: {value: 0}}
})

const hand = (more) => ({cb_obj: figure.cb_obj, cb_context: figure.cb_context, reach: 12, slider, ...more})
const drag = (from, ...way) => {
  figure.element.fire('pointerdown', figure.at(...from))
  for (const place of way) figure.element.fire('pointermove', figure.at(...place))
  figure.element.fire('pointerup', figure.at(...way.at(-1)))
}

const click = (...place) => {
  for (const kind of ['pointerdown', 'pointerup']) figure.element.fire(kind, figure.at(...place))
}

test('a line within reach is dragged to the stop that is nearest', () => {
  line(hand({line: sourceOf({x: [2]}), stops: sourceOf({at: [1, 2, 4, 8]}), column: 'at'}))
  drag([31, 50], [55, 50])
  assert.equal(slider.data.value, 2) // 4 is nearer to 5.5 than 8 is
  assert.equal(figure.element.captured, 1)
})

test('beside a line, or outside the frame, there is nothing to hold', () => {
  line(hand({line: sourceOf({x: [2]}), stops: sourceOf({at: [1, 2, 4, 8]}), column: 'at'}))
  for (const place of [
    [33, 50],
    [20, 101],
  ])
    drag(place, [80, 50])
  assert.equal(slider.data.value, 0)
  assert.equal(figure.element.captured, undefined)
  figure.element.fire('pointerdown', figure.at(20, 50, {button: 2}))
  figure.element.fire('pointermove', figure.at(80, 50))
  assert.equal(slider.data.value, 0)
})

test('the cursor says what a hand would hold, and a touch on a handle does not scroll', () => {
  line(hand({line: sourceOf({x: [2]}), stops: sourceOf({at: [1, 2]}), column: 'at'}))
  const {element, at} = figure
  const over = (x) => {
    element.fire('pointermove', at(x, 50))
    return element.style.cursor
  }
  assert.deepEqual([over(22), over(60)], ['grab', ''])
  assert.ok(!element.fire('touchstart').prevented)
  element.fire('pointerdown', at(20, 50))
  assert.ok(element.fire('touchstart').prevented)
  assert.equal(over(60), 'grabbing')
  element.fire('pointercancel', at(60, 50))
  assert.equal(over(60), '')
})

test('a figure that tells once more that it has learnt its size takes no second hand', () => {
  const given = hand({line: sourceOf({x: [2]}), stops: sourceOf({at: [1, 2]}), column: 'at'})
  line(given)
  line(given)
  assert.equal(figure.element.listeners.get('pointerdown').length, 1)
})

test('a hint is at the first handle of a page, follows it, and goes with the first drag; none is read aloud', () => {
  const hint = ['← drag me', 'drag me →']
  const source = sourceOf({x: [2]})
  figure.element.clientWidth = 100
  line(hand({line: source, stops: sourceOf({at: [1, 2, 4, 8]}), column: 'at', hint}))
  const [shown] = figure.element.children
  assert.deepEqual([shown.textContent, shown.style.left, shown.style.top], ['← drag me', '34px', '24px'])
  assert.equal(shown.attributes['aria-hidden'], 'true')
  source.data.x[0] = 8
  shown.offsetWidth = 50
  source.change.emit()
  assert.deepEqual([shown.textContent, shown.style.left], ['drag me →', '66px'])
  drag([81, 50], [55, 50])
  assert.deepEqual(figure.element.children, [])
})

test('points have one hint on a page, at those of which there are fewest, and a page without one has none', () => {
  const document = {}
  const drawn = [sourceOf({x: [], y: []}), sourceOf({x: [1, 2], y: [1, 2]}), sourceOf({x: [5], y: [6]})]
  const request = requestOf()
  const given = {sources: drawn, groups: [[0], [1], [2]], names: ['a', 'b', 'c'], request, hint: ['drag', 'drag']}
  const [first, second] = [figure, figureOf()]
  for (const {cb_obj, cb_context, element} of [first, second]) {
    cb_obj.document = document
    element.clientWidth = 200
    points({...given, cb_obj, cb_context, reach: 12})
  }
  assert.deepEqual(
    [first, second].map(({element}) => element.children.length),
    [1, 0],
  )
  assert.deepEqual([first.element.children[0].style.left, first.element.children[0].style.top], ['64px', '60px'])
})

test('a point is held within reach in both directions', () => {
  point(hand({point: sourceOf({x: [2], y: [3]}), stops: sourceOf({at: [1, 2, 4, 8]}), column: 'at'}))
  drag([20, 43], [80, 30])
  assert.equal(slider.data.value, 0)
  drag([20, 41], [80, 30])
  assert.equal(slider.data.value, 3)
})

const twoGroups = () => {
  const sources = [
    sourceOf({x: [1, 5], y: [1, 5]}),
    sourceOf({x: [1, 5], y: [1, 5]}),
    sourceOf({x: [5, 5.4], y: [5, 5]}),
  ]
  return {sources, groups: [[0, 1], [2]], names: ['P', 'Q'], request: requestOf()}
}

test('of several groups the nearest point is taken, of equally near ones the last', () => {
  const given = twoGroups()
  points(hand(given))
  drag([50, 50], [60, 70])
  assert.deepEqual(JSON.parse(given.request.asked), [1, {Q: [[0, 6, 7], false]}])
})

test('a point moves at once in all sources that draw it, within the ranges', () => {
  const given = twoGroups()
  points(hand(given))
  drag([11, 10], [-30, 120])
  assert.deepEqual(JSON.parse(given.request.asked), [1, {P: [[0, 0, 10], false]}])
  const places = given.sources.map(({data, told}) => [data.x[0], data.y[0], told])
  assert.deepEqual(places, [
    [0, 10, 1],
    [0, 10, 1],
    [5, 5, 0],
  ])
})

const taking = (more = {}) => ({...twoGroups(), free: [true, false], low: null, high: null, ...more})

test('a click where nothing is adds a point, and clicks that nobody was asked for stay together', () => {
  const given = taking()
  takePoints(hand(given))
  click(80, 20)
  click(90, 30)
  click(70, 90)
  click(80, 80)
  given.request.answered = 2
  assert.deepEqual(JSON.parse(given.request.asked), [2, {added: [[[9, 3]], false]}])
  click(30, 90)
  assert.deepEqual(JSON.parse(given.request.asked)[1].added[0], [
    [7, 9],
    [8, 8],
    [3, 9],
  ])
})

test('a click on a point chooses it, and one outside the heights adds none', () => {
  const given = taking({low: 4, high: 6})
  takePoints(hand(given))
  click(50, 51)
  assert.deepEqual(JSON.parse(given.request.asked), [1, {chosen: [['Q', 0], false]}])
  click(80, 20)
  drag([80, 50], [80, 60]) // a hand that moves on does not click
  assert.equal(JSON.parse(given.request.asked)[0], 1)
})

test('points of a free group move under the hand, those of others when the server has answered', () => {
  const given = taking({low: 0, high: 6})
  takePoints(hand(given))
  drag([10, 10], [30, 90])
  assert.deepEqual([given.sources[0].data.x[0], given.sources[0].data.y[0]], [3, 6])
  drag([50, 50], [40, 50])
  assert.equal(given.sources[2].data.x[0], 5)
  assert.deepEqual(JSON.parse(given.request.asked)[1].Q[0], [0, 4, 5])
})

const noisy = (discs, ends = {x: [], y: []}) => {
  const more = {sources: [sourceOf(ends)], groups: [[0]], names: ['axis'], request: requestOf()}
  noise(hand({discs: sourceOf(discs), stops: sourceOf({radius: [0.5, 1, 2, 4]}), ...more}))
  return more
}

test('the rim of the nearest disc is dragged to the stop whose radius is nearest', () => {
  noisy({x: [5], y: [5], radius: [2]})
  drag([50, 50], [90, 50]) // its middle is beyond reach of the rim
  assert.equal(slider.data.value, 0)
  drag([75, 50], [87, 50])
  assert.equal(slider.data.value, 3)
})

test('a rim is found above its disc too where the axes differ in scale', () => {
  figure.frame.y_scale = {compute: (value) => 20 * value, invert: (px) => px / 20}
  noisy({x: [5], y: [2.5], radius: [2]})
  drag([50, 10], [50, 30])
  assert.equal(slider.data.value, 1)
})

test("the end of an ellipse's axis is taken before a rim, and is dragged as a point", () => {
  const {sources} = noisy({x: [5], y: [5], radius: [2]}, {x: [7, 5], y: [5, 6]})
  drag([71, 50], [80, 40])
  assert.deepEqual([sources[0].data.x[0], slider.data.value], [8, 0])
})
