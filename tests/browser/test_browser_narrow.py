"""The first screen on a phone, and what is collapsed there."""

from __future__ import annotations

import re

import pytest
from helpers.browsing import DESK, PHONE
from helpers.server_process import until

from explorer.workbench.content import content_of

PRESETS = content_of("shrinkage").presets


pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def test_headline_picture_and_slider_are_on_a_phone_s_first_screen(new_lab_page):
    """Presets are one line, which scrolls sideways."""
    phone = new_lab_page(**PHONE).open()  # one that others have used is somewhere else
    figure, slider = phone.page.locator(".bk-Figure").first.bounding_box(), phone.track("λ")
    assert figure["y"] < 0.4 * PHONE["viewport"]["height"]
    assert slider["y"] + slider["height"] < 0.75 * PHONE["viewport"]["height"]
    last = phone.button(f"^{re.escape(PRESETS[-1].name)}$")
    assert last.bounding_box()["x"] > 390
    last.click()  # which scrolls it into view
    phone.follows(**{name: str(value) for name, value in PRESETS[-1].fields.items()})


def test_a_copy_is_confirmed(lab_page):
    lab_page.share("^Copy link$")
    until(lambda: lab_page.page.get_by_role("button", name=re.compile("^Copied$")).count(), "the word Copied")
    until(lambda: lab_page.folds("Share").count(), "the menu's own name again")


def test_what_stands_below_the_pictures_is_not_drawn_over_them(phone, lab_page):
    """A page that ended with its window once drew the caption over the sample."""
    assert_below(phone)
    lab_page.page.set_viewport_size({"width": 1300, "height": 500})
    assert_below(lab_page)
    lab_page.page.set_viewport_size(DESK)


def assert_below(lab_page):
    pictures = [figure.bounding_box() for figure in lab_page.page.locator(".bk-Figure:visible").all()]
    below = lab_page.page.get_by_role("button", name="In words and numbers").bounding_box()["y"]
    assert len(pictures) == 3
    assert below > max(box["y"] + box["height"] for box in pictures)


def test_a_story_s_question_and_its_answer_are_on_a_phone_s_first_screen(new_lab_page):
    high = PHONE["viewport"]["height"]
    phone = new_lab_page(**PHONE).open(story="harm", step="1")
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
