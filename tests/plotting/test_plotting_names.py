"""Names of a table in plots: shown literally in Bokeh and matplotlib, never as a formula, a format or a tag."""

import re

import pytest
from bokeh.models import Axis, PlainText, Plot
from helpers.figures import squeezed, words

from explorer import plot, sweep
from explorer.checks import truncate
from explorer.marks import Axis as Along
from explorer.marks import Columns, chart, curve
from explorer.plotting import files
from explorer.plotting.drawings import Drawing
from explorer.plotting.paper import LONGEST
from explorer.plotting.pictures import drawn
from explorer.plotting.style import holoviews
from explorer.sweeps import InProcess

TAG = "<img src=x onerror=window.ran=1>"
SHOWN = {
    "a tag": (TAG, TAG),
    "templates": ("{0.__class__} {{7*7}} ${7*7} %s", "{0.__class__} {{7*7}} ${7*7} %s"),
    "formulas": (r"$$\alpha$$ $\frac$", r"$$\alpha$$ $\frac$"),
    "controls": ("a\x00\u202eb", "a\ufffd\ufffdb"),
    "a long name": ("n" * 10_000, "n" * 117 + "..."),
}


def data(name):
    def study(how, n, seed):
        return {name: n * 1.0}

    return sweep(study, {"how": [name, "b"], "n": [1, 2, 3]}, 2, executor=InProcess(), progress=False)


@pytest.mark.thorough(default=["formulas"])
@pytest.mark.parametrize(("name", "shown"), SHOWN.values(), ids=SHOWN)
def test_a_file_of_matplotlib_shows_them(name, shown, tmp_path):
    picture = plot(data(name), x="how", by="n")
    seen = words(picture)
    assert squeezed(shown) in seen  # the axis's label
    assert squeezed(truncate(shown, LONGEST)) in seen  # a tick
    files.write(picture, tmp_path / "a.svg")
    assert "onerror" not in re.sub(r"<!--[^-]*-->", "", (tmp_path / "a.svg").read_text())


@pytest.mark.thorough(default=["{x}"])
@pytest.mark.parametrize("name", ["{}", "{x}", "$x$"], ids=str)
def test_panels_have_titles_as_they_are(name):
    assert squeezed(f"how = {name}") in words(plot(data(name), col="how"))
    panels = holoviews().render(plot(data(name), col="how"), backend="bokeh")
    titles = [figure.title.text for figure in panels.select({"type": Plot}) if figure.title]
    assert f"how = {name}" in titles


@pytest.mark.parametrize("name", [r"$$\alpha$$", r"a \(x\)", r"\[x\]"])
def test_bokeh_sets_no_formula(name):
    hv = holoviews()
    path = curve(Columns(x=[0.0, 1.0], y=[1.0, 2.0]), "kme", label=name)
    picture = chart(name, Along(name, name="x"), Along("y"), [path])
    figure = hv.render(drawn(Drawing(picture)), backend="bokeh")
    texts = [figure.title.text, *(axis.axis_label for axis in figure.select({"type": Axis}) if axis.axis_label != "y")]
    assert [type(each) for each in texts] == [PlainText, PlainText]
    assert {each.text for each in texts} == {name}


def test_a_page_of_a_plot_has_its_title_as_text():
    page = files.html_of(plot(data(TAG)), f"</title>{TAG}")
    assert "&lt;/title&gt;&lt;img" in page
    assert "<img" not in page.lower().replace("<img src=x", "", 0).split("<script", 1)[0]
