"""Figures for a paper: plots of the gallery and pictures of labs as PDF, SVG and PNG in mm, with whole texts."""

import ast
import io
import re
import xml.etree.ElementTree as ET
from typing import Any

import holoviews as hv
import numpy as np
import pytest
import xarray
from helpers.figures import page_of, squeezed, streams, words

from explorer import KME, SKMSE, Gaussian, mmd_test, plot, save
from explorer.labs.twosample import TwoSampleLab
from explorer.plotting.along import of_estimator
from explorer.plotting.dataset import of_dataset
from explorer.plotting.gram import of_kernel
from explorer.plotting.roles import role_of_model
from explorer.site.gallery.cards import CARDS
from explorer.workbench import registry
from explorer.workbench.content import content_of

pytest.importorskip("matplotlib", reason="pip install 'kernel-mean-explorer[pictures]'")
from PIL import Image

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 1)), RNG.normal(1.0, 1.0, (20, 1))
TEST = mmd_test(X, Y, Gaussian(1.0), n_resamples=99, rng=0)
PLOTS = {card.title: card.code for card in CARDS if card.code.splitlines()[-1].startswith("plot(")}
PAGES: tuple[dict[str, Any], ...] = ({}, {"width": 85}, {"width": 60, "size": 7})  # in mm and points
MARGIN = 0.4  # mm at the edges of the page without any ink
FEW = ["The null distribution of a test"]
LABS = [name for name in registry.names() if content_of(name).presets]


def drawn(title):
    """Return the plot of a card of the gallery."""
    *lines, last = ast.parse(PLOTS[title]).body
    assert isinstance(last, ast.Expr)
    names = {}
    exec(compile(ast.Module(lines, []), "<card>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<card>", "eval"), names)


def check_pdf(pdf, page):
    """Check a figure's size, its fonts, their size, and that it is no picture of pixels."""
    wide, high = page_of(pdf)
    assert wide == pytest.approx(page["width"], abs=0.1) if "width" in page else 50 < wide < 171
    assert 15 < high < 400
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    drawing = b"\n".join(streams(pdf)).decode("latin-1")
    sizes = {float(size) for size in re.findall(r"/F\d+ ([\d.]+) Tf", drawing)}
    assert sizes == {page.get("size", 8)}
    for a, _, _, d in re.findall(r"([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) [-\d.]+ [-\d.]+ cm\s+/I\d+ Do", drawing):
        assert abs(float(a) * float(d)) * (25.4 / 72) ** 2 < 0.8 * wide * high


def check_svg(svg, page):
    """Check that a figure has its text as paths, its size, and one ground for all screens."""
    root = ET.fromstring(svg)
    assert float(root.attrib["width"].removesuffix("pt")) * 25.4 / 72 == pytest.approx(page.get("width", 110), abs=61)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert "path" in tags
    assert "text" not in tags
    assert b"prefers-color-scheme" not in svg


def check_png(png, page):
    """Check a figure's size, and that no text is cut at the edges of the page."""
    image = np.asarray(Image.open(io.BytesIO(png)).convert("L"))
    if "width" in page:
        assert image.shape[1] == pytest.approx(page["width"] / 25.4 * 200, abs=1)
    edge = int(MARGIN / 25.4 * 200)
    edges = image[:edge], image[-edge:], image[:, :edge], image[:, -edge:]
    assert [int(each.min()) for each in edges] == [255] * 4
    assert image.min() < 100


@pytest.mark.few(4)
@pytest.mark.thorough(default=FEW)
@pytest.mark.parametrize("title", PLOTS)
@pytest.mark.filterwarnings("ignore:Setting the 'color' property")
def test_a_plot_of_the_gallery_is_a_figure(title, tmp_path):
    picture = drawn(title)
    for page in PAGES:
        check_pdf(save(picture, tmp_path / "a.pdf", **page).read_bytes(), page)
        check_png(save(picture, tmp_path / "a.png", dpi=200, **page).read_bytes(), page)
    check_svg(save(picture, tmp_path / "a.svg", **PAGES[1]).read_bytes(), PAGES[1])


@pytest.mark.few(4)
@pytest.mark.thorough(default=["twosample"])
@pytest.mark.parametrize("name", LABS)
@pytest.mark.filterwarnings("ignore:Setting the 'color' property", "ignore::explorer.checks.ExplorerWarning")
def test_the_main_picture_of_a_lab_is_a_figure(name, tmp_path):
    result = registry.entry(name).lab(**content_of(name).presets[0].fields).result(wait=True)
    page = PAGES[1]
    check_pdf(save(result, tmp_path / "a.pdf", **page).read_bytes(), page)
    check_png(save(result, tmp_path / "a.png", dpi=200, **page).read_bytes(), page)


def test_a_picture_of_a_name_of_a_lab(tmp_path):
    result = TwoSampleLab(n=10, m=10, permutations="199").result()
    assert squeezed("MMD² under permuted labels") in words(plot(result, picture="null"))
    path = save(result, tmp_path / "a.svg", picture="null", width=85)
    assert "MMD² under permuted labels" in path.read_text(encoding="utf-8")  # matplotlib's comment beside the paths


def test_texts_of_the_user(tmp_path):
    wishes: Any = {"title": "One title", "x_label": "squared MMD", "y_label": ""}
    seen = words(plot(TEST), **wishes)
    assert {"Onetitle", "squaredMMD"} <= set(seen)
    assert not {"unbiasedMMD²", "shareofthepermutations", f"p={TEST.pvalue:.3g}"} & set(seen)
    save(TEST, tmp_path / "a.pdf", **wishes)


def test_losses_have_labels_with_units(tmp_path):
    losses = {"KME": [1.0, 0.5, 0.4], "S-KMSE": [0.9, 0.4, 0.3]}
    lam = SKMSE.fields["lam"]
    svg = save(losses, tmp_path / "a.svg", x=[0.1, 1.0, 10.0], x_label=lam, y_label="loss of mine").read_text("utf-8")
    assert lam.symbol in svg
    assert "loss of mine" in svg


def test_a_height_is_kept(tmp_path):
    for thing in (TEST, plot(TEST) + plot(TEST)):
        wide, high = page_of(save(thing, tmp_path / "a.pdf", width=120, height=60).read_bytes())
        assert (wide, high) == pytest.approx((120, 60), abs=0.1)


def test_another_font_is_embedded_or_drawn(tmp_path):
    pdf = save(TEST, tmp_path / "a.pdf", font="STIXGeneral").read_bytes()
    assert re.search(rb"/BaseFont /[A-Z]{6}\+STIXGeneral", pdf)
    assert b"DejaVuSans" not in pdf


def test_the_same_picture_is_the_same_file(tmp_path):
    for end in ("pdf", "svg", "png"):
        one, other = (save(plot(TEST), tmp_path / f"{i}.{end}", width=85).read_bytes() for i in range(2))
        assert one == other


def test_a_style_for_dark_ground_is_not_that_of_a_paper(tmp_path):
    from matplotlib import style

    plain = save(plot(TEST), tmp_path / "a.png", width=60).read_bytes()
    with style.context("dark_background"):
        assert save(plot(TEST), tmp_path / "b.png", width=60).read_bytes() == plain


def test_what_is_overlaid_and_restyled_before_matplotlib_is_asked_for():
    hv.extension("bokeh")
    overlaid = plot(KME(Gaussian(1.0)).embed(X), label="KME") * plot(SKMSE(Gaussian(1.0)).embed(X), label="S-KMSE")
    seen = words(overlaid + plot(TEST).opts(title="Mine $x$"))
    assert {"KME", "S-KMSE", "f(x)", "Mine$x$"} <= set(seen)


def test_no_figure_stays_open():
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    words(plot(TEST), width=85)
    assert pyplot.get_fignums() == before


# models of the user's --------------------------------------------------------------------------------------------


class Hat(Gaussian):
    """A kernel of the user's."""


class Half(SKMSE):
    """An estimator of the user's."""

    label = "half"


def roles(drawing):
    return [mark.role for mark in drawing.picture.marks]


def test_a_model_of_the_user_s_has_a_colour_of_its_own():
    known = {"S-KMSE": "skmse", "F-KMSE": "fkmse", "KME": "kme"}
    assert {name: role_of_model(name) for name in known} == known
    assert role_of_model("half") not in ("kme", "truth")
    assert roles(of_estimator(Half(Gaussian(1.0)), X))[0] != roles(of_estimator(SKMSE(Gaussian(1.0)), X))[0]
    assert set(roles(of_kernel(Hat(1.0), at=0.0))).isdisjoint(roles(of_kernel(Gaussian(1.0), at=0.0)))


def test_a_sweep_over_estimators_of_both_has_a_colour_for_each():
    values = {"estimator": ["KME()", "SKMSE()", "Half()"], "n": [1, 2]}
    data = xarray.Dataset({"loss": (("estimator", "n"), RNG.random((3, 2)))}, values)
    (drawing,) = of_dataset(data, by="estimator").panels
    assert len({mark.role for mark in drawing.picture.marks}) == 3
