"""What makes an exported file live: figures with their table, the slider, the lines that a hand may drag, the theme."""

from __future__ import annotations

import json

from bokeh.document import Document
from bokeh.models import ColumnDataSource, CustomJS

from explorer.markup import held, script
from explorer.views import grips, rows

from .look import dress
from .markup import place

THUMB = 20  # px, as the sheet has it

# the slider's track has the ends of the axis of the main picture: its thumb stands below the line
ALIGN = """
const view = cb_context.index.find_one(cb_obj), {style} = document.getElementById('slider'), half = thumb / 2
style.marginLeft = `${view.frame.bbox.left - half}px`
style.marginRight = `${view.bbox.width - view.frame.bbox.right - half}px`
"""

# what a hand drags is the slider itself
MOVE = """
const move = (stop) => {
  const slider = document.getElementById('stop')
  if (+slider.value === stop && !slider.dataset.auto) return
  slider.value = stop
  slider.dispatchEvent(new Event('input'))
}
"""

# rows of the table are the slider's stops and, perhaps, one more for what the lab chooses by itself; each has texts.
# Their places are as high as the longest, so that nothing moves. Who listens hears the headline once the hand rests
BEGIN = """
const find = (id) => document.getElementById(id), {flat} = table.data
const texts = JSON.parse(find('texts').textContent), auto = find('auto'), slider = find('stop')
let rest = null
const show = (row) => {
  %s
  for (const [id, text] of Object.entries(texts[row].html)) find(id).innerHTML = text
  slider.setAttribute('aria-valuetext', texts[row].said)
  slider.dataset.auto = row === count ? 'auto' : ''
  auto?.setAttribute('aria-pressed', row === count)
  clearTimeout(rest)
  rest = setTimeout(() => { find('status').textContent = find('headline').textContent }, 600)
}
slider.addEventListener('input', () => show(+slider.value))
auto?.addEventListener('click', () => show(slider.dataset.auto ? +slider.value : count))
const reserve = () => {
  for (const id of ['headline', 'caption']) {
    const element = find(id), now = element.innerHTML
    element.style.minHeight = ''
    const heights = texts.map(({html}) => {
      element.innerHTML = html[id]
      return element.offsetHeight
    })
    element.innerHTML = now
    element.style.minHeight = `${Math.max(...heights)}px`
  }
}
window.addEventListener('resize', reserve)
reserve()
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const repaint = () => {
  painted.forEach(([model, property, ...pair]) => model.setv({[property]: pair[+dark.matches]}))
  shaded.forEach(([mapper, ...pair]) => mapper.setv({palette: pair[+dark.matches]}))
}
dark.addEventListener('change', repaint)
if (dark.matches) repaint()
document.body.classList.add('ready')
"""

EMBED = """
const lab = JSON.parse(document.getElementById('lab').textContent)
Bokeh.embed.embed_items({lab}, [%s])
"""


def alive(view, tables, count):
    """The scripts of a view whose slider has so many stops, and of its tables."""
    painted, document = dress(view), Document()
    for name, picture in view.pictures.items():
        document.add_root(picture.plot)
        if picture.upright:
            _let_drag(picture, tables[f"{name}.{picture.upright}", "x"][:count, 0])
    view.hero.js_on_change("inner_width", CustomJS(args={"thumb": THUMB}, code=ALIGN))
    packed = rows.packed(tables)
    args = {
        "table": ColumnDataSource({"flat": packed.flat}),
        "starts": packed.starts,
        "lengths": packed.lengths,
        "sources": list(view.sources.values()),
        "targets": rows.targets(view.sources, view.targets),
        "count": count,
        "painted": painted,
        "shaded": [(mapper, *palettes) for mapper, palettes in view.paint.shaded],
    }
    document.js_on_event("document_ready", CustomJS(args=args, code=BEGIN % rows.DRAW))
    # not by `components`, which also fetches what other models of the process ask for, such as Panel's
    whole = document.to_json(deferred=False)
    roots = {plot.id: place(name) for name, plot in view.figures.items()}
    item = json.dumps({"docid": "lab", "roots": roots, "root_ids": list(roots)})
    return held("lab", {**whole, "defs": []}) + script(EMBED % item)


def _let_drag(picture, places):
    """Let a hand drag the line of a picture to the places of the slider's stops."""
    args = {
        "line": picture.sources[picture.upright],
        "stops": ColumnDataSource({"x": places}),
        "column": "x",
        "reach": grips.REACH,
    }
    listen = CustomJS(args=args, code=grips.LISTEN % (MOVE + grips.LINE))
    picture.plot.js_on_change("inner_width", listen)
