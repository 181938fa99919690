"""Pictures of marks as HoloViews objects: their elements in one Overlay, alone or side by side."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.marks import Chart, Mark, PlanePicture, TextLabel
from explorer.marks.legend import keys_of
from explorer.marks.legend_items import words_of

from .drawings import Drawing
from .frames import BESIDE, PAPER, frame_of_chart, frame_of_picture, width_of_plane
from .looks import OnPaper
from .marked import IMAGES, Surface, dimension, elements, fixed, ground, of_arrays, rank
from .names import distinct
from .style import HEIGHT, LEGEND, LETTERS, WIDTH, WITH_LEGEND, clean, holoviews, seemly, unformatted

if TYPE_CHECKING:
    from .drawings import Panels


WAITS = "not computed yet: plot(lab.result(wait=True)) has all of it"
BELOW = {name: value for name, value in LEGEND.items() if name != "location"}  # HoloViews places it
LITERAL = {"text.parse_math": False}  # matplotlib draws no text as a formula
SHARED = ("title", "xlabel", "ylabel", "xlim", "ylim", "logx", "logy", "show_grid", "shared_axes")
NARROW, FEW, MANY = 400, 2, 4  # below this width in px a legend below the frame has two columns, and otherwise four


def drawn(drawing: Drawing | Panels, backend: str = "bokeh") -> Any:
    """Return what `plot` draws as a HoloViews object, styled for the backends that are loaded.

    Parameters
    ----------
    drawing : Drawing or Panels
        One picture, or several.
    backend : {"bokeh", "matplotlib"}, default "bokeh"
        The backend that shows the text; it is loaded.

    Returns
    -------
    picture : holoviews.Overlay, Layout or element
        A single element is not in an Overlay.
    """
    hv = holoviews(backend)
    panels = [_picture(each) for each in drawing.panels]
    if isinstance(drawing, Drawing) or len(panels) == 1:
        return styled_for_paper(panels[0]) if "matplotlib" in hv.Store.renderers else panels[0]
    layout, title = hv.Layout(panels).cols(drawing.columns), unformatted(clean(drawing.title))
    own: dict[str, Any] = {"title": title, "fontsize": LETTERS} if title else {}
    layout = layout.opts(**own, shared_axes=drawing.shared_axes, backend="bokeh")
    return styled_for_paper(layout) if "matplotlib" in hv.Store.renderers else layout


def styled_for_paper(picture: Any) -> Any:
    """Return what `plot` drew, also combined by `*` and `+`, with its options for matplotlib, which is loaded.

    Parameters
    ----------
    picture : holoviews object
        The picture.

    Returns
    -------
    picture : holoviews object
        The picture. Titles, labels and limits that `.opts` has set in Bokeh are kept.
    """
    hv = holoviews("matplotlib")
    for each in picture.traverse(lambda part: part, [hv.Element, hv.Overlay, hv.Layout]):
        given, kept = _kept(hv, each)
        options: dict[str, Any] = {"fig_rcparams": LITERAL}
        if isinstance(each, hv.Layout):
            options |= {"fontsize": PAPER, "sublabel_format": "", "hspace": 0.5, "vspace": 0.35}
        elif kept:
            options |= kept.options
        elif isinstance(each, hv.Overlay) and len(each):  # `*` has made it
            first, kept = _kept(hv, next(iter(each)))
            given = {**first, **given}
            options |= {**(kept.shared if kept else {}), "show_legend": True, "legend_position": "best"}
        if _is_styled(hv, each):
            options = {}  # it has them already, and perhaps others of the user's
        before = kept.given if kept else {}
        options |= {name: given[name] for name in SHARED if name in given and given[name] != before.get(name)}
        if options:
            each.opts(**options, backend="matplotlib")
    return picture


def _is_styled(hv, part):
    """Return whether a part has its options for matplotlib."""
    return hv.Store.lookup_options("matplotlib", part, "plot").kwargs.get("fig_rcparams") == LITERAL


def _kept(hv, part):
    """Return a part's options in Bokeh, and those for matplotlib that are kept among them, or None."""
    given = hv.Store.lookup_options("bokeh", part, "plot").kwargs
    return given, next((hook for hook in given.get("hooks", ()) if isinstance(hook, OnPaper)), None)


def rendered(drawing: Drawing | Panels) -> Any:
    """Return what `plot` draws as a Bokeh figure, or as a layout of figures.

    Parameters
    ----------
    drawing : Drawing or Panels
        One picture, or several.

    Returns
    -------
    model : bokeh.plotting.figure or bokeh.models.LayoutDOM
        The figure, or the layout.
    """
    return holoviews().render(drawn(drawing), backend="bokeh")


def _picture(drawing):
    """Return a picture's elements in one Overlay; a chart's only element is returned alone."""
    picture, result, _ = drawing
    if isinstance(picture, Chart):
        layers, frame = _of_chart(picture)
        has_legend = picture.legend and any(each.label for each in layers)
        if len(layers) == 1 and not picture.legend_below:
            return _finished(layers[0])
    else:
        keys = {key.words for key in keys_of(picture, result, picture.data(result))}
        layers, frame = _of_picture(drawing, keys)
        has_legend = bool(keys)
    overlay = holoviews().Overlay(layers)
    on_paper = frame.overlay["matplotlib"]
    options = {**frame.overlay["bokeh"], **_legend(picture, has_legend)}
    later = OnPaper({**on_paper, "show_legend": has_legend, "legend_position": "best"}, on_paper, options)
    hooks = [*options.get("hooks", ()), later]
    return _finished(overlay.opts(**{**options, "hooks": hooks}, backend="bokeh", clone=True))


def _of_chart(chart):
    """Return the elements of a chart, and its frame."""
    _, x, y = chart.axes(None)
    frame, is_plane = frame_of_chart(chart, x, y), chart.frame is not None
    across, up = dimension(chart.x, "x"), dimension(chart.y, "y")
    # in matplotlib HoloViews takes the label of an element that names a dimension for its values
    if up.name in [seemly(each.label) for each in chart.marks]:
        up = up.clone(f"{up.name}, up")
    surface = Surface(across, up, frame.elements, is_plane)
    numbers = chart.with_names(partial(distinct, shown=seemly))
    grounds = [ground(each, None, y, surface) for each in chart.background]
    below, above = _marks(chart, None, numbers, surface, bool, (0, 0))
    return [*below, *grounds, *above], frame


def _of_picture(drawing, keys):
    """Return the elements of a picture with its own axes, the first of which has the axes, and its frame."""
    picture, result, widens = drawing
    _, x, y = picture.axes(result)
    if isinstance(picture, PlanePicture):
        cx, _, half = picture.frame(result)
        reach = width_of_plane(picture) * half
        x = x._replace(range=(cx - reach, cx + reach))
    frame = frame_of_picture(picture, result, x, y, widens)
    across, up = map(holoviews().Dimension, "xy")
    surface = Surface(across, up, frame.elements)
    below, above = _marks(picture, result, picture.data(result), surface, keys.__contains__, _unit(picture, x, y))
    grounds = [ground(each, result, y, surface) for each in picture.background]
    if picture.waits(result):
        above.append(fixed(TextLabel("kme", *_top(x, y), WAITS, dx=0, dy=14, align="center"), surface, halo=True))
    ends = list(zip(x.range, y.range, strict=True)) if widens else []
    # this element has the axes if nothing is drawn, or only lines
    axes = of_arrays(holoviews().Curve, ends, kdims=[surface.x], vdims=[surface.y])
    return [surface.styled(axes, {"line_alpha": 0}, {"alpha": 0.0}), *below, *grounds, *above], frame


def _marks(picture, result, numbers, surface, is_labelled, unit):
    """Return the elements of a picture's marks, the images apart from the others."""
    below, above = [], []
    for each in sorted(picture.marks, key=rank):
        if not isinstance(each, Mark):
            above.append(fixed(each, surface))
        elif not each.pinned:  # a plot has no pinned state
            role = picture.role_of(result) if isinstance(each.role, tuple) else each.role
            made = elements(each, role, numbers, result, unit, surface)
            label = "" if isinstance(each.label, tuple) else words_of(each.label, result)
            if is_labelled(label):
                made = [element.relabel(seemly(label)) for element in made]
            (below if each.kind in IMAGES and not each.follows_slider else above).extend(made)
    return below, above


def _legend(picture, has_legend):
    """Return the options of an overlay's legend in Bokeh."""
    if isinstance(picture, Chart) and picture.legend_below:
        columns = FEW if (picture.size or (WIDTH, HEIGHT))[0] < NARROW else MANY
        place = {"legend_position": "bottom", "legend_cols": columns, "legend_opts": BELOW}
        return {"show_legend": has_legend, **place}
    wide = {"width": WITH_LEGEND} if has_legend else {}
    return {"show_legend": has_legend, "legend_position": "right", "legend_opts": LEGEND, **wide}


def _finished(picture):
    """Allow data of any kind in a picture's elements again, for the user's own operations."""
    for element in picture.traverse(lambda each: each, [holoviews().Element]):
        element.datatype = type(element).datatype
    return picture


def _top(x, y):
    """Return the middle of the upper edge."""
    low, high = x.range
    return math.sqrt(low * high) if x.log else (low + high) / 2, y.range[1]


def _unit(picture, x, y):
    """Return the approximate size in px of a unit of both axes."""
    sizes = (WIDTH, picture.height)
    return [(px - words) / abs(b - a) for px, words, (a, b) in zip(sizes, BESIDE, (x.range, y.range), strict=True)]
