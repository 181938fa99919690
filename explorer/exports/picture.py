"""A picture as a file of its own: its name and legend above it, sizes, seed, version and licence below."""

from __future__ import annotations

from explorer.marks.legend import keys_of
from explorer.marks.roles import FONT, INK, ROLES

from .paper import foot

# `view` draws its plot once more, without its own title, on a canvas or as SVG; Bokeh's layers of both kinds take the
# same strokes, so one script writes around either. `said` is what `around` gives
SHEET = """
const colour_of = (element) => {
  for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
    const {backgroundColor} = getComputedStyle(e)
    if (!/^transparent$|, 0\\)$/.test(backgroundColor)) return backgroundColor
  }
  return '#FFFFFF'
}
const is_dark = (colour) => {
  const ctx = document.createElement('canvas').getContext('2d')
  ctx.fillStyle = colour
  ctx.fillRect(0, 0, 1, 1)
  const [red, green, blue] = ctx.getImageData(0, 0, 1, 1).data
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128
}
const mark = (ctx, tint, kind, x, y) => {
  ctx.strokeStyle = ctx.fillStyle = tint
  ctx.lineWidth = 2
  ctx.setLineDash([])
  ctx.beginPath()
  if (kind === 'filled' || kind === 'hollow') {
    ctx.arc(x + 6, y, 4.5, 0, 2 * Math.PI)
  } else if (kind === 'triangle') {
    ctx.moveTo(x + 2, y - 4); ctx.lineTo(x + 10, y - 4); ctx.lineTo(x + 6, y + 3); ctx.closePath()
  } else if (kind === 'band') {
    ctx.globalAlpha = 0.35
    ctx.fillRect(x, y - 4, 12, 8)
    ctx.globalAlpha = 1
  } else if (kind === 'cross') {
    ctx.moveTo(x + 2, y - 4); ctx.lineTo(x + 10, y + 4); ctx.moveTo(x + 10, y - 4); ctx.lineTo(x + 2, y + 4)
  } else {
    ctx.lineWidth = 3
    ctx.setLineDash(kind ? kind.split(' ').map(Number) : [])
    ctx.moveTo(x, y); ctx.lineTo(x + 30, y)
  }
  if (kind === 'filled' || kind === 'triangle') ctx.fill()
  ctx.stroke()
  ctx.setLineDash([])
}
const sheet_of = (view, kind, said) => {
  const {model: plot} = view, {title} = plot, opaque = title?.text_alpha, pad = 12, line = 20
  // hidden without a word to the page, which keeps its own
  title?.setv({text_alpha: 0}, {silent: true})
  const picture = view.export(kind)
  title?.setv({text_alpha: opaque}, {silent: true})
  const band = title?.visible && title.text ? view.views.find_one(title)?.layout?.bbox.bottom ?? 0 : 0
  const {width} = picture.bbox, height = picture.bbox.height - band
  const paper = plot.border_fill_color && plot.border_fill_alpha ? plot.border_fill_color : colour_of(view.el)
  const dark = +is_dark(paper), ink = said.ink[dark]
  const font = (size, weight = '') => `${weight} ${size}px ${said.font}`.trim()
  const probe = document.createElement('canvas').getContext('2d')
  const wide = (text, size, weight) => { probe.font = font(size, weight); return probe.measureText(text).width }
  const fitting = (text, size, weight) => Math.min(size, size * (width - 2 * pad) / wide(text, size, weight))
  let x = pad, y = 46
  const marks = said.keys.map(([words, kind, ...tints]) => {
    const length = /^(filled|hollow|triangle|cross|band)$/.test(kind) ? 12 : 30, whole = length + 6 + wide(words, 12)
    if (x > pad && x + whole > width - pad) [x, y] = [pad, y + line]
    const at = [x, y]
    x += whole + 18
    return {words, kind, tint: tints[dark], length, at}
  })
  const top = marks.length > 0 ? y + 14 : 38, bottom = top + height
  const sheet = new picture.constructor(picture.backend, true)
  sheet.resize(width, bottom + 28)
  const {ctx, pixel_ratio: scale} = sheet
  ctx.fillStyle = paper
  ctx.fillRect(0, 0, width * scale, (bottom + 28) * scale)
  ctx.drawImage(picture.canvas, 0, (top - band) * scale)
  ctx.save()
  ctx.scale(scale, scale)
  ctx.fillStyle = paper
  ctx.fillRect(0, 0, width, top)
  const write = (text, x, y, size, weight) => {
    ctx.fillStyle = ink
    ctx.font = font(size, weight)
    ctx.fillText(text, x, y)
  }
  ctx.textBaseline = 'alphabetic'
  write(said.title, pad, 26, fitting(said.title, 16, 'bold'), 'bold')
  for (const {words, kind, tint, length, at: [x, y]} of marks) {
    mark(ctx, tint, kind, x, y - 4)
    write(words, x + length + 6, y, 12)
  }
  write(said.foot, pad, bottom + 17, fitting(said.foot, 11))
  ctx.restore()
  return sheet
}
"""


def around(picture, result):
    """What is written around a picture of a result, as a view draws it: its title, its keys, and the line below."""
    keys = keys_of(picture.of, result, picture.data(result))
    return {
        "title": picture.called,
        "keys": [(words, sign, *ROLES[role]) for words, role, sign in keys],
        "foot": foot(result.lab),
        "ink": INK,
        "font": FONT,
    }
