"""What the chassis gives every lab: a way back, keys, a pinned state, stories, downloads, and the pictures in words."""

import csv
import io
import json
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest
from paging import unfold

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.shrinkage.stories import PRESETS, STORIES
from explorer.labs.shrinkage.words import told
from explorer.pages.downloads import downloads, written
from explorer.pages.places import STEPS, History
from explorer.pages.text import plain, twin


@pytest.fixture
def page():
    return ShrinkagePage({})


def press(page, key):
    """What the browser says of a key; each press has a serial number of its own."""
    last = page.shortcuts.keys.pressed
    page.shortcuts.keys.pressed = json.dumps([json.loads(last)[0] + 1 if last else 1, key])


def click(button):
    button.clicks += 1


def words(page):
    return dict(parse_qsl(page.link(), keep_blank_values=True))


# a way back


def test_undo_goes_back_one_rest_at_a_time(page):
    undo = page.frame.undo
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
def test_what_was_undone_can_be_done_anew(page):
    page.move("n", n=50)
    press(page, "z")
    page.move("n", n=60)
    press(page, "z")
    assert page.lab == ShrinkageLab()


def test_a_drag_that_has_not_rested_is_one_step():
    history = History({"n": 1})
    history.note({"n": 2})
    assert history.back({"n": 9}) == {"n": 2}  # on the way somewhere: back to where the hand last rested
    assert history.back({"n": 2}) == {"n": 1}
    assert history.back({"n": 1}) is None


def test_twenty_steps_are_kept():
    history = History(0)
    for state in range(1, 50):
        history.note(state)
        history.note(state)
    back, state = [], 49
    while (state := history.back(state)) is not None:
        back.append(state)
    assert back == list(range(48, 48 - STEPS, -1))


def test_reset_goes_to_the_preset_that_was_opened_last(page):
    page.frame.presets.press(2)
    page.move("n", n=33)
    click(page.frame.reset)
    assert page.preset() is PRESETS[2]


def test_reset_goes_to_the_link_that_the_page_was_opened_by():
    page = ShrinkagePage({"n": "50", "lam": "0.1"})
    page.move("lam", lam=3.0)
    press(page, "r")
    assert page.lab == ShrinkageLab(n=50, lam=0.1)


# keys


def test_every_key_does_what_it_says(page):
    press(page, "n")
    assert page.lab.seed == 2
    press(page, "n")
    assert page.lab.seed == 3
    page.move("lam", lam=0.1)
    press(page, "a")
    assert page.lab.lam is None
    press(page, "r")
    assert page.lab == ShrinkageLab()
    press(page, "p")
    assert page.frame.comparison.pinned is page.result
    press(page, "?")
    assert page.frame.help.open
    press(page, "?")
    assert not page.frame.help.open


def test_the_help_names_every_key(page):
    for key, (does, _) in page.shortcuts.actions.items():
        assert f"<dt><kbd>{key.replace(' ', 'Space')}</kbd></dt><dd>{does}</dd>" in unescape(page.frame.help.text)


# A and now


def test_a_pinned_state_stays_in_the_picture_and_in_the_table(page):
    pinned, before = page.view.pictures["loss"].pinned["pinned"], page.result
    assert len(pinned.data["lam"]) == 0
    click(page.frame.comparison.button)
    page.move("n", n=50)
    assert np.array_equal(pinned.data["simple"], before.simple.loss[:-1])
    assert np.array_equal(pinned.data["flexible"], before.flexible.loss[:-1])
    table = page.frame.comparison.table
    assert table.visible
    assert "<td>points in the sample</td><td>20</td><td>50</td>" in table.object
    assert "of the sample; one seed" not in table.object
    click(page.frame.comparison.button)
    assert len(pinned.data["lam"]) == 0
    assert not table.visible


@pytest.mark.thorough
def test_a_table_can_be_compared_with_a_law(page):
    click(page.frame.comparison.button)
    page.move("source", source="wine")
    assert "wine" in page.frame.comparison.table.object
    assert "λ by leave-one-out, S-KMSE" in page.frame.comparison.table.object


# stories


@pytest.mark.thorough(default=["leave-one-out"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.key)
def test_every_step_tells_what_its_link_shows(story):
    last = len(story.steps)
    page = ShrinkagePage({"story": story.key, "step": str(last)})
    for i in reversed(range(last)):
        assert page.lab == ShrinkageLab(**story.steps[i].fields)
        assert page.frame.notice.object == ""
        card, text = page.frame.story.card, unescape(page.frame.story.text.object)
        assert card.visible
        assert story.steps[i].asks in text
        assert story.steps[i].says.format(**told(page.result)) in text
        assert words(page)["step"] == str(i + 1)
        if i:
            page.frame.story.go(-1)


@pytest.mark.thorough
def test_the_link_of_a_step_leads_back_to_it(page):
    page.frame.story.open(STORIES[0], 1)
    again = ShrinkagePage(words(page))
    assert (again.lab, again.frame.story.words()) == (page.lab, page.frame.story.words())


def test_a_story_is_walked_through_and_left(page):
    bar, story = page.frame.story, STORIES[1]
    assert not bar.card.visible
    bar.begin(1)
    assert (bar.back.disabled, bar.next.disabled) == (True, False)
    for i in range(1, len(story.steps)):
        click(bar.next)
        assert page.lab == ShrinkageLab(**story.steps[i].fields)
    assert bar.next.disabled
    assert words(page)["step"] == str(len(story.steps))
    click(bar.back)
    assert page.lab == ShrinkageLab(**story.steps[-2].fields)
    before = page.lab.values()
    click(bar.close)
    assert not bar.card.visible
    assert page.lab.values() == before
    assert "story" not in words(page)


def test_a_hand_that_moves_on_takes_the_answer_away_and_reset_brings_it_back(page):
    bar = page.frame.story
    bar.begin(1)
    answer = bar.text.object
    page.move("n", n=33)
    assert "moved on" in bar.text.object
    click(page.frame.reset)
    assert bar.text.object == answer


def test_a_step_that_shows_the_state_that_was_there_is_told_too(page):
    page.frame.story.begin(2)  # its first step is where the lab opens
    assert page.frame.story.card.visible


@pytest.mark.thorough
def test_a_link_to_no_story_says_so_and_opens(page):
    for given in ({"story": "stone"}, {"story": "harm", "step": "9"}, {"story": "harm", "step": "<b>"}):
        opened = ShrinkagePage(given)
        assert opened.lab == ShrinkageLab()
        assert given["story"] in opened.frame.notice.object
        assert "<b>" not in opened.frame.notice.object


# to take home


def test_the_files_hold_the_tables_and_the_state(page):
    page.move("lam", lam=0.1)
    for name, columns in page.numbers(page.result).items():
        first, *lines = written(page, name).read().splitlines()
        assert first.startswith("# Kernel Mean Explorer, Shrinkage")
        assert first.endswith(page.link())
        header, *rows = csv.reader(lines)
        assert header == list(columns)
        assert np.array_equal(np.array(rows, dtype=float), np.column_stack(list(columns.values())))  # to the last digit
    (state,) = [part for part in downloads(page) if part.label == "state JSON"]
    kept = json.loads(state.callback().read())
    assert ShrinkagePage(kept).lab == page.lab


def test_a_file_follows_the_page_it_was_asked_from(page):
    curves = next(part for part in downloads(page) if part.label == "curves CSV")
    before = curves.callback().read()
    page.move("n", n=50)
    after = curves.callback().read()
    assert before != after
    assert isinstance(curves.callback(), io.StringIO)


# in words


def test_the_words_and_the_live_region_follow_the_rest(page):
    frame = unfold(page).frame
    page.move("n", n=50)
    for sentence in page.twin(page.result):
        assert sentence in unescape(frame.twin.object)
    assert plain(frame.headline.object) in frame.live.object
    assert "closer" in plain(frame.headline.object)
    assert "role='status'" in frame.live.object


def test_a_column_of_markup_stays_text():
    shown = twin(["a < b"], {"<b>x</b>": {"<i>": np.array([1.0])}})
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "a &lt; b" in shown


# further samples


@pytest.mark.thorough
def test_further_samples_come_to_the_picture_and_go(page):
    bands = page.view.sources["loss.bands"]
    assert len(bands.data["lam"]) == 0
    click(page.pressed["hundred"])
    assert page.pressed["hundred"].label == "100 samples"
    assert page.result.replicates.count == 100
    assert len(bands.data["lam"]) == len(page.result.simple.lams) - 1
    assert "Of 100 further samples" in page.frame.headline.object
    assert all("Of 100 further samples" in unescape(s) for s in page.lookup.stamp.sentences)
    assert page.preset() is PRESETS[0]  # they belong to no preset
    page.move("n", n=15)
    assert page.result.replicates.count == 100
    assert words(page)["samples"] == "100"
    click(page.pressed["hundred"])
    assert len(bands.data["lam"]) == 0
    assert page.pressed["hundred"].label == "+100 samples"


@pytest.mark.thorough
def test_a_preset_leaves_the_further_samples_on(page):
    click(page.pressed["hundred"])
    page.frame.presets.press(1)
    assert page.result.replicates.count == 100
    assert page.preset() is PRESETS[1]


def test_a_table_has_no_further_samples_and_says_so(page):
    page.move("source", source="wine")
    click(page.pressed["hundred"])
    assert "No law is known" in page.frame.notice.object
    assert page.lab.samples == 0
