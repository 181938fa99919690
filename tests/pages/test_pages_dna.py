"""The DNA page without a browser: what a hand moves, what is said, reads of one's own."""

import asyncio
import json
from html import unescape
from urllib.parse import parse_qsl

import param
import pytest
from paging import ask, faithful, notice, opened, trouble, type_in

from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.labs.dna import DnaLab
from explorer.labs.dna.page import DnaPage
from explorer.labs.dna.stories import PRESETS
from explorer.labs.dna.words import letters

pytestmark = pytest.mark.thorough  # what the first lab's page shows of the chassis runs by default

SMALL = {"n": "12", "blocks": "5", "shuffles": "19", "flips": "19"}


@pytest.fixture(scope="module")
def kept():
    """One page for most tests, as opening one takes a second."""
    return opened(DnaPage, **SMALL)


@pytest.fixture
def page(kept):
    """The page, put back to its first state."""
    kept.lab.own = None
    kept.own.choose()
    kept.places.reset()
    kept.rest()
    kept.frame.say([])
    return kept


def small(**fields):
    return {**{name: int(word) for name, word in SMALL.items()}, **fields}


def click(button):
    button.clicks += 1


@pytest.mark.thorough
def test_refused_words_are_in_the_notice_and_the_good_ones_hold():
    refused = {"length": "9", "decay": "0", "blocks": "4", "pair": "<b>", "bogus": "1"}
    page = opened(DnaPage, **{**SMALL, **refused}, seed="3")
    assert page.lab == DnaLab(**small(seed=3, blocks=11))
    assert notice(page).count("<li>") == len(refused)
    assert "<b>" not in notice(page)


@pytest.mark.thorough
def test_a_typed_number_is_followed_by_all(page):
    fields = {
        "decay": 0.33,
        "length": 2,
        "n": 15,
        "contaminated": 4,
        "blocks": 3,
        "longer": 3,
        "shuffles": 33,
        "flips": 44,
        "seed": 7,
    }
    for i, (name, value) in enumerate(fields.items(), 1):
        type_in(page, name, str(value))
        assert faithful(page, **small(**dict(list(fields.items())[:i])))
        assert trouble(page, name) == ""


@pytest.mark.thorough
def test_a_refusal_is_said_beside_its_control_and_nothing_is_lost(page):
    before = page.lab.values()
    for name, word, said in (
        ("decay", "1.5", "at most 1"),
        ("length", "0", "at least 1"),
        ("contaminated", "13", "need n of at least 13"),
        ("n", "3", "at most n = 3, not 5"),
        ("blocks", "6", "odd whole number"),
        ("n", "abc", "whole number"),
    ):
        type_in(page, name, word)
        assert said in trouble(page, name)
        assert page.lab.values() == before
        assert page.controls[name].box.value == word


def test_too_many_reads_are_said_above_and_the_picture_stays(page):
    before = page.result
    page.move("n", n=401)
    assert "more than the 400 strings" in notice(page)
    assert page.result is before
    page.move("n", n=12)
    assert notice(page) == ""


@pytest.mark.thorough
def test_a_menu_is_followed_by_all(page):
    fields = {
        "classes": "IE/N",
        "compare": "second with itself",
        "normalized": False,
        "picture": "plain",
        "kind": "random letters",
        "method": "bcd",
        "level": "0.10",
    }
    for i, (name, value) in enumerate(fields.items(), 1):
        page.choice[name].value = value
        assert faithful(page, **small(**dict(list(fields.items())[:i])))


def test_a_pressed_cell_shows_its_reads(page):
    before = page.pacer.request.answered
    assert ask(page, before + 1, cell=[[2, 15], False]) == before + 1
    assert page.lab.pair == "X3 Y4"
    assert page.pair.object == letters(page.result)
    assert ask(page, before + 2, cell=[[99, 0], False]) == before + 2  # of a picture that is gone
    assert page.lab.pair == "X3 Y4"
    assert notice(page) == ""


def test_slider_questions_are_answered(page):
    at, before = page.sliders["decay"].steps.index(0.8), page.pacer.request.answered
    assert ask(page, before + 1, decay=[at, False]) == before + 1
    assert faithful(page, **small(decay=0.8))
    assert page.sliders["decay"].steps == [round(0.1 + 0.05 * i, 10) for i in range(19)]


def test_more_draws_come_and_go(page):
    page.move("samples", samples=3)
    assert page.result.replicates.count == 3
    assert "In 3 more draws" in page.frame.headline.object
    click(page.pressed["hundred"])
    assert page.result.replicates is None


# reads of one's own

CLASSED = b"class,sequence\n" + b"".join(
    b"%s,%s\n" % pair for pair in zip([b"A", b"B"] * 6, [b"ACGTA", b"GGCAC", b"TTACG"] * 4, strict=True)
)
FIRST, SECOND = b">x\nACGTA\n>y\nGGCAA\n>z\nACGGG\n", b"TTACG\nACCAT\nGTATT\nCCCCC\n"


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Coroutines run to their end as they are asked for, each in a loop that is closed again."""
    monkeypatch.setattr(param.parameterized, "async_executor", lambda coroutine: asyncio.run(coroutine()))


def choose(page, *files):
    """What the file widgets do once files were chosen."""
    for widget in page.own.files:
        widget.value = None
    for widget, (raw, name) in zip(page.own.files, files, strict=False):
        widget.param.update(value=raw, filename=name)


def said(page):
    return unescape(page.own.trouble.object)


def test_one_file_with_classes_is_chosen_looked_at_and_used(page):
    choose(page, (CLASSED, "mine.csv"))
    assert said(page) == ""
    assert "12 strings, 6 of A, 6 of B" in page.own.about.object
    assert page.lab == DnaLab(**small())  # looking is not using
    click(page.own.button)
    table = read_string_classes(CLASSED, "mine.csv")
    assert (
        page.lab.values() | {"blocks": 5}
        == DnaLab(**small(n=6, source="file", file="mine.csv", rows=12, hash=table.hash, groups='["A", "B"]')).values()
    )
    assert page.result.titles == ("A", "B")
    assert sorted(page.result.X.tolist()) == sorted(table.only("A").X.tolist())
    assert page.choice["source"].value == "file"
    assert page.choice["classes"].disabled
    assert "ACGTA" not in page.link()


def test_two_files_are_two_classes(page):
    choose(page, (SECOND, "b.txt"))
    assert "b.txt has 4 strings and no classes: choose the other class's file too" in said(page)
    choose(page, (FIRST, "a.fa"), (SECOND, "b.txt"))
    assert said(page) == ""
    click(page.own.button)
    assert page.lab.groups == json.dumps(["a.fa", "b.txt"])
    assert (page.lab.n, page.lab.blocks) == (3, 3)
    assert page.lab.hash == two_classes(read_strings(FIRST, "a.fa"), read_strings(SECOND, "b.txt")).hash
    assert notice(page) == ""


@pytest.mark.thorough
def test_a_link_asks_for_the_file_and_takes_it(page):
    choose(page, (CLASSED, "mine.csv"))
    page.own.second.value, page.own.first.value = "A", "B"
    click(page.own.button)
    page.move("decay", decay=0.8)
    again = DnaPage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    assert "mine.csv (12 reads), which stay with their owner" in notice(again)
    choose(again, (CLASSED, "mine.csv"))
    assert (again.own.first.value, again.own.second.value) == ("B", "A")
    click(again.own.button)
    assert again.lab == page.lab
    assert again.result.titles == ("B", "A")
    assert notice(again) == ""


@pytest.mark.thorough
def test_reads_that_the_session_has_are_a_menu_away(page):
    choose(page, (CLASSED, "mine.csv"))
    click(page.own.button)
    page.places.open(PRESETS[0])
    assert page.result.titles == ("EI", "IE")
    page.move("n", n=6, blocks=3)
    page.choice["source"].value = "file"
    assert page.result.titles == ("A", "B")
    assert notice(page) == ""


def test_reads_that_are_still_named_come_back_with_what_was_moved_since(page):
    choose(page, (CLASSED, "mine.csv"))
    click(page.own.button)
    page.choice["source"].value = "synthetic"
    page.move("n", n=5)
    page.choice["source"].value = "file"
    assert page.result.titles == ("A", "B")
    assert page.lab.n == 5


def test_what_cannot_be_read_gets_a_sentence_and_nothing_is_lost(page):
    before = page.lab.values()
    for raw, sentence in (
        (b"", "is empty"),
        (b"ACGT\nGG\n", "has no class"),
        (b"A,AC\nA,GT\n", "the one class 'A'"),
        (b"A,AC\x07\nB,GT\n", "U+0007"),
        (b"\xff\xfe\x00", "no UTF-8 text"),
        (b">x\n>y\nAC", "no letters"),
    ):
        page.own.choose((raw, "mine.txt"))
        assert sentence in said(page)
        assert not page.own.button.visible
        assert page.lab.values() == before


def test_a_class_of_one_read_and_one_class_twice_get_a_sentence(page):
    choose(page, (b"A,ACG\nB,GGG\nB,CCC\n", "mine.csv"))
    click(page.own.button)
    assert "A: 1" in said(page)
    page.own.first.value = "B"
    click(page.own.button)
    assert "Both classes are B" in said(page)
    assert page.lab.source == "synthetic"


def test_reads_shorter_than_a_subsequence_are_shown(page):
    choose(page, (b"A,AC\nA,G\nA,CC\nB,GG\nB,CA\nB,T\n", "short.csv"))
    click(page.own.button)
    assert notice(page) == ""
    assert "Neither test" in page.frame.headline.object
    assert "share no subsequence of 3 letters" in page.pair.object


def test_markup_in_names_stays_text(page):
    choose(page, (b"<i>A</i>,ACG\n<i>A</i>,CCG\nB,GGG\nB,CCC\n", "<b>x</b>.csv"))
    click(page.own.button)
    shown = [
        page.own.about.object,
        page.frame.headline.object,
        page.frame.caption.object,
        page.pair.object,
        page.sums.object,
        page.frame.twin.object,
        page.frame.code.object,
    ]
    assert not any("<b>x" in part or "<i>A" in part for part in shown)
