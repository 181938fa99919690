"""The DNA lab in use: cells, the user's sequences, and barriers."""

from __future__ import annotations

import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer.labs.dna.stories import PRESETS

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PLACE = Place("dna", "decay", 3, PRESETS[0].name)


@pytest.fixture(scope="module")
def kept(rooms):
    return rooms(PLACE)


def test_a_pressed_cell_shows_its_pair_of_reads(room):
    letters = room.page.locator(".read").first
    first = letters.inner_text()
    room.page.mouse.click(*room.spot("Similarity", -1 + 2 * 4.5 / 100, 1 - 2 * 60.5 / 100))
    room.follows(pair="Y11 X5")
    until(lambda: letters.inner_text() != first, "other reads")
    room.drag(room.spot("Similarity", -0.5, 0.5), room.spot("Similarity", -1 + 2 * 8.5 / 100, 1 - 2 * 2.5 / 100))
    room.follows(pair="X3 X9")
    assert room.chosen([preset.name for preset in PRESETS]) == [PRESETS[0].name]  # a pair belongs to no preset


def test_reads_of_ones_own(room):
    room.unfold("Your data")
    room.page.locator("input[type=file]").first.set_input_files(
        {
            "name": "mine.csv",
            "mimeType": "text/csv",
            "buffer": b"".join(
                b"A,ACGTACGT%s\nB,GGCATTGA%s\n" % (x, x) for x in (b"A", b"C", b"GG", b"TT", b"ACA", b"CAC")
            ),
        }
    )
    room.button("^Use these reads$").click()
    until(lambda: "distinguishes A from B" in room.headline or "distinguish A from B" in room.headline, "the verdict")
    room.follows(source="file", file="mine.csv", n="6")
    assert room.alerts == []
    room.turn(expanded=False)


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(room, axe):
    room.turn(expanded=True)
    room.button("^gram PNG$").wait_for()
    found = barriers(room, axe)
    room.turn(expanded=False)
    assert not found, "\n".join(found)
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)
