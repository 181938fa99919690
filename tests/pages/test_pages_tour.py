"""The tour: four labs in a row, each with a sentence and a task; the promised effects occur."""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest
from helpers.naming import names_all

from explorer.pages import page_class
from explorer.pages.sections import tour_of_labs
from explorer.workbench import registry

pytestmark = pytest.mark.thorough
NUMBERS = range(1, len(tour_of_labs.STOPS) + 1)


def links(markup):
    return [unescape(address) for address in re.findall(r"href='([^']*)'", markup)]


def page_at(stop):
    name, _, query = tour_of_labs.address(stop).partition("?")
    return page_class(name)(dict(parse_qsl(query)))


def bars(page):
    """Return the tour's bars on a page."""
    texts = (str(getattr(part, "object", "")) for part in page.chrome.body.objects)
    return [text for text in texts if "class='tour'" in text]


def test_there_are_four_labs_and_none_twice():
    assert len({stop.lab for stop in tour_of_labs.STOPS}) == len(tour_of_labs.STOPS) == 4


@pytest.mark.parametrize("stop", NUMBERS)
def test_a_stop_leads_on_and_back(stop):
    back, on = links(tour_of_labs.bar(stop))
    assert back == ("./" if stop == 1 else tour_of_labs.address(stop - 1))
    assert on == ("./" if stop == len(tour_of_labs.STOPS) else tour_of_labs.address(stop + 1))
    assert f"{stop} of 4" in tour_of_labs.bar(stop)


@pytest.mark.parametrize("stop", NUMBERS)
def test_a_stop_is_one_sentence_and_one_thing_to_do_by_the_names_on_the_page(stop):
    here = tour_of_labs.STOPS[stop - 1]
    said = here.do.format(**tour_of_labs.labels(here.lab))
    for text in (here.says, said):
        assert text.endswith(".")
        assert ". " not in text
    assert "{" not in said


@pytest.mark.parametrize("stop", NUMBERS)
def test_a_page_at_a_stop_has_the_bar_and_stays_there(stop):
    page = page_at(stop)
    assert bars(page) == [tour_of_labs.bar(stop)]
    assert page.state()["tour"] == str(stop)
    assert not page.chrome.notice.visible


@pytest.mark.parametrize("word", ["", "0", "2", "9", "one", "²", "11"])
def test_another_word_opens_the_lab_as_ever(word):
    page = page_class("twosample")({"tour": word})
    assert bars(page) == []
    assert "tour" not in page.state()


# promises of the stops


def test_a_small_difference_is_lost_among_the_bars():
    lab = registry.entry("twosample").lab
    assert lab().result().pvalue < 0.05 < lab(size=0.1).result().pvalue


def test_shrinking_helps_and_too_much_of_it_does_harm():
    curve = registry.entry("shrinkage").lab().result().simple.loss[:-1]
    assert min(curve) < 1 < curve[-1]


def test_one_outlier_more_breaks_the_vote():
    lab = registry.entry("monk").lab
    told = registry.role("monk", "words").story_values
    before, after = (told(lab(outliers=lab().outliers + more).result()) for more in (0, 1))
    assert names_all(before["vote"], "outliers", "cannot", "median")
    assert names_all(after["vote"], "outliers", "can", "median")


def test_the_density_is_drawn_at_the_line():
    assert registry.entry("conditional").lab().picture == "cut"
