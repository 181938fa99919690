"""The DNA lab under hand: keys, mouse and finger, cells, presets, and reads of one's own."""

from __future__ import annotations

import pytest
from browsing import DESK, PHONE, Place, Room
from serving import until

from explorer.labs.dna import DnaLab
from explorer.labs.dna.stories import PRESETS
from explorer.labs.dna.words import headline
from explorer.markup import text_of

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
PLACE = Place("dna", "decay", 3, PRESETS[0].name)


@pytest.fixture(scope="module")
def kept(profile, server):
    return Room(profile, server.url, PLACE).open()


def meant(fields):
    """What a page says at the words of a link, by the library alone."""
    lab, refused = DnaLab.from_flat({name: word for name, word in fields.items() if name != "v"})
    assert refused == []
    return text_of(headline(lab.result(), 0))


def shown(room):
    """The headline with the line below it."""
    return room.headline + room.trust


def test_keys_and_a_typed_number_move_picture_and_words(room):
    for name, field in {"decay": "decay", "p letters": "length", "contaminated": "contaminated"}.items():
        before = room.pictures()
        room.press(name)
        room.follows(**{field: room.says(name)})
        until(lambda before=before: room.pictures() != before, f"a picture after {name}")
        assert room.box(name.split()[0]).input_value() == room.says(name)
    room.type("n", "31")
    room.follows(n="31")
    until(lambda: shown(room) == meant(room.fields), "the words of the link")
    room.type("n", "3")
    (alert,) = until(lambda: room.alerts, "a refusal")
    assert "at most n = 3, not 11" in alert


def test_a_drag_ends_where_the_hand_does(room):
    with room.hand("decay") as go:
        for step in range(20):
            go(0.2 + 0.6 * step / 19)
        go(0.3)
    room.follows(decay=room.says("decay"))
    until(lambda: shown(room) == meant(room.fields), "the words of the link")


def test_a_pressed_cell_shows_its_pair_of_reads(room):
    letters = room.page.locator(".read").first
    first = letters.inner_text()
    room.page.mouse.click(*room.spot("Similarity", -1 + 2 * 4.5 / 100, 1 - 2 * 60.5 / 100))
    room.follows(pair="Y11 X5")
    until(lambda: letters.inner_text() != first, "other reads")
    room.drag(room.spot("Similarity", -0.5, 0.5), room.spot("Similarity", -1 + 2 * 8.5 / 100, 1 - 2 * 2.5 / 100))
    room.follows(pair="X3 X9")
    assert room.chosen([preset.name for preset in PRESETS]) == [PRESETS[0].name]  # a pair belongs to no preset


def test_a_preset_and_more_draws(room):
    room.button(f"^{PRESETS[1].name}$").click()
    until(lambda: "MONK distinguishes EI from IE" in room.headline, "the preset's verdict")
    room.follows(contaminated="3", normalized="false")
    room.type("n", "20")
    room.follows(n="20")
    room.button(r"^\+100 samples$").click()
    until(lambda: "In 100 more draws" in room.trust, "the rates")
    room.button("^100 samples$").click()
    until(lambda: "more draws" not in room.trust, "no rates")


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


def test_no_barrier_with_all_folds_open(room, axe):
    room.turn(expanded=True)
    room.button("^gram PNG$").wait_for()
    found = barriers(room, axe)
    room.turn(expanded=False)
    assert not found, "\n".join(found)


def test_a_narrow_page_does_not_scroll_sideways(room):
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)
