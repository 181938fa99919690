"""Filter, weights, target and mean on the Shrinkage page."""

import pytest
from helpers.page_helpers import ask, live_columns, notice, open_page, shows_state, type_in, unfold

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


def test_another_filter_is_named_wherever_the_old_one_was():
    page = unfold(open_page())
    page.choice["filter"].value = "landweber"
    assert shows_state(page, filter="landweber")
    assert page.view.figures["sample"].title.text == "Sample, area = weight of Landweber"
    loss = page.view.pictures["loss"]
    for shown in (page.chrome.headline.object, page.chrome.twin.object, curves(loss)):
        assert "Landweber" in shown
        assert "F-KMSE" not in shown
    page.choice["filter"].value = "tikhonov"
    assert shows_state(page)
    assert "F-KMSE" in curves(loss)


def curves(picture):
    """Return the text next to the curves."""
    return [renderer.glyph.text.value for mark, _, renderer in picture.inked if mark.style.get("says")]


def test_a_filter_that_n_is_too_large_for_is_refused_and_the_menu_goes_back():
    page = open_page(n="400")
    page.choice["filter"].value = "nu"
    assert "refits" in notice(page)
    page.rest()
    assert shows_state(page, n=400)
    assert page.choice["filter"].value == "tikhonov"


def test_the_blob_is_drawn_where_it_is_dragged():
    page = open_page(target="blob")
    assert live_columns(page)["sample.target"]["x"].tolist() == [0.0]
    ask(page, 1, blob=[[0, 1.23456789, -2.0], False])
    assert shows_state(page, target="blob", target_at="[1.23457, -2.0]")
    assert live_columns(page)["sample.target"]["x"].tolist() == [1.23457]
    page.choice["target"].value = "zero"
    assert len(live_columns(page)["sample.target"]["x"]) == 0
    assert page.lab.target_at == "[1.23457, -2.0]"  # the position of the target when it is shown again


def test_divided_weights_and_the_simplex_are_a_menu_away():
    page = open_page()
    for weights in ("sum-to-one", "simplex", "free"):
        page.choice["weights"].value = weights
        assert shows_state(page, weights=weights)


def test_the_mean_of_the_one_gaussian_can_rest_at_zero():
    page = open_page(source="gaussian")
    assert list(page.controls["mean"].slider.options.values())[:2] == [0.0, 0.05]
    type_in(page, "mean", "0.3")
    assert shows_state(page, source="gaussian", mean=0.3)
