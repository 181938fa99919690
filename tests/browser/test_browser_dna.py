"""The DNA lab in use: cells, the user's sequences, and barriers."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

from explorer.workbench.content import content_of

from .test_browser_accessibility import is_open_to_all

PRESETS = content_of("dna").presets

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PLACE = LabEntry("dna")


def test_a_pressed_cell_shows_its_pair_of_reads(lab_page):
    letters = lab_page.page.locator(".read").first
    first = letters.inner_text()
    lab_page.page.mouse.click(*lab_page.at("Similarity", -1 + 2 * 4.5 / 100, 1 - 2 * 60.5 / 100))
    lab_page.follows(pair="Y11 X5")
    until(lambda: letters.inner_text() != first, "other reads")
    lab_page.drag(
        lab_page.at("Similarity", -0.5, 0.5),
        lab_page.at("Similarity", -1 + 2 * 8.5 / 100, 1 - 2 * 2.5 / 100),
    )
    lab_page.follows(pair="X3 X9")
    assert lab_page.chosen([preset.name for preset in PRESETS]) == [PRESETS[0].name]  # a pair belongs to no preset


def test_reads_of_ones_own(lab_page):
    lab_page.unfold("Your data")
    lab_page.page.locator("input[type=file]").first.set_input_files(
        {
            "name": "mine.csv",
            "mimeType": "text/csv",
            "buffer": b"".join(
                b"A,ACGTACGT%s\nB,GGCATTGA%s\n" % (x, x) for x in (b"A", b"C", b"GG", b"TT", b"ACA", b"CAC")
            ),
        }
    )
    lab_page.button("^Use these reads$").click()
    until(
        lambda: "distinguishes A from B" in lab_page.headline or "distinguish A from B" in lab_page.headline,
        "the verdict",
    )
    lab_page.follows(source="file", file="mine.csv", n="6")
    assert lab_page.alerts == []
    lab_page.turn(expanded=False)


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(lab_page, axe):
    is_open_to_all(lab_page, axe, "^gram PNG$")
