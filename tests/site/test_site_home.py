"""The first page: the picture's numbers are those of a kernel mean, and it turns in a browser."""

import itertools
import re

import numpy as np
import pytest

from explorer import KME, Gaussian
from explorer.pages.index import home_text
from explorer.site import home
from explorer.workbench import registry


def test_the_bumps_add_up_to_the_kernel_mean():
    for each in home.grown():
        mean = KME(Gaussian(home.BANDWIDTH)).embed(each.points)
        np.testing.assert_allclose(each.bumps.sum(axis=0), mean(home.PLACES[:, None]), atol=1e-12)
        assert each.distance == pytest.approx(mean.distance(home.LAW.embed(Gaussian(home.BANDWIDTH))))


def test_each_stop_has_the_points_of_the_one_before():
    stops = home.grown()
    assert [each.n for each in stops] == list(home.SIZES)
    for one, other in itertools.pairwise(stops):
        np.testing.assert_array_equal(other.points[: one.n], one.points)


def test_the_picture_stands_in_the_page_at_its_start():
    figure = str(home._figure())
    assert f"<title>{home.SIZES[home.START]} points" in figure
    assert f"value='{home.START}'" in figure
    assert "class='controls' hidden" in figure
    assert f">{home.SIZES[0]}</span><input" in figure
    assert f">{home.SIZES[-1]}</span></label>" in figure
    assert "n, number of points" in figure
    assert len(figure) < 60_000


def test_every_lab_of_a_question_is_linked_to_a_file_of_the_site():
    text = str(home._questions({}))
    for family in registry.FAMILIES:
        for name in registry.family(family):
            assert re.search(rf"href='labs/{name}-[a-z0-9-]+\.html'", text), name
    assert "report" not in text


def test_home_of_the_labs_still_leads_to_the_labs():
    assert "href='./shrinkage'" in str(home_text.questions({})) or "href='shrinkage'" in str(home_text.questions({}))
    assert "report" in str(home_text.questions({}))


@pytest.mark.thorough
def test_the_slider_turns_the_picture(address, chromium):
    page = chromium.new_page(reduced_motion="reduce")
    page.goto(f"{address}index.html")
    title, told = page.locator(".turned title"), page.locator(".turned .told")
    assert title.text_content().startswith(f"{home.SIZES[home.START]} points")
    slider = page.locator(".turned input")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function(f"document.querySelector('.turned title').textContent.startsWith('{home.SIZES[-1]} points')")
    assert f"n = {home.SIZES[-1]}" in told.inner_text()
    assert slider.get_attribute("aria-valuetext") == f"{home.SIZES[-1]} points"
    page.close()


@pytest.mark.thorough
def test_the_picture_stands_until_it_is_moved_and_says_how(address, chromium):
    page = chromium.new_page()
    page.goto(f"{address}index.html")
    button, hint = page.locator(".turned button"), page.locator(".turned .name b")
    page.wait_for_timeout(900)
    assert page.locator(".turned title").text_content().startswith(f"{home.SIZES[home.START]} points")
    assert "drag me" in hint.inner_text()
    button.click()
    assert button.get_attribute("aria-label") == "Pause"
    assert not hint.is_visible()
    button.click()
    held = page.locator(".turned title").text_content()
    page.wait_for_timeout(700)
    assert page.locator(".turned title").text_content() == held
    page.close()


@pytest.mark.thorough
def test_the_page_has_a_widget_that_moves(address, chromium):
    page = chromium.new_page()
    page.goto(f"{address}index.html")
    page.wait_for_function("!!customElements.get('kernel-mean-widget')")
    slider = page.locator("kernel-mean-widget input[type=range]")
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") != before
    page.close()
