"""The user's two samples on the page: groups are guessed, rows left out, and two files chosen or pasted."""

from html import unescape

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import names_all
from helpers.page_helpers import about, choose, notice, open_page, paste, use

from explorer import Laplacian, Precomputed, mmd2
from explorer.datasets import preview_table
from explorer.pages import TwoSamplePage
from explorer.pages.user_data.group_column import PASTED, SECOND

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab

SMALL = {"n": "12", "m": "15", "permutations": "199"}
TRIAL = b"id;age;site;arm;day\n" + b"".join(
    b"%d;%d,5;%s;%s;2024-01-%02d\n"
    % (i, 20 + i * 7 % 40, b"uvw"[i % 3 : i % 3 + 1], [b"drug", b"none"][i % 2], i % 28 + 1)
    for i in range(1, 41)
)
GAP = TRIAL + b"41;-;u;drug;2024-01-01\n42;3,5;u;N/A;2024-01-01\n"


@pytest.fixture
def page():
    return open_page(TwoSamplePage, **SMALL)


def copied(page, folder, monkeypatch, **files):
    """Run the page's Python next to the files, and check that it gives the page's test."""
    monkeypatch.chdir(folder)
    for name, raw in files.values():
        (folder / name).write_bytes(raw)
    space = {}
    exec(page.chrome.bar.share.code, space)
    assert space["result"].pvalue == page.result.test().pvalue
    assert space["result"].statistic == pytest.approx(page.result.test().statistic, rel=1e-12, abs=1e-12)


def test_an_ordinary_table_of_a_trial(page, tmp_path, monkeypatch):
    choose(page, TRIAL)
    assert page.user_data.group.value == "arm"
    assert page.user_data.columns.value == ["age", "site"]
    assert "Left out: id (an identifier), day (dates)." in about(page)
    assert page.user_data.unused.words == ["Use id", "Use day"]
    use(page)
    assert notice(page) == ""
    assert (page.lab.group, page.lab.columns, page.lab.lenient) == ("arm", "", True)
    assert page.result.samples.names == ("age", "site=u", "site=v", "site=w")
    copied(page, tmp_path, monkeypatch, one=("mine.csv", TRIAL))


def test_a_link_to_it_opens_as_its_sender_used_it(page):
    choose(page, TRIAL)
    page.user_data.unused.press(1)
    use(page)
    again = open_page(TwoSamplePage, **page.lab.flat())
    choose(again, TRIAL)
    assert again.user_data.columns.value == ["age", "site", "day"]
    use(again)
    assert again.lab == page.lab
    assert again.result.samples.names[:2] == ("age", "day")


@pytest.mark.thorough
def test_rows_that_miss_a_value_or_a_group_are_counted_and_dropped(page):
    choose(page, GAP)
    assert names_all(page.user_data.drop.label, "2 rows")
    page.user_data.columns.value = ["site"]
    assert names_all(page.user_data.drop.label, "1 row")
    page.user_data.drop.clicks += 1
    use(page)
    assert (page.lab.missing, page.lab.rows, notice(page)) == ("drop", 41, "")


@pytest.mark.thorough
def test_another_column_of_groups_gives_the_former_one_back(page):
    choose(page, TRIAL)
    page.user_data.group.value = "site"
    assert page.user_data.columns.value == ["age", "arm"]
    assert names_all(about(page), "categories", "arm")
    page.user_data.group.value = SECOND
    assert page.user_data.columns.value == ["age", "site", "arm"]
    assert page.user_data.second.visible


def test_two_pasted_tables_of_different_writing(page, tmp_path, monkeypatch):
    first, second = "a\n" + "\n".join(f"{i},5" for i in range(9)), "a\n" + "\n".join(f"{i}.25" for i in range(7))
    paste(page, first)
    assert (page.user_data.group.value, page.user_data.second.visible) == (SECOND, True)
    paste(page, second)
    assert f"After (Q): {PASTED}, 7 rows." in about(page)
    assert [copy.filename for copy in page.user_data.intake.copies] == ["pasted.csv", PASTED]
    use(page)
    assert (page.lab.file, page.lab.file2, page.lab.lenient, notice(page)) == ("pasted.csv", PASTED, True, "")
    files = {"one": ("pasted.csv", first.encode()), "two": (PASTED, second.encode())}
    copied(page, tmp_path, monkeypatch, **files)


K = Laplacian(1.0)(np.random.default_rng(6).normal(size=(24, 2)))
SQUARE = ",".join([*(f"k{j}" for j in range(24)), "arm"]) + "\n"
SQUARE += "\n".join(",".join([*map(repr, row.tolist()), "ab"[i % 2]]) for i, row in enumerate(K))


def test_a_gram_matrix_with_groups_is_tested_as_it_is(page, tmp_path, monkeypatch):
    choose(page, SQUARE.encode())
    assert (page.user_data.group.value, page.user_data.gram.value) == ("arm", True)
    use(page)
    assert (page.lab.gram, page.lab.kernel, page.lab.n, page.lab.m, notice(page)) == (True, "LIN", 12, 12, "")
    rows = np.arange(24)
    expected = mmd2(rows[::2], rows[1::2], Precomputed(K))
    assert page.result.test().statistic == pytest.approx(expected, abs=1e-13)  # rounding of sums about 1
    assert "Gram matrix" in page.chrome.caption.object
    assert names_all(page.chrome.caption.object, "MMD²", "12")
    assert names_all(page.chrome.headline.object, "group a", "group b", "mine.csv")
    assert (page.choice["kernel"].disabled, page.controls["bandwidth"].slider.disabled) == (True, True)
    for name, value in (("kernel", "RBF"), ("estimator", "MKME")):
        page.choose(name, value)
        assert names_all(notice(page), value, "Gram matrix")
        page.chrome.say([])
    assert "Gram matrix" in " ".join([*descriptions(page.result), page.chrome.caption.object])
    copied(page, tmp_path, monkeypatch, one=("mine.csv", SQUARE.encode()))
    page.user_data.group.value = SECOND
    assert (page.user_data.gram.visible, page.user_data.gram.value) == (False, False)


@pytest.mark.thorough
def test_an_example_has_the_sizes_of_its_groups(page):
    page.user_data.intake.examples.press(0)
    assert (page.lab.source, page.chrome.arrival.count, notice(page)) == ("wine", 1, "")


PLAIN = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i % 7) for i in range(12))


def zones(page):
    return [zone.label for zone in (page.user_data.file, page.user_data.second)]


def test_there_is_a_zone_for_each_sample_and_a_second_file_makes_them_two_files(page):
    assert [label.split(":")[0] for label in zones(page)] == ["before (P)", "after (Q)"]
    choose(page, TRIAL)
    assert page.user_data.group.value == "arm"
    assert names_all(zones(page)[0], "before (P)", "mine.csv")
    page.user_data.second.param.update(value=TRIAL[:400], filename="u.csv")
    assert page.user_data.group.value == SECOND
    assert page.user_data.columns.value == ["age", "site", "arm"]
    assert zones(page)[1] == page.user_data.second.uploaded_label
    assert names_all(zones(page)[1], "after (Q)", "u.csv")
    assert "After (Q): u.csv, " in about(page)
    page.user_data.group.value = "arm"  # back to the groups of the first file
    assert "u.csv" not in about(page)
    use(page)
    assert (page.lab.group, page.lab.file2, notice(page)) == ("arm", "", "")


def test_the_second_file_may_come_first_and_outlives_another_first_one(page):
    page.user_data.second.param.update(value=PLAIN, filename="after.csv")
    assert names_all(about(page), "After (Q)", "after.csv", "12 rows", "first file", "before (P)")
    assert not page.user_data.button.visible
    for name, raw in {"before.csv": PLAIN[:-5], "earlier.csv": PLAIN[:-10]}.items():
        choose(page, raw, name)
        assert page.user_data.group.value == SECOND
        use(page)
        assert (page.lab.file, page.lab.file2, notice(page)) == (name, "after.csv", "")


def test_two_files_dropped_on_either_zone_fill_both(page):
    for zone in (page.user_data.file, page.user_data.second):
        zone.both([("x.csv", PLAIN), ("y.csv", PLAIN[:-5])])
        assert [label.split(" (drop")[0] for label in zones(page)] == ["before (P): x.csv", "after (Q): y.csv"]
        assert page.user_data.group.value == SECOND
        zone.both([("p.csv", TRIAL), ("q.csv", TRIAL)])
        assert page.user_data.group.value == SECOND


def test_a_refused_second_file_leaves_the_first_with_its_groups(page):
    choose(page, TRIAL)
    page.user_data.second.param.update(value=b"\xff\xfe\x00\x00\x80", filename="bad.csv")
    assert "bad.csv" in unescape(page.user_data.trouble.object)
    assert (page.user_data.group.value, "bad.csv" in zones(page)[1]) == ("arm", False)


def test_a_column_that_the_readers_refuse_unasked_is_left_out_by_naming_the_others(page):
    """A column mixes numbers and words, so the reader would refuse the table if it got no column names."""
    sums = [b"later" if i % 9 == 0 else b"%d" % i for i in range(30)]
    rows = b"".join(b"%s,%d,%s,%d\n" % (each, i % 7, b"ab"[i % 2 :][:1], i % 5) for i, each in enumerate(sums))
    choose(page, b"sum,x,arm,y\n" + rows)
    use(page)
    assert notice(page) == page.user_data.trouble.object == ""
    assert (page.lab.columns, page.lab.group) == ('["x", "y"]', "arm")
    unclear = preview_table(b"a;b\n1,5;2\n2,5;3\n", name="t.csv")  # the strict reader refuses decimal commas
    assert [column.refused for column in unclear.columns] == [True, False]


def test_a_category_of_more_levels_than_a_lab_draws_is_named_among_what_is_left_out(page):
    """`read_tables` would compare the 60 levels by default, so the lab names the columns that it takes."""
    rows = (f"{i % 7},w{i % 60},{['drug', 'none'][i % 2]}" for i in range(240))
    choose(page, "\n".join(["age,sku,arm", *rows]).encode())
    assert page.user_data.columns.value == ["age"]
    assert "sku (60 different words, more than 50)" in about(page)
    use(page)
    assert (notice(page), page.lab.columns) == ("", '["age"]')
    assert page.lab.tables[0].names == ("age",)
