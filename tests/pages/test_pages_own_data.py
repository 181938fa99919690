"""The user's table on the page: chosen, previewed, used or refused with a message; and never in a link."""

import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest
from helpers.naming import names_all
from helpers.page_helpers import about, choose, live_columns, notice, paste, unfold, use

from explorer import SKMSE, Laplacian, Precomputed
from explorer.datasets import read_table
from explorer.datasets.columns.table import sha256
from explorer.datasets.files import contents
from explorer.labs.density.page import DensityPage
from explorer.labs.marginalized.page import MarginalizedPage
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.twosample.page import TwoSamplePage
from explorer.pages import page_class
from explorer.pages.user_data.columns import Columns
from explorer.pages.user_data.panel import UserData
from explorer.pages.user_data.reading import LIVE

pytestmark = [pytest.mark.usefixtures("at_once"), pytest.mark.thorough]  # all pages share this code

RAW = b"who,a,b,c\n" + b"".join(
    f"p{i},{x:.6f},{y:.6f},{z:.6f}\n".encode()
    for i, (x, y, z) in enumerate(np.random.default_rng(5).normal([3, 0, -1], [1, 50, 0.1], (60, 3)))
)
GAPS = RAW + b"p60,,1,2\np61,1,NaN,2\n"


def drop(page):
    assert page.user_data.drop.visible
    page.user_data.drop.clicks += 1


def trouble(page):
    pane = page.user_data.trouble
    assert pane.visible == bool(pane.object)
    return unescape(pane.object)


def same(a, b):
    return all(np.array_equal(a[s][c], b[s][c], equal_nan=True) for s in a for c in a[s])


@pytest.fixture
def page():
    return ShrinkagePage({})


@pytest.fixture(scope="module")
def still():
    """Return a page for tests whose tables are all refused."""
    return ShrinkagePage({})


def test_choose_look_use(page):
    assert not page.user_data.button.visible
    choose(page, RAW)
    table = read_table(RAW, name="mine.csv", standardise=True)
    assert trouble(page) == ""
    assert page.user_data.columns.value == page.user_data.columns.options == ["a", "b", "c"]
    assert page.user_data.button.visible
    for word in ("mine.csv", "60", "who", "p0", "a", "b", "c"):
        assert word in page.user_data.about.object
    assert page.lab == ShrinkageLab()  # a preview does not change the lab
    use(page)
    assert trouble(page) == ""
    assert page.lab == ShrinkageLab(source="file", n=60, file="mine.csv", rows=60, hash=table.hash)
    assert np.array_equal(page.result.X, table.sample(60, 1))
    assert same(page.view.columns(page.lab.result()), live_columns(page))
    assert page.choice["source"].value == "file"
    assert page.controls["n"].box.value == "60"
    assert "mine.csv" in page.chrome.headline.object


@pytest.mark.thorough
def test_some_columns_unscaled_without_the_gaps(page, tmp_path, monkeypatch):
    choose(page, GAPS)
    assert "2 missing" in page.user_data.about.object
    page.user_data.columns.value = ["c", "a"]
    page.user_data.standardise.value = False
    drop(page)
    use(page)
    table = read_table(GAPS, columns=["c", "a"], missing="drop", name="mine.csv")
    assert table.n == 61
    lab = page.lab
    assert (lab.columns, lab.missing, lab.standardise, lab.rows, lab.n) == ('["c", "a"]', "drop", False, 61, 61)
    assert np.array_equal(page.result.X, table.sample(61, 1))
    assert page.result.names == ("c", "a")
    copied(page, GAPS, tmp_path, monkeypatch)


def copied(page, raw, folder, monkeypatch):
    """Run the page's Python next to the file, and check that it gives the page's numbers."""
    monkeypatch.chdir(folder)
    (folder / page.lab.file).write_bytes(raw)
    space = {}
    exec(page.chrome.bar.share.code, space)
    shown = [1 - page.result.gain(page.result.simple), 1 - page.result.gain(page.result.flexible)]
    assert [space["losses"]["S-KMSE"], space["losses"]["F-KMSE"]] == pytest.approx(shown, rel=1e-12, abs=1e-12)


@pytest.mark.thorough
def test_any_column_name_can_be_used_and_copied(page, tmp_path, monkeypatch):
    for header in (b"a|b,c,d", b"|,c,d", b"a,c,d"):
        raw = RAW.replace(b"who,a,b,c", b"who," + header)
        choose(page, raw)
        page.user_data.columns.value = page.user_data.columns.options[:2]
        use(page)
        assert trouble(page) == ""
        copied(page, raw, tmp_path, monkeypatch)


@pytest.mark.thorough
def test_the_order_of_columns_is_the_one_shown(page, tmp_path, monkeypatch):
    choose(page, RAW)
    use(page)
    page.user_data.columns.value = ["c", "b", "a"]
    use(page)
    assert page.result.names == ("c", "b", "a")
    assert page.view.figures["sample"].xaxis.axis_label == "c"
    space = {}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_bytes(RAW)
    exec(page.chrome.bar.share.code, space)
    assert np.array_equal(space["X"], page.result.X)


@pytest.mark.thorough
def test_a_large_table_opens_with_some_of_its_rows(page):
    raw = b"a,b\n" + b"".join(b"%d,%d\n" % (i % 37, i * i % 101) for i in range(500))
    choose(page, raw)
    use(page)
    assert (page.lab.n, page.lab.rows) == (LIVE, 500)
    page.controls["n"].box.value = "400"
    assert page.result.lab.n == 400


NO_TABLES = (
    (b"who,where\na,b\nc,d\n", "column"), (b"a,b\n", "row"), (b"", "empty"), (b"a,b\n1,2\n3\n", "line 3"),
    (b"\xff\xfe1", "UTF-8"), (b"PK\x03\x04\x00\x00", "text"),
)  # fmt: skip


def test_what_is_no_table_is_refused_at_the_choice(page):
    before = live_columns(page)
    for raw, said in NO_TABLES:
        choose(page, raw, "bad.csv")
        assert "<div role='alert'" in page.user_data.trouble.object
        assert "bad.csv" in trouble(page)
        assert said in trouble(page)
        assert not page.user_data.button.visible
        assert page.lab == ShrinkageLab()
        assert same(before, live_columns(page))
        choose(page, RAW)
        assert trouble(page) == ""
        assert page.user_data.button.visible


def test_what_cannot_be_used_is_refused_at_the_button(page):
    before = live_columns(page)
    for raw, said in (
        (b"a,b\n1,2\nNaN,3\n4,5\n", "missing"),
        (b"a,b\n1,2\n", "1 row"),
        (b"a,b\n1,2\n1e999,3\n4,5\n", "infinite"),
    ):
        choose(page, raw, "bad.csv")
        use(page)
        assert "bad.csv" in trouble(page)
        assert said in trouble(page)
        assert page.lab == ShrinkageLab()
        assert same(before, live_columns(page))
    choose(page, RAW)
    use(page)
    assert trouble(page) == ""
    assert page.lab.file == "mine.csv"


@pytest.mark.thorough
def test_no_column_chosen_is_a_sentence(page):
    choose(page, RAW)
    page.user_data.columns.value = []
    use(page)
    assert trouble(page)
    assert page.lab == ShrinkageLab()


@pytest.mark.thorough
def test_too_large_a_file_is_refused(page, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 0.001)
    before = live_columns(page)
    choose(page, RAW)
    assert "limit" in trouble(page)
    assert not page.user_data.button.visible
    assert same(before, live_columns(page))


@pytest.mark.thorough
def test_a_bad_file_leaves_the_table_in_use(page):
    choose(page, RAW)
    use(page)
    lab, before = page.lab.replace(), live_columns(page)
    choose(page, b"a,b\n1\n", "bad.csv")
    assert trouble(page)
    assert page.lab == lab
    assert same(before, live_columns(page))
    page.controls["bandwidth"].box.value = "0.5"
    assert page.result.lab == lab.replace(bandwidth=0.5)


@pytest.mark.thorough
def test_after_a_bad_file_the_button_does_not_use_an_older_one_unseen(page):
    choose(page, RAW)
    choose(page, b"a,b\n1\n", "bad.csv")
    if page.user_data.button.visible:
        use(page)
    assert page.lab == ShrinkageLab() or "mine.csv" in page.user_data.about.object


@pytest.mark.thorough
def test_a_table_of_equal_rows_has_nothing_to_gain(page):
    choose(page, b"a,b\n" + b"2,3\n" * 8)
    use(page)
    assert trouble(page) == ""
    assert "coincide" in page.chrome.caption.object
    assert page.result.lab.file == "mine.csv"
    assert page.result.gain(page.result.simple) == page.result.gain(page.result.flexible) == 0
    assert np.isfinite(live_columns(page)["loss.curves"]["simple_score"]).all()


def test_cells_are_text_not_html(page):
    choose(page, b"<b>x</b>,y\n<i>1</i>,2\n<i>3</i>,4\n", "<u>.csv")
    assert not any(tag in page.user_data.about.object for tag in ("<b>x", "<i>1", "<u>."))


# columns and rows left out

PEOPLE = b"id;height;arm;day\n" + b"".join(
    b"%d;1,%d;%s;2024-01-%02d\n" % (i, 50 + i * 7 % 40, b"ab"[i % 2 : i % 2 + 1], 1 + i) for i in range(1, 21)
)


def test_an_identifier_and_dates_are_left_out_with_a_word_and_come_back_by_a_press(page):
    choose(page, PEOPLE)
    assert page.user_data.columns.value == ["height", "arm"]
    assert "decimal commas" in about(page)
    assert names_all(about(page), "categories", "arm")
    assert "Left out: id (an identifier), day (dates)." in about(page)
    assert (page.user_data.unused.words, page.user_data.unused.visible) == (["Use id", "Use day"], True)
    page.user_data.unused.press(1)
    assert page.user_data.columns.value == ["height", "arm", "day"]
    assert "Left out: id (an identifier)." in about(page)
    page.user_data.unused.press(0)
    assert page.user_data.columns.value == ["id", "height", "arm", "day"]
    assert not page.user_data.unused.visible
    assert "Left out" not in about(page)


def test_what_the_page_read_leniently_is_copied_and_linked_so(page, tmp_path, monkeypatch):
    choose(page, PEOPLE)
    use(page)
    lab = page.lab
    assert (lab.columns, lab.lenient, lab.rows) == ('["height", "arm"]', True, 20)
    assert page.result.names == ("height", "arm=a", "arm=b")
    assert "columns=['height', 'arm'], standardise=True, lenient=True)" in page.chrome.bar.share.code
    copied(page, PEOPLE, tmp_path, monkeypatch)
    other = ShrinkagePage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    choose(other, PEOPLE)
    use(other)
    assert other.lab == page.lab
    assert same(live_columns(page), live_columns(other))


@pytest.mark.thorough
def test_a_clean_file_is_copied_as_before(page):
    choose(page, RAW)
    use(page)
    assert "read_table('mine.csv', standardise=True)" in page.chrome.bar.share.code
    assert not page.lab.lenient


@pytest.mark.thorough
def test_an_old_link_to_a_file_that_a_lenient_reader_reads_otherwise_opens_as_its_sender_used_it():
    raw = b"a,b\n" + b"".join(b"%d,%s\n" % (i * i % 11, b"-" if i == 4 else b"%d" % (i % 7)) for i in range(20))
    other = ShrinkagePage({"source": "file", "file": "mine.csv", "rows": "20", "hash": sha256(raw)})
    choose(other, raw)
    assert other.user_data.columns.value == ["a"]
    use(other)
    assert (other.result.names, other.lab.lenient) == (("a",), False)


def test_rows_with_missing_values_are_dropped_by_a_button(page):
    choose(page, GAPS)
    assert page.user_data.drop.visible
    assert names_all(page.user_data.drop.label, "2 rows")
    page.user_data.columns.value = ["a", "c"]
    assert names_all(page.user_data.drop.label, "1 row")
    drop(page)
    assert not page.user_data.drop.visible
    assert names_all(about(page), "1 row")
    assert page.lab == ShrinkageLab()  # the button was not pressed yet
    use(page)
    assert (page.lab.missing, page.lab.rows) == ("drop", 61)


@pytest.mark.thorough
def test_dropping_rows_after_a_refusal_uses_what_is_left(page):
    choose(page, GAPS)
    use(page)
    assert names_all(trouble(page), "2 cells", "2 of 62")
    assert "missing=" not in trouble(page)
    assert page.lab == ShrinkageLab()
    drop(page)
    assert trouble(page) == ""
    assert (page.lab.missing, page.lab.rows) == ("drop", 60)


# other ways in


def test_a_pasted_table_is_looked_at_and_used_and_can_be_saved(page, tmp_path, monkeypatch):
    paste(page, RAW.decode())
    assert page.user_data.columns.value == ["a", "b", "c"]
    (copy,) = page.user_data.intake.copies
    assert (copy.filename, copy.callback().read()) == ("pasted.csv", RAW)
    use(page)
    assert (page.lab.file, page.lab.hash) == ("pasted.csv", read_table(RAW).hash)
    copied(page, RAW, tmp_path, monkeypatch)
    choose(page, GAPS)
    assert list(page.user_data.intake.copies) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The box is empty"),
        (" \n", "The box is empty"),
        (None, "more than 5,000,000 letters"),
        (7, "damaged"),
        ("a,b\n", "a header and no rows"),
        ("a\ud800", "a header and no rows"),
    ],
)
def test_what_is_no_table_in_the_box_is_refused(still, text, said):
    page = still
    paste(page, text)
    assert re.search(said, trouble(page))
    assert not page.user_data.button.visible
    assert page.lab == ShrinkageLab()


@pytest.mark.thorough
def test_plain_numbers_may_be_pasted(page):
    paste(page, "1.5 2.5 3.5 4.5 5 6 8 7")
    use(page)
    assert (page.lab.rows, page.lab.lenient, page.result.names) == (8, True, ("x1",))


@pytest.mark.thorough
def test_an_example_is_shown_at_the_headline(page):
    unfold(page)
    assert page.user_data.intake.examples.words == ["wine", "wdbc"]
    before = page.chrome.arrival.count
    page.user_data.intake.examples.press(1)
    assert (page.lab.source, page.choice["source"].value) == ("wdbc", "wdbc")
    assert page.chrome.arrival.count == before + 1


def test_after_use_the_page_is_at_the_headline_and_the_fold_is_closed(page):
    page.chrome.opener.open = True
    assert page.chrome.data.visible
    choose(page, RAW)
    assert page.chrome.data.visible
    use(page)
    assert not page.chrome.opener.open
    assert not page.chrome.data.visible
    assert page.chrome.arrival.count == 1
    assert "data-arrivals='1'" in page.chrome.arrival.pane.object


# a Gram matrix

GRAM = Laplacian(1.0)(np.random.default_rng(4).normal(size=(15, 2)))
SQUARE = b"id," + b",".join(b"k%d" % j for j in range(15)) + b"\n"
SQUARE += b"".join(b"%d,%s\n" % (i, ",".join(map(repr, row.tolist())).encode()) for i, row in enumerate(GRAM))


def test_a_gram_matrix_is_known_by_its_symmetry_and_all_is_computed_from_it(page, tmp_path, monkeypatch):
    choose(page, SQUARE)
    assert (page.user_data.gram.visible, page.user_data.gram.value) == (True, True)
    assert not page.user_data.columns.visible
    assert "Gram matrix" in about(page)
    use(page)
    lab = page.lab
    assert (trouble(page), lab.gram, lab.kernel, lab.standardise, lab.n) == ("", True, "LIN", False, 15)
    rows = np.arange(15)
    chosen = SKMSE(Precomputed(GRAM)).select(rows).lam
    assert page.result.simple.chosen == pytest.approx(chosen, rel=1e-9)  # at the minimum of the same score
    copied(page, SQUARE, tmp_path, monkeypatch)
    other = ShrinkagePage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    choose(other, SQUARE)
    use(other)
    assert other.lab == page.lab


def test_a_gram_matrix_is_the_kernel_and_no_other_is_to_be_chosen(page):
    choose(page, SQUARE)
    use(page)
    assert (page.choice["kernel"].disabled, page.controls["bandwidth"].slider.disabled) == (True, True)
    assert "Gram matrix" in page.chrome.caption.object
    page.choose("kernel", "RBF")
    assert names_all(unescape(notice(page)), "Gram matrix", "'RBF'")
    page.chrome.say([])
    page.choose("source", "wine")
    page.choose("kernel", "RBF")
    assert (notice(page), page.choice["kernel"].disabled) == ("", False)
    page.choose("source", "file")  # with the kernel of the Gram matrix
    assert (notice(page), page.lab.kernel, page.lab.gram) == ("", "LIN", True)


@pytest.mark.parametrize(
    ("page_class", "needs"),
    [(MarginalizedPage, "Noise is put on coordinates"), (DensityPage, "A density needs coordinates")],
)
def test_where_coordinates_are_needed_a_gram_matrix_is_refused_in_words(page_class, needs):
    page = page_class({})
    before = page.lab.values()
    said = f"mine.csv is a Gram matrix: k0 to k14 are symmetric, a column for each row. {needs}, and a Gram matrix has"
    choose(page, SQUARE)
    assert said in trouble(page)  # before and after the button is pressed
    page.user_data.trouble.visible = False
    use(page)
    assert said in trouble(page)
    assert page.lab.values() == before
    page.user_data.columns.value = ["k0", "k1"]  # columns of a Gram matrix may have any content
    use(page)
    assert (trouble(page), page.lab.source, notice(page)) == ("", "file", "")


@pytest.mark.thorough
def test_a_gram_matrix_may_be_taken_for_a_table(page):
    choose(page, SQUARE)
    page.user_data.gram.value = False
    assert page.user_data.columns.visible
    use(page)
    assert (page.lab.gram, page.result.names[:2]) == (False, ("k0", "k1"))


# links


@pytest.mark.thorough
def test_a_link_carries_name_rows_and_hash_and_asks_for_the_file(page):
    choose(page, RAW)
    use(page)
    link = page.link()
    assert "3.44" not in link
    words = dict(parse_qsl(link, keep_blank_values=True))
    assert (words["file"], words["rows"], words["hash"]) == ("mine.csv", "60", read_table(RAW).hash)
    other = ShrinkagePage(words)
    assert "mine.csv" in other.chrome.notice.object
    assert "60" in other.chrome.notice.object
    assert same(page.view.columns(ShrinkageLab().result()), live_columns(other))
    assert other.link() == link
    other.controls["bandwidth"].box.value = "0.5"
    assert "mine.csv" in other.chrome.notice.object
    choose(other, RAW)
    use(other)
    assert other.chrome.notice.object == ""
    assert other.result.lab == page.lab.replace(bandwidth=0.5)


@pytest.mark.thorough
def test_with_the_file_a_link_leads_to_the_page_that_made_it(page):
    choose(page, GAPS)
    page.user_data.columns.value, page.user_data.standardise.value = ["c", "a"], False
    drop(page)
    use(page)
    for name, text in (("n", "25"), ("outliers", "2"), ("lam", "0.1")):
        page.controls[name].box.value = text
    other = ShrinkagePage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    choose(other, GAPS, "renamed.csv")
    use(other)
    assert other.lab == page.lab.replace(file="renamed.csv")
    assert same(live_columns(page), live_columns(other))


@pytest.mark.thorough
def test_a_link_that_names_columns_wrongly_takes_the_file_as_any_other(page):
    words = {"source": "file", "hash": read_table(RAW).hash, "missing": "drop"}
    for word in ("[", '["z"]'):
        other = ShrinkagePage({**words, "columns": word})
        choose(other, RAW)
        use(other)
        assert (other.result.lab.file, other.result.names) == ("mine.csv", ("a", "b", "c"))


def test_a_link_is_no_door_for_markup():
    page = ShrinkagePage({"source": "file", "file": "<img src=x onerror=alert(1)>", "rows": "3"})
    assert "<img" not in page.chrome.notice.object
    assert "onerror" not in page.chrome.bar.share.code


@pytest.mark.thorough
def test_a_preset_and_back_again(page):
    choose(page, RAW)
    use(page)
    page.chrome.presets.press(0)
    assert page.result.law is not None
    page.choice["source"].value = "file"
    assert page.result.lab.file == "mine.csv"
    assert page.result.lab.n == 20  # the preset's n
    page.chrome.presets.press(0)
    page.move("n", n=200)
    page.choice["source"].value = "file"
    assert page.result.lab.n == 60  # all rows of the table


@pytest.mark.thorough
def test_another_sample_and_back_again(page):
    choose(page, RAW)
    use(page)
    before = live_columns(page)
    page.choice["source"].value = "gaussian"
    assert page.result.law is not None
    page.choice["source"].value = "file"
    assert same(before, live_columns(page))


@pytest.mark.thorough
def test_your_table_before_there_is_one_is_asked_for(page):
    before = live_columns(page)
    page.choice["source"].value = "file"
    assert page.chrome.notice.object
    assert same(before, live_columns(page))
    page.rest()
    page.choice["source"].value = "mixture"
    assert page.chrome.notice.object == ""
    assert page.lab == ShrinkageLab()


@pytest.mark.thorough
def test_another_sessions_page_does_not_have_the_table(page):
    choose(page, RAW)
    use(page)
    other = ShrinkagePage({})
    assert other.lab.table is None
    assert other.user_data.preview is None


def test_the_part_alone_hands_over_a_table_and_its_fields():
    got = []
    part = UserData([Columns()], lambda table, fields: got.append((table, fields)))
    part.choose(RAW, "mine.csv")
    part.button.clicks += 1
    ((table, fields),) = got
    assert table.n == fields["rows"] == 60
    assert set(fields) <= set(ShrinkageLab.fields)


MIXED = b"size,lead,dose\n" + b"".join(
    b"%d.5,%s,%d mg\n" % (i * i % 11, b"about half" if i == 4 else b"%d.25" % (i % 7), 3 + i % 5) for i in range(20)
)


def test_a_column_that_is_mostly_numbers_is_named_where_it_is_left_out(page, tmp_path, monkeypatch):
    paste(page, MIXED.decode())
    assert names_all(unescape(str(page.user_data.about.object)), "19", "1", "about half")
    assert page.user_data.columns.value == ["size", "dose"]
    use(page)
    assert (trouble(page), notice(page)) == ("", "")
    assert (page.result.names, page.lab.lenient) == (("size", "dose"), True)
    (tmp_path / "pasted.csv").write_bytes(MIXED)
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(page.chrome.bar.share.code, space)
    assert space["data"].names == ("size", "dose")


def test_a_column_that_is_mostly_numbers_does_not_stop_a_comparison():
    page = TwoSamplePage({"permutations": "199"})
    raw = MIXED.replace(b"dose", b"who").replace(b" mg", b"")
    paste(page, raw.replace(b",3\n", b",a\n").replace(b",4\n", b",a\n").decode())
    page.user_data.columns.value = ["size"]
    page.user_data.group.value = "who"
    use(page)
    assert trouble(page) == ""
    assert page.lab.source == "file"
    assert "lead" not in page.result.samples.names


@pytest.mark.parametrize("name", ["shrinkage", "twosample", "distributions"])
def test_a_file_is_parsed_once_until_it_is_used_and_looked_at_again(name, monkeypatch):
    from explorer.datasets.files import formats

    parsed, parse = [], formats.parse
    monkeypatch.setattr(formats, "parse", lambda *args: parsed.append(args[1:]) or parse(*args))
    page = page_class(name)()
    choose(page, RAW.replace(b"who", b"group").replace(b"p1", b"p").replace(b"p2", b"p"))
    use(page)
    assert page.lab.own is not None or trouble(page)
    page.user_data.columns.value = page.user_data.columns.value[:2]
    use(page)
    assert len(parsed) == 1


def test_what_was_parsed_of_a_large_file_goes_with_its_use(monkeypatch):
    monkeypatch.setattr("explorer.pages.user_data.panel.LARGE", 100)
    page = ShrinkagePage()
    choose(page, RAW)
    assert page.user_data.files[0].tables
    use(page)
    assert not page.user_data.files[0].tables
