import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {reelOf} from '../../explorer/browser/standing/reel.js'
import {document, parsed} from './svgs.js'

const FIRST = '<svg><title>one</title><g><path d="a"/><path d="b" class="x"/></g></svg>'
const SECOND = '<svg><title>two &amp; more</title><g><path d="a"/><path d="c"/></g></svg>'
const THIRD = '<svg><title>one</title><g><circle r="1"/><path d="b" class="x"/></g></svg>'
const REEL = {
  count: 3,
  slots: [
    [1, '', ['one', 'two & more'], [0, 1, 0]],
    [
      2,
      '<',
      [
        [3, 4],
        ['<circle r="1"/>', 4],
      ],
      [0, 0, 1],
    ],
    [4, 'class', ['x', null], [0, 1, 0]],
    [4, 'd', ['b', 'c'], [0, 1, 0]],
  ],
}
const same = (svg, markup) => assert.deepEqual(JSON.stringify(svg), JSON.stringify(parsed(markup)))
let svg
beforeEach(() => {
  Object.assign(globalThis, {document})
  svg = parsed(FIRST)
})

test('a reel shows its drawings in any order', async () => {
  const show = reelOf(svg, JSON.stringify(REEL))
  for (const k of [0, 1, 2, 1, 0, 2, 2, 0]) {
    await show(k)
    same(svg, [FIRST, SECOND, THIRD][k])
  }
})

test('a packed reel shows the same', async () => {
  const show = reelOf(svg, JSON.stringify(gzipSync(JSON.stringify(REEL)).toString('base64')))
  await show(2)
  same(svg, THIRD)
})

test('of what is asked for meanwhile the last is shown', async () => {
  const show = reelOf(svg, JSON.stringify(REEL))
  await Promise.all([show(1), show(2), show(0), show(1)])
  same(svg, SECOND)
})
