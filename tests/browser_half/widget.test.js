import assert from 'node:assert/strict'
import {test} from 'node:test'
import {absolute} from '../../explorer/browser/standing/shelf.js'
import {begin, nearest} from '../../explorer/browser/standing/widget.js'

test('a hand on the line is at the stop whose line is next', () => {
  const line = [0.1, 0.2, 0.4, 0.8, 0.41] // the last is of what the lab chooses
  assert.deepEqual(
    [-1, 0.14, 0.16, 0.31, 0.41, 0.7, 2].map((place) => nearest(line, 4, place)),
    [0, 0, 1, 2, 2, 3, 3],
  )
})

test('the element is defined once, whichever script comes first', () => {
  const defined = new Map()
  Object.assign(globalThis, {
    HTMLElement: class {},
    customElements: {
      get: (name) => defined.get(name),
      define: (name, kind) => {
        assert(!defined.has(name))
        defined.set(name, kind)
      },
    },
  })
  begin()
  const [kind] = defined.values()
  begin()
  assert.deepEqual([...defined], [['kernel-mean-widget', kind]])
})

test('what is copied leads to the host that it is copied from', () => {
  const here = {protocol: 'https:', href: 'https://example.org/some/widgets/shrinkage.html#html'}
  const html = '<a href="../labs/x.html">a</a><iframe src="x-alone.html"></iframe><script src="kernel.js"></script>'
  assert.equal(
    absolute(html, here),
    '<a href="https://example.org/some/labs/x.html">a</a>' +
      '<iframe src="https://example.org/some/widgets/x-alone.html"></iframe><script src="kernel.js"></script>',
  )
  assert.equal(absolute(html, {protocol: 'file:', href: 'file:///x.html'}), html)
})
