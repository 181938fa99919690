"""The Density page without a browser: blobs placed by the user, and the fit that starts at them."""

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from helpers.naming import names_all
from helpers.page_helpers import notice, open_page

from explorer.labs.density.lab import BY_HAND, K_MEANS, LAST
from explorer.labs.density.page import DensityPage

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


@pytest.fixture
def page():
    return open_page(DensityPage, n="20", blobs="3", iteration="20")


def click(page, name):
    page.pressed[name].clicks += 1


def test_the_fit_goes_on_from_the_blobs_on_the_screen(page):
    assert page.pressed["mine"].disabled
    page.on_drag("blob", [1, 0.5, 0.25])
    assert (page.lab.begin, json.loads(page.lab.moved)) == (K_MEANS, {"1": [0.5, 0.25]})
    assert not page.pressed["mine"].disabled
    shown = page.result.mixture.means
    click(page, "mine")
    lab = page.lab
    assert (lab.begin, lab.iteration, notice(page)) == (BY_HAND, LAST, "")
    np.testing.assert_allclose(page.result.start.means, shown, rtol=1e-11)
    np.testing.assert_array_equal(page.result.start.weights, page.result.k_means.weights)
    assert "from your centres" in page.chrome.headline.object
    assert page.pressed["mine"].disabled
    assert not page.pressed["back"].disabled
    assert page.chrome.bar.share.code == page.python(page.result)
    other = DensityPage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    assert (other.lab, other.chrome.headline.object) == (lab, page.chrome.headline.object)
    assert len(page.view.sources["distance.from k-means"].data["x"]) == len(page.result.stops)
    # a drag starts at the fitted positions of all blobs and shows them unchanged
    ended = page.result.mixture.means
    page.on_drag("blob", [2, -1.0, 3.0])
    assert page.lab.begin == K_MEANS
    np.testing.assert_allclose(page.result.mixture.means, [*ended[:2], [-1.0, 3.0]], rtol=1e-11)
    page.on_drag("blob", [2, -1.5, 3.0])
    assert json.loads(page.lab.moved)["2"] == [-1.5, 3.0]
    assert names_all(page.chrome.headline.object, "3", "moved")


def test_the_blobs_go_back_and_a_step_back_undoes_it(page):
    before = page.lab.values()
    page.on_drag("blob", [0, 0.5, 0.25])
    click(page, "mine")
    begun = page.lab.values()
    click(page, "back")
    assert (page.lab.begin, page.lab.moved, page.result.rival) == (K_MEANS, "", None)
    assert len(page.view.sources["distance.from k-means"].data["x"]) == 0
    page.navigation.undo()
    assert page.lab.values() == begun
    page.navigation.undo()
    page.navigation.undo()
    assert page.lab.values() == before


def test_a_press_without_a_moved_blob_does_nothing(page):
    page.fit_mine()
    assert (page.lab.begin, page.lab.moved, page.lab.iteration) == (K_MEANS, "", 20)
    page.move(None, d=1)
    page.on_drag("blob", [0, 0.5, 9.0])
    page.fit_mine()
    assert page.lab.begin == BY_HAND
    assert page.result.start.means[0].tolist() == [0.5]
