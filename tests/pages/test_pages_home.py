"""The home page: its verdicts are the library's, every lab stands under its question, and no link leads astray."""

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
from paging import soon

from explorer import Gaussian, GaussianMixture, Linear, mmd_test
from explorer.checks import Refusal
from explorer.marks.roles import ROLES
from explorer.markup import Markup, markup
from explorer.pages import REPORT, HomePage, tour
from explorer.pages.home import masked, page, strip, thumbnails, words
from explorer.pages.once import Once
from explorer.pages.summary import OTHERS
from explorer.workbench import registry, stories
from explorer.workbench.lessons import LESSONS

pytestmark = pytest.mark.thorough  # a page of its own

DRAWN_AT = float(masked.samples()[0][masked.ROW, 0])  # where the reading belongs
HOME = min(range(len(masked.STOPS)), key=lambda i: abs(masked.STOPS[i] - DRAWN_AT))
AT = (0, HOME, len(masked.STOPS) // 2, masked.STOPS.index(masked.START))


@pytest.fixture(scope="module")
def told():
    """The picture's table and its sentences."""
    return page.ANSWERS.now()


@pytest.fixture(scope="module")
def drawn():
    """The small pictures, of all labs."""
    return {name: svg for once in thumbnails.FAMILIES.values() for name, svg in once.now().items()}


def links(markup):
    return [unescape(address) for address in re.findall(r"href='([^']*)'", markup)]


# what both tests say


def by_hand(reading, kernel):
    """p by the library alone."""
    P = GaussianMixture([1.0], [[0.0]], 1.0).sample(masked.N, 2 * masked.SEED)
    Q = GaussianMixture([1.0], [[masked.SHIFT]], 1.0).sample(masked.N, 2 * masked.SEED + 1)
    P[masked.ROW] = reading
    return mmd_test(P, Q, kernel, n_resamples=masked.RESAMPLES, rng=masked.SEED).pvalue


@pytest.mark.parametrize("at", AT)
def test_the_verdicts_are_the_library_s(told, at):
    stop = masked.stop(masked.STOPS[at])
    for name, kernel in (("LIN", Linear()), ("RBF", Gaussian())):
        p = by_hand(stop.reading, kernel)
        assert stop.tests[name].pvalue == p
        assert f"p = {p:.2g}</span>" in told[1][at]


def test_one_bad_reading_hides_the_difference_from_the_plain_test_alone(told):
    start, home = (masked.stop(masked.STOPS[i]) for i in (masked.STOPS.index(masked.START), HOME))
    assert not start.differ("LIN")
    assert home.differ("LIN")
    assert all(masked.stop(reading).differ("RBF") for reading in masked.STOPS)
    assert told[1][AT[-1]].count("no difference") == 1
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
    assert tuple(table) == strip.COLUMNS
    assert np.array_equal(table["reading", "x"][:, 0], masked.STOPS)
    means = [masked.samples(reading)[0].mean() for reading in masked.STOPS]
    assert np.array_equal(table["P_mean", "x"][:, 0], means)
    assert [i for i, hint in enumerate(table["reading", "hint"][:, 0]) if hint] == [masked.STOPS.index(masked.START)]


@pytest.mark.parametrize("kernel", masked.KERNELS)
@pytest.mark.parametrize("at", AT[1:3])
def test_a_verdict_leads_to_the_lab_that_gives_the_same_p(told, at, kernel):
    reading = masked.STOPS[at]
    address = masked.link(kernel, reading)
    assert address in links(told[1][at])
    name, _, query = address.partition("?")
    lab, refused = registry.entry(name).lab.from_flat({k: v for k, v in parse_qsl(query) if k != "v"})
    assert refused == []
    assert json.loads(lab.moved_p) == {str(masked.ROW): [reading, 0.0]}
    assert lab.result().pvalue == masked.stop(reading).tests[kernel].pvalue


# what leads on


def test_every_lab_stands_under_one_question_or_under_research():
    families = {key: list(registry.family(key)) for key in (*registry.FAMILIES, registry.RESEARCH)}
    assert sorted(name for names in families.values() for name in names) == sorted(registry.names())
    assert all(families.values())
    asked = words.questions({})
    for key, question in registry.FAMILIES.items():
        article = asked.split(markup("<h2>{}</h2>", question))[1].split("</article>")[0]
        assert links(article) == [*families[key], *words.ALSO.get(key, ())]
    assert families[registry.RESEARCH][0] in links(words.footer({}))


def test_every_lab_has_its_line():
    said = words.questions({}) + words.footer({})
    for name in registry.names():
        assert registry.entry(name).question in unescape(said)
        assert len(registry.entry(name).question) < 45  # two lines beside its picture


def test_a_lab_of_no_known_family_is_a_sentence(monkeypatch):
    module = registry.import_module(f"{registry.LABS}.monk")
    monkeypatch.setattr(module, "ENTRY", module.ENTRY._replace(family="odd"))
    with pytest.raises(Refusal, match=r"the family of the lab monk must be one of same, .*, not 'odd'"):
        registry.entries.__wrapped__()


def test_every_link_is_relative_and_leads_to_what_there_is(told):
    assert tour.START in links(words.buttons())
    markup = words.buttons() + words.questions({}) + words.footer({}) + told[1][0]
    assert REPORT in links(words.questions({}))
    for address in links(markup):
        name, _, query = address.partition("?")
        assert name in (*registry.names(), *OTHERS, "./"), address  # the last is home in another language
        fields = dict(parse_qsl(query))
        if "story" in fields:
            stories.find(registry.role(name, "stories").STORIES, fields["story"], fields["step"])


def test_every_story_is_told():
    keys = {(name, each.key) for name in registry.names() for each in registry.role(name, "stories").STORIES}
    linked = {(a.partition("?")[0], dict(parse_qsl(a.partition("?")[2])).get("story")) for a in links(words.footer({}))}
    assert keys <= linked


def test_every_lesson_is_linked():
    assert {"lessons", *(each.address for each in LESSONS)} <= set(links(words.footer({})))


# its pictures


def test_each_lab_has_a_picture_of_a_state_of_its_own(drawn):
    assert sorted(drawn) == sorted(registry.names())
    for name, svg in drawn.items():
        tree = ElementTree.fromstring(svg)
        assert tree.get("aria-label").startswith(registry.entry(name).title)
        assert len(list(tree)) >= 2
        assert len(svg) > 1_000  # a picture in which nothing is drawn takes a hundred letters
        assert set(re.findall(r"var\(--(\w+),", svg)) <= set(ROLES)
        assert "nan" not in svg
        assert len(svg) < 20_000  # every visitor loads all of them
        assert svg in words.questions(drawn) + words.footer(drawn)


def test_a_picture_shows_what_the_lab_has(drawn, monkeypatch):
    """Not a drawing that somebody typed in: another state of the lab gives another one."""
    first, other = thumbnails.first_result, registry.entry("shrinkage").lab(n=60).result()
    monkeypatch.setattr(thumbnails, "first_result", lambda lab: other if lab is type(other.lab) else first(lab))
    again = thumbnails.drawn("better")
    assert again["shrinkage"] != drawn["shrinkage"]
    assert again["marginalized"] == drawn["marginalized"]


def test_a_lab_without_a_result_has_no_picture_and_the_others_do(monkeypatch):
    first, refused = thumbnails.first_result, registry.entry("shrinkage").lab

    def result(lab):
        if lab is refused:
            raise Refusal("not now")
        return first(lab)

    monkeypatch.setattr(thumbnails, "first_result", result)
    assert list(thumbnails.drawn("better")) == ["marginalized"]


# the page


def test_in_a_notebook_all_of_it_is_there_at_once(told, drawn):
    home = HomePage()
    assert home.verdicts.object == told[1][masked.STOPS.index(masked.START)]
    assert home.questions.object == words.questions(drawn)
    assert home.footer.object == words.footer(drawn)
    assert home.lookup.stamp.table == home.lookup.stamp.shown
    assert home.sources["reading"].data["x"] == [masked.START]


def test_the_first_visitor_sees_words_and_a_thread_computes_the_rest(as_if_served, monkeypatch):
    made = []
    monkeypatch.setattr(page, "served_document", lambda: as_if_served)
    monkeypatch.setattr(page, "ANSWERS", Once(lambda: made.append("answers") or page.answers(), 0.1))
    families = {"same": Once(lambda: made.append("pictures") or {"twosample": Markup("<svg></svg>")}, 0.1)}
    monkeypatch.setattr(thumbnails, "FAMILIES", families)
    home, other = HomePage({}), HomePage({})
    assert made == []
    assert home.verdicts.object == words.computing()
    assert words.questions({}) == home.questions.object
    soon(as_if_served)
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

    once = Once(compute, 0.0)
    with pytest.raises(Refusal):
        asyncio.run(once.soon())
    assert asyncio.run(once.soon()) == "there"
    assert once.value == once.now() == "there"
