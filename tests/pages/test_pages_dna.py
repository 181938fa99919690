"""The DNA page without a browser: a selected cell, more draws, and the user's reads."""

import json
import re
from html import unescape
from urllib.parse import parse_qsl

import pytest
from helpers.naming import naming
from helpers.page_helpers import ask, notice, open_page, shows_state

from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.labs.dna import DnaLab
from explorer.labs.dna.page import DnaPage
from explorer.labs.dna.words import equation, letters
from explorer.workbench.content import content_of

PRESETS = content_of("dna").presets

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab

SMALL = {"n": "12", "blocks": "5", "shuffles": "19", "flips": "19"}


@pytest.fixture
def page():
    return open_page(DnaPage, **SMALL)


def small(**fields):
    return {**{name: int(word) for name, word in SMALL.items()}, **fields}


def click(button):
    button.clicks += 1


def test_a_switch_and_a_menu_are_followed_by_all(page):
    for i, fields in enumerate(({"normalized": False}, {"normalized": False, "classes": "IE/N"})):
        name = list(fields)[i]
        page.choice[name].value = fields[name]
        assert shows_state(page, **small(**fields))
        assert page.sums.object == equation(page.result)


def test_a_pressed_cell_shows_its_reads(page):
    before = page.pacer.request.answered
    assert ask(page, before + 1, cell=[[2, 15], False]) == before + 1
    assert page.lab.pair == "X3 Y4"
    assert page.pair.object == letters(page.result)
    assert ask(page, before + 2, cell=[[99, 0], False]) == before + 2  # the picture is no longer shown
    assert page.lab.pair == "X3 Y4"
    assert notice(page) == ""


def test_more_draws_come_and_go(page):
    page.move("samples", samples=3)
    assert page.result.replicates.count == 3
    assert "In 3 more draws" in page.chrome.headline.object
    click(page.pressed["hundred"])
    assert page.result.replicates is None


# the user's reads

CLASSED = b"class,sequence\n" + b"".join(
    b"%s,%s\n" % pair for pair in zip([b"A", b"B"] * 6, [b"ACGTA", b"GGCAC", b"TTACG"] * 4, strict=True)
)
FIRST, SECOND = b">x\nACGTA\n>y\nGGCAA\n>z\nACGGG\n", b"TTACG\nACCAT\nGTATT\nCCCCC\n"


def choose(page, *files):
    """Set the file widgets as a browser does once files are chosen."""
    for widget in page.user_data.zones:
        widget.value = None
    for widget, (raw, name) in zip(page.user_data.zones, files, strict=False):
        widget.param.update(value=raw, filename=name)


def said(page):
    return unescape(page.user_data.trouble.object)


def test_one_file_with_classes_is_chosen_looked_at_and_used(page):
    choose(page, (CLASSED, "mine.csv"))
    assert said(page) == ""
    assert "12 strings, 6 of A, 6 of B" in page.user_data.about.object
    assert page.lab == DnaLab(**small())  # a preview does not change the lab
    click(page.user_data.button)
    table = read_string_classes(CLASSED, "mine.csv")
    named = {"source": "file", "file": "mine.csv", "rows": 12, "hash": table.hash, "groups": '["A", "B"]'}
    assert page.lab.values() | {"blocks": 5} == DnaLab(**small(n=6, **named)).values()
    assert page.result.titles == ("A", "B")
    assert sorted(page.result.X.tolist()) == sorted(table.only("A").X.tolist())
    assert page.choice["source"].value == "file"
    assert page.choice["classes"].disabled
    assert "ACGTA" not in page.link()


def test_two_files_are_two_classes(page):
    choose(page, (SECOND, "b.txt"))
    assert re.search(naming("b.txt", "4", "classes"), said(page))
    choose(page, (FIRST, "a.fa"), (SECOND, "b.txt"))
    assert said(page) == ""
    click(page.user_data.button)
    assert page.lab.groups == json.dumps(["a.fa", "b.txt"])
    assert (page.lab.n, page.lab.blocks) == (3, 3)
    assert page.lab.hash == two_classes(read_strings(FIRST, "a.fa"), read_strings(SECOND, "b.txt")).hash
    assert notice(page) == ""


def test_a_link_asks_for_the_file_and_takes_it(page):
    choose(page, (CLASSED, "mine.csv"))
    page.user_data.second.value, page.user_data.first.value = "A", "B"
    click(page.user_data.button)
    page.move("decay", decay=0.8)
    again = DnaPage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    assert re.search(naming("mine.csv", "12"), notice(again))
    choose(again, (CLASSED, "mine.csv"))
    assert (again.user_data.first.value, again.user_data.second.value) == ("B", "A")
    click(again.user_data.button)
    assert again.lab == page.lab
    assert again.result.titles == ("B", "A")
    assert notice(again) == ""


def test_reads_that_the_session_has_are_a_menu_away(page):
    choose(page, (CLASSED, "mine.csv"))
    click(page.user_data.button)
    page.choice["source"].value = "synthetic"
    page.move("n", n=5)
    page.choice["source"].value = "file"  # the files are still known, and return with the changes made since
    assert (page.result.titles, page.lab.n) == (("A", "B"), 5)
    page.navigation.go_to(PRESETS[0])
    assert page.result.titles == ("EI", "IE")
    page.move("n", n=6, blocks=3)
    page.choice["source"].value = "file"
    assert page.result.titles == ("A", "B")
    assert notice(page) == ""


def test_a_class_of_one_read_and_one_class_twice_get_a_sentence(page):
    before = page.lab.values()
    choose(page, (b"A,ACG\nB,GGG\nB,CCC\n", "mine.csv"))
    click(page.user_data.button)
    assert "A: 1" in said(page)
    page.user_data.first.value = "B"
    click(page.user_data.button)
    assert "Both classes are B" in said(page)
    for raw, sentence in ((b"A,AC\nA,GT\n", "the one class 'A'"), (b"\xff\xfe\x00", "no UTF-8 text")):
        page.user_data.choose(raw, "mine.txt")
        assert sentence in said(page)
        assert not page.user_data.button.visible
    assert page.lab.values() == before
