"""`plot` of a lab's result: each picture that its page shows, with the page's numbers, colours, title and axes."""

from collections import Counter

import holoviews as hv
import numpy as np
import pytest
from bokeh.models import BoxAnnotation, ColorMapper, HStrip, PlainText, Plot, Span
from bokeh.models import glyphs as kinds
from bokeh.models.transforms import CustomJSTransform
from every_lab import lab_of, states

from explorer import plot, save
from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.labs.density import DensityLab
from explorer.labs.twosample import TwoSampleLab
from explorer.marks import Picture, ellipses
from explorer.marks.contours import middles, regions
from explorer.plotting.drawings import Drawing
from explorer.plotting.looks import tint
from explorer.plotting.pictures import WAITS, drawn
from explorer.plotting.results import visible_pictures
from explorer.views.bokeh_picture import BokehPicture
from explorer.views.glyphs import FIRST
from explorer.views.shading import mixed
from explorer.views.style import Painter, words_of, written

# further states: other pictures, other kinds of marks, names of files
OTHERS = {
    "shrinkage: error bound",
    "marginalized: dice",
    "marginalized: useless axis",
    "monk: estimates",
    "dna: one letter",
    "twosample: one coordinate",
    "twosample: moments",
    "independence: Gram",
    "conditional: filter",
    "conditional: table",
    "kernel_pca: wine",
    "density: most even",
    "adaptation: domains",
    "distributions: sizes",
    "drift: typed break",
    "fit: on a line",
    "sweep: a menu",
}
ALIKE = "marginalized"  # opens with the pictures of the Shrinkage lab, in other colours
STATES = [each for each in states() if each.id in OTHERS or (not each.marks and not each.id.startswith(ALIKE))]
DRAWN = ("line_width", "line_alpha", "fill_alpha")  # compared for all shapes that have them
READ = {  # glyph: (kind of shape, properties that are compared)
    kinds.Scatter: ("dot", ("x", "y", "size", "marker", "angle")),
    kinds.Segment: ("stroke", ("x0", "y0", "x1", "y1")),
    kinds.VSpan: ("upright", ("x",)),
    kinds.HSpan: ("level", ("y",)),
    kinds.Text: ("words", ("x", "y", "text", "x_offset", "y_offset", "text_align", "text_font_size", "angle")),
    kinds.Quad: ("box", ("left", "right", "bottom", "top")),
    kinds.VBar: ("box", ("x", "width", "top")),
    kinds.HBar: ("box", ("y", "height", "right")),
    kinds.Rect: ("box", ("x", "y", "width", "height")),
}
EDGES = {  # other glyphs of boxes: their left, right, bottom and top
    kinds.VBar: lambda x, width, top: (x - width / 2, x + width / 2, 0 * x, top),
    kinds.HBar: lambda y, height, right: (0 * y, right, y - height / 2, y + height / 2),
    kinds.Rect: lambda x, y, wide, high: (x - wide / 2, x + wide / 2, y - high / 2, y + high / 2),
}


def column(renderer, name):
    """Return a property of a glyph for each row."""
    data, spec = renderer.data_source.data, getattr(renderer.glyph, name)
    plain = isinstance(spec, str) and spec in data and name not in ("marker", "text_align")
    field = getattr(spec, "field", spec if plain else None)
    if field is not None:
        return list(data[field])
    return [getattr(spec, "value", spec)] * max(map(len, data.values()), default=1)


def inks(renderer):
    """Return the colours of a glyph; of a colour scale its palette and ends."""
    glyph, found = renderer.glyph, []
    for name in ("fill_color", "line_color", "text_color", "hatch_color"):
        ink = getattr(glyph, name, None)
        if isinstance(mapper := getattr(ink, "transform", None), ColorMapper):
            return ((*mapper.palette, mapper.low, mapper.high),)
        if name != "hatch_color" or getattr(glyph, "hatch_pattern", None):
            found.append(ink)
    return tuple(filter(None, found))


def said(*values):
    """Return values as strings, numbers to six digits, because the two pictures round differently."""
    numbers = (float, int, np.number)
    return tuple(f"{each + 0.0:.6g}" if isinstance(each, numbers) else str(each) for each in values)


def drawn_of(renderer):
    """Return the visible style properties of a shape for each row."""
    seen = [name for name in DRAWN if getattr(renderer.glyph, f"{name.split('_')[0]}_color", None) is not None]
    return [column(renderer, name) for name in seen]


def tints(renderer, mark):
    """Return the regions that a browser fills with tints, computed from the numbers of a page's image."""
    source, there = renderer.glyph.image.transform.args["source"].data["w"], renderer.data_source.data
    if not (len(source) and len(there["x"])):
        return []
    w = np.reshape(source, (mark.style["lines"], -1))
    return [
        ("region", tuple(mixed(tint(each.ink), [each.strength], False)), said(*np.concatenate(rings).T.ravel()))
        for each in regions(*middles(there, w.shape), w, mark.role)
        for rings in each.polygons
    ]


def rows(renderer):
    """Return the shapes of a renderer as (kind, colours, numbers)."""
    glyph, data, ink = renderer.glyph, renderer.data_source.data, inks(renderer)
    if isinstance(glyph, kinds.Line):
        return [("line", ink, said(glyph.line_width, glyph.line_alpha, *column(renderer, "x"), *column(renderer, "y")))]
    if isinstance(glyph, kinds.VArea):
        return runs(ink[:1], *(np.array(column(renderer, name), float) for name in ("x", "y1", "y2")))
    if isinstance(glyph, kinds.Patch):
        x, y = (np.array(column(renderer, name), float) for name in "xy")
        parts = np.split(np.arange(len(x)), np.flatnonzero(np.isnan(x)))
        parts = [part[~np.isnan(x[part])] for part in parts]
        halves = [(part[: len(part) // 2], part[len(part) // 2 :][::-1]) for part in parts]
        return [each for low, high in halves for each in runs(ink[:1], x[low], y[low], y[high])]
    if isinstance(glyph, kinds.Image):
        mapper, names = glyph.color_mapper, ("x", "y", "dw", "dh")
        colours, cells = (*mapper.palette, mapper.low, mapper.high), data.get("image")
        if isinstance(script := getattr(glyph.image, "transform", None), CustomJSTransform):  # a table, unchanged
            cells = [script.args["source"].data["w"]]
        each_image = zip(*(column(renderer, name) for name in names), cells, strict=True)
        return [("image", colours, said(*map(float, at), *np.float32(image).ravel())) for *at, image in each_image]
    if isinstance(glyph, kinds.MultiPolygons) and glyph.line_color is None:
        outlines = zip(data["xs"], data["ys"], strict=True)
        return [("region", ink, said(*np.concatenate(x), *np.concatenate(y))) for (x,), (y,) in outlines]
    if isinstance(glyph, kinds.MultiPolygons):  # only the centre of an ellipse is compared
        x, y = ([round((min(each[0][0]) + max(each[0][0])) / 2, 6) for each in data[name]] for name in ("xs", "ys"))
        return [("ellipse", ink, said(*each)) for each in zip(x, y, strict=True)]
    if isinstance(glyph, kinds.Ellipse | kinds.Circle):
        x, y = (np.round(column(renderer, name), 6) for name in "xy")
        return [("ellipse", ink, said(*each)) for each in zip(x, y, strict=True) if np.isfinite(each).all()]
    if isinstance(glyph, HStrip):
        return [("tint", ink, said(*column(renderer, "y0"), *column(renderer, "y1")))]
    kind, names = READ[type(glyph)]
    columns = [column(renderer, name) for name in names]
    if type(glyph) in EDGES:
        columns = EDGES[type(glyph)](*(np.array(each, dtype=float) for each in columns))
    if kind == "box":
        columns = [np.sort(each, axis=0) for each in (columns[:2], columns[2:])]
        columns = [each for pair in columns for each in pair]
    by_number = ink and isinstance(ink[0], tuple)
    more = [data[glyph.fill_color.field]] if by_number else drawn_of(renderer)
    found = [(kind, ink, said(*row)) for row in zip(*columns, *more, strict=True)]
    return [row for row in found if "nan" not in row[2]]  # such a row is not visible


def runs(ink, x, low, high):
    """Return the parts of an area between its gaps."""
    there = np.flatnonzero(np.isfinite(x + low + high))
    parts = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
    return [("area", ink, said(*x[part], *low[part], *high[part])) for part in parts if len(part)]


def shapes(figure, inked=()):
    """Return a Counter of a figure's shapes; `inked` are the (mark, role, renderer) of a page's figure."""
    found = Counter()
    fields = {each: mark for mark, _, each in inked if mark.kind == "image" and not mark.style["table"]}
    for each in figure.renderers:
        data = each.data_source.data
        if each.visible and (not data or any(map(len, data.values()))):
            drawn = tints(each, fields[each]) if each in fields else rows(each)
            found.update(row for row in drawn if row[1] not in ((), (FIRST,)))  # invisible shapes
    for each in figure.center:
        if isinstance(each, Span):
            kind = "upright" if each.dimension == "height" else "level"
            found[kind, (each.line_color,), said(each.location, each.line_width, each.line_alpha)] += 1
        elif isinstance(each, BoxAnnotation):
            ends = ((each.bottom, figure.y_range.start), (each.top, figure.y_range.end))
            ends = [end if isinstance(end, (int, float)) else other for end, other in ends]
            found["tint", (each.fill_color,), said(*ends)] += 1
    return found


def along(figure, name, words):
    """Return (type, label, ends, custom ticks) of an axis."""
    axis, ends = getattr(figure, f"{name}axis")[0], getattr(figure, f"{name}_range")
    own = {said(place): word for place, word in (words(axis) or {}).items()}
    return type(axis), written(axis.axis_label) or "", said(ends.start, ends.end), own


def rendered(result, **options):
    """Return the figure of a picture of a result."""
    return hv.render(plot(result, **options), backend="bokeh")


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "fields"), STATES)
def test_a_picture_of_a_lab_is_that_of_its_page(name, fields):
    result = lab_of(name, **fields).result()
    for picture in visible_pictures(result).values():
        page, figure = BokehPicture(picture, result, Painter()), rendered(result, picture=picture.name)
        assert written(figure.title.text).split() == page.called.split()  # the title may be broken into lines
        for axis in "xy":
            given = along(figure, axis, lambda each: each.major_label_overrides)
            assert given == along(page.plot, axis, words_of)
        expected, found = shapes(page.plot, page.inked), shapes(figure)
        found = Counter({row: many for row, many in found.items() if WAITS not in row[2]})
        assert found - expected == expected - found == Counter()


LAB = TwoSampleLab(n=10, m=10, permutations="199")


def test_without_a_name_all_that_are_seen_lie_side_by_side():
    result = LAB.result()
    layout = plot(result)
    assert [type(each) for each in layout] == [hv.Overlay] * len(visible_pictures(result))
    titles = [each.title.text for each in hv.render(layout, backend="bokeh").select({"type": Plot})]
    assert sorted(titles) == sorted(each.axes(result)[0] for each in visible_pictures(result).values())


def test_a_name_that_no_picture_of_the_state_has_is_refused():
    sentence = "picture must be one of plane, null, bandwidths, not 'line', which this state of the lab does not show."
    with pytest.raises(Refusal) as refused:
        plot(LAB.result(), picture="line")
    assert str(refused.value) == sentence


def test_what_is_not_computed_yet_is_told_until_it_is():
    lab = LAB.replace(picture="influence")
    words = [row[2][2] for row in shapes(rendered(lab.result(), picture="influence")) if row[0] == "words"]
    assert words == [WAITS]
    words = [row[2][2] for row in shapes(rendered(lab.result(wait=True), picture="influence")) if row[0] == "words"]
    assert WAITS not in words
    assert all(each.startswith("without ") for each in words)


def test_names_of_a_file_are_words_and_never_markup(tmp_path):
    names = ["<b>&", "$$x$$ {}"]
    table = read_table(("\n".join([",".join(names), *(f"{i},{i * i % 7}" for i in range(30))])).encode(), name="t.csv")
    lab = DensityLab(source="file", file="t.csv", n=12, rows=30, hash=table.hash)
    lab.own = table
    figure = rendered(lab.result(), picture="plane")
    assert [written(axis.axis_label) for axis in (figure.xaxis[0], figure.yaxis[0])] == names
    assert isinstance(figure.yaxis[0].axis_label, PlainText)
    page = save(lab.result(), tmp_path / "a.html", picture="plane").read_text(encoding="utf-8")
    assert "<b>&" not in page


@Picture(marks=(ellipses("blobs", "kme"),))
def turned(result):
    """A picture of two ellipses."""
    columns = {"x": [1.0, 2.0], "y": [0.0, 5.0], "width": [2.0, 1.0], "height": [6.0, 1.0], "angle": [0.5, 0.0]}
    return {"blobs": {name: np.array(values) for name, values in columns.items()}}


def test_an_ellipse_is_turned_about_its_middle():
    (polygons,) = (each for each in drawn(Drawing(turned)) if isinstance(each, hv.Polygons))
    for x, y, wide, high, angle, path in zip(*turned.data(None)["blobs"].values(), polygons.split(), strict=True):
        away = np.column_stack([path.dimension_values(0) - x, path.dimension_values(1) - y])
        across, up = away @ [np.cos(angle), np.sin(angle)], away @ [-np.sin(angle), np.cos(angle)]
        np.testing.assert_allclose((2 * across / wide) ** 2 + (2 * up / high) ** 2, 1.0, rtol=1e-12)
