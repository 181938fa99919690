"""Pictures of marks on a page: the parts of a picture that change with the result, apart from the numbers."""

from types import SimpleNamespace

import numpy as np
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from helpers.lab_pictures import view_of, with_deferred

from explorer.labs.adaptation import AdaptationLab
from explorer.marks import ESTIMATES, Picture, curve
from explorer.marks.roles import colour
from explorer.views.bokeh_picture import CLEAR, FAINT, BokehPicture
from explorer.views.style import Painter, words_of


def test_a_picture_that_waits_keeps_the_axes_of_what_it_still_shows():
    lab = AdaptationLab(n=20, m=20, picture="samples")
    shown = with_deferred(lab, more=SimpleNamespace(gains=np.random.default_rng(0).normal(3.0, 1.0, (2, 20))))
    view = view_of(shown)
    plot = view.figures["samples"]

    def axis():
        return plot.x_range.start, plot.x_range.end, words_of(plot.xaxis[0])

    before, drawn_at = axis(), view.sources["samples.dots"].data["x"]
    assert before[:2] != (-1, 1)
    assert plot.styles == CLEAR
    view.show(lab.replace(seed=1).result())
    assert plot.styles == FAINT
    assert axis() == before
    assert np.array_equal(view.sources["samples.dots"].data["x"], drawn_at)


@Picture(marks=(curve("curve", ESTIMATES, follows_slider=True),))
def coloured(result):
    """A picture of a curve in the colour of an estimate."""
    return {"curve": {"x": np.arange(3.0), "y": np.arange(3.0)}}


def test_of_a_mark_of_several_colours_the_estimates_own_is_visible():
    picture = BokehPicture(coloured, SimpleNamespace(role="kme"), Painter())
    for role in ("mkme", "skmse", "kme"):
        picture.show(SimpleNamespace(role=role))
        curves = picture.plot.renderers
        assert [each.glyph.line_color for each in curves] == [colour(name) for name in ESTIMATES]
        assert [each.glyph.line_color for each in curves if each.visible] == [colour(role)]


def test_a_source_that_no_mark_draws_is_sent_to_the_browser_with_the_picture():
    """The document has the sources of its models and of those that its models refer to, and no others."""
    grips = {"place": np.array([0.125, 0.375])}
    picture = Picture(
        "shapes",
        marks=(curve("curve", "kme"),),
        undrawn={"grips": ("place",)},
        sources=lambda result: {"curve": {"x": np.zeros(2), "y": np.ones(2)}, "grips": grips},
    )
    document = Document()
    document.add_root(BokehPicture(picture, SimpleNamespace(row=0), Painter()).plot)
    sent = {name: list(column) for source in document.models if isinstance(source, ColumnDataSource)
            for name, column in source.data.items()}  # fmt: skip
    assert sent == {"x": [0, 0], "y": [1, 1], "place": [0.125, 0.375]}
