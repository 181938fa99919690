"""Parts of every lab's page: undo, keys, a pinned state, stories, downloads, and the descriptions of pictures."""

import base64
import csv
import io
import json
import re
from html import unescape
from itertools import pairwise
from types import SimpleNamespace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from every_lab import with_fact
from helpers.lab_pictures import descriptions, legends_on
from helpers.naming import names_all, naming
from helpers.page_helpers import link_words, notice, open_page, press_key, unfold
from panel.links import Callback

from explorer.checks import Refusal
from explorer.exports.footage import KINDS
from explorer.labs.fit.page import FitPage
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.shrinkage.words import story_values as told
from explorer.markup import markup
from explorer.pages import page_class
from explorer.pages.chrome import VEILED
from explorer.pages.layout.declarations import Column, DisclosureButton, Group
from explorer.pages.layout.markup_pane import plain, twin
from explorer.pages.navigation import STEPS, History, HistoryEntry
from explorer.pages.sections.downloads import ABSENT, Downloads, downloads, table_csv
from explorer.pages.sections.help import NAMED_KEYS, fold_paragraphs
from explorer.pages.sections.story import EDGE, LATER, WAIT, WIDE, draw_guess, onward_from
from explorer.pages.sections.story import VEIL as VEIL_OF_ALL
from explorer.pages.widgets.number import NumberControl
from explorer.workbench import Choose, Place, Step, Story, registry
from explorer.workbench.content import content_of
from explorer.workbench.slider_stops import steps_of
from explorer.workbench.stories import find

PRESETS = content_of("shrinkage").presets
STORIES = content_of("shrinkage").stories

VEIL = markup("{}", VEIL_OF_ALL)


@pytest.fixture
def page():
    return ShrinkagePage({})


def click(button):
    button.clicks += 1


# the preset that the user has left


def test_a_changed_preset_is_named_with_a_way_back(page):
    preset = PRESETS[1]
    page.navigation.go_to(preset)
    page.rest()
    assert preset.says in unescape(page.chrome.hint.object)
    page.move("n", n=51)
    page.rest()
    hint = unescape(page.chrome.hint.object)
    assert preset.name in hint
    assert preset.says not in hint  # it need not be true any longer
    back = dict(parse_qsl(re.search(r"data-set='([^']*)'", page.chrome.hint.object)[1].replace("&amp;", "&")))
    assert back == {"n": str(preset.fields.get("n", 20))}
    page.move(None, n=int(back["n"]))
    page.rest()
    assert preset.says in unescape(page.chrome.hint.object)


def test_no_preset_is_named_where_a_link_or_a_story_leads():
    page = ShrinkagePage({"n": "51"})
    page.rest()
    assert page.navigation.changed_since_opened() == {}
    page.chrome.story.begin(0)
    page.move("n", n=52)
    page.rest()
    assert page.navigation.changed_since_opened() == {}


def test_a_story_begins_without_a_pinned_result(page):
    """The pinned result could show what a step asks."""
    page.chrome.comparison.toggle()
    assert page.chrome.comparison.pinned is not None
    page.chrome.story.begin(0)
    assert page.chrome.comparison.pinned is None
    page.chrome.comparison.toggle()
    page.chrome.story.go(1)
    assert page.chrome.comparison.pinned is not None  # within the story the user may compare


# undo


def test_undo_goes_back_one_rest_at_a_time(page):
    undo = page.chrome.undo
    assert undo.disabled
    page.move("n", n=50)
    page.move("lam", lam=0.1)
    click(undo)
    assert page.lab == ShrinkageLab(n=50)
    assert page.result.lab.n == 50
    assert not undo.disabled
    click(undo)
    assert page.lab == ShrinkageLab()
    assert undo.disabled
    click(undo)
    assert page.lab == ShrinkageLab()


@pytest.mark.thorough
def test_undo_takes_back_what_a_hand_did_and_leaves_the_tab(page):
    page.move(None, n=33)
    page.rest()
    page.move(None, picture="coefficients")
    page.rest()
    click(page.chrome.undo)
    assert (page.lab.n, page.lab.picture) == (20, "coefficients")
    assert page.chrome.undo.disabled  # the tab alone is no step


def test_what_was_undone_can_be_done_anew(page):
    page.move("n", n=50)
    press_key(page, "z")
    page.move("n", n=60)
    press_key(page, "z")
    assert page.lab == ShrinkageLab()


def test_a_drag_that_has_not_rested_is_one_step():
    one, two, nine = (HistoryEntry({"n": n}) for n in (1, 2, 9))
    history = History(one)
    history.note(two)
    assert history.back(nine) == two  # during a move, undo goes back to the last idle state
    assert history.back(two) == one
    assert history.back(one) is None


def test_twenty_steps_are_kept():
    places = [HistoryEntry({"n": n}) for n in range(50)]
    history = History(places[0])
    for place in places[1:]:
        history.note(place)
        history.note(place)
    back, place = [], places[49]
    while (place := history.back(place)) is not None:
        back.append(place)
    assert back == places[48 : 48 - STEPS : -1]


def test_a_step_back_has_the_table_that_its_values_speak_of():
    tables = [[], [], [], [], []]
    places = [HistoryEntry({"n": 5}, table, {"hash": str(i)}) for i, table in enumerate(tables)]
    history = History(HistoryEntry({"n": 5}))
    for place in places:
        history.note(place)
    assert history.back(places[4]).user_data is tables[3]
    assert history.with_data_of({"hash": "3", "n": 9}).user_data is tables[3]
    assert history.with_data_of({"hash": "0"}) is None  # the history holds at most TABLES tables
    assert history.back(places[3]).user_data is tables[2]
    assert history.back(places[2]) is None


def test_reset_goes_to_the_preset_that_was_opened_last(page):
    page.chrome.presets.press(2)
    page.move("n", n=33)
    page.chrome.comparison.menu.press(1)
    assert page.navigation.preset() is PRESETS[2]


@pytest.mark.thorough
def test_reset_goes_to_the_link_that_the_page_was_opened_by():
    page = ShrinkagePage({"n": "50", "lam": "0.1"})
    page.move("lam", lam=3.0)
    press_key(page, "r")
    assert page.lab == ShrinkageLab(n=50, lam=0.1)


# keys


def test_every_key_does_what_it_says(page):
    press_key(page, "n")
    assert page.lab.seed == 2
    press_key(page, "n")
    assert page.lab.seed == 3
    page.move("lam", lam=0.1)
    press_key(page, "a")
    assert page.lab.lam is None
    press_key(page, "r")
    assert page.lab == ShrinkageLab()
    press_key(page, "p")
    assert page.chrome.comparison.pinned is page.result
    press_key(page, "?")
    assert page.chrome.help.open
    press_key(page, "?")
    assert not page.chrome.help.open


def test_the_help_names_every_key(page):
    for key, (does, _) in page.shortcuts.actions.items():
        assert f"<dt><kbd>{NAMED_KEYS.get(key, key)}</kbd></dt><dd>{does}</dd>" in unescape(page.chrome.help.text)
    keys, plan, pictures = map(page.chrome.help.text.index, ("<dl>", "class='plan'", "<details>"))
    assert keys < plan < pictures


def test_the_help_has_a_fold_for_each_title_and_no_wall_of_words():
    text = fold_paragraphs(
        markup("<div><p><b>Sample.</b> Discs &amp; rings.</p><p><b>λ</b> is <i>one</i>.</p><p>More.</p></div>")
    )
    first = "<details><summary>Sample</summary><p>Discs &amp; rings.</p></details>"
    second = "<details><summary>λ</summary><p><b>λ</b> is <i>one</i>.</p></details>"
    assert text == f"<div>{first}{second}<p>More.</p></div>"


@pytest.mark.parametrize("name", registry.names())
def test_all_that_a_lab_explains_is_in_folds(name):
    text = fold_paragraphs(content_of(name).explanation)
    assert "<p>" in text
    assert re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).count("<p>") == 0


# the pinned state A


def test_a_pinned_state_stays_in_the_picture_and_in_the_table(page):
    pinned, before = page.view.pictures["loss"].pinned["pinned"], page.result
    assert len(pinned.data["lam"]) == 0
    page.chrome.comparison.menu.press(0)
    page.move("n", n=50)
    assert np.array_equal(pinned.data["simple"], before.simple.loss[:-1])
    assert np.array_equal(pinned.data["flexible"], before.flexible.loss[:-1])
    table = page.chrome.comparison.table
    assert table.visible
    assert "<td>n points</td><td>20</td><td>50</td>" in table.object
    assert "of the sample; one seed" not in table.object
    page.chrome.comparison.menu.press(0)
    assert len(pinned.data["lam"]) == 0
    assert not table.visible


@pytest.mark.thorough
def test_a_table_can_be_compared_with_a_law(page):
    page.chrome.comparison.menu.press(0)
    page.move("source", source="wine")
    assert "wine" in page.chrome.comparison.table.object
    assert "λ by leave-one-out, S-KMSE" in page.chrome.comparison.table.object


# stories


def on_card(page, act, value=0):
    """Send the message of a press on the story card."""
    page.chrome.story.card._on_message(SimpleNamespace(data={"act": act, "value": value}))
    return page.chrome.story.card.shown


def right_of(page):
    """Return the right guess at the open step: the index of a label, or of the nearest stop."""
    guess = page.chrome.story.story.steps[page.chrome.story.step].guess
    truth = guess.truth(page.result)
    return guess.scale.nearest(truth) if isinstance(guess, Place) else truth


def sentences(page):
    """Return all texts that could give the answer away: the headline, its live region, the browser's, and others."""
    frame = page.chrome
    kept = {unescape(sentence) for sentence in page.display.lookup.stamp.sentences}
    return frame.headline.object, frame.live.object, kept, frame.caption.object, frame.hint.object


@pytest.mark.few(2)
@pytest.mark.thorough(default=["leave-one-out"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.key)
def test_every_step_is_guessed_and_then_told(story):
    last = len(story.steps)
    page = ShrinkagePage({"story": story.key, "step": str(last)})
    for i in reversed(range(last)):
        step = story.steps[i]
        assert page.lab == ShrinkageLab(**step.fields)
        assert page.chrome.notice.object == ""
        assert page.chrome.story.card.visible
        before = page.chrome.story.card.shown
        assert (before["asks"], before["step"], before["veiled"]) == (step.asks, f"{i + 1} of {last}", True)
        assert before.keys().isdisjoint({"says", "verdict", "truth", "bar"})
        shown = on_card(page, "guess", right_of(page))
        assert shown["says"] == step.answer(told(page.result))
        assert (shown["right"], shown["veiled"]) == (True, False)
        assert shown["verdict"].startswith("Right")
        assert bool(shown["places"]) == ("<svg" in shown["bar"]) == isinstance(step.guess, Place)
        assert link_words(page)["step"] == str(i + 1)
        on_card(page, "go", -1)


def seen_figures(page):
    """Return the figures of the visible pictures."""
    return [page.view.figures[name] for name in page.view.numbers(page.result)]


def test_the_headline_is_veiled_until_one_has_guessed(page):
    plain_ones = sentences(page)
    bar = page.chrome.story
    bar.open(STORIES[1], 1)  # the lab's opening state
    assert bar.hides_answer
    assert {each.html_attributes.get("aria-label") for each in seen_figures(page)} == {VEILED}
    assert sentences(page) == (VEIL, markup("<div role='status' class='unseen'>{}</div>", plain(VEIL)), {VEIL}, "", "")
    page.move("lam", lam=0.1)
    assert page.chrome.headline.object == VEIL
    on_card(page, "return")
    wrong = (right_of(page) + 5) % len(STORIES[1].steps[1].guess.scale.stops)
    shown = on_card(page, "guess", wrong)
    assert not shown["right"]
    assert "percentage points too" in shown["verdict"]
    assert sentences(page) == plain_ones
    assert [each.html_attributes["aria-label"] for each in seen_figures(page)] == descriptions(page.result)
    assert on_card(page, "guess", right_of(page))["guess"] == wrong  # the first guess counts
    on_card(page, "go", 1)
    assert page.chrome.headline.object == VEIL
    assert on_card(page, "go", -1)["guess"] == wrong  # guesses stay while the story is open
    assert "guess" not in page.link()
    on_card(page, "leave")
    assert not bar.hides_answer


def test_the_headline_stays_veiled_while_a_later_step_asks_about_the_same_state(page):
    (index,) = (i for i, story in enumerate(STORIES) if story.key == "functions")
    bar = page.chrome.story
    bar.open(STORIES[index], 0)
    on_card(page, "guess", right_of(page))
    assert not bar.hides_answer
    assert page.chrome.headline.object == markup("{}", LATER)
    assert (page.chrome.caption.object, page.chrome.hint.object) == ("", "")
    bar.open(STORIES[index], 2)  # of this state, with another picture
    on_card(page, "guess", right_of(page))
    bar.open(STORIES[index], 0)
    assert page.chrome.headline.object == page.headline(page.result, page.result.row)


def test_what_a_question_asks_for_is_not_in_the_picture_before(page):
    answers = answers_in(page.view.pictures["loss"])
    assert {each.visible for each in answers} == {True}
    page.chrome.story.open(STORIES[0], 3)
    assert {each.visible for each in answers} == {False}
    on_card(page, "guess", 4)
    assert {each.visible for each in answers} == {True}
    on_card(page, "go", 1)
    assert {each.visible for each in answers} == {False}
    on_card(page, "leave")
    assert {each.visible for each in answers} == {True}


ASKED = with_fact("asked")


@pytest.mark.thorough(default=["twosample"])
@pytest.mark.parametrize("name", ASKED)
def test_what_a_step_asks_for_comes_after_the_guess(name):
    page = page_class(name)({})
    first = page.stories[0]
    page.chrome.story.open(first, 0)
    drawn = [page.view.pictures[each] for each in page.view.visible(page.result)]
    hidden = {
        names
        for each in drawn
        for mark, *_ in each.inked
        if mark.is_story_answer
        for names in called(mark, page.result)
    }
    assert all(any(word in each for each in hidden) for word in ASKED[name])
    assert not any(each.visible for picture in drawn for each in answers_in(picture))
    assert not any(f"</svg>{words}</span>" in legends_on(page) for words in hidden)
    on_card(page, "guess", -1)
    shown = [each for picture in drawn for each in answers_in(picture)]
    assert any(each.visible for each in shown)


def answers_in(picture):
    """Return the renderers of the marks that show a story's answer."""
    return [renderer for mark, _, renderer in picture.inked if mark.is_story_answer]


def called(mark, result):
    """Return the labels of a mark for a result, without empty ones."""
    names = mark.label if isinstance(mark.label, tuple) else (mark.label,)
    return [words for each in names if (words := each(result) if callable(each) else each)]


@pytest.mark.thorough
def test_an_answer_may_be_asked_for_without_a_guess(page):
    bar = page.chrome.story
    bar.open(STORIES[0], 0)
    shown = on_card(page, "guess", -1)
    assert shown["guess"] == -1
    assert shown["says"]
    assert "verdict" not in shown
    assert shown["truth"] == right_of(page)  # the right label is marked even without a guess
    assert not bar.hides_answer
    on_card(page, "go", 1)
    on_card(page, "go", 1)  # a step may be skipped
    assert bar.hides_answer
    assert (bar.step, 1 in bar.guesses) == (2, False)


@pytest.mark.thorough
def test_what_is_no_press_is_left_alone(page):
    bar = page.chrome.story
    bar.open(STORIES[0], 0)
    for data in (None, "guess", {}, {"act": "owner"}, {"act": "guess", "value": "1"}, {"act": "guess", "value": 9}):
        bar.card._on_message(SimpleNamespace(data=data))
    on_card(page, "go", -1)
    assert (bar.step, bar.guesses) == (0, {})
    bar.leave()
    on_card(page, "go", 1)
    assert not bar.is_open


@pytest.mark.thorough
def test_a_step_without_a_guess_has_its_answer_on_demand(page):
    story = Story("old", "As it was", (Step("How long?", "{chosen}.", {"n": 30}),))
    page.chrome.story.open(story, 0)
    assert page.chrome.story.card.shown["words"] == []
    assert on_card(page, "guess", -1)["says"] == f"{told(page.result)['chosen']}."


@pytest.mark.thorough
def test_an_answer_that_is_being_computed_keeps_its_guess(page):
    late = Choose(lambda result: None, ("Yes", "No"), (0.0,))
    page.chrome.story.open(Story("late", "Late", (Step("Is it there?", "Yes.", {}, late),)), 0)
    shown = on_card(page, "guess", 1)
    assert (shown["guess"], shown["verdict"]) == (1, WAIT)


def test_at_its_end_a_story_says_how_many_guesses_were_right_and_leads_to_the_next_one(page):
    bar = page.chrome.story
    place = next(i for i, story in enumerate(STORIES) if story.key == "harm")
    bar.begin(place)
    wrong = {1}
    for i in range(len(STORIES[place].steps)):
        assert {"score", "onward"}.isdisjoint(bar.card.shown)
        shown = on_card(page, "guess", (right_of(page) + (i in wrong)) % len(bar.card.shown["words"]))
        assert shown["verdict"] == ("Not quite." if i in wrong else "Right.")
        on_card(page, "go", 1)
    assert bar.card.shown["score"] == "You had 2 of 3 right."
    assert bar.card.shown["onward"] == {"words": f"Next story: {STORIES[place + 1].title}", "link": ""}
    on_card(page, "next story")
    assert (bar.story, bar.step, bar.guesses, bar.rights) == (STORIES[place + 1], 0, {}, {})


def test_a_score_counts_the_guesses_alone(page):
    bar = page.chrome.story
    bar.open(STORIES[2], 2)  # as a link to the last step does
    assert re.findall(r"\d", on_card(page, "guess", right_of(page))["score"]) == [
        "1",
        "3",
        "1",
    ]  # guesses, steps, right
    bar.begin(0)
    bar.open(STORIES[2], 2)
    assert on_card(page, "guess", -1)["score"] == ""


def test_after_the_last_story_of_a_lab_a_link_leads_to_the_next_labs_first_one(page):
    last = STORIES[-1]
    page.chrome.story.open(last, len(last.steps) - 1)
    assert on_card(page, "guess", -1)["onward"] is None  # without a server there is no other lab
    on_card(page, "next story")
    assert page.chrome.story.story is last
    names = list(registry.names())
    for lab, following in pairwise(names):
        stories = content_of(following).stories
        name, _, query = onward_from(lab)["link"].partition("?")
        named = dict(parse_qsl(query))
        assert not stories or (name, find(stories, named["story"], named["step"])) == (following, (stories[0], 0))
    assert onward_from(names[-1])["link"].startswith(f"{names[0]}?")


def test_the_bar_draws_the_truth_over_the_guess():
    place = Place(float, "gain")
    drawn = draw_guess(place, 6, 0.466)
    ring, dot = (float(re.search(rf"fill='{fill}'[^>]*cx='([\d.]+)'", drawn)[1]) for fill in ("none", "currentColor"))
    assert (dot - ring) / (WIDE - 2 * EDGE) == pytest.approx(0.166, abs=1e-3)  # positions are rounded to 0.1
    assert "your guess 30 %, true value 47 %" in drawn


@pytest.mark.thorough
def test_the_link_of_a_step_leads_back_to_it(page):
    page.chrome.story.open(STORIES[0], 1)
    again = ShrinkagePage(link_words(page))
    assert (again.lab, again.chrome.story.words()) == (page.lab, page.chrome.story.words())


def rests_of(page, monkeypatch):
    """Return a list that records the states at which the page runs idle updates from now on."""
    rests, catch_up = [], page.catch_up
    monkeypatch.setattr(page, "catch_up", lambda result: (rests.append(page.lab.values()), catch_up(result)))
    return rests


@pytest.mark.parametrize("served", [False, True])
def test_at_a_step_of_a_story_all_follows_once(served, request, monkeypatch):
    if served:
        request.getfixturevalue("as_if_served")
    page = ShrinkagePage({"seed": "5"})
    rests, story = rests_of(page, monkeypatch), page.chrome.story
    for index in range(len(STORIES[0].steps)):
        story.open(STORIES[0], index)
        assert rests == [page.lab.values()]
        assert story.card.shown["step"].startswith(f"{index + 1} of")
        assert page.chrome.headline.object == VEIL
        rests.clear()
    story.open(STORIES[0], index)  # the lab is already in this state
    assert len(rests) == 1
    assert page.chrome.headline.object == VEIL


def test_a_story_is_walked_through_and_left(page):
    bar, story = page.chrome.story, STORIES[1]
    assert bar.titles == [each.title for each in STORIES]
    assert not bar.card.visible
    bar.begin(1)
    assert bar.is_open
    assert (bar.card.shown["first"], bar.card.shown["last"]) == (True, False)
    for i in range(1, len(story.steps)):
        on_card(page, "go", 1)
        assert page.lab == ShrinkageLab(**story.steps[i].fields)
    assert bar.card.shown["last"]
    on_card(page, "go", 1)
    assert link_words(page)["step"] == str(len(story.steps))
    on_card(page, "go", -1)
    assert page.lab == ShrinkageLab(**story.steps[-2].fields)
    before = page.lab.values()
    on_card(page, "leave")
    assert not bar.card.visible
    assert page.lab.values() == before
    assert "story" not in link_words(page)


def test_a_hand_that_moves_on_takes_the_answer_away_and_reset_brings_it_back(page):
    bar = page.chrome.story
    bar.begin(1)
    answered = on_card(page, "guess", 3)
    page.move("n", n=33)
    assert "moved on" in bar.card.shown["astray"]
    assert "says" not in bar.card.shown
    page.chrome.comparison.menu.press(1)
    assert bar.card.shown == answered


@pytest.mark.thorough
def test_no_guess_is_taken_of_another_state(page):
    page.chrome.story.begin(1)
    page.move("n", n=33)
    on_card(page, "guess", 3)
    assert page.chrome.story.guesses == {}


@pytest.mark.thorough
def test_a_step_that_shows_the_state_that_was_there_is_told_too(page):
    page.chrome.story.begin(3)  # its first step is the lab's opening state
    assert page.chrome.story.card.visible
    assert page.chrome.headline.object == VEIL


@pytest.mark.thorough
def test_a_link_to_no_story_says_so_and_opens(page):
    for given in ({"story": "stone"}, {"story": "harm", "step": "9"}, {"story": "harm", "step": "<b>"}):
        at_link = ShrinkagePage(given)
        assert at_link.lab == ShrinkageLab()
        assert given["story"] in at_link.chrome.notice.object
        assert "<b>" not in at_link.chrome.notice.object


# downloads


def test_the_files_hold_the_tables_and_the_state(page):
    page.move("lam", lam=0.1)
    for name, columns in page.numbers(page.result).items():
        first, *lines = table_csv(page, name).read().splitlines()
        assert first.startswith("# Kernel Mean Explorer, Shrinkage")
        assert first.endswith(page.link())
        header, *rows = csv.reader(lines)
        assert header == list(columns)
        assert np.array_equal(np.array(rows, dtype=float), np.column_stack(list(columns.values())))  # all digits
    (state,) = [part for part in downloads(page) if part.label == "state JSON"]
    kept = json.loads(state.callback().read())
    assert ShrinkagePage(kept).lab == page.lab


@pytest.mark.thorough
def test_a_file_follows_the_page_it_was_asked_from(page):
    curves = next(part for part in downloads(page) if part.label == "curves CSV")
    before = curves.callback().read()
    page.move("n", n=50)
    after = curves.callback().read()
    assert before != after
    assert isinstance(curves.callback(), io.StringIO)


def test_a_picture_s_numbers_are_a_file_of_their_own(page):
    """The download button offers the picture that its slot shows now."""
    file = next(part for part in downloads(page) if part.label == "small as drawn CSV")
    assert file.filename == "shrinkage-small-as-drawn.csv"
    _, head, *rows = csv.reader(file.callback())
    assert head[:2] == ["mark", "share kept, h(γ)"]
    assert {row[0] for row in rows} == {"S-KMSE", "F-KMSE", "eigenvalues", "plain average (KME)"}
    page.choice["picture"].value = "coefficients"
    _, _, *rows = csv.reader(file.callback())
    assert {row[0] for row in rows} == {"KME", "S-KMSE", "F-KMSE"}
    assert len(rows) == 3 * page.lab.n


def test_what_a_spreadsheet_would_compute_is_text_there(page, monkeypatch):
    file = next(part for part in downloads(page) if part.label == "loss as drawn CSV")
    monkeypatch.setattr(
        "explorer.pages.sections.downloads.numbers_of", lambda picture, result: {"=1+1": np.array(["@x", "wine"])}
    )
    assert [row[0] for row in csv.reader(file.callback())][1:] == ["'=1+1", "'@x", "wine"]


def test_a_figure_says_what_it_shows_to_those_who_listen(page):
    figure = page.view.figures["loss"]
    page.move("n", n=50)
    assert figure.html_attributes == {"role": "figure", "aria-label": descriptions(page.result)[0]}
    assert "S-KMSE" in figure.html_attributes["aria-label"]


def test_a_picture_is_ordered_with_its_name_its_legend_and_the_line_below(page):
    page.move("n", n=50)
    ordered = Downloads(page)
    ordered.save_picture("small", "svg")
    asked = json.loads(ordered.order.asked)
    assert asked["name"] == "shrinkage-small.svg"
    assert ordered.order.plot is page.view.figures["filter"]
    assert asked["said"]["title"] == page.view.pictures["filter"].plot.title.text
    assert [key[0] for key in asked["said"]["keys"]] == ["S-KMSE", "F-KMSE", "eigenvalues", "plain average (KME)"]
    assert names_all(asked["said"]["foot"], "n = 50", "seed 1", "Kernel Mean Explorer")
    ordered.save_picture("small", "svg")
    assert json.loads(ordered.order.asked)["serial"] == asked["serial"] + 1  # so that the browser notices


@pytest.mark.thorough
def test_a_picture_that_is_not_there_is_not_ordered(page):
    ordered = Downloads(page)
    ordered.save_picture("attic", "png")
    assert ordered.order.asked == ""
    assert ABSENT in notice(page)


@pytest.mark.thorough
def test_one_file_holds_the_state_of_the_page(page):
    page.move("lam", lam=0.1, n=12)
    ordered = Downloads(page)
    ordered.save_file()
    assert json.loads(ordered.order.asked)["name"] == "shrinkage.html"
    assert page.headline(page.result, page.result.row) in ordered.order.text
    assert page.python(page.result).splitlines()[-1] in unescape(ordered.order.text)


def test_a_file_that_cannot_be_is_refused_above_the_pictures():
    page = open_page(page_class("conditional"), picture="bayes", n="20")
    ordered = Downloads(page)
    ordered.save_file()
    assert "needs a server" in notice(page)
    assert (ordered.order.asked, ordered.order.text) == ("", "")
    assert page.chrome.pictures.styles.get("opacity", "1") == "1"  # the pictures show the state already


@pytest.mark.parametrize("kind", ["gif", "mp4"])
def test_a_film_is_of_the_state_of_the_page(page, kind, monkeypatch):
    filmed = []
    monkeypatch.setitem(KINDS, kind, lambda film, seconds: filmed.append(film) or b"\x00film\xff")
    page.move("n", n=12)
    ordered = page.chrome.downloads
    ordered.filming.begin(kind)
    assert json.loads(ordered.order.asked)["name"] == f"shrinkage.{kind}"
    assert base64.b64decode(ordered.order.text) == b"\x00film\xff"
    (film,) = filmed
    assert "n = 12" in film.footer
    assert film.dark == page.chrome.page.dark_theme
    assert len(film) == len(page.result.stops)
    assert not ordered.filming.waiting.row.visible


def test_a_film_that_was_cancelled_is_not_given(page, monkeypatch):
    ordered = page.chrome.downloads
    monkeypatch.setitem(KINDS, "gif", lambda film, seconds: ordered.filming.cancel() or b"film")
    ordered.filming.begin("gif")
    assert ordered.order.asked == ""
    assert not ordered.filming.waiting.row.visible


def test_a_film_that_cannot_be_is_refused_above_the_pictures(page, monkeypatch):
    def refuse(film, seconds):
        raise Refusal("no film here")

    monkeypatch.setitem(KINDS, "gif", refuse)
    page.chrome.downloads.filming.begin("gif")
    assert "no film here" in notice(page)


@pytest.mark.parametrize("there", [True, False])
def test_films_are_offered_where_something_plays_and_videos_where_their_encoder_is(page, there, monkeypatch):
    monkeypatch.setattr("explorer.pages.sections.film_export.has_encoder", lambda: there)
    assert ("Film (GIF)" in page.chrome.downloads.kinds, "Film (MP4)" in page.chrome.downloads.kinds) == (True, there)
    other = open_page(page_class("sweep"))
    assert not any("Film" in words for words in other.chrome.downloads.kinds)


@pytest.mark.parametrize("name", ["shrinkage", "sweep"])
@pytest.mark.thorough
def test_one_file_is_offered_where_the_browser_answers_a_slider(name):
    labels = [part.label for part in downloads(open_page(page_class(name)))]
    assert ("One file (HTML)" in labels) == (name == "shrinkage")


# text descriptions


def test_the_words_and_the_live_region_follow_the_rest(page):
    frame = unfold(page).chrome
    page.move("n", n=50)
    for sentences in page.view.words(page.result, page.view.numbers(page.result)).values():
        assert all(each in unescape(frame.twin.object) for each in sentences)
    assert plain(frame.headline.object) in frame.live.object
    assert "less squared error" in plain(frame.headline.object)
    assert "role='status'" in frame.live.object


def test_a_column_of_markup_stays_text():
    shown = twin([["a < b"]], {"<b>x</b>": {"<i>": np.array([1.0])}})
    assert "<b>x" not in shown
    assert "<i>" not in shown
    assert "a &lt; b" in shown


# more samples


@pytest.mark.thorough
def test_further_samples_come_to_the_picture_and_go(page):
    bands = page.view.sources["loss.bands"]
    assert len(bands.data["lam"]) == 0
    click(page.pressed["hundred"])
    assert page.pressed["hundred"].label == "100 samples"
    assert page.result.replicates.count == 100
    assert len(bands.data["lam"]) == len(page.result.simple.lams) - 1
    assert "In 100 more samples" in page.chrome.headline.object
    assert all("In 100 more samples" in unescape(s) for s in page.display.lookup.stamp.sentences)
    assert page.navigation.preset() is PRESETS[0]  # the number of samples belongs to no preset
    page.move("n", n=15)
    assert page.result.replicates.count == 100
    assert link_words(page)["samples"] == "100"
    click(page.pressed["hundred"])
    assert len(bands.data["lam"]) == 0
    assert page.pressed["hundred"].label == "+100 samples"


@pytest.mark.thorough
def test_a_preset_leaves_the_further_samples_on(page):
    click(page.pressed["hundred"])
    page.chrome.presets.press(1)
    assert page.result.replicates.count == 100
    assert page.navigation.preset() is PRESETS[1]


@pytest.mark.thorough
def test_a_table_has_no_more_samples_and_says_so(page):
    page.move("source", source="wine")
    click(page.pressed["hundred"])
    assert re.search(naming("distribution", "unknown"), page.chrome.notice.object)
    assert page.lab.samples == 0


@pytest.mark.thorough
def test_arrow_keys_step_a_story_and_do_nothing_elsewhere(page):
    before = page.lab.values()
    press_key(page, "ArrowRight")
    assert page.lab.values() == before
    page.chrome.story.begin(1)
    press_key(page, "ArrowRight")
    assert page.chrome.story.step == 1
    press_key(page, "ArrowLeft")
    press_key(page, "ArrowLeft")
    assert page.chrome.story.step == 0


def test_an_unknown_part_is_refused_with_the_parts_there_are():
    page = open_page()
    with pytest.raises(KeyError, match=r"ShrinkagePage has no part 'curve'; it has loss, .*fresh, .*kernel, "):
        page.part("curve")


def test_the_state_of_no_lab_is_refused_with_where_a_lab_has_it():
    class Stray(ShrinkageLab):
        """A state that no lab has."""

    with pytest.raises(TypeError, match=r"Stray is the state of no lab\. Give the page the lab_class that ENTRY"):
        registry.name_of(Stray)


@pytest.mark.parametrize("name", ["few", "marginalized", "distributions"])
def test_the_slider_of_a_lab_has_the_stops_of_its_table_before_the_table_comes(name):
    lab = registry.entry(name).lab()
    control = NumberControl(lab, lab.slider, "its name", print, print)
    stops = list(control.slider.options.values())
    assert stops == lab.stops_of(lab.slider) == list(lab.default_stops) != steps_of(type(lab).fields[lab.slider])


@pytest.mark.parametrize("place", ["top", "left", "right", "groups"])
def test_one_button_opens_rarely_used_settings_wherever_their_group_is(as_if_served, place):
    group = Group("Random numbers", more=("seed",))
    parts = {"left": Column("plane"), "right": Column("picture"), "groups": ()}
    declared = {"top": group, "left": Column("plane", group), "right": Column("picture", group), "groups": (group,)}

    class Page(FitPage):
        """A page with one group."""

    for name, part in {**parts, place: declared[place]}.items():
        setattr(Page, name, part)
    page = Page({})
    (opener,) = page.arranged.below.select(DisclosureButton)
    assert opener.label == "More settings"
    (script,) = Callback.registry[opener]
    (hidden,) = script.args.values()
    assert hidden in page.chrome.page.select()
    opener.open = True  # a served page makes hidden parts when they are first shown
    assert page.controls["seed"].box in hidden.select()
    assert ("flex" in (page.arranged.below[0][0] if place == "groups" else hidden).styles) == (place == "groups")
