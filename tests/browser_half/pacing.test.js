import assert from 'node:assert/strict'
import {beforeEach, mock, test} from 'node:test'
import {answered, awaits, follow, paceOf} from '../../explorer/browser/pacing.js'
import {FakeElement, page, requestOf} from './fakes.js'

let window, request
beforeEach(() => {
  ;({window} = page())
  request = requestOf({answered: 7})
})

const move = (value, name = 'lam') => follow({request, name, cb_obj: {value}})
const asked = () => JSON.parse(request.asked)

test('the first move is asked at once, with a serial number after the last answer', () => {
  move(3)
  assert.deepEqual(asked(), [8, {lam: [3, false]}])
  assert.ok(awaits(request))
})

test('while two answers are awaited the newest value waits, and what the hand skipped is never asked', () => {
  for (const value of [1, 2, 3, 4]) move(value)
  move(9, 'n')
  assert.deepEqual(asked(), [9, {lam: [2, false]}])
  request.answered = 8
  paceOf(request).ask()
  assert.deepEqual(asked(), [10, {lam: [4, false], n: [9, false]}])
  paceOf(request).ask()
  assert.equal(asked()[0], 10) // nothing is left
})

test('an answer lets the browser ask for what was left, after this turn', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  for (const value of [1, 2, 3]) move(value)
  request.answered = 9
  answered({request})
  assert.equal(asked()[0], 9)
  t.mock.timers.tick(0)
  assert.deepEqual(asked(), [10, {lam: [3, false]}])
})

test('five seconds without an answer count as lost', () => {
  const clock = mock.method(performance, 'now', () => 1000)
  for (const value of [1, 2, 3]) move(value)
  clock.mock.mockImplementation(() => 5999)
  move(4)
  assert.equal(asked()[0], 9)
  clock.mock.mockImplementation(() => 6000)
  move(5)
  assert.deepEqual(asked(), [10, {lam: [5, false]}])
  clock.mock.restore()
})

test('a control that the server has moved asks nothing, and the hand after it does', () => {
  request.placed = JSON.stringify({lam: [1, 20]})
  move(20)
  assert.equal(request.asked, '')
  move(20) // the same place once more: a hand's
  assert.deepEqual(asked(), [8, {lam: [20, false]}])
  request.placed = JSON.stringify({lam: [2, 5]})
  move(6) // the hand was there before the echo
  assert.deepEqual(asked(), [9, {lam: [6, false]}])
})

test('a press of a button or a key tells at once what was left; a click on a picture or a held key does not', () => {
  for (const value of [1, 2, 3]) move(value)
  window.fire('click', {path: [new FakeElement('canvas'), new FakeElement('div', {className: 'bk-Figure'})]})
  window.fire('keydown', {repeat: true})
  assert.equal(asked()[0], 9)
  window.fire('click', {path: [new FakeElement('button'), window]})
  assert.deepEqual(asked(), [10, {lam: [3, false]}])
  move(4)
  window.fire('keydown', {repeat: false})
  assert.deepEqual(asked(), [11, {lam: [4, false]}])
})

test('pages do not hear of each other', () => {
  const other = requestOf()
  follow({request: other, name: 'n', cb_obj: {value: 1}})
  assert.equal(request.asked, '')
  assert.ok(!awaits(request))
  assert.ok(awaits(other))
})
