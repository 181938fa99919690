/** What stands for an SVG in a browser: elements of a tree, read from what our drawings are written in. */

const TOKEN = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g
const ENTITIES = {amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'"}
const plain = (text) => text.replace(/&(\w+|#\d+);/g, (_, name) => ENTITIES[name])

class Element {
  attributes = new Map()
  children = []
  text = ''

  constructor(name) {
    this.name = name
  }

  setAttribute(name, value) {
    this.attributes.set(name, value)
  }

  removeAttribute(name) {
    this.attributes.delete(name)
  }

  replaceChildren(...children) {
    this.children = children
  }

  querySelectorAll() {
    return this.children.flatMap((each) => [each, ...each.querySelectorAll()])
  }

  get firstElementChild() {
    return this.children[0]
  }

  set textContent(text) {
    this.text = text
  }

  set innerHTML(markup) {
    const open = [this]
    for (const [, closing, name, attributes, closed, text] of markup.matchAll(TOKEN)) {
      if (text) open.at(-1).text += plain(text)
      else if (closing) open.pop()
      else {
        const element = new Element(name)
        for (const [, key, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g))
          element.setAttribute(key, plain(value))
        open.at(-1).children.push(element)
        if (!closed) open.push(element)
      }
    }
  }

  /** What one tells two trees apart by. */
  toJSON() {
    return [this.name, [...this.attributes].sort(), this.children.length ? '' : this.text, this.children]
  }
}

export const document = {createElementNS: (_, name) => new Element(name)}

/** The tree of an SVG. */
export const parsed = (markup) => {
  const around = new Element('around')
  around.innerHTML = markup
  return around.firstElementChild
}
