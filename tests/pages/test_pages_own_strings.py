"""The user's reads on the page: pasted with their classes, pasted class by class, or an example."""

from html import unescape

import pytest
from helpers.page_helpers import notice, open_page, paste

from explorer.datasets import read_string_classes
from explorer.markup import text_of
from explorer.pages import DnaPage
from explorer.pages.user_data.strings import PASTED

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab

SMALL = {"n": "6", "blocks": "3", "shuffles": "19", "flips": "19"}
FASTA = "".join(f">read{i} {'EI' if i % 2 else 'IE'}\n{'ACGT'[i % 4] * 3}CA\n" for i in range(12))


@pytest.fixture
def page():
    return open_page(DnaPage, **SMALL)


def test_fasta_with_classes_is_pasted_and_used(page):
    paste(page, FASTA)
    assert "12 strings, 6 of IE, 6 of EI" in unescape(page.user_data.about.object)
    page.user_data.button.clicks += 1
    assert (page.lab.source, page.lab.file, notice(page)) == ("file", "pasted.txt", "")
    assert page.lab.hash == read_string_classes(FASTA.encode()).hash
    assert page.chrome.arrival.count == 1


def test_one_class_is_pasted_after_the_other(page):
    paste(page, "ACGTA\nGGCAA\nACGGG\n")
    assert "class" in page.user_data.trouble.object
    paste(page, "TTACG\nACCAT\nGTATT\n")
    assert page.user_data.trouble.object == ""
    assert [copy.filename for copy in page.user_data.intake.copies] == ["pasted.txt", PASTED]
    page.user_data.button.clicks += 1
    assert (page.lab.file, page.lab.second_file, page.lab.rows) == ("pasted.txt", PASTED, 6)
    paste(page, FASTA)  # one set that replaces both
    assert "12 strings" in page.user_data.about.object


def test_an_example_is_shown_at_the_headline(page):
    paste(page, FASTA)
    page.user_data.button.clicks += 1
    page.user_data.intake.examples.press(0)
    assert (page.lab.source, page.chrome.arrival.count) == ("synthetic", 2)


@pytest.mark.parametrize("text", ["ACGTA\nGGCAA\n", ">a EI\nAC\n>b EI\nGT\n", " "])
def test_strings_that_cannot_be_used_leave_no_answer(page, text):
    paste(page, FASTA)
    page.user_data.button.clicks += 1
    paste(page, text)
    assert page.user_data.trouble.visible
    assert text_of(page.user_data.trouble.object) in text_of(notice(page))
    assert page.blank
    paste(page, FASTA)
    assert notice(page) == ""
    page.user_data.button.clicks += 1
    assert not page.blank
