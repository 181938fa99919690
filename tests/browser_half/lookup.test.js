import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {answer, follow} from '../../explorer/browser/lookup.js'
import {modelOf, page, requestOf, sourceOf} from './fakes.js'

let move, curve, line, still
beforeEach(() => {
  page()
  curve = sourceOf({x: [0, 1], y: [9, 9]})
  line = sourceOf({x: [9]})
  still = sourceOf({y: [5]})
  move = {
    cb_obj: {value: 2, value_label: 'auto'},
    stamp: {shown: 4, table: 4, starts: [0, 6, 9], lengths: [2, 1, 0], sentences: ['a', 'b', 'c']},
    table: sourceOf({flat: Float32Array.of(1, 2, 3, 4, 5, 6, 70, 80, 90)}),
    sources: [still, line, curve],
    targets: [
      [2, 'y'],
      [1, 'x'],
      [0, 'y'],
    ],
    headline: modelOf({text: ''}),
  }
})

test('each column takes its slice of the row where the slider is, and what is the same in all rows stays', () => {
  assert.ok(answer(move))
  assert.deepEqual([...curve.data.y], [5, 6])
  assert.deepEqual([...line.data.x], [90])
  assert.deepEqual(still.data.y, [5])
  assert.equal(move.headline.text, 'c')
  assert.equal(move.cb_obj.value_label, null)
})

test('each source that changes tells of it once, and the others do not', () => {
  move.targets.push([2, 'x'])
  move.stamp.starts.push(0)
  move.stamp.lengths.push(2)
  answer(move)
  assert.deepEqual([curve.told, line.told, still.told], [1, 1, 0])
})

test('a table of another version leaves the answer to the server', () => {
  move.stamp.shown = 5
  assert.ok(!answer(move))
  assert.deepEqual([curve.told, move.headline.text, move.cb_obj.value_label], [0, '', null])
})

test('the server hears whether the browser has drawn', () => {
  const request = requestOf()
  follow({...move, request, name: 'lam'})
  assert.deepEqual(JSON.parse(request.asked), [1, {lam: [2, true]}])
  move.stamp.table = -1
  follow({...move, request, name: 'lam'})
  assert.deepEqual(JSON.parse(request.asked), [2, {lam: [2, false]}])
})

test('where the server has put the slider the browser draws nothing', () => {
  const request = requestOf({placed: JSON.stringify({lam: [1, 2]})})
  follow({...move, request, name: 'lam'})
  assert.deepEqual([curve.told, request.asked], [0, ''])
})
