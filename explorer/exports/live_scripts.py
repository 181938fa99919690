"""Scripts of an exported file: figures with their table, the slider, lines that the user may drag, the theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bokeh.document import Document
from bokeh.models import ColumnDataSource

from explorer.browser import REACH, call, run
from explorer.markup import Markup, json_element, script
from explorer.views import rows

from .markup import element_id
from .styles import style_figures

if TYPE_CHECKING:
    from explorer.views.rows import Tables
    from explorer.views.view import View

THUMB = 20  # width of the slider's thumb in px, as in the style sheet


def live_scripts(view: View, tables: Tables, count: int, begin: Callable[[str, object], str] = run) -> Markup:
    """Return the scripts of a view whose slider has `count` stops, and of its tables.

    `begin` returns the code of a call: with this project's modules, or without them if the page has them already.
    """
    painted, document = style_figures(view), Document()
    for name, picture in view.pictures.items():
        document.add_root(picture.plot)
        if picture.slider_line:
            _let_drag(picture, tables[f"{name}.{picture.slider_line}", "x"][:count, 0])
    view.hero.js_on_change("inner_width", call("exported.align", thumb=THUMB))
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
    document.js_on_event("document_ready", call("exported.begin", **args))
    # `components` is not used because it also fetches the scripts of other models of the process, such as Panel's.
    whole = document.to_json(deferred=False)
    roots = {plot.id: element_id(name) for name, plot in view.figures.items()}
    item = {"docid": "lab", "roots": roots, "root_ids": list(roots)}
    return json_element("lab", {**whole, "defs": []}) + script(begin("exported.embed", {"item": item}))


def _let_drag(picture, places):
    """Connect the dragging of a picture's line to the positions of the slider's stops."""
    line, stops = picture.sources[picture.slider_line], ColumnDataSource({"x": places})
    drag = call("exported.dragLine", line=line, stops=stops, column="x", reach=REACH)
    picture.plot.js_on_change("inner_width", drag)
