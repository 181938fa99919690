"""The Two-sample lab's page without a browser: it opens, follows, lets rows be left out, and takes one's own data."""

import asyncio
import json
from html import unescape

import param
import pytest
from paging import ask, drawn, notice, opened, same, trouble, type_in

from explorer.datasets import preview_table
from explorer.labs.twosample import TwoSampleLab
from explorer.pages import TwoSamplePage
from explorer.pages.own.groups import SECOND

SMALL = {"n": "12", "m": "15", "permutations": "199"}


def small(**words):
    return opened(TwoSamplePage, **SMALL, **words)


@pytest.mark.thorough
def test_questions_move_the_lab():
    page, fields = small(), {"n": 12, "m": 15, "permutations": "199"}
    for serial, (name, index) in enumerate({"size": 3, "m": 4, "outliers": 2, "d": 0, "bandwidth": 5}.items(), 1):
        fields[name] = list(page.sliders[name].slider.options.values())[index]
        assert ask(page, serial, **{name: [index, False]}) == serial
        assert page.lab == TwoSampleLab(**fields)
    assert page.result.lab == page.lab
    assert same(page.view.seen(page.result), drawn(page))


@pytest.mark.thorough
def test_the_browsers_table_is_there_once_the_hand_has_rested():
    page = small()
    stamp = page.screen.lookup.stamp
    assert page.result.answers
    assert stamp.table == stamp.shown
    assert len(stamp.sentences) == len(page.result.stops)
    assert page.sliders["bandwidth"].steps == list(page.result.stops)


@pytest.mark.thorough
def test_a_bandwidth_that_the_browser_drew_has_its_own_numbers_in_the_end():
    page = small()
    before = drawn(page)
    assert ask(page, 1, bandwidth=[5, True]) == 1
    page.rest()
    assert page.lab.bandwidth == page.result.stops[5]
    assert page.result.influence is not None
    assert page.result.pending() == ()
    assert page.frame.headline.object == page.headline(page.lab.result(), 5)
    assert not same(before, drawn(page))
    assert faithful_when_settled(page, n=12, m=15, permutations="199", bandwidth=page.lab.bandwidth)


def faithful_when_settled(page, **fields):
    lab = TwoSampleLab(**fields)
    result = page.lab.result()
    return (
        page.lab == lab and same(page.view.seen(result), drawn(page)) and page.frame.texts.code == page.python(result)
    )


@pytest.mark.thorough
def test_a_typed_bandwidth_has_a_row_of_its_own():
    page = small()
    type_in(page, "bandwidth", "0.123")
    assert 0.123 in page.result.stops
    assert page.result.answers
    assert page.sliders["bandwidth"].slider.value == 0.123


@pytest.mark.thorough
def test_more_outliers_than_points_are_refused_beside_their_control():
    page = small()
    type_in(page, "outliers", "15")
    assert "outliers need m of at least 16" in trouble(page, "outliers")
    assert page.lab.outliers == 0


@pytest.mark.thorough
def test_rows_are_left_out_and_put_back():
    page = small(picture="influence", outliers="1", kernel="POLY2")
    first, samples = page.result.influence[0], page.result.samples
    assert page.without[0].label == f"without {samples.rows[first.row]}"
    page.leave_out(0)
    assert page.lab.dropped == json.dumps([samples.word(first.row)])
    assert page.result.pvalue == first.pvalue
    assert page.pressed["back"].visible
    page.places.undo()
    assert page.lab.dropped == ""
    page.leave_out(1)
    page.put_back()
    assert page.lab.dropped == ""
    assert not page.pressed["back"].visible


@pytest.mark.thorough
def test_a_point_of_each_sample_can_be_dragged():
    page = small(dropped='["P1"]')
    assert ask(page, 1, P=[[0, 0.5, -1.0], False]) == 1
    assert page.lab.moved_p == '{"1":[0.5,-1.0]}'  # the first that is left
    assert ask(page, 2, Q=[[3, 2.0, 1.0], False]) == 2
    assert page.result.samples.Y[3].tolist() == [2.0, 1.0]
    flat = small(d="1")
    ask(flat, 1, Q=[[0, 0.7, -1.2], False])
    assert flat.result.samples.Y[0].tolist() == [0.7]


@pytest.mark.thorough
def test_the_self_check_is_a_button():
    page = small()
    page.move("samples", samples=20, picture="power")
    assert page.result.checked.equal.count == 20
    assert page.pressed["check"].label == "20 checks"
    page.check()
    assert page.lab.samples == 0
    assert page.pressed["check"].label == "Self-check"


@pytest.mark.thorough
def test_pictures_are_made_when_they_are_first_seen():
    page = small()
    assert [name for name, place in page.arranged.pictures.items() if place.visible] == ["null", "plane", "bandwidths"]
    assert not page.arranged.pictures["power"].objects
    page.choose("picture", "x-ray")
    assert page.arranged.pictures["x-ray"].visible
    page.choose("kernel", "POLY2")
    assert page.arranged.pictures["moments"].visible
    assert not page.arranged.pictures["x-ray"].visible
    page.move("d", d=1)
    assert page.arranged.pictures["line"].visible
    assert not page.arranged.pictures["plane"].visible


@pytest.mark.thorough
def test_f_kmse_takes_the_biased_statistic_along():
    page = small()
    page.choose("estimator", "F-KMSE")
    assert page.lab.statistic == "biased"
    page.choose("statistic", "unbiased")
    assert "take statistic &#39;biased&#39;" in notice(page)


@pytest.mark.thorough
def test_a_bundled_table_opens_with_sizes_that_it_has():
    page = small()
    page.choose("source", "wine")
    assert (page.lab.n, page.lab.m) == (59, 71)
    assert page.pairs.visible
    assert list(page.pairs.options) == ["1 and 2", "1 and 3", "2 and 3"]
    page.pairs.value = '["2", "3"]'
    assert (page.lab.n, page.lab.m) == (59, 48)
    assert notice(page) == ""


TABLE = b"a,b,who\n" + b"".join(b"%d,%d,%s\n" % (i, i * i % 7, b"xyx"[i % 3 : i % 3 + 1]) for i in range(30))


def used(page):
    page.own.use(page.own.read())


@pytest.mark.thorough
def test_a_table_with_a_column_of_groups():
    page = small()
    page.own.choose(TABLE, "t.csv")
    assert page.own.group.value == "who"
    used(page)
    assert (page.lab.source, page.lab.group, page.lab.n, page.lab.m) == ("file", "who", 20, 10)
    assert page.result.samples.called == ("group x of t.csv", "group y of t.csv")
    assert "t.csv" not in page.frame.notice.object
    again = opened(TwoSamplePage, **page.lab.flat())
    assert "stays with its owner" in notice(again)
    again.own.choose(TABLE, "t.csv")
    assert again.own.group.value == "who"
    used(again)
    assert again.lab == page.lab
    assert notice(again) == ""


def at_once(coroutine):
    """Run a coroutine to its end."""
    asyncio.run(coroutine())


@pytest.mark.thorough
def test_words_are_categories_and_missing_rows_are_dropped_by_a_button(monkeypatch):
    monkeypatch.setattr(param.parameterized, "async_executor", at_once)
    rows = (f"{i},{'xy'[i % 2]},{'Ulm' if i % 3 else 'Bonn'}\n" for i in range(30))
    raw = f"age,who,city\n{''.join(rows)}".encode()
    page = small()
    page.own.choose(raw + b",x,Ulm\n", "t.csv")
    assert page.own.columns.value == ["age", "city"]
    assert "Compared as categories: city." in page.own.about.object
    page.own.button.clicks += 1
    said = unescape(page.own.trouble.object)
    assert "1 cell is missing, in 1 of 31 rows, the first in line 32, column 'age'." in said
    assert "missing=" not in page.own.trouble.object
    assert (page.own.drop.visible, page.own.drop.label) == (True, "Drop 1 row with missing values")
    page.own.drop.clicks += 1
    assert not page.own.drop.visible
    assert (page.lab.missing, page.lab.rows, page.lab.columns) == ("drop", 30, "")
    assert page.result.samples.names == ("age", "city=Bonn", "city=Ulm")
    assert "age in its own units" in page.frame.caption.object  # as on the command line
    assert "city is a category of 2 levels" in page.frame.caption.object
    page.own.group.value = "city"
    assert page.own.columns.value == ["age", "who"]


@pytest.mark.thorough
def test_two_files():
    page = small()
    page.own.choose(b"a,b\n" + b"1,2\n3,5\n4,4\n" * 5, "p.csv")
    assert page.own.group.value == SECOND
    with pytest.raises(ValueError, match="Choose a file for after"):
        page.own.read()
    other = b"a,b\n" + b"2,2\n3,9\n4,1\n" * 4
    page.own.choose_second(other, preview_table(other, name="q.csv"))
    used(page)
    assert (page.lab.file2, page.lab.n, page.lab.m) == ("q.csv", 15, 12)
    assert page.result.samples.called == ("p.csv", "q.csv")


NO_TWO = [
    (b"a,who\n1,x\n2,x\n3,x\n", "who", "has 1 group in column 'who'"),
    (b"a,who\n1,x\n2,\n3,y\n", "who", "1 cell is missing"),
    (b"a,b\n1,2\nx,3\n2,2\n", SECOND, "Choose a file for after"),
]


@pytest.mark.thorough
def test_what_makes_no_two_samples_is_refused_with_a_sentence():
    page = small()
    before = page.lab.values()
    for first, group, sentence in NO_TWO:
        page.own.choose(first, "t.csv")
        page.own.group.value = group
        with pytest.raises(ValueError, match=sentence):
            page.own.read()
        assert page.lab.values() == before
    page.own.choose(b"a,b\n1\n", "t.csv")
    assert page.own.preview is None
    assert page.own.trouble.object


@pytest.mark.thorough
def test_files_of_other_columns_and_groups_of_one_row_are_refused(monkeypatch):
    monkeypatch.setattr(param.parameterized, "async_executor", at_once)
    page = small()
    page.own.choose(b"a,b\n1,2\n3,5\n4,4\n5,5\n", "p.csv")
    other = b"a,c\n1,2\n3,5\n4,4\n5,5\n"
    page.own.choose_second(other, preview_table(other, name="q.csv"))
    page.own.button.clicks += 1
    assert "p.csv has the columns a, b, and q.csv a, c; choose a under columns." in page.own.trouble.object
    page.own.choose(b"a,who\n1,x\n2,y\n3,x\n4,x\n5,x\n", "t.csv")
    page.own.group.value = "who"  # the second file stays until a column names groups
    with pytest.raises(ValueError, match="one of the two samples has 1 row; each needs at least 3"):
        page.own.read()


def test_identifiers_name_no_groups():
    """The first column of words is an identifier.

    The second names the groups, and the preview says what becomes of both.
    """
    page = small()
    rows = "".join(f"row{i},{i % 7},{'old' if i % 2 else 'new'}\n" for i in range(40))
    page.own.choose(f"id,value,method\n{rows}".encode(), "t.csv")
    assert page.own.group.value == "method"
    assert "Left out: id (another word in every row)." in page.own.about.object
