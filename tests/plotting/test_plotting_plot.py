"""`plot` draws each kind of object, returns ordinary HoloViews objects, and needs no network."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import holoviews as hv
import numpy as np
import pytest
from bokeh.core.validation import check_integrity
from helpers.browsing import launched
from helpers.naming import names_all, naming
from helpers.offline_pages import block_network
from helpers.server_process import until

from explorer import KME, SKMSE, Gaussian, GaussianMixture, bandwidth_curve, mmd_test, monk_mmd, plot, witness
from explorer.checks import WrongType
from explorer.marks import Axis, Columns, chart, curve
from explorer.marks.roles import ROLES, colour
from explorer.plotting.drawings import Drawing
from explorer.plotting.files import write
from explorer.plotting.plot import KINDS, WORDS

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(0)
X, Y, Z = RNG.normal(size=(20, 1)), RNG.normal(1.0, 1.0, (20, 1)), RNG.normal(size=(20, 2))
K = Gaussian(1.0)
TEST = mmd_test(X, Y, K, n_resamples=99, rng=0)
A, B = KME(K).embed(X), SKMSE(K).embed(X)
THINGS = {
    "test": lambda: plot(TEST),
    "line": lambda: plot(A),
    "plane": lambda: plot(witness(Z, Z + 1, K)),
    "gram": lambda: plot(K(X)),
    "losses": lambda: plot({"KME": RNG.gamma(2.0, size=(5, 9))}, x=[0.1, 1, 2, 5, 9], x_label=SKMSE.fields["lam"]),
    "estimator": lambda: plot(SKMSE(K), X=X),
    "density": lambda: plot(GaussianMixture.random(2, rng=0)),
    "bandwidths": lambda: plot(bandwidth_curve(X, Y, [0.5, 1.0], n_resamples=99, rng=0)),
    "monk": lambda: plot(monk_mmd(X, Y, K, 3, rng=0)),
}
every_thing = pytest.mark.parametrize("draw", THINGS.values(), ids=THINGS)


# what is drawn ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_what_is_drawn_by_name_is_a_class_of_that_name(name):
    module, _, kind = name.rpartition(".")
    found = getattr(import_module(module), kind)
    assert f"{found.__module__}.{found.__qualname__}" == name


@every_thing
def test_elements_of_arrays_take_data_of_any_kind(draw):
    for element in draw().traverse(lambda each: each, [hv.Element]):
        assert element.datatype == type(element).datatype
        if not element.interface.gridded:
            table = element.dframe()
            assert element.clone(table).dframe().equals(table)


@pytest.mark.parametrize(
    "thing", [None, 3, "wine", [1.0, 2.0], {1, 2}, object()], ids=lambda thing: type(thing).__name__
)
def test_what_cannot_be_drawn_is_a_sentence_that_names_what_can(thing):
    with pytest.raises(WrongType) as refused:
        plot(thing)
    assert str(refused.value).endswith(f"it draws {WORDS}.")
    assert len(str(refused.value)) <= 600


def test_a_class_is_made_first():
    with pytest.raises(TypeError, match=naming("SKMSE")):
        plot(SKMSE)


def test_an_unknown_option_is_a_sentence_that_names_the_known_ones():
    with pytest.raises(ValueError, match=naming("'levl'", "TestResult", "level", "bins", ".opts")):
        plot(TEST, levl=0.1)


def test_a_sweep_s_data_set_goes_to_its_own_module(monkeypatch):
    xarray = pytest.importorskip("xarray")
    asked = []

    def of_dataset(data, value=None, x=None):
        asked.append((data, x))
        return Drawing(chart("one", Axis("n"), Axis("loss"), [curve(Columns(x=[1.0], y=[2.0]), "kme")]))

    module = type(sys)("explorer.plotting.dataset")
    module.of_dataset = of_dataset
    monkeypatch.setitem(sys.modules, "explorer.plotting.dataset", module)
    data = xarray.Dataset({"loss": ("n", [1.0])})
    assert plot(data, x="n").dimension_values(1).tolist() == [2.0]
    assert asked == [(data, "n")]


def test_a_role_has_the_colour_that_it_has_in_the_labs():
    for role in ("skmse", "mmkme", "monk"):
        assert role in ROLES
        curve = next(each for each in plot(A, role=role) if isinstance(each, hv.Curve))
        assert hv.Store.lookup_options("bokeh", curve, "style").kwargs["color"] == colour(role)


# ordinary HoloViews objects ---------------------------------------------------------------------------------------


def test_plots_overlay_on_shared_axes():
    both = plot(A, label="KME") * plot(B, role="skmse", label="S-KMSE")
    assert isinstance(both, hv.Overlay)
    figure = hv.render(both, backend="bokeh")
    assert (figure.xaxis[0].axis_label, figure.yaxis[0].axis_label) == ("x", "f(x)")
    assert [item.label.value for item in figure.legend[0].items] == ["KME", "S-KMSE"]
    assert names_all(figure.title.text, "20", "0.05")


def test_plots_lie_side_by_side():
    row = plot(A) + plot(TEST) + plot(K(X))
    assert isinstance(row, hv.Layout)
    assert len(row) == 3
    hv.render(row, backend="bokeh")


def test_own_elements_join_in():
    mine = plot(A) * hv.Curve((X[:, 0], X[:, 0]), "x", "f").opts(color="red")
    assert hv.render(mine, backend="bokeh").xaxis[0].axis_label == "x"


@pytest.mark.thorough(default=["test", "gram"])
@every_thing
def test_options_of_the_reader_win(draw):
    picture = draw().opts(title="mine", frame_width=400, frame_height=222, xlabel="across")
    figure = hv.render(picture, backend="bokeh")
    assert (figure.title.text, figure.frame_width, figure.frame_height) == ("mine", 400, 222)
    assert figure.xaxis[0].axis_label == "across"


def test_options_for_one_kind_of_element():
    picture = plot(A).opts(hv.opts.Curve(color="#123456"), hv.opts.Segments(line_alpha=0.0))
    figure = hv.render(picture, backend="bokeh")
    assert "#123456" in [r.glyph.line_color for r in figure.renderers]


def test_what_one_plot_is_given_no_other_has():
    plot(A).opts(title="mine")
    assert hv.render(plot(A), backend="bokeh").title.text != "mine"


@pytest.mark.thorough(default=["plane"])
@every_thing
def test_letters_are_those_of_the_labs(draw):
    figure = hv.render(draw(), backend="bokeh")
    assert figure.title.text_font.startswith("system-ui")
    assert {axis.axis_label_text_font_style for axis in figure.axis} == {"normal"}
    assert (figure.title.text_font_size, figure.xaxis[0].axis_label_text_font_size) == ("14px", "13px")


@pytest.mark.parametrize("name", ["plane", "losses"])
def test_bokeh_has_nothing_to_complain_of(name):
    issues = check_integrity(hv.render(THINGS[name](), backend="bokeh").references())
    assert (issues.error, issues.warning) == ([], [])


# without a network ------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_front_door_stays_light_until_something_is_drawn():
    code = (
        "import sys; from explorer import plot; heavy = {'holoviews', 'panel', 'bokeh', 'xarray', 'pandas'};"
        "print(sorted(heavy & set(sys.modules))); import numpy as np; picture = plot(np.eye(2));"
        "import holoviews as hv; print(list(hv.Store.renderers), hv.Store.current_backend, type(picture).__name__)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.splitlines() == ["[]", "['bokeh'] bokeh Image"], done.stderr


@pytest.mark.few(3)
@pytest.mark.thorough(default=["losses"])
@every_thing
def test_a_page_of_a_plot_holds_panel_s_style_sheets(draw):
    """Scripts that are not in the page are fetched from Panel's host."""
    page = hv.renderer("bokeh").html(draw(), resources="inline")
    _, _, document = page.partition('type="application/json"')
    assert "InlineStyleSheet" in document
    assert "ImportedStyleSheet" not in document


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.mark.few(4)
@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", [*THINGS, "overlay", "layout"])
def test_a_saved_plot_is_drawn_without_a_network_and_is_a_png(name, browser, tmp_path):
    more = {"overlay": lambda: plot(A) * plot(B, role="skmse"), "layout": lambda: plot(A) + plot(TEST)}
    write((THINGS | more)[name](), tmp_path / "plot.html", name)  # hv.save writes all loaded scripts
    page = browser.new_page(viewport={"width": 1400, "height": 600})
    asked, errors = block_network(page)
    page.goto((tmp_path / "plot.html").as_uri())
    until(lambda: page.locator("canvas:visible").count() and page.evaluate("Bokeh.documents[0].is_idle"), "a plot", 60)
    colours = page.locator("canvas:visible").first.evaluate(
        "c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size"
    )
    picture = page.locator(".bk-Figure, .bk-GridPlot, .bk-Column").first.screenshot()
    page.close()
    assert asked == errors == []
    assert colours > 3
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 3000


@pytest.mark.thorough
def test_a_picture_for_paper_leaves_bokeh_the_current_backend():
    code = "from explorer.plotting.style import holoviews; print(holoviews('matplotlib').Store.current_backend)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "bokeh\n", done.stderr
