import assert from 'node:assert/strict'
import {beforeEach, test} from 'node:test'
import {card} from '../../explorer/browser/card.js'
import {chips, keptIn} from '../../explorer/browser/chips.js'
import {guide, look} from '../../explorer/browser/guide.js'
import {keeper} from '../../explorer/browser/keeper.js'
import {choice} from '../../explorer/browser/languages.js'
import {fit} from '../../explorer/browser/letters.js'
import {dropDown, opener, overlay} from '../../explorer/browser/menus.js'
import {paste} from '../../explorer/browser/paste.js'
import {button} from '../../explorer/browser/playing.js'
import {frameOf, share} from '../../explorer/browser/share.js'
import {tabs} from '../../explorer/browser/tabs.js'
import {inLanguage} from '../../explorer/browser/words.js'
import {componentOf, FakeElement, page} from './fakes.js'

const NARROW = '(max-width: 700px)'

let document, media
beforeEach(() => {
  ;({document, media} = page())
  globalThis.ResizeObserver = class {
    constructor(fit) {
      this.fit = fit
    }
    observe(element) {
      element.observer = this
    }
    disconnect() {}
  }
})

const menu = (more = {}) =>
  componentOf({label: 'Labs', words: ['a', 'b'], remarks: [], links: [], current: -1, classes: '', ...more})

test('a list drops down under its button, and closes at a press beside it, at Escape and at a choice', () => {
  const model = menu()
  const [head, list] = dropDown({model}).children
  const isOpen = () => !list.hidden && head.getAttribute('aria-expanded') === 'true'
  assert.ok(!isOpen())
  head.click()
  assert.ok(isOpen())
  document.fire('pointerdown', {path: [list, head.parentElement]})
  assert.ok(isOpen())
  document.fire('pointerdown', {path: [document.body]})
  assert.ok(!isOpen())
  head.click()
  head.parentElement.fire('keydown', {key: 'Escape'})
  assert.ok(!isOpen())
  assert.equal(document.activeElement, head)
  head.click()
  list.children[1].click()
  list.click() // as the press goes on outwards
  assert.deepEqual([isOpen(), model.sent], [false, [1]])
  model.tell('remove')
  assert.deepEqual(document.listeners.get('pointerdown'), [])
})

test('entries are links where there are any, with remarks, and one is where the page is', () => {
  const model = menu({links: ['a', 'b'], remarks: ['first', 'second'], current: 1})
  const [, list] = dropDown({model}).children
  assert.deepEqual(
    list.children.map(({name, href, children, attributes}) => [name, href, children[0].textContent, attributes]),
    [
      ['a', 'a', 'first', {}],
      ['a', 'b', 'second', {'aria-current': 'page'}],
    ],
  )
  model.words = ['c']
  model.tell('words')
  assert.deepEqual(
    list.children.map((each) => each.textContent),
    ['c'],
  )
})

test('an opener says whether what it shows is open', () => {
  const model = componentOf({label: 'Your data', open: false})
  const head = opener({model})
  head.click()
  assert.ok(model.open)
  model.tell('open')
  assert.deepEqual([head.textContent, head.getAttribute('aria-expanded')], ['Your data ▴', 'true'])
})

/** Let dialogs be made that open and close. */
const withDialogs = () => {
  const create = document.createElement
  document.createElement = (name) => {
    const made = create(name)
    const close = () => {
      made.open = false
      made.fire('close')
    }
    return name === 'dialog' ? Object.assign(made, {open: false, showModal: () => (made.open = true), close}) : made
  }
}

test('an overlay opens and closes with what it is told, and by the key that opened it', () => {
  withDialogs()
  const model = componentOf({text: '<p>Help</p>', open: false})
  const dialog = overlay({model})
  model.open = true
  model.tell('open')
  assert.deepEqual([dialog.open, dialog.children[1].innerHTML], [true, '<p>Help</p>'])
  dialog.fire('keydown', {key: '?'})
  assert.deepEqual([dialog.open, model.open], [false, false])
  model.open = true
  model.tell('after_render')
  dialog.fire('click', {target: dialog.children[1]})
  assert.ok(dialog.open)
  dialog.fire('click', {target: dialog})
  assert.ok(!dialog.open)
})

const PLACES = [
  {name: 'headline', words: 'Headline', x: 20, y: 50, w: 920, h: 60},
  {name: 'picture', words: 'Picture: Loss', x: 20, y: 120, w: 920, h: 400},
]

test('the help has a plan of the screen, its numbers in the order of the list', () => {
  withDialogs()
  const model = componentOf({text: '', open: false, places: []})
  const dialog = guide({model})
  const plan = new FakeElement('div', {className: 'plan'})
  dialog.children[1].append(plan)
  model.places = PLACES
  model.tell('places')
  const [screen, list] = plan.children
  assert.deepEqual(
    list.children.map((line) => line.textContent),
    ['Headline', 'Picture: Loss'],
  )
  const [, picture] = screen.children
  assert.equal(picture.children[0].textContent, '2')
  assert.deepEqual(
    [screen.style.width, picture.style.top, picture.style.width, picture.style.height],
    ['460px', '35px', '460px', '200px'],
  )
  assert.equal(screen.getAttribute('aria-hidden'), 'true')
  model.places = []
  model.tell('places')
  assert.deepEqual(plan.children, [])
})

test('the plan has what is seen of the page: its parts by their names, and every picture by its title', () => {
  const views = new Map()
  const part = (box, model = {type: 'Part'}, children = []) => {
    const el = {getBoundingClientRect: () => ({x: 0, y: 0, width: 0, height: 0, ...box})}
    views.set(model, {el, model, children_views: () => children})
    return model
  }
  const loss = part({y: 120, width: 900, height: 400}, {type: 'Figure', title: {text: 'Loss'}})
  const formula = part({x: 910, y: 120, width: 9, height: 9}, {type: 'Figure', title: {text: {text: '$$x$$'}}})
  const hidden = part({}, {type: 'Figure', title: null})
  const inside = [loss, formula, hidden].map((model) => views.get(model))
  const whole = part({width: 900, height: 900}, {type: 'Column'}, inside)
  const headline = part({y: 50, width: 900, height: 60})
  const data = {open: true, places: null}
  const given = {cb_obj: data, cb_context: {index: {find_one: (model) => views.get(model) ?? null}}}
  const words = {headline: 'Headline', caption: 'Caption', picture: 'Picture:'}
  look({...given, whole, names: ['headline', 'caption'], words, headline, caption: part({})})
  assert.deepEqual(
    data.places.map((place) => place.words),
    ['Headline', 'Picture: Loss', 'Picture: $$x$$'],
  )
  assert.deepEqual(data.places[1], {name: 'picture', words: 'Picture: Loss', x: 0, y: 120, w: 900, h: 400})
  const closed = {open: false, places: []}
  look({...given, cb_obj: closed, whole, names: [], words})
  assert.deepEqual(closed.places, [])
})

// chips

test('a row keeps the chips that it has room for, four where there are many, beside the button of the others', () => {
  const many = [50, 100, 150, 200, 250, 300]
  assert.deepEqual([keptIn(many, 1000), keptIn(many.slice(1), 1000)], [4, 5])
  assert.equal(keptIn([50, 100, 150], 150), 3)
  assert.equal(keptIn([50, 100, 150], 149), 1)
  assert.equal(keptIn([50, 100, 150], 0), 3) // not laid out yet
  assert.equal(keptIn([], 100), 0)
})

const rowOf = (room) => {
  const model = componentOf({words: ['a', 'b', 'c'], chosen: 2, looks: true, pictures: {}})
  const create = document.createElement
  document.createElement = (name) => {
    const made = create(name)
    const left = {get: () => 50 * Math.max(['a', 'b', 'c'].indexOf(made.textContent), 0)}
    return Object.defineProperties(made, {offsetLeft: left, offsetWidth: {value: 50}})
  }
  const row = chips({model}, {narrow: NARROW})
  row.clientWidth = room
  row.observer.fit()
  const [more, card] = row.children.slice(-2)
  return {model, row, more, card, words: () => row.children.slice(0, -2).map((each) => each.textContent)}
}

test('what has no place drops down from the end of the row, and the button says that the chosen one is there', () => {
  const {more, words, model} = rowOf(120)
  const [head, list] = more.children
  assert.deepEqual(
    [words(), more.hidden, head.textContent, head.getAttribute('aria-label')],
    [['a'], false, '+ 2', '2 more'],
  )
  assert.ok(head.className.includes('here'))
  list.children[1].click()
  assert.deepEqual(model.sent, [{press: 2}])
  model.chosen = 0
  model.tell('chosen')
  assert.ok(!head.className.includes('here'))
})

test('a hand that rests on a chip asks for its picture once, and sees it', (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {row, card, model} = rowOf(1000)
  row.children[1].fire('pointerenter')
  t.mock.timers.tick(300)
  assert.deepEqual([model.sent, card.hidden], [[{look: 1}], true])
  model.pictures = {1: '<svg></svg>'}
  model.tell('pictures')
  assert.deepEqual([card.innerHTML, card.hidden], ['<svg></svg>', false])
  row.children[1].click()
  assert.ok(card.hidden) // the preset itself is shown now
  row.children[1].fire('pointerleave')
  assert.ok(card.hidden)
  row.children[1].fire('pointerenter')
  t.mock.timers.tick(300)
  assert.deepEqual([model.sent, card.hidden], [[{look: 1}, {press: 1}], false])
})

test('a narrow page lets the row scroll instead', () => {
  media.push(NARROW)
  const {more, words, row} = rowOf(120)
  assert.deepEqual([words(), more.hidden], [['a', 'b', 'c'], true])
  media.pop()
  row.observer.fit()
  assert.deepEqual(words(), ['a'])
})

// a story's card

const shown = (more = {}) => ({
  title: 'Stein',
  step: '1 of 3',
  asks: 'More or less?',
  words: ['more', 'less'],
  places: '',
  veiled: true,
  astray: '',
  guess: null,
  truth: null,
  first: true,
  last: false,
  ...more,
})
const cardOf = (more) => {
  const model = componentOf({shown: shown(more)})
  const whole = card({model})
  const [header, asks, choices, answer, nav] = whole.children
  const draw = (changes) => {
    model.shown = {...model.shown, ...changes}
    model.tell('shown')
  }
  return {model, header, asks, choices, answer, nav, draw}
}

test('a guess is the place of its word, and takes no second one', () => {
  const {model, choices, draw} = cardOf()
  choices.children[1].click()
  assert.deepEqual(model.sent, [{act: 'guess', value: 1}])
  draw({veiled: false, guess: 1, truth: 0})
  const [right, guessed] = choices.children
  assert.deepEqual([right.className, right.children[0], guessed.getAttribute('aria-pressed')], ['right', '✓ ', 'true'])
  right.click()
  assert.equal(model.sent.length, 1)
})

test('before the guess the choices stand out, and after it the way on', () => {
  const {choices, nav, draw} = cardOf()
  const next = nav.children[1]
  const standing = () =>
    [choices, next].map((part) => part.className.split(' ').some((name) => /^(asked|on)$/.test(name)))
  assert.deepEqual(standing(), [true, false])
  draw({veiled: false, guess: 0, truth: 0})
  assert.deepEqual(standing(), [false, true])
})

test('after a guess the focus goes on to the next step, as the button that had it is gone', () => {
  const {choices, nav, draw} = cardOf()
  choices.children[0].focus()
  draw({veiled: false, guess: 0, truth: 0})
  assert.equal(document.activeElement, nav.children[1])
})

test('what is drawn alike keeps its elements', () => {
  const {choices, draw} = cardOf()
  const before = choices.children[0]
  draw({says: 'Because.'})
  assert.equal(choices.children[0], before)
})

test('a guess may be placed on a slider, which says its word', () => {
  const {model, choices} = cardOf({words: ['0 %', '50 %', '100 %'], places: 'gain'})
  const [slider, value, set] = choices.children
  assert.deepEqual([slider.value, value.textContent], ['1', '50 %'])
  slider.value = '2'
  slider.fire('input')
  assert.deepEqual([value.textContent, slider.getAttribute('aria-valuetext')], ['100 %', '100 %'])
  set.click()
  assert.deepEqual(model.sent, [{act: 'guess', value: 2}])
})

test('a page that has gone astray offers the way back, and no answer', () => {
  const {nav, choices, answer} = cardOf({astray: 'You moved n.'})
  const [, , , , reveal, home] = nav.children
  assert.deepEqual([reveal.hidden, home.hidden, answer.children[0].hidden], [true, false, false])
  assert.ok(choices.children.every((each) => each.getAttribute('aria-disabled') === 'true'))
})

test('a story ends with its score and leads to the next one, on this page or on another', () => {
  const {model, choices, answer, nav, draw} = cardOf({last: true})
  const [, next, nextStory, nextLab] = nav.children
  assert.deepEqual([next.hidden, nextStory.hidden, nextLab.hidden], [false, true, true])
  choices.children[0].focus()
  const onward = {words: 'Next story: Harm', link: ''}
  draw({veiled: false, guess: 0, truth: 0, score: 'You had 2 of 3 right.', onward})
  assert.equal(answer.children.at(-1).textContent, 'You had 2 of 3 right.')
  assert.deepEqual([next.hidden, nextStory.hidden, nextLab.hidden], [true, false, true])
  assert.equal(document.activeElement, nextStory)
  nextStory.click()
  assert.deepEqual(model.sent, [{act: 'next story', value: 0}])
  draw({onward: {words: 'Next story: Noise', link: 'marginalized?story=corrupt&step=1'}})
  assert.deepEqual([nextStory.hidden, nextLab.hidden, nextLab.textContent], [true, false, 'Next story: Noise'])
  assert.equal(nextLab.href, 'marginalized?story=corrupt&step=1')
})

// the rest

test('letters are as large as the widget set has them, larger in a wide window, and a lecture has its own', () => {
  const written = []
  const axis = {attributes: {size: '1em', font: {value: '10px'}}}
  axis.setv = (values) => {
    written.push(values)
    Object.assign(axis.attributes, values)
  }
  const texts = [
    [axis, 'size'],
    [axis, 'font'],
    [axis, 'none'],
  ]
  fit({texts, sizes: []})
  assert.deepEqual(written, [])
  media.push('(min-width: 1700px)')
  fit({texts, sizes: []})
  fit({texts, sizes: []}) // once
  assert.deepEqual(written.splice(0), [{size: '1.2em'}, {font: {value: '12px'}}])
  fit({texts, sizes: [[axis, 'size', '20px']]})
  assert.deepEqual(written.splice(0), [{size: '24px'}])
  media.pop()
  fit({texts, sizes: [[axis, 'size', '20px']]})
  assert.deepEqual(written.splice(0), [{size: '20px'}, {font: {value: '10px'}}])
})

test('a frame for another page shows this one without its tools', () => {
  const html = frameOf('https://lab.example/monk?n=5&v=1')
  assert.match(html, /src="https:\/\/lab\.example\/monk\?n=5&amp;v=1&amp;ui=min"/)
})

test('what a page gives away is one menu, without an address where it has none', () => {
  const model = componentOf({code: 'print(1)', files: ['Picture (PNG)'], linked: true})
  const [, list] = share({model}).children
  const words = () => list.children.map((each) => each.textContent)
  assert.deepEqual(words(), ['Copy link', 'Copy Python', 'Copy iframe', 'QR code', 'Picture (PNG)'])
  list.children[3].click()
  list.children[4].click()
  assert.deepEqual(model.sent, [{address: 'https://lab.example/shrinkage?v=1'}, {file: 'Picture (PNG)'}])
  model.linked = false
  model.tell('linked')
  assert.deepEqual(words(), ['Copy Python', 'Picture (PNG)'])
})

test('the menu of languages says which one the page has, and each entry is marked with its language', () => {
  const model = componentOf({
    languages: [
      ['en', 'English'],
      ['de', 'Deutsch'],
    ],
    current: 'de',
  })
  const [head, list] = choice({model}).children
  assert.equal(head.textContent, 'Deutsch ▾')
  assert.equal(head.getAttribute('aria-label'), 'Language: Deutsch')
  assert.deepEqual(
    list.children.map((each) => [each.textContent, each.lang, each.getAttribute('aria-current')]),
    [
      ['English', 'en', null],
      ['Deutsch', 'de', 'true'],
    ],
  )
})

test('an address in another language keeps its state', () => {
  assert.equal(inLanguage('https://lab.example/monk?n=5', 'de'), 'https://lab.example/monk?n=5&lang=de')
  assert.equal(inLanguage('https://lab.example/monk?lang=de&n=5', 'en'), 'https://lab.example/monk?n=5')
})

test('a part says what its page has in the place of its English words', () => {
  const model = componentOf({code: '', files: [], linked: true, speaks: {'Copy link': 'Link kopieren'}})
  const [, list] = share({model}).children
  assert.equal(list.children[0].textContent, 'Link kopieren')
  assert.equal(list.children[1].textContent, 'Copy Python')
})

test('two pictures are words in a row, and the others are in a list that says which of them is shown', () => {
  const model = componentOf({
    label: 'picture',
    words: ['Filter', 'Weights', 'Risk', 'Errors'],
    chosen: 0,
    disabled: false,
  })
  const row = tabs({model})
  const [first, second, more] = row.children
  const [head, list] = more.children
  assert.deepEqual([first.textContent, second.textContent, head.textContent], ['Filter', 'Weights', 'More pictures ▾'])
  assert.equal(first.getAttribute('aria-pressed'), 'true')
  list.children[1].click()
  assert.deepEqual(model.sent, [3])
  model.chosen = 3
  model.tell('chosen')
  assert.equal(head.textContent, 'Errors ▾')
  model.words = ['Filter', 'Weights', 'Risk']
  model.tell('words')
  assert.equal(row.children.length, 3) // a list of one would save nothing
})

test('a pasted text is sent when its button is pressed, and one that is too long is not', () => {
  const model = componentOf({label: 'Or paste', hint: 'a,b', most: 5})
  const [, area, send] = paste({model}).children
  area.value = 'a,b'
  send.click()
  area.value = 'a,b,c,d'
  send.click()
  assert.deepEqual(model.sent, ['a,b', null])
  assert.ok(globalThis.window.fire('drop').prevented)
})

test('the key is kept for this server alone, once there is one', () => {
  Object.assign(globalThis.location, {pathname: '/explorer/report', protocol: 'https:'})
  const model = componentOf({cookie: 'explorer_files', key: '', follows: false})
  assert.ok(keeper({model}).hidden)
  assert.equal(document.cookie, undefined)
  model.key = 'abc'
  model.tell('key')
  assert.equal(document.cookie, 'explorer_files=abc; Path=/explorer/; SameSite=Strict; Secure')
  Object.assign(globalThis.location, {pathname: '/report', protocol: 'http:'})
  model.tell('key')
  assert.equal(document.cookie, 'explorer_files=abc; Path=/; SameSite=Strict')
})

test('a page without figures is dark where the system is, if it follows it', async () => {
  const root = {data: {dark_theme: false}}
  globalThis.Bokeh = {documents: [{roots: () => [{}, root]}]}
  const drawn = async (follows) => {
    keeper({model: componentOf({cookie: 'c', key: '', follows})})
    await new Promise((resolve) => setTimeout(resolve, 1))
    return root.data.dark_theme
  }
  assert.ok(!(await drawn(true)))
  media.push('(prefers-color-scheme: dark)')
  assert.ok(!(await drawn(false)))
  assert.ok(await drawn(true))
})

test('the button that plays says what a press does', () => {
  const model = componentOf({of: 'λ', playing: false})
  const made = button({model})
  assert.equal(made.getAttribute('aria-label'), 'Play λ')
  made.click()
  model.tell('playing')
  assert.deepEqual([model.playing, made.getAttribute('aria-label')], [true, 'Pause λ'])
})

test('an element is what a selector names, or these tests would ask nothing', () => {
  const outer = new FakeElement('div', {className: 'caption'})
  const inner = new FakeElement('input', {className: 'name', attributes: {type: 'range'}})
  outer.append(inner)
  for (const yes of [
    'input',
    '.name',
    '.caption .name',
    ':is(.caption, .says) .name',
    'a, [type=range]',
    'input:not([type=text])',
  ])
    assert.ok(inner.matches(yes), yes)
  for (const no of ['div', '.caption', '.says .name', 'input:not([type=range])', '[role]', 'a, b'])
    assert.ok(!inner.matches(no), no)
})
