"""`save`: a self-contained page with a picture, and the messages for invalid paths and pictures."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest
import xarray
from helpers.browsing import launched
from helpers.naming import naming
from helpers.offline_pages import COLOURS, block_network
from helpers.server_process import until

from explorer import KME, SKMSE, Gaussian, mmd_test, plot, save, sweep
from explorer.checks import Refusal, WrongType

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=20), RNG.normal(size=20) + 1
TEST = mmd_test(X, Y, Gaussian(1.0), n_resamples=99, rng=0)


class Reader(HTMLParser):
    """Parser of a page: the addresses that its tags would fetch, and its title."""

    def __init__(self, page):
        super().__init__()
        self.fetched, self.title, self._within = [], "", ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self._within = tag
        self.fetched += [value for key, value in attributes if key in ("src", "href", "data") and value]

    def handle_data(self, data):
        self.title += data if self._within == "title" else ""

    def handle_endtag(self, tag):
        self._within = ""


def test_a_page_fetches_nothing(tmp_path):
    path = save(plot(TEST) + plot(KME(Gaussian(1.0)).embed(X)), tmp_path / "test.html")
    page = path.read_text(encoding="utf-8")
    assert path == tmp_path / "test.html"
    assert Reader(page).fetched == []
    assert re.findall(r"<(?:script|link|img)[^>]*https?://", page) == []
    assert Reader(page).title.strip() == "test"


def test_what_plot_draws_is_drawn_and_saved(tmp_path):
    path = save(TEST, str(tmp_path / "test.html"), title="p <of> a test", level=0.1)
    assert Reader(path.read_text(encoding="utf-8")).title.strip() == "p <of> a test"


@pytest.mark.thorough
def test_a_sweep_s_data_are_also_pictures_of_matplotlib(tmp_path):
    data = sweep(lambda n, seed: {"loss": float(n)}, {"n": [1, 2, 3]}, replicates=2, progress=False)
    for end in ("html", "svg", "png"):
        assert save(data, tmp_path / f"sweep.{end}", value="loss").stat().st_size > 1000


def test_a_test_as_an_svg(tmp_path):
    at = save(TEST, tmp_path / "test.svg", level=0.2, bins=9)
    drawn = at.read_text(encoding="utf-8")
    root = ET.fromstring(drawn)
    assert root[0].text == f"p = {TEST.pvalue:.3g}"
    for words in ("99 permutations", "threshold at level 0.2", f"observed {TEST.statistic:.4g}"):
        assert words in root[1].text
    tips = [each.text for each in root.iter(f"{root.tag.removesuffix('svg')}title")]
    assert sum(int(tip.split()[0]) for tip in tips if tip.endswith("of 99 permutations")) == 99
    assert drawn == save(TEST, at, level=0.2, bins=9).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda at: save(TEST, at / "test.gif"), Refusal, naming(".html", ".pdf", ".png", ".svg")),
        (lambda at: save(TEST, at / "no" / "test.html"), Refusal, "does not exist; make it first"),
        (lambda at: save(TEST, at / "test.html", width=85), Refusal, naming("width", ".pdf", ".opts")),
        (lambda at: save(TEST, at / "test.html", x_label="MMD²"), Refusal, naming("x_label", ".pdf")),
        (
            lambda at: save(TEST, at / "test.pdf", widht=85),
            Refusal,
            naming("'widht'", "width"),
        ),
        (
            lambda at: save(TEST, at / "test.pdf", width="wide"),
            Refusal,
            naming("width must be a number of mm", "'wide'"),
        ),
        (
            lambda at: save(TEST, at / "test.pdf", width=25, size=20),
            Refusal,
            naming("width of 25 mm"),
        ),
        (lambda at: save(TEST, at / "test.pdf", height=20), Refusal, naming("height of 20 mm", "give a height of")),
        (lambda at: save(TEST, at / "test.pdf", font="DejaVu Sanz"), Refusal, naming("DejaVu Sans", "'DejaVu Sanz'")),
        (lambda at: save(TEST, at / "test.pdf", title=3), Refusal, naming("title must be a text", "3")),
        (lambda at: save(TEST, at / "test.svg", colour="red"), Refusal, naming("level", "bins", "colour")),
        (lambda at: save(plot(TEST), at / "test.html", level=0.1), Refusal, naming("level", "plot")),
        (lambda at: save(TEST, at / "test.html", bins=5, colour="red"), Refusal, naming("'colour'", "level", "width")),
        (
            lambda at: save("test.html", TEST),
            WrongType,
            naming("path", "<TestResult"),
        ),
        (lambda at: save("a text", at / "test.html"), WrongType, naming("plot", "'a text'")),
        (lambda at: save(xarray.Dataset(), at / "test.html"), ValueError, "the data set has no number to draw"),
    ],
)
def test_what_is_refused_leaves_no_file(tmp_path, call, error, said):
    with pytest.raises(error, match=said):
        call(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_a_page_is_drawn_without_a_network(tmp_path):
    """In Chromium without a network: each picture shows more than its frame."""
    overlaid = plot(KME(Gaussian(1.0)).embed(X), label="KME") * plot(SKMSE(Gaussian(1.0)).embed(X), role="skmse")
    path = save(plot(TEST) + overlaid, tmp_path / "test.html")
    with launched() as browser:
        page = browser.new_page()
        asked, errors = block_network(page)
        page.goto(path.as_uri())
        canvases = page.locator("canvas:visible")
        until(
            lambda: sum(colours > 3 for colours in canvases.evaluate_all(f"all => all.map({COLOURS})")) >= 2,
            "both pictures",
            60,
        )
    assert asked + errors == []
