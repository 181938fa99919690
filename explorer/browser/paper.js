/**
 * Picture as a file: its name and legend above it; sizes, seed, version and licence below.
 *
 * Bokeh's canvas and SVG layers have the same drawing functions, so one function writes the texts around both.
 */

/** @import {FigureView, Layer} from './bokeh.js' */

/**
 * Texts around a picture; each pair is for a light and a dark background.
 * @typedef {object} Around
 * @property {string} title
 * @property {[words: string, dash: string, strokes: Strokes, opacity: number, light: string, dark: string][]} keys
 * @property {string} foot
 * @property {[light: string, dark: string]} ink
 * @property {string} font
 */
/** @typedef {[x: number, y: number][][]} Strokes the strokes of a shape around its centre; none for a line */
/** @typedef {{dash: string, strokes: Strokes, opacity: number, tint: string}} Sign */
/** @typedef {Sign & {words: string, length: number, at: [x: number, y: number]}} Key */

const PAD = 12 // margin of the texts, in px
const LINE = 20 // height of a line of the legend, in px

/**
 * Return the background colour of an element.
 * @param {Element} element
 */
const groundOf = (element) => {
  /** @type {Element | null} */
  let part = element
  while (part) {
    const {backgroundColor} = getComputedStyle(part)
    if (!/^transparent$|, 0\)$/.test(backgroundColor)) return backgroundColor
    part = part.parentElement ?? /** @type {ShadowRoot} */ (part.getRootNode()).host ?? null
  }
  return '#FFFFFF'
}

const probe = () => /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'))

/** @param {string} colour */
const isDark = (colour) => {
  const ctx = probe()
  ctx.fillStyle = colour
  ctx.fillRect(0, 0, 1, 1)
  const [red, green, blue] = ctx.getImageData(0, 0, 1, 1).data
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128
}

/** @type {(ctx: CanvasRenderingContext2D, sign: Sign, x: number, y: number) => void} */
const draw = (ctx, {dash, strokes, opacity, tint}, x, y) => {
  ctx.strokeStyle = ctx.fillStyle = tint
  ctx.lineWidth = strokes.length > 0 ? 2 : 3
  ctx.setLineDash(dash && strokes.length === 0 ? dash.split(' ').map(Number) : [])
  ctx.beginPath()
  if (strokes.length === 0) {
    ctx.moveTo(x, y)
    ctx.lineTo(x + 30, y)
  }
  for (const [[left, top], ...further] of strokes) {
    ctx.moveTo(x + 6 + left, y + top)
    for (const [across, down] of further) ctx.lineTo(x + 6 + across, y + down)
  }
  ctx.globalAlpha = opacity
  if (opacity > 0) ctx.fill()
  ctx.globalAlpha = 1
  if (opacity === 0 || opacity === 1) ctx.stroke()
  ctx.setLineDash([])
}

/**
 * Return the positions of a legend's keys in lines of a given width, and the lower end of the last line.
 * @param {Around['keys']} keys
 * @param {number} width
 * @param {(words: string) => number} wide
 * @param {0 | 1} dark
 * @returns {{placed: Key[], top: number}}
 */
export const placeKeys = (keys, width, wide, dark) => {
  let x = PAD
  let y = 46
  const placed = keys.map(([words, dash, strokes, opacity, ...tints]) => {
    const length = strokes.length > 0 ? 12 : 30
    const whole = length + 6 + wide(words)
    if (x > PAD && x + whole > width - PAD) {
      x = PAD
      y += LINE
    }
    /** @type {[number, number]} */
    const at = [x, y]
    x += whole + 18
    return {words, dash, strokes, opacity, tint: tints[dark], length, at}
  })
  return {placed, top: placed.length > 0 ? y + 14 : 38}
}

/**
 * Draw a picture again, without its title, between the texts around it.
 * @param {FigureView} view
 * @param {string} kind "png" or "svg"
 * @param {Around} said
 * @returns {Layer}
 */
export const onPaper = (view, kind, said) => {
  const {title, border_fill_color: fill, border_fill_alpha: opaque} = view.model
  const alpha = title?.text_alpha
  // silent, because the page must keep its title
  title?.setv({text_alpha: 0}, {silent: true})
  const picture = view.export(kind)
  title?.setv({text_alpha: alpha}, {silent: true})
  const band = (title?.visible && title.text && view.views.find_one(title)?.layout?.bbox.bottom) || 0
  const {width} = picture.bbox
  const height = picture.bbox.height - band
  const paper = fill && opaque ? fill : groundOf(view.el)
  const dark = isDark(paper) ? 1 : 0
  const ruler = probe()
  const font = (size = 12, weight = '') => `${weight} ${size}px ${said.font}`.trim()
  const wide = (text = '', size = 12, weight = '') => {
    ruler.font = font(size, weight)
    return ruler.measureText(text).width
  }
  const fitting = (text = '', size = 12, weight = '') =>
    Math.min(size, (size * (width - 2 * PAD)) / wide(text, size, weight))
  const {placed, top} = placeKeys(said.keys, width, wide, dark)
  const bottom = top + height
  const Sheet = /** @type {new (backend: string, hidpi: boolean) => Layer} */ (picture.constructor)
  const sheet = new Sheet(picture.backend, true)
  sheet.resize(width, bottom + 28)
  const {ctx, pixel_ratio: scale} = sheet
  ctx.fillStyle = paper
  ctx.fillRect(0, 0, width * scale, (bottom + 28) * scale)
  ctx.drawImage(picture.canvas, 0, (top - band) * scale)
  ctx.save()
  ctx.scale(scale, scale)
  ctx.fillStyle = paper
  ctx.fillRect(0, 0, width, top)
  const write = (text = '', x = 0, y = 0, size = 12, weight = '') => {
    ctx.fillStyle = said.ink[dark]
    ctx.font = font(size, weight)
    ctx.fillText(text, x, y)
  }
  ctx.textBaseline = 'alphabetic'
  write(said.title, PAD, 26, fitting(said.title, 16, 'bold'), 'bold')
  for (const key of placed) {
    const {words, length, at} = key
    const [x, y] = at
    draw(ctx, key, x, y - 4)
    write(words, x + length + 6, y)
  }
  write(said.foot, PAD, bottom + 17, fitting(said.foot, 11))
  ctx.restore()
  return sheet
}
