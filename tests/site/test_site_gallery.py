"""The gallery: its lines run, it has every kind of plot, and the plots' marks have their numbers."""

import ast
import importlib
import inspect
import pkgutil
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from docutils.nodes import make_id

import explorer
from explorer import KME, Gaussian
from explorer.checks import Refusal
from explorer.markup import Markup, from_library
from explorer.plotting.plot import KINDS, LAB, classes_of, drawing_of
from explorer.printing import Written
from explorer.site.gallery import QUESTIONS, _count
from explorer.site.gallery.cards import CARDS
from explorer.site.gallery.drawing import WIDTH, draw_code, in_files, plot_svg
from explorer.site.gallery.of_labs import pictures_of
from explorer.svg import draw_standalone
from explorer.workbench import registry

# results that a notebook shows as a picture, but that no public function returns: parts of labs
INNER = {"PairedSample", "BlockTable", "DependenceTest", "BandwidthSweep", "FunctionPairs"}


def is_plotted(card):
    """Return whether the last line of a card is plot(...)."""
    last = ast.parse(card.code).body[-1].value
    return isinstance(last.func, ast.Name) and last.func.id == "plot"


def value_of(card):
    """Return the value of a card's last line, and its subject: the first argument of `plot`, or the result itself."""
    *lines, last = ast.parse(card.code).body
    names = {}
    exec(compile(ast.Module(lines, []), "<card>", "exec"), names)
    call = last.value.args[0] if is_plotted(card) else last.value
    return eval(compile(ast.Expression(call), "<card>", "eval"), names)


@pytest.fixture(scope="module")
def values():
    return {card: value_of(card) for card in CARDS}


def test_every_card_has_a_title_of_its_own_and_public_names():
    assert len({make_id(card.title) for card in CARDS}) == len(CARDS)
    for card in CARDS:
        assert card.question in registry.FAMILIES
        assert set(card.names) <= set(explorer._NAMES)
        assert not card.lab or card.lab in registry.names()
    assert sum(map(_count, QUESTIONS)) == len(CARDS)


@pytest.mark.thorough
def test_every_kind_of_plot_has_a_card(values):
    there = {name for card, value in values.items() if is_plotted(card) for name in classes_of(value)}
    assert [kind for kind in KINDS if kind not in there and kind != LAB] == []
    shown = [value for card, value in values.items() if is_plotted(card)]
    assert any(isinstance(each, dict) for each in shown), "losses"
    assert any(type(each).__name__ == "Dataset" for each in shown), "a sweep"


def own_pictures():
    """Return the classes of the library whose notebook picture is an SVG of their own."""
    for module in pkgutil.walk_packages(explorer.__path__, "explorer."):
        room = module.name.split(".")[1]
        if room in registry.LABS or room in (
            "pages",
            "labs",
            "views",
            "commands",
            "browser",
            "papers",
            "site",
            "__main__",
        ):
            continue
        for name, kind in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(kind) and kind.__module__ == module.name and "_picture" in vars(kind):
                if vars(kind)["_picture"] is not Written._picture and "drawing" in inspect.getsource(kind._picture):
                    yield name


@pytest.mark.thorough
def test_every_picture_of_a_notebook_has_a_card(values):
    there = {base.__name__ for card, value in values.items() if not is_plotted(card) for base in type(value).__mro__}
    plotted_too = {base.__name__ for value in values.values() for base in type(value).__mro__}
    assert sorted(set(own_pictures()) - plotted_too - INNER) == []
    assert {"TestResult", "ScanResult", "Monitor", "MonkResult", "Embedding"} <= there


@pytest.mark.thorough
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.title)
def test_the_lines_of_a_card_draw_an_svg(card):
    svg = draw_code(card.code)
    assert isinstance(svg, Markup)
    assert "<svg" in svg
    assert not re.search(r'="[^"]*\bnan\b', svg)


def test_what_a_card_does_not_draw_is_refused():
    with pytest.raises(Refusal, match="last line of a card"):
        draw_code("x = 1")


def test_drawings_are_files_that_load_when_they_come_near_and_have_the_theme_of_the_page(tmp_path):
    sign = "<svg width='22' height='12'><g/></svg>"
    xmlns = "xmlns='http://www.w3.org/2000/svg'"
    plot = f"<svg {xmlns} class='stands-alone' width='420' height='300'><desc>told</desc><svg><g/></svg></svg>"
    note = f"<svg {xmlns} aria-label='said' width='360' height='90'><g/></svg>"
    html = in_files(from_library(f"<div>{sign}a{plot}b{note}c</div>"), tmp_path, "one")
    assert re.sub("<img[^>]*>", "IMG", html) == f"<div>{sign}aIMGbIMGc</div>"
    first, second = re.findall("<img[^>]*>", html)
    assert all(each in first for each in ("src='pictures/one.svg'", "alt='told'", "width='420'", "loading='lazy'"))
    assert all(each in second for each in ("src='pictures/one-2.svg'", "alt='said'", "height='90'", "loading='lazy'"))
    assert (tmp_path / "pictures" / "one.svg").read_text(encoding="utf-8") == plot
    style = ElementTree.parse(tmp_path / "pictures" / "one-2.svg").find("{http://www.w3.org/2000/svg}style")
    assert "prefers-color-scheme:dark" in style.text


@pytest.mark.thorough
@pytest.mark.browser
def test_a_gallery_loads_the_pictures_that_are_near_the_window(address, chromium):
    page = chromium.new_page(viewport={"width": 1300, "height": 800})
    loaded = set()
    page.on("request", lambda asked: loaded.add(asked.url) if "/pictures/" in asked.url else None)
    page.goto(f"{address}gallery/index.html", wait_until="load")
    page.wait_for_timeout(300)
    near = set(loaded)
    assert 3 <= len(near) < len(CARDS) / 2
    last = page.locator(".plot img").last
    last.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=last.element_handle())
    assert loaded > near
    page.close()


def picture_of(thing, **options):
    """Return the picture of marks of a plot."""
    (drawing,) = drawing_of(thing, **options).panels
    return drawing.picture


def test_a_curve_keeps_its_numbers_its_colour_and_its_axes():
    X = np.linspace(-1.0, 1.0, 9)[:, None]
    made = picture_of(KME(Gaussian(0.5)).embed(X))
    (line,) = (mark for mark in made.marks if mark.kind == "line")
    at, f = (made.data(None)[line.source][name] for name in ("x", "y"))
    np.testing.assert_allclose(f, KME(Gaussian(0.5)).embed(X)(at[:, None]))
    assert line.role == "kme"
    _, x, y = made.axes(None)
    assert (x.label, y.label) == ("x", "f(x)")
    low, high = y.range
    assert low < f.min() and f.max() < high  # noqa: PT018


def test_a_logarithmic_axis_stays_one():
    losses = {"KME": np.array([1.0, 0.1, 0.01]), "S-KMSE": np.array([0.5, 0.05, 0.005])}
    made = picture_of(losses, x=np.array([10.0, 100.0, 1000.0]), log_x=True, log_y=True)
    assert made.x.log
    assert made.y.log
    assert [mark.label for mark in made.marks if mark.kind == "line"] == ["KME", "S-KMSE"]


def test_a_band_lies_within_its_axis():
    losses = {"KME": np.random.default_rng(0).normal(1.0, 0.5, (4, 6))}
    made = picture_of(losses, x=np.arange(1.0, 5.0))
    (band,) = (mark for mark in made.marks if mark.kind == "area")
    columns = made.data(None)[band.source]
    low, high = made.axes(None)[2].range
    assert low < columns["low"].min()
    assert columns["high"].max() < high


def test_a_plot_of_a_test_is_drawn_by_its_own_marks():
    from explorer import mmd_test

    result = mmd_test([0.1, 0.4, 0.8, 1.1], [1.9, 2.3, 2.8, 3.3], Gaussian(1.0), rng=0)
    assert "permutations" in plot_svg(result)


def test_a_lab_shows_its_pictures_in_turn():
    whole, fast = pictures_of("marginalized"), pictures_of("marginalized", fast=True)
    figures = registry.role("marginalized", "figures").PICTURES
    assert [each.name for each in whole.pictures] == [each.name for each in figures]
    assert {each.name for each in fast.pictures} < {each.name for each in whole.pictures}
    for each in whole.pictures:
        assert each.says
        assert "plot(lab.result(wait=True)" in each.code


@pytest.mark.thorough
def test_the_lines_below_a_labs_picture_make_it():
    for each in pictures_of("marginalized").pictures:
        names = {}
        exec(each.code.rpartition("\n")[0], names)
        (figure,) = (one for one in registry.role("marginalized", "figures").PICTURES if one.name == each.name)
        assert str(draw_standalone(figure, names["lab"].result(wait=True), WIDTH)) == str(each.svg)
