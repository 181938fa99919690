"""Pictures of marks as HoloViews objects: their elements under a title, over their axes, alone or side by side."""

from __future__ import annotations

import math
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from bokeh.models import FixedTicker

from explorer.marks import Chart, Mark, PlanePicture, TextLabel
from explorer.marks.legend import keys_of
from explorer.marks.legend_items import words_of
from explorer.marks.picture import ROOM
from explorer.marks.roles import colour

from .drawings import Drawing
from .loading import BACKENDS
from .marked import IMAGES, Surface, dimension, elements, fixed, ground, of_arrays, rank
from .names import distinct
from .style import HEIGHT, LEGEND, LETTERS, WIDTH, WITH_LEGEND, clean, holoviews, house, seemly, unformatted

if TYPE_CHECKING:
    from .drawings import Panels


BESIDE = (80, 90)  # space in px that text takes of a picture's width and height
LETTER, LINE = 8.2, 18  # approximate width of a title's character, and height of its line, in px
WIDE = 1.4  # half the width of a plane, in half sides of its square
WAITS = "not computed yet: plot(lab.result(wait=True)) has all of it"
PAPER = {"title": 11, "labels": 10, "ticks": 9, "legend": 9}  # font sizes in points, in matplotlib
FAINT = 0.35  # opacity of matplotlib's grid
DPI = 100  # resolution of the screen in px per inch, to convert px into the inches of a matplotlib figure
BELOW = {name: value for name, value in LEGEND.items() if name != "location"}  # HoloViews places it
OF_OVERLAY = ("title", "logx", "logy")  # options of a chart's elements that its overlay has too
# those that it has in matplotlib, and in Bokeh if the legend is below
HOUSE = (
    "hooks",
    "fontsize",
    "show_grid",
    "xlabel",
    "ylabel",
    "width",
    "height",
    "fig_inches",
    "aspect",
)  # if it is below
ENDS = ("xlim", "ylim", "xticks", "yticks")
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
    if isinstance(drawing, Drawing):
        return _overlay(*drawing, backend)
    panels = [_overlay(*each, backend) for each in drawing.panels]
    if len(panels) == 1:
        return panels[0]
    layout = hv.Layout(panels).cols(drawing.columns)
    title, shared = unformatted(clean(drawing.title, backend)), {"shared_axes": drawing.shared_axes}
    for name in _backends():
        own: dict[str, Any] = {"title": title, "fontsize": LETTERS} if title else {}
        if name == "matplotlib":
            own = {**own, "fontsize": PAPER, "sublabel_format": "", "hspace": 0.5, "vspace": 0.35}
        layout = layout.opts(**own, **shared, backend=name)
    return layout


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


def _backends():
    """Return the loaded backends that pictures are styled for."""
    loaded = holoviews().Store.renderers
    return [name for name in BACKENDS if name in loaded]


def _overlay(picture, result, widens, backend):
    """Return all marks of a picture, with a legend for those without text in the picture.

    The axes have the picture's range. If it `widens`, they also extend to what `*` overlays.
    """
    is_chart = issubclass(picture, Chart)
    _, x, y = picture.axes(result)
    if issubclass(picture, PlanePicture):
        cx, _, half = picture.frame(result)
        x = x._replace(range=(cx - WIDE * half, cx + WIDE * half))
    shared = (_chart if is_chart else _options)(picture, result, x, y, widens, backend)
    x_dimension, y_dimension = (_dimension(picture, place, backend) for place in "xy")
    is_plane = not is_chart or picture.frame is not None
    of_marks = {name: _of_marks(each) for name, each in shared.items()} if not is_chart else shared
    surface = Surface(x_dimension, y_dimension, of_marks, backend, is_plane)
    sources, unit = picture.data(result), _unit(picture, x, y)
    if is_chart:
        sources = picture.with_names(partial(distinct, shown=partial(seemly, backend=backend)))
    keys = None if is_chart else {key.words for key in keys_of(picture, result, sources)}
    below, above = [], []
    for each in sorted(picture.marks, key=rank):
        if not isinstance(each, Mark):
            above.append(fixed(each, surface))
        elif not each.pinned:  # a plot has no pinned state
            role = picture.role(result) if isinstance(each.role, tuple) else each.role
            where = below if each.kind in IMAGES and not each.follows_slider else above
            made = elements(each, role, sources, result, unit, surface)
            label = "" if isinstance(each.label, tuple) else words_of(each.label, result)
            is_labelled = label and (keys is None or label in keys)
            where += [element.relabel(seemly(label, backend)) for element in made] if is_labelled else made
    grounds = [ground(each, result, y, surface) for each in picture.grounds]
    if is_chart:
        layers = [*below, *grounds, *above]
        return _together(picture, layers, any(each.label for each in layers), shared)
    if picture.waits(result):
        above.append(fixed(TextLabel("kme", *_top(x, y), WAITS, dx=0, dy=14, align="center"), surface, halo=True))
    ends = list(zip(x.range, y.range, strict=True)) if widens else []
    # this element has the axes if nothing is drawn, or only lines
    frame = of_arrays(holoviews().Curve, ends, kdims=["x"], vdims=["y"])
    frame = surface.styled(frame, {"line_alpha": 0}, {"alpha": 0.0})
    of_paper = {name: each for name, each in shared.items() if name == "matplotlib"}
    return _together(picture, [frame, *below, *grounds, *above], bool(keys), of_paper)


def _of_marks(options):
    """Return the options of a picture's elements.

    In matplotlib an element without positive numbers cannot have a log axis, so that only the overlay has its axes.
    """
    left_out = ("logx", "logy", *ENDS) if "fig_inches" in options else ()
    return {name: each for name, each in options.items() if name not in left_out}


def _together(picture, layers, has_legend, shared):
    """Return elements in one Overlay, or the only one."""
    hv, chart = holoviews(), issubclass(picture, Chart)
    if chart and len(layers) == 1 and not picture.legend_below:
        return _finished(layers[0])
    overlay = hv.Overlay(layers)
    for name in _backends():
        is_whole = name == "matplotlib" or (chart and picture.legend_below)
        of_overlay = (*OF_OVERLAY, *HOUSE, *ENDS) if is_whole else OF_OVERLAY
        legend = {key: each for key, each in shared.get(name, {}).items() if key in of_overlay}
        legend["show_legend"] = has_legend and (picture.legend or not chart)
        if name == "matplotlib":
            legend["legend_position"] = "best"
        elif chart and picture.legend_below:
            narrow = (picture.size or (WIDTH, HEIGHT))[0] < NARROW
            legend |= {"legend_position": "bottom", "legend_cols": FEW if narrow else MANY, "legend_opts": BELOW}
        else:
            legend |= {"legend_position": "right", "legend_opts": LEGEND}
            if has_legend and (not chart or picture.frame is None):
                legend["width"] = WITH_LEGEND
        overlay = overlay.opts(**legend, backend=name, clone=True)
    return _finished(overlay)


def _finished(picture):
    """Allow data of any kind in a picture's elements again, for the user's own operations."""
    for element in picture.traverse(lambda each: each, [holoviews().Element]):
        element.datatype = type(element).datatype
    return picture


def _dimension(picture, place, backend):
    """Return the dimension along an axis: a chart's has the axis's name, label and unit."""
    hv = holoviews()
    if not issubclass(picture, Chart):
        return hv.Dimension(place)
    found = dimension(getattr(picture, place), place, backend)
    # in matplotlib HoloViews takes the label of an element that names a dimension for its values
    labels = [seemly(each.label, backend) for each in picture.marks]
    return found.clone(f"{found.name}, up") if backend == "matplotlib" and found.name in labels else found


# options ----------------------------------------------------------------------------------------------------------


def _chart(picture, result, x, y, widens, backend):
    """Return backend -> options of a chart, whose axes cover what is drawn."""
    width, height = picture.size or (WIDTH, HEIGHT)
    common = {
        "title": unformatted(clean(picture.title, backend)),
        "logx": x.log,
        "logy": y.log,
        "show_grid": picture.x.lines and picture.y.lines,
        **({"xrotation": picture.names_angle} if picture.names_angle else {}),
        **({"invert_yaxis": True} if y.range[0] > y.range[1] else {}),
    }
    names = {"xlabel": seemly(x.title, backend), "ylabel": seemly(y.title, backend)}
    size: dict[str, Any] = {"width": width, "height": height}
    if picture.frame:
        size |= dict(zip(("frame_width", "frame_height"), picture.frame, strict=True))
        size |= {"data_aspect": 1} if picture.is_true_to_scale else {}
        width, height = (px + text for px, text in zip(picture.frame, BESIDE, strict=True))
    return {
        # bands come first below a legend at the foot, and would name the axes
        "bokeh": {**common, **size, **(names if picture.legend_below else {}), "fontsize": LETTERS, "hooks": [house]},
        "matplotlib": {**common, **names, **_paper(width, height, picture.is_true_to_scale)},
    }


def _options(picture, result, x, y, widens, backend):
    """Return backend -> options of a picture with its own axes."""
    title = picture.called(result) or picture.axes(result)[0] or picture.name
    size = _size(picture)
    lines = wrap(seemly(title, backend), int((size.get("frame_width") or WIDTH - BESIDE[0]) / LETTER),
                 break_on_hyphens=False)  # fmt: skip
    more = LINE * (len(lines) - 1)
    if size["height"]:
        size["height"] += more
    common = {
        "title": unformatted("\n".join(lines)),
        "bgcolor": colour("ground"),
        "axiswise": True,
        "show_grid": True,
        **_axis("x", x, backend),
        **_axis("y", y, backend),
    }
    if widens:
        common = {name: each for name, each in common.items() if name not in ("xlim", "ylim")} | {"padding": 0}
    width = (size.get("frame_width") or WIDTH - BESIDE[0]) + BESIDE[0]
    bokeh = {**common, **size, "fontsize": LETTERS, "hooks": [house, partial(_worn, x, y)]}
    paper = _paper(width, picture.height + more, issubclass(picture, PlanePicture))
    paper["hooks"] = [*paper["hooks"], partial(_worn_on_paper, x, y)]
    return {"bokeh": bokeh, "matplotlib": {**common, **paper}}


def _paper(width, height, is_true_to_scale):
    """Return the options of a matplotlib figure of a size in px."""
    # HoloViews computes the aspect of a log axis from its raw numbers, so `paper` resets it
    size = {"fig_inches": (width / DPI, height / DPI), "aspect": width / height, "fontsize": PAPER}
    return {**size, "hooks": [partial(paper, is_true_to_scale)]}


def paper(is_true_to_scale: bool, plot: Any, element: Any) -> None:
    """Style a matplotlib figure: two spines, a faint grid behind the marks, and lines and boxes in its legend."""
    from matplotlib.collections import PatchCollection
    from matplotlib.legend import Legend
    from matplotlib.legend_handler import HandlerPolyCollection

    axes = plot.handles["axis"]
    # HoloViews leaves out lines through the picture, and matplotlib has no sign for what HoloViews' boxes are
    if type(element).__name__ in ("VLines", "HLines") and axes.lines:
        plot.handles["artist"], plot.show_legend = axes.lines[-1], True
    Legend.update_default_handler_map({PatchCollection: HandlerPolyCollection()})
    axes.set_aspect("equal" if is_true_to_scale else "auto")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", grid_alpha=FAINT)


def _top(x, y):
    """Return the middle of the upper edge."""
    low, high = x.range
    return math.sqrt(low * high) if x.log else (low + high) / 2, y.range[1]


def _size(picture):
    """Return the options of the size, as on a page. A plane is not distorted."""
    if not issubclass(picture, PlanePicture):
        return {"width": WIDTH, "height": picture.height}
    high = picture.height - BESIDE[1]
    return {"width": None, "height": None, "frame_width": round(high * WIDE / ROOM), "frame_height": high}


def _unit(picture, x, y):
    """Return the approximate size in px of a unit of both axes."""
    sizes = (WIDTH, picture.height)
    return [(px - words) / abs(b - a) for px, words, (a, b) in zip(sizes, BESIDE, (x.range, y.range), strict=True)]


def _axis(name, axis, backend):
    """Return the options of an axis from its Axis."""
    options = {f"{name}label": seemly(axis.title, backend), f"{name}lim": axis.range, f"log{name}": axis.log}
    return {**options, f"{name}ticks": list(axis.ticks.items())} if axis.ticks else options


def _worn(x, y, plot, element):
    """Hide the parts of a figure's axes that their Axis does not use."""
    figure = plot.handles["plot"]
    for axes, grid, there in ((figure.xaxis, figure.xgrid, x), (figure.yaxis, figure.ygrid, y)):
        grid.visible = there.lines
        if there.ticks == {}:
            grid.ticker = axes.ticker = FixedTicker(ticks=[])
        if there.bare:
            axes.visible, axes.axis_line_alpha = bool(there.label), 0
        if there.turned:
            axes.major_label_orientation = "vertical"
        if there.ends is not None:
            axes.bounds = there.ends


def _worn_on_paper(x, y, plot, element):
    """Hide the parts of matplotlib's axes that their Axis does not use."""
    axes = plot.handles["axis"]
    for side, line, there in ((axes.xaxis, "bottom", x), (axes.yaxis, "left", y)):
        side.grid(there.lines, alpha=FAINT)
        if there.ticks == {}:
            side.set_ticks([])
        if there.bare:
            axes.spines[line].set_visible(False)
            side.set_ticks([])
