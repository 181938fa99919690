"""The first screen on a phone, and what is collapsed there."""

from __future__ import annotations

import re

import pytest
from browsing import DESK, PHONE
from server_process import until

from explorer.labs.shrinkage.stories import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def test_headline_picture_and_slider_are_on_a_phone_s_first_screen(new_room):
    """Presets are one line, which scrolls sideways."""
    phone = new_room(**PHONE).open()  # one that others have used is somewhere else
    figure, slider = phone.page.locator(".bk-Figure").first.bounding_box(), phone.track("λ")
    assert figure["y"] < 0.4 * PHONE["viewport"]["height"]
    assert slider["y"] + slider["height"] < 0.75 * PHONE["viewport"]["height"]
    last = phone.button(f"^{re.escape(PRESETS[-1].name)}$")
    assert last.bounding_box()["x"] > 390
    last.click()  # which scrolls it into view
    phone.follows(**{name: str(value) for name, value in PRESETS[-1].fields.items()})


def test_a_copy_is_confirmed(room):
    room.share("^Copy link$")
    until(lambda: room.page.get_by_role("button", name=re.compile("^Copied$")).count(), "the word Copied")
    until(lambda: room.folds("Share").count(), "the menu's own name again")


def test_what_stands_below_the_pictures_is_not_drawn_over_them(phone, room):
    """A page that ended with its window once drew the caption over the sample."""
    assert_below(phone)
    room.page.set_viewport_size({"width": 1300, "height": 500})
    assert_below(room)
    room.page.set_viewport_size(DESK)


def assert_below(room):
    pictures = [figure.bounding_box() for figure in room.page.locator(".bk-Figure:visible").all()]
    below = room.page.get_by_role("button", name="In words and numbers").bounding_box()["y"]
    assert len(pictures) == 3
    assert below > max(box["y"] + box["height"] for box in pictures)


def test_a_story_s_question_and_its_answer_are_on_a_phone_s_first_screen(new_room):
    high = PHONE["viewport"]["height"]
    phone = new_room(**PHONE).open(story="harm", step="1")
    card, picture = phone.page.locator(".story"), phone.page.locator(".bk-Figure:visible").first
    word = card.get_by_role("button", name="Yes")
    assert word.bounding_box()["y"] < picture.bounding_box()["y"]
    word.click()
    verdict = card.get_by_text("Not quite.")
    verdict.wait_for()
    box = card.bounding_box()
    assert box["y"] + box["height"] < high
    assert box["y"] + box["height"] <= picture.bounding_box()["y"]
    assert card.get_by_role("button", name="Next").bounding_box()["y"] < high
