"""The home page: its verdicts are the library's, each lab is listed under its question, and no link is broken."""

import asyncio
import gc
import json
import re
import weakref
from html import unescape
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.naming import naming
from helpers.page_helpers import run_callbacks

from explorer import Gaussian, GaussianMixture, Linear, mmd_test
from explorer.checks import Refusal
from explorer.marks.roles import ROLES
from explorer.markup import Markup, markup
from explorer.pages import REPORT, HomePage
from explorer.pages.index import draggable_picture, home_text, lab_thumbnails, outlier_example
from explorer.pages.index import home as page
from explorer.pages.page_title import OTHERS
from explorer.pages.sections import tour_of_labs
from explorer.pages.serving.shared_value import SharedValue
from explorer.workbench import registry, stories
from explorer.workbench.content import content_of
from explorer.workbench.lessons import LESSONS

pytestmark = pytest.mark.thorough  # a page without a lab

DRAWN_AT = float(outlier_example.samples()[0][outlier_example.ROW, 0])  # the undragged reading
HOME = min(range(len(outlier_example.STOPS)), key=lambda i: abs(outlier_example.STOPS[i] - DRAWN_AT))
AT = (0, HOME, len(outlier_example.STOPS) // 2, outlier_example.STOPS.index(outlier_example.START))


@pytest.fixture(scope="module")
def told():
    """Return the picture's table and its sentences."""
    return page.ANSWERS.now()


@pytest.fixture(scope="module")
def drawn():
    """Return the thumbnails of all labs."""
    return {name: svg for once in lab_thumbnails.FAMILIES.values() for name, svg in once.now().items()}


def links(markup):
    return [unescape(address) for address in re.findall(r"href='([^']*)'", markup)]


# verdicts of both tests


def by_hand(reading, kernel):
    """Return p as the library computes it."""
    P = GaussianMixture([1.0], [[0.0]], 1.0).sample(outlier_example.N, 2 * outlier_example.SEED)
    Q = GaussianMixture([1.0], [[outlier_example.SHIFT]], 1.0).sample(outlier_example.N, 2 * outlier_example.SEED + 1)
    P[outlier_example.ROW] = reading
    return mmd_test(P, Q, kernel, n_resamples=outlier_example.RESAMPLES, rng=outlier_example.SEED).pvalue


@pytest.mark.parametrize("at", AT)
def test_the_verdicts_are_the_library_s(told, at):
    stop = outlier_example.stop(outlier_example.STOPS[at])
    for name, kernel in (("LIN", Linear()), ("RBF", Gaussian())):
        p = by_hand(stop.reading, kernel)
        assert stop.tests[name].pvalue == p
        assert f"p = {p:.2g}</span>" in told[1][at]


def test_one_bad_reading_hides_the_difference_from_the_plain_test_alone(told):
    start, home = (
        outlier_example.stop(outlier_example.STOPS[i])
        for i in (outlier_example.STOPS.index(outlier_example.START), HOME)
    )
    assert not start.differ("LIN")
    assert home.differ("LIN")
    assert all(outlier_example.stop(reading).differ("RBF") for reading in outlier_example.STOPS)
    assert told[1][AT[-1]].count("no difference found") == 1
    assert told[1][HOME].count("they differ") == 2


def test_the_sentence_says_what_each_test_finds(told):
    plain, robust = re.findall(r"<div class='verdict (\w+)'", told[1][AT[-1]])
    assert (plain, robust) == ("misses", "finds")


def test_what_the_browser_answers_with_is_the_same_to_the_last_bit(told):
    again = page.answers()
    assert again[1] == told[1]
    for key, rows in told[0].items():
        assert rows.tobytes() == again[0][key].tobytes()


def test_the_picture_s_table_has_the_reading_and_the_mean_with_it(told):
    table = told[0]
    assert tuple(table) == draggable_picture.COLUMNS
    assert np.array_equal(table["reading", "x"][:, 0], outlier_example.STOPS)
    means = [outlier_example.samples(reading)[0].mean() for reading in outlier_example.STOPS]
    assert np.array_equal(table["P_mean", "x"][:, 0], means)


@pytest.mark.parametrize("kernel", outlier_example.KERNELS)
@pytest.mark.parametrize("at", AT[1:3])
def test_a_verdict_leads_to_the_lab_that_gives_the_same_p(told, at, kernel):
    reading = outlier_example.STOPS[at]
    address = outlier_example.link(kernel, reading)
    assert address in links(told[1][at])
    name, _, query = address.partition("?")
    lab, refused = registry.entry(name).lab.from_flat({k: v for k, v in parse_qsl(query) if k != "v"})
    assert refused == []
    assert json.loads(lab.moved_p) == {str(outlier_example.ROW): [reading, 0.0]}
    assert lab.result().pvalue == outlier_example.stop(reading).tests[kernel].pvalue


# links


def test_every_lab_stands_under_one_question_or_under_research():
    families = {key: list(registry.family(key)) for key in (*registry.FAMILIES, registry.RESEARCH)}
    assert sorted(name for names in families.values() for name in names) == sorted(registry.names())
    assert all(families.values())
    asked = home_text.questions({})
    for key, question in registry.FAMILIES.items():
        article = asked.split(markup("<h2>{}</h2>", question))[1].split("</article>")[0]
        assert links(article) == [*families[key], *home_text.ALSO.get(key, ())]
    assert families[registry.RESEARCH][0] in links(home_text.footer({}))


def test_every_lab_has_its_line():
    said = home_text.questions({}) + home_text.footer({})
    for name in registry.names():
        assert registry.entry(name).question in unescape(said)
        assert len(registry.entry(name).question) < 45  # two lines next to the thumbnail


def test_a_lab_of_no_known_family_is_a_sentence(monkeypatch):
    module = registry.import_module(f"{registry.LABS}.monk")
    monkeypatch.setattr(module, "ENTRY", module.ENTRY._replace(family="odd"))
    with pytest.raises(Refusal, match=naming("family", "monk", "same", "'odd'")):
        registry.entries.__wrapped__()


def test_every_link_is_relative_and_leads_to_what_there_is(told):
    assert tour_of_labs.START in links(home_text.buttons())
    markup = home_text.buttons() + home_text.questions({}) + home_text.footer({}) + told[1][0]
    assert REPORT in links(home_text.questions({}))
    for address in links(markup):
        name, _, query = address.partition("?")
        assert name in (*registry.names(), *OTHERS, "./"), address  # "./" is home in another language
        fields = dict(parse_qsl(query))
        if "story" in fields:
            stories.find(content_of(name).stories, fields["story"], fields["step"])


def test_every_story_is_told():
    keys = {(name, each.key) for name in registry.names() for each in content_of(name).stories}
    linked = {
        (a.partition("?")[0], dict(parse_qsl(a.partition("?")[2])).get("story")) for a in links(home_text.footer({}))
    }
    assert keys <= linked


def test_every_lesson_is_linked():
    assert {"lessons", *(each.address for each in LESSONS)} <= set(links(home_text.footer({})))


# thumbnails


def test_each_lab_has_a_picture_of_a_state_of_its_own(drawn):
    assert sorted(drawn) == sorted(registry.names())
    for name, svg in drawn.items():
        tree = ElementTree.fromstring(svg)
        assert tree.get("aria-label").startswith(registry.entry(name).title)
        assert len(list(tree)) >= 2
        assert len(svg) > 1_000  # an empty picture has a hundred characters
        assert set(re.findall(r"var\(--(\w+),", svg)) <= set(ROLES)
        assert "nan" not in svg
        assert len(svg) < 20_000  # every visitor loads all thumbnails
        assert svg in home_text.questions(drawn) + home_text.footer(drawn)


def test_a_picture_shows_what_the_lab_has(drawn, monkeypatch):
    """The thumbnail is computed: another state of the lab gives another one."""
    first, other = lab_thumbnails.first_result, registry.entry("shrinkage").lab(n=60).result()
    monkeypatch.setattr(lab_thumbnails, "first_result", lambda lab: other if lab is type(other.lab) else first(lab))
    again = lab_thumbnails.family_thumbnails("better")
    assert again["shrinkage"] != drawn["shrinkage"]
    assert again["marginalized"] == drawn["marginalized"]


def test_a_lab_without_a_result_has_no_picture_and_the_others_do(monkeypatch):
    first, refused = lab_thumbnails.first_result, registry.entry("shrinkage").lab

    def result(lab):
        if lab is refused:
            raise Refusal("not now")
        return first(lab)

    monkeypatch.setattr(lab_thumbnails, "first_result", result)
    assert list(lab_thumbnails.family_thumbnails("better")) == ["marginalized"]


# the page


def test_in_a_notebook_all_of_it_is_there_at_once(told, drawn):
    home = HomePage()
    assert home.verdicts.object == told[1][outlier_example.STOPS.index(outlier_example.START)]
    assert home.questions.object == home_text.questions(drawn)
    assert home.footer.object == home_text.footer(drawn)
    assert home.lookup.stamp.table == home.lookup.stamp.shown
    assert home.sources["reading"].data["x"] == [outlier_example.START]


def test_the_first_visitor_sees_words_and_a_thread_computes_the_rest(as_if_served, monkeypatch):
    made = []
    monkeypatch.setattr(page, "served_document", lambda: as_if_served)
    monkeypatch.setattr(page, "ANSWERS", SharedValue(lambda: made.append("answers") or page.answers(), 0.1))
    families = {"same": SharedValue(lambda: made.append("pictures") or {"twosample": Markup("<svg></svg>")}, 0.1)}
    monkeypatch.setattr(lab_thumbnails, "FAMILIES", families)
    home, other = HomePage({}), HomePage({})
    assert made == []
    assert home.verdicts.object == home_text.computing()
    assert home_text.questions({}) == home.questions.object
    run_callbacks(as_if_served)
    assert sorted(made) == ["answers", "pictures"]
    for each in (home, other):
        assert "they differ" in each.verdicts.object
        assert each.lookup.stamp.table == each.lookup.stamp.shown
        assert "<svg></svg>" in each.questions.object
    assert HomePage({}).verdicts.object == home.verdicts.object
    assert sorted(made) == ["answers", "pictures"]


def test_a_page_that_is_left_is_gone():
    home = HomePage()
    left = weakref.ref(home)
    home.release()
    del home
    gc.collect()
    assert left() is None


def test_what_fails_once_is_tried_again():
    answers = iter([Refusal("not now"), "there"])

    def compute():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    once = SharedValue(compute, 0.0)
    with pytest.raises(Refusal):
        asyncio.run(once.soon())
    assert asyncio.run(once.soon()) == "there"
    assert once.value == once.now() == "there"
