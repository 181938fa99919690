"""What a phone shows first, and what it folds away."""

from __future__ import annotations

import re

import pytest
from browsing import DESK, PHONE
from serving import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def sliders(room):
    return {slider.get_attribute("aria-label") for slider in room.page.get_by_role("slider").all()}


def test_lesser_controls_are_folded_away_on_a_phone_and_come_back(room, phone):
    few, all_of_them = sliders(phone), sliders(room)
    assert few < all_of_them
    phone.button("^More controls$").click()
    until(lambda: sliders(phone) == all_of_them, "all sliders")
    phone.button("^Fewer controls$").click()
    until(lambda: sliders(phone) == few, "the lesser sliders to go")
    assert room.page.get_by_role("button", name="More controls").count() == 0


def test_the_picture_is_on_a_phone_s_first_screen(phone):
    """Presets and stories are one line each, which scrolls sideways."""
    phone.scroll_up()
    box = phone.page.locator(".bk-Figure").first.bounding_box()
    assert box["y"] < 0.7 * PHONE["viewport"]["height"]
    last = phone.button("^Your data$")
    assert last.bounding_box()["x"] > 390
    last.click()  # which scrolls it into view
    phone.follows(source="wine")


def test_a_copy_is_confirmed(room):
    room.button("^Copy link$").click()
    until(lambda: room.page.get_by_role("button", name=re.compile("^Copied$")).count(), "the word Copied")
    until(
        lambda: room.page.get_by_role("button", name=re.compile("^Copy link$")).count(), "the button's own name again"
    )


def test_what_stands_below_the_pictures_is_not_drawn_over_them(phone, room):
    """A page that ended with its window once drew the caption over the sample."""
    assert_below(phone)
    room.page.set_viewport_size({"width": 1300, "height": 500})
    assert_below(room)
    room.page.set_viewport_size(DESK)


def assert_below(room):
    pictures = [figure.bounding_box() for figure in room.page.locator(".bk-Figure:visible").all()]
    below = room.button("^Copy link$").bounding_box()["y"]
    assert len(pictures) == 3
    assert below > max(box["y"] + box["height"] for box in pictures)
