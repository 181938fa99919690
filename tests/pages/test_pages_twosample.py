"""The Two-sample lab's page without a browser: points and rows moved by the user, dependent choices, refusals."""

import json
from html import unescape

import pytest
from helpers.page_helpers import notice, open_page

from explorer.pages import TwoSamplePage
from explorer.pages.user_data.group_column import SECOND

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


def small(**words):
    return open_page(TwoSamplePage, n="12", m="15", permutations="199", **words)


def test_rows_are_left_out_and_put_back():
    page = small(picture="influence", outliers="1", kernel="POLY2")
    first, samples = page.result.influence[0], page.result.samples
    assert page.without[0].label == f"without {samples.rows[first.row]}"
    page.leave_out(0)
    assert page.lab.dropped == json.dumps([samples.word(first.row)])
    assert page.result.pvalue == first.pvalue
    assert page.pressed["back"].visible
    page.navigation.undo()
    assert page.lab.dropped == ""
    page.leave_out(1)
    page.put_back()
    assert page.lab.dropped == ""
    assert not page.pressed["back"].visible


def test_a_point_of_each_sample_can_be_dragged():
    page = small(dropped='["P1"]')
    page.on_drag("P", [0, 0.5, -1.0])
    assert page.lab.moved_p == '{"1":[0.5,-1.0]}'  # the first remaining point
    page.on_drag("Q", [3, 2.0, 1.0])
    assert page.result.samples.Y[3].tolist() == [2.0, 1.0]
    page.move(None, d=1)
    page.on_drag("Q", [0, 0.7, -1.2])
    assert page.result.samples.Y[0].tolist() == [0.7]


def test_the_self_check_is_a_button():
    page = small()
    page.move("samples", samples=20, picture="power")
    assert (page.result.checked.equal.count, page.pressed["check"].label) == (20, "20 checks")
    page.check()
    assert (page.lab.samples, page.pressed["check"].label) == (0, "Self-check")


def test_each_state_has_its_pictures_and_they_are_made_when_they_are_first_seen():
    page = small()
    assert not page.arranged.pictures["power"].objects
    for fields, seen in (
        ({}, ["plane", "null", "bandwidths"]),
        ({"picture": "x-ray"}, ["plane", "null", "x-ray"]),
        ({"kernel": "POLY2"}, ["plane", "null", "moments"]),
        ({"d": 1}, ["line", "null", "moments"]),
    ):
        page.move(None, **fields)
        assert [name for name, place in page.arranged.pictures.items() if place.visible] == seen


def test_a_choice_takes_along_what_it_asks_of_others():
    page = small()
    page.choose("estimator", "F-KMSE")
    assert page.lab.statistic == "biased"
    page.choose("statistic", "unbiased")
    assert "take statistic &#39;biased&#39;" in notice(page)
    page.choose("source", "wine")  # with the sizes of its groups
    assert (page.lab.n, page.lab.m, page.pairs.visible) == (59, 71, True)
    assert list(page.pairs.options) == ["1 and 2", "1 and 3", "2 and 3"]
    page.pairs.value = '["2", "3"]'
    assert (page.lab.n, page.lab.m, notice(page)) == (59, 48, "")


PLAIN = b"a,b\n1,2\n3,5\n4,4\n5,5\n"


@pytest.mark.parametrize(
    ("first", "second", "group", "said"),
    [
        (b"a,who\n1,x\n2,x\n3,x\n", None, "who", "has 1 group in column 'who'"),
        (b"a,who\n1,x\n2,\n3,y\n", None, "who", "1 cell is missing"),
        (b"a,who\n1,x\n2,y\n3,x\n4,x\n5,x\n", None, "who", "one of the two samples has 1 row; each needs at least 3"),
        (PLAIN, None, SECOND, "Choose a second file, after"),
        (
            PLAIN,
            PLAIN.replace(b"b", b"c"),
            SECOND,
            "p.csv has the columns a, b, and q.csv a, c; choose a under columns.",
        ),
    ],
    ids=["one group", "a gap", "one row", "one file", "other columns"],
)
def test_what_makes_no_two_samples_is_a_sentence_at_the_button(at_once, first, second, group, said):
    page = small()
    before = page.lab.values()
    page.user_data.choose(first, "p.csv")
    if second:
        page.user_data.choose(second, "q.csv", 1)
    page.user_data.group.value = group
    page.user_data.button.clicks += 1
    assert said in unescape(page.user_data.trouble.object)
    assert page.lab.values() == before
