/** What stands for a browser and for Bokeh in these tests: a document of a few elements, models and a figure. */

globalThis.MutationObserver = class {
  observe() {}

  disconnect() {}
}

/** Whether an element is what a compound selector names, such as `input:not([type=range])`. */
const isCompound = (element, selector) => {
  const parts = selector.match(/:(?:not|is)\([^()]*(?:\([^()]*\))?[^()]*\)|\[[^\]]*\]|\.[\w-]+|#[\w-]+|^[\w-]+/g) ?? []
  return parts.every((part) => {
    if (part.startsWith(':not(')) return !element.matches(part.slice(5, -1))
    if (part.startsWith(':is(')) return element.matches(part.slice(4, -1))
    if (part.startsWith('.')) return element.classList.contains(part.slice(1))
    if (part.startsWith('#')) return element.id === part.slice(1)
    if (!part.startsWith('[')) return element.name === part
    const [name, value] = part.slice(1, -1).split('=')
    return value === undefined ? name in element.attributes : element.getAttribute(name) === value
  })
}

export class FakeTarget {
  listeners = new Map()

  addEventListener(type, hear, options) {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), {hear, options}])
  }

  removeEventListener(type, hear) {
    this.listeners.set(
      type,
      (this.listeners.get(type) ?? []).filter((each) => each.hear !== hear),
    )
  }

  /** Let those who listen here hear of an event; what it became. */
  fire(type, event = {}) {
    const whole = eventOf({...event, type})
    for (const {hear} of this.listeners.get(type) ?? []) hear(whole)
    return whole
  }
}

/** An event whose way leads from its target outwards. */
export const eventOf = (event) => ({
  path: [],
  isPrimary: true,
  button: 0,
  buttons: 0,
  pointerId: 1,
  pointerType: 'mouse',
  clientX: 0,
  clientY: 0,
  prevented: false,
  preventDefault() {
    this.prevented = true
  },
  stopPropagation() {},
  composedPath() {
    return this.path
  },
  ...event,
})

export class FakeElement extends FakeTarget {
  attributes = {}
  children = []
  parentElement = null
  style = {}
  dataset = {}
  className = ''
  id = ''
  hidden = false
  textContent = ''
  innerHTML = ''
  offsetLeft = 0
  offsetWidth = 0

  constructor(name = 'div', properties = {}) {
    super()
    this.name = name
    Object.assign(this, properties)
  }

  get classList() {
    const names = this.className.split(' ').filter(Boolean)
    return Object.assign(names, {
      contains: (name) => names.includes(name),
      add: (name) => {
        this.className = [...names, name].join(' ')
      },
      toggle: (name, on) => {
        this.className = [...names.filter((each) => each !== name), ...(on ? [name] : [])].join(' ')
      },
    })
  }

  get parentNode() {
    return this.parentElement
  }

  get firstChild() {
    return this.children[0] ?? null
  }

  matches(list) {
    const selectors = list.match(/(?:[^,(]|\([^()]*(?:\([^()]*\))?[^()]*\))+/g) ?? []
    return selectors.some((selector) => {
      const [last, ...above] = selector
        .trim()
        .match(/(?:[^\s(]|\([^()]*(?:\([^()]*\))?[^()]*\))+/g)
        .reverse()
      if (!isCompound(this, last)) return false
      let part = this.parentElement
      for (const wanted of above) {
        while (part && !isCompound(part, wanted)) part = part.parentElement
        if (!part) return false
      }
      return true
    })
  }

  append(...parts) {
    for (const part of parts) {
      part.remove?.()
      part.parentElement = this
      this.children.push(part)
    }
  }

  appendChild(part) {
    this.append(part)
    return part
  }

  prepend(...parts) {
    for (const part of parts) if (part instanceof FakeElement) part.parentElement = this
    this.children.unshift(...parts)
  }

  insertBefore(part, next) {
    part.remove()
    part.parentElement = this
    this.children.splice(this.children.indexOf(next), 0, part)
  }

  replaceChildren(...parts) {
    for (const part of this.children) part.parentElement = null
    this.children = []
    this.append(...parts)
  }

  remove() {
    if (!this.parentElement) return
    this.parentElement.children = this.parentElement.children.filter((each) => each !== this)
    this.parentElement = null
  }

  setAttribute(name, value) {
    this.attributes[name] = value
  }

  getAttribute(name) {
    return this.attributes[name] ?? null
  }

  getBoundingClientRect() {
    return {left: 0, top: 0}
  }

  setPointerCapture(id) {
    this.captured = id
  }

  getRootNode() {
    return this.parentElement?.getRootNode() ?? globalThis.document
  }

  focus() {
    globalThis.document.activeElement = this
  }

  click() {
    this.fire('click')
  }

  dispatchEvent(event) {
    this.fire(event.type)
  }

  querySelector(selector) {
    for (const child of this.children) {
      if (child.matches?.(selector)) return child
      const found = child.querySelector?.(selector)
      if (found) return found
    }
    return null
  }

  querySelectorAll() {
    return this.children.flatMap((child) => [child, ...child.querySelectorAll()])
  }

  /** This element and those around it, from within. */
  get path() {
    return [this, ...(this.parentElement?.path ?? [])]
  }
}

/** A page of its own for a test: window and document; what media queries hold is in `media`. */
export const page = ({media = []} = {}) => {
  const window = new FakeTarget()
  const document = Object.assign(new FakeTarget(), {
    body: new FakeElement('body'),
    head: new FakeElement('head'),
    documentElement: new FakeElement('html'),
    hidden: false,
    activeElement: null,
    createElement: (name) => new FakeElement(name),
    getElementById: (id) => document.querySelectorAll('*').find((each) => each.id === id) ?? null,
    querySelectorAll: () => [document.head, document.body].flatMap((each) => [each, ...each.querySelectorAll()]),
  })
  const matchMedia = (query) =>
    Object.assign(new FakeTarget(), {
      get matches() {
        return media.includes(query)
      },
    })
  Object.assign(window, {matchMedia, isSecureContext: true})
  const location = {
    href: 'https://lab.example/shrinkage?v=1',
    search: '?v=1',
    reloads: 0,
    reload: () => location.reloads++,
  }
  Object.assign(globalThis, {window, document, matchMedia, location})
  return {window, document, location, media}
}

/** A model of Bokeh's: `changes` is what was written to it by `setv`, `told` how often it told of a change. */
export const modelOf = (values = {}) => {
  const slots = []
  const model = {
    id: `p${Math.random()}`,
    tags: [],
    changes: [],
    told: 0,
    setv(more, options) {
      Object.assign(model, more)
      model.changes.push([more, options])
    },
    change: {
      connect: (slot) => slots.push(slot),
      emit: () => {
        model.told++
        for (const slot of slots) slot()
      },
    },
    ...values,
  }
  return model
}

export const sourceOf = (data) => modelOf({type: 'ColumnDataSource', data})

/** A scale of so many px a unit. */
const scaleOf = (px) => ({compute: (value) => px * value, invert: (pixel) => pixel / px})

/** A figure of 100 px by 100, whose axes go from 0 to 10, and what it is found by. */
export const figureOf = () => {
  const element = new FakeElement()
  const bbox = {
    left: 0,
    right: 100,
    top: 0,
    bottom: 100,
    width: 100,
    height: 100,
    contains: (x, y) => x >= 0 && x <= 100 && y >= 0 && y <= 100,
  }
  const frame = {x_scale: scaleOf(10), y_scale: scaleOf(10), bbox}
  const cb_obj = modelOf({x_range: modelOf({start: 0, end: 10}), y_range: modelOf({start: 0, end: 10})})
  const view = {el: element, frame, bbox, canvas_view: {events_el: element}}
  const cb_context = {index: {find_one: (model) => (model === cb_obj ? view : null)}}
  const at = (x, y, more = {}) => ({clientX: x, clientY: y, ...more})
  return {element, frame, view, cb_obj, cb_context, at}
}

/** A component as Panel gives it: `tell` lets a parameter change; `sent` is what it was told. */
export const componentOf = (parameters) => {
  const hearers = new Map()
  const model = {
    sent: [],
    sections: [],
    on: (name, hear) => hearers.set(name, [...(hearers.get(name) ?? []), hear]),
    send_msg: (message) => model.sent.push(message),
    tell: (name) => {
      for (const hear of hearers.get(name) ?? []) hear()
    },
    ...parameters,
  }
  return model
}

/** What server and browser say to each other, as a page has it at first. */
export const requestOf = (values = {}) =>
  modelOf({asked: '', answered: 0, placed: '{}', page: 'p', ended: '', ...values})
