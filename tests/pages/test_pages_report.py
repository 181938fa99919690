"""The report's page without a browser: its comparison, its texts, its links to labs, and its stored files."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qsl

import numpy as np
import pandas
import pytest
from helpers.naming import names_all
from helpers.page_helpers import run_callbacks
from markupsafe import Markup
from panel.io.state import set_curdoc

from explorer import compare
from explorer.checks import Refusal
from explorer.comparison import report, report_sections
from explorer.datasets import preview_table
from explorer.datasets.columns.table import sha256
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.markup import text_of
from explorer.pages import page_class
from explorer.pages.report import comparison_request
from explorer.pages.report import lab_links as module_of_leads
from explorer.pages.report import page as module
from explorer.pages.report import text as module_of_words
from explorer.pages.report.comparison_request import ReportInput, default_split, splits, subjects
from explorer.pages.report.example import example
from explorer.pages.report.lab_links import LabLinks
from explorer.pages.report.page import ReportPage
from explorer.pages.report.sections import FILE, LATER, VERDICT, parts
from explorer.pages.runtime import ServedRuntime
from explorer.pages.serving import upload_store
from explorer.pages.serving.shared_value import SharedValue
from explorer.pages.user_data.inputs import arrivals
from explorer.workbench import registry
from explorer.workbench.links import VERSION

pytestmark = pytest.mark.thorough  # a page without a lab

KEY = "k" * 32
HOSTILE = ("<img src=x onerror=window.ran=1>", "'><script>window.ran=1</script>", "{0.__dict__} %s &lt;")


def raw(n, rng, shift=0.0, **more):
    """Return a CSV file of three columns; the shift moves the first."""
    rng = np.random.default_rng(rng)
    columns = {"height": rng.normal(170 + shift, 8, n).round(1), "visits": rng.poisson(4, n)}
    columns["sex"] = rng.choice(["f", "m"], n)
    return pandas.DataFrame(columns | more).to_csv(index=False).encode()


def grouped(n=30, **groups):
    """Return a file whose column `arm` names groups; each group is moved by its shift."""
    each = [
        pandas.read_csv(_opened(raw(n, k, shift, arm=[name] * n))) for k, (name, shift) in enumerate(groups.items())
    ]
    return pandas.concat(each).to_csv(index=False).encode()


def _opened(source):
    return io.BytesIO(source)


BEFORE, AFTER, LATE = raw(40, 0), raw(45, 1, 12.0), raw(45, 1)


@pytest.fixture(scope="module")
def two():
    """Return two files that differ."""
    return ReportInput(ParsedFile("a.csv", BEFORE), ParsedFile("b.csv", AFTER))


@pytest.fixture(scope="module")
def ready(two):
    """Return {title: part} of the report."""
    return {part.title: part for part in parts(two)}


def links(text):
    return [unescape(address) for address in re.findall(r"href='([^']*)'", str(text))]


def fields(address):
    return dict(parse_qsl(address.partition("?")[2]))


# comparison -----------------------------------------------------------------------------------------------------------


def test_the_verdict_comes_first_and_the_file_last(two):
    assert [part.title for part in parts(two)] == [VERDICT, *LATER, FILE]


def test_it_says_what_the_library_says_of_the_files(ready, tmp_path, monkeypatch):
    for name, each in (("a.csv", BEFORE), ("b.csv", AFTER)):
        (tmp_path / name).write_bytes(each)
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(ready[VERDICT].python.replace("\ncompare(", "\nfound = compare("), space)
    found = space["found"]
    assert found.differ
    assert str(ready[FILE].shown) == found.to_html()
    said = text_of(ready[VERDICT].shown)
    assert found.headline in said
    for column in found.columns:
        assert f"{column.adjusted:.3g}" in ready["Columns"].shown


def test_of_what_is_saved_nothing_leads_to_a_server(ready):
    assert links(ready[FILE].shown) == []
    assert "<script" not in ready[FILE].shown


def test_two_files_of_one_name_are_read_from_two_folders():
    files = ReportInput(ParsedFile("t.csv", BEFORE), ParsedFile("t.csv", AFTER))
    assert "compare('before/t.csv', 'after/t.csv', rng=0)" in files.compared().python


def test_groups_of_one_file_are_compared_with_the_first(tmp_path, monkeypatch):
    whole = grouped(control=0, drug=15)
    trial = ReportInput(ParsedFile("trial.csv", whole), None, "arm")
    found = trial.compared()
    assert found.python.endswith("compare('trial.csv', by='arm', rng=0)")
    (tmp_path / "trial.csv").write_bytes(whole)
    monkeypatch.chdir(tmp_path)
    assert found.pvalue == compare("trial.csv", by="arm", rng=0).pvalue
    first, second = (pandas.read_csv(_opened(side.raw)) for side in trial.sides(found))
    assert (len(first), len(second), list(first)) == (30, 30, ["height", "visits", "sex"])
    again = compare(first, second, rng=0)
    assert [column.adjusted for column in again.columns] == [column.adjusted for column in found.columns]


def test_months_of_dates_split_a_file():
    days = pandas.date_range("2026-01-01", periods=90).strftime("%Y-%m-%d")
    file = ParsedFile("log.csv", raw(90, 3, day=days))
    assert splits(preview_of(file))["week of day"] == "week"
    ready = {part.title: part for part in parts(ReportInput(file, None, "month"))}
    assert [side.name for side in ready[VERDICT].files.values()][:3] == [f"log 2026-0{k}.csv" for k in (1, 2, 3)]
    assert len([link for link in links(ready["Batches"].shown) if link.startswith("twosample")]) == 2
    assert "2026-02" in ready["Batches"].shown


def test_a_file_in_time_leads_to_the_lab_of_series_where_there_is_one(monkeypatch):
    days = pandas.date_range("2026-01-01", periods=90).strftime("%Y-%m-%d").to_numpy()
    rows = pandas.read_csv(_opened(raw(90, 3, day=days))).sample(frac=1, random_state=5)
    file = ParsedFile("log.csv", rows.to_csv(index=False).encode())
    log = ReportInput(file, None, "month")
    found = log.compared()
    series = pandas.read_csv(_opened(log.series(found).raw))
    in_time = rows.sort_values("day").drop(columns="day").reset_index(drop=True)
    assert series.equals(in_time[list(series)].astype(series.dtypes))
    assert ReportInput(file, None, "sex").series(ReportInput(file, None, "sex").compared()) is None
    leads = LabLinks(log, found)
    assert (leads.drift() != "") == ("drift" in registry.names())
    monkeypatch.setattr(module_of_leads, "SERIES", "kernel_pca")  # a lab that takes one table
    leads = LabLinks(log, found)
    (link,) = links(leads.drift())
    assert link.startswith("kernel_pca?")
    assert fields(link)["hash"] in leads.files
    assert json.loads(fields(link)["columns"]) == ["height", "visits"]


def preview_of(file):
    return preview_table(file, lenient=True)


def test_only_a_column_that_is_called_so_splits_a_file_unasked():
    assert default_split(preview_of(ParsedFile("t.csv", grouped(a=0, b=0)))) == "arm"
    assert default_split(preview_of(ParsedFile("t.csv", BEFORE))) == ""
    assert splits(preview_of(ParsedFile("t.csv", BEFORE))) == {name: name for name in ("sex", "height", "visits")}


# links to labs --------------------------------------------------------------------------------------------------------


def test_each_line_leads_to_the_lab_of_its_columns(ready):
    columns = [json.loads(fields(link)["columns"]) for link in links(ready["Columns"].shown)]
    assert sorted(columns) == [["height"], ["sex"], ["visits"]]
    assert {link.partition("?")[0] for link in links(ready["Columns"].shown)} == {"twosample"}
    (monk,) = links(ready["What the verdict rests on"].shown)
    assert monk.startswith("monk?")
    assert json.loads(fields(monk)["columns"]) == ["height"]
    assert fields(monk)["outliers"] == "0"  # no outliers are planted in the user's data
    assert all(fields(link)["picture"] == "power" for link in links(ready["What would have been found"].shown))
    (rows,) = links(ready["Rows most unlike the other sample"].shown)
    assert fields(rows)["picture"] == "influence"


def test_a_pair_leads_to_both_of_its_pictures(two):
    leads = LabLinks(two, two.compared())
    pair = SimpleNamespace(first="height", second="visits")
    both, before, after = map(fields, links(leads.pair(pair)))
    assert json.loads(both["columns"]) == ["height", "visits"]
    assert [each["file"] for each in (before, after)] == ["a.csv", "b.csv"]
    assert (json.loads(before["x"]), before["y"]) == (["height"], "visits")


def test_every_link_is_of_a_state_that_its_lab_has(ready):
    found = [link for part in ready.values() if part.title != FILE for link in links(part.shown)]
    assert found
    for link in found:
        name, words = link.partition("?")[0], fields(link)
        assert words.pop("v") == VERSION
        _, refused = registry.entry(name).lab.from_flat(words)
        assert refused == [], link


def test_a_link_has_a_hash_and_neither_data_nor_key(ready):
    for link in links(ready["Columns"].shown):
        assert len(fields(link)["hash"]) == 64
        assert KEY not in link
        assert len(link) < 500


def test_no_lab_is_offered_fewer_rows_than_it_takes():
    few = ReportInput(ParsedFile("a.csv", raw(3, 0)), ParsedFile("b.csv", raw(3, 1)))
    leads = LabLinks(few, few.compared())
    assert (leads.verdict(), leads.robustness()) == ("", "")


def test_no_lab_is_offered_more_levels_than_it_draws():
    rng = np.random.default_rng(0)
    tables = [pandas.DataFrame({"sku": rng.integers(0, 60, 240), "x": rng.normal(size=240)}) for _ in range(2)]
    tables = [table.assign(sku="P" + table["sku"].astype(str) + "a") for table in tables]
    files = (
        ParsedFile(f"{name}.csv", table.to_csv(index=False).encode()) for name, table in zip("ab", tables, strict=True)
    )
    both = ReportInput(*files)
    found = both.compared()
    sku, x = found.columns
    leads = LabLinks(both, found)
    assert (sku.name, leads.column(sku), leads.needed(sku)) == ("sku", "", "")
    assert leads.pair(SimpleNamespace(first="sku", second="x")) == ""
    assert [json.loads(fields(link)["columns"]) for link in links(leads.verdict() + leads.column(x))] == [["x"], ["x"]]


def lab_at(link, doc):
    """Open a visitor's lab page and return it once it has loaded the stored files."""
    with set_curdoc(doc):
        page = page_class(link.partition("?")[0])(dict(parse_qsl(link.partition("?")[2], keep_blank_values=True)))
        if page.coming:
            asyncio.run(page.runtime._bring(page.coming))
        run_callbacks(doc)
    return page


@pytest.fixture
def built(monkeypatch):
    """Send the message of a browser that has built the page."""
    monkeypatch.setattr(ServedRuntime, "_is_built", lambda self: asyncio.sleep(0))


@pytest.fixture
def shelf(ready, monkeypatch):
    """Store the report's files for the visitor KEY, who opens the lab."""
    files = upload_store.UploadStore()
    files.add("a report", KEY, {digest: (file.name, file.raw) for digest, file in ready[VERDICT].files.items()})
    monkeypatch.setattr(upload_store, "UPLOADS", files)
    monkeypatch.setattr(upload_store, "visitor", lambda: KEY)
    return files


@pytest.mark.parametrize("title", ["Columns", "What the verdict rests on", "Rows most unlike the other sample"])
def test_a_lab_opens_with_the_files_of_the_report(ready, title, as_if_served, built, shelf):
    link = links(ready[title].shown)[0]
    page = lab_at(link, as_if_served)
    assert [one.name for one in page.lab.own] == ["a.csv", "b.csv"]
    assert [one.hash for one in page.lab.own] == [fields(link)["hash"], fields(link)["hash2"]]
    assert page.chrome.notice.object == ""
    assert not page.blank
    assert page.user_data.preview.name == "a.csv"


def test_a_lab_opens_the_pair_of_a_line(two, as_if_served, built, shelf):
    leads = LabLinks(two, two.compared())
    *_, after = links(leads.pair(SimpleNamespace(first="height", second="visits")))
    page = lab_at(after, as_if_served)
    assert page.lab.own.name == "b.csv"
    assert (page.lab.x, page.lab.y) == ('["height"]', "visits")
    assert page.chrome.notice.object == ""


def test_another_visitor_is_told_that_the_files_stay_with_their_owner(ready, as_if_served, shelf, monkeypatch):
    monkeypatch.setattr(upload_store, "visitor", lambda: "")
    page = lab_at(links(ready["Columns"].shown)[0], as_if_served)
    assert page.lab.own is None
    assert page.chrome.notice.visible


def test_files_are_held_for_their_visitor_as_long_as_their_page_is_open():
    files, digest = upload_store.UploadStore(), sha256(BEFORE)
    files.add("page", KEY, {digest: ("a.csv", BEFORE)})
    assert files.get(KEY, digest) == ("a.csv", BEFORE)
    assert files.get("x" * 32, digest) is None
    assert files.get("", digest) is None
    files.add("page", KEY, {sha256(AFTER): ("b.csv", AFTER)})
    assert files.get(KEY, digest) is None
    files.discard("page")
    files.discard("page")
    assert files.get(KEY, sha256(AFTER)) is None


@pytest.fixture
def processes(tmp_path):
    """Start two processes that share a folder."""
    both = [upload_store.UploadStore(), upload_store.UploadStore()]
    for number, one in enumerate(both):
        one.join_workers(tmp_path, number)
    return both


def written(one):
    """Wait until a process has written or removed its files."""
    one._writer.submit(int).result()


def test_another_process_finds_what_a_page_holds_until_it_is_left(processes, tmp_path):
    first, second = processes
    name, digest = "<b>&\n.csv", sha256(BEFORE)
    first.add("page", KEY, {digest: (name, BEFORE)})
    written(first)
    assert second.get(KEY, digest) == (name, BEFORE)
    assert second.get("x" * 32, digest) is second.get("", digest) is None
    assert second.get(KEY, sha256(AFTER)) is second.get(KEY, "../*") is second.get(KEY, "*") is None
    assert not [path for path in tmp_path.rglob("*") if KEY in str(path)]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o700}
    first.add("page", KEY, {sha256(AFTER): ("b.csv", AFTER)})
    written(first)
    assert second.get(KEY, digest) is None
    first.discard("page")
    written(first)
    assert second.get(KEY, sha256(AFTER)) is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_everybody_s_is_found_by_those_without_a_key(processes):
    first, second = processes
    first.add("example", upload_store.EVERYBODY, {sha256(BEFORE): ("a.csv", BEFORE)})
    written(first)
    assert second.get("", sha256(BEFORE)) == second.get(KEY, sha256(BEFORE)) == ("a.csv", BEFORE)


def test_a_process_that_ends_or_died_leaves_nothing(processes, tmp_path):
    first, second = processes
    for one in processes:
        one.add("page", KEY, {sha256(BEFORE): ("a.csv", BEFORE)})
        written(one)
    upload_store.UploadStore().join_workers(tmp_path, 0)  # replaces the first process, which died
    assert len(list(tmp_path.iterdir())) == 1
    first.close()
    assert tmp_path.exists()
    second.close()
    assert not tmp_path.exists()


def test_where_there_is_no_room_the_own_process_has_the_files(processes, tmp_path, monkeypatch):
    first, second = processes

    def full(path, mode):
        raise OSError("No space left on device")

    monkeypatch.setattr(upload_store.Path, "mkdir", full)
    first.add("page", KEY, {sha256(BEFORE): ("a.csv", BEFORE)})
    written(first)
    assert first.get(KEY, sha256(BEFORE)) == ("a.csv", BEFORE)
    assert second.get(KEY, sha256(BEFORE)) is None


def test_keys_are_random_and_what_is_none_is_no_key(monkeypatch):
    assert upload_store.KEY.fullmatch(upload_store.new_key())
    assert upload_store.new_key() != upload_store.new_key()
    for word in ("", "short", "x" * 33, "<" * 32, KEY):
        monkeypatch.setattr(
            upload_store, "pn", SimpleNamespace(state=SimpleNamespace(curdoc=1, cookies={upload_store.COOKIE: word}))
        )
        assert upload_store.visitor() == (KEY if word == KEY else "")


# the page -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(ready, monkeypatch):
    """Return a function that opens pages with a small example."""
    monkeypatch.setattr(module, "EXAMPLE", SharedValue(lambda: tuple(ready.values()), 0.1))
    monkeypatch.setattr(arrivals, "READERS", None)  # reads in the event loop's threads
    return ReportPage


def drop(page, k, source, name):
    asyncio.run(page.zones.take(k, ParsedFile(name, source)))


def verdict(page):
    return " ".join(text_of(Markup(str(page.panes[VERDICT].object).replace("<", " <"))).split())


def test_it_opens_with_an_example(opened, ready):
    page = opened()
    assert names_all(verdict(page), "a.csv", "b.csv", "differ")
    assert page.panes["Columns"].object == ready["Columns"].shown
    assert page.saved == str(ready[FILE].shown)
    assert not page.save.disabled
    assert not page.copy.disabled
    assert page.texts.code == ready[VERDICT].python
    assert page.keeper.key == ""
    assert module_of_words.EXAMPLE in verdict(page)


def nothing_is_shown(page):
    """Return whether neither the page nor its download buttons contain a report."""
    return (
        not any(pane.object for pane in page.panes.values())
        and (page.saved, page.texts.code) == ("", "")
        and page.save.disabled
        and page.copy.disabled
    )


def test_two_files_are_compared_as_soon_as_both_are_there(opened):
    page = opened()
    drop(page, 0, BEFORE, "old.csv")
    assert nothing_is_shown(page)  # the example's report must not be shown for this file
    assert names_all(page.zones.about.object, "drop", "second file")
    drop(page, 1, LATE, "new.csv")
    assert names_all(verdict(page), "No difference", "old.csv", "new.csv")
    assert module_of_words.EXAMPLE not in verdict(page)
    assert "compare('old.csv', 'new.csv', rng=0)" in page.texts.code
    assert "old.csv" in page.saved
    assert upload_store.KEY.fullmatch(page.keeper.key)


def test_the_second_file_may_come_first(opened):
    page = opened()
    drop(page, 1, AFTER, "new.csv")
    assert "file from before" in page.zones.about.object
    drop(page, 0, BEFORE, "old.csv")
    assert names_all(verdict(page), "old.csv", "new.csv", "differ")


def test_a_file_with_groups_is_compared_at_once_and_a_second_file_takes_their_place(opened):
    page = opened()
    drop(page, 0, grouped(control=0, drug=15), "trial.csv")
    assert page.zones.by.value == "arm"
    assert names_all(verdict(page), "control", "drug", "differ")
    page.zones.by.value = "sex"
    assert names_all(verdict(page), "f", "m")
    drop(page, 1, AFTER, "b.csv")
    assert page.zones.by.value == ""
    assert names_all(verdict(page), "trial.csv", "b.csv")


def test_what_cannot_be_read_is_said_beside_its_zone_and_no_verdict_stays(opened):
    page = opened()
    drop(page, 0, BEFORE, "old.csv")
    drop(page, 1, AFTER, "new.csv")
    drop(page, 1, b"\x00\x01\x02" * 50, "photo.csv")
    first, second = page.zones.troubles
    assert (first.visible, second.visible) == (False, True)
    assert "role='alert'" in second.object
    assert nothing_is_shown(page)
    assert page.zones.files[1] is None
    assert "new.csv" not in page.zones.zones[1].label
    drop(page, 1, b"\x00\x01\x02" * 50, "again.csv")
    assert nothing_is_shown(page)
    drop(page, 1, LATE, "later.csv")
    assert not second.visible
    assert names_all(verdict(page), "old.csv", "later.csv")
    assert "later.csv" in page.saved
    assert "'later.csv'" in page.texts.code
    drop(page, 0, b"\x00\x01\x02" * 50, "photo.csv")
    assert nothing_is_shown(page)
    drop(page, 0, LATE, "first.csv")
    assert names_all(verdict(page), "first.csv", "later.csv")


def test_files_that_have_nothing_in_common_are_a_sentence(opened):
    page = opened()
    drop(page, 0, BEFORE, "old.csv")
    drop(page, 1, b"u,v\n1,2\n3,4\n5,7\n", "other.csv")
    assert "column" in page.zones.troubles[1].object
    assert nothing_is_shown(page)
    drop(page, 1, AFTER, "new.csv")
    assert not page.zones.troubles[1].visible
    assert names_all(verdict(page), "old.csv", "new.csv")


def test_a_bug_of_ours_is_a_sentence_and_logged(opened, monkeypatch, caplog):
    page = opened()

    def broken(files):
        raise KeyError("a bug")
        yield

    monkeypatch.setattr(module, "parts", broken)
    drop(page, 0, grouped(control=0, drug=15), "trial.csv")
    assert "An internal error" in page.zones.troubles[0].object
    assert "KeyError" in caplog.text
    assert not page.waiting.row.visible


def test_two_files_dropped_together_fill_both_zones(opened):
    page = opened()
    event = SimpleNamespace(new=[("x.csv", BEFORE), ("y.csv", AFTER)])
    asyncio.run(page.zones._receive_both(event))
    assert names_all(verdict(page), "x.csv", "y.csv", "differ")


@pytest.fixture
def served(opened, as_if_served, monkeypatch):
    """Return a page of a served session."""
    monkeypatch.setattr(module, "served_document", lambda: as_if_served)
    monkeypatch.setattr(module, "come_back", lambda doc, request: None)
    module.EXAMPLE.now()
    with set_curdoc(as_if_served):
        yield opened()


def test_a_newer_upload_stops_an_older_report(served, as_if_served, two, monkeypatch):
    begun = []

    def noted(files):
        begun.append(files)
        yield from parts(files)

    monkeypatch.setattr(module, "parts", noted)
    served.compare(ReportInput(ParsedFile("first.csv", BEFORE), ParsedFile("second.csv", LATE)))
    served.compare(two)
    assert served.waiting.row.visible
    run_callbacks(as_if_served)
    assert [files.before.name for files in begun] == ["a.csv"]  # the older generator never ran
    assert names_all(verdict(served), "a.csv", "b.csv", "differ")
    assert not served.waiting.row.visible


def test_a_step_that_nobody_wants_any_more_ends_without_a_word(two, caplog):
    assert module._step(parts(two), lambda: True) == (None, "")
    assert caplog.text == ""


def test_cancel_leaves_nothing_of_other_files(served, as_if_served):
    served.compare(ReportInput(ParsedFile("first.csv", BEFORE), ParsedFile("second.csv", LATE)))
    served.cancel()
    run_callbacks(as_if_served)
    assert nothing_is_shown(served)
    assert not served.waiting.row.visible


def test_a_page_that_is_left_holds_no_files(served, as_if_served, two):
    served.compare(two)
    run_callbacks(as_if_served)
    key, digest = served.keeper.key, sha256(BEFORE)
    assert upload_store.UPLOADS.get(key, digest) is not None
    served.release()
    upload_store.UPLOADS.discard("example")
    assert upload_store.UPLOADS.get(key, digest) is None
    assert not any(pane.object for pane in (served.zones.troubles))


def test_names_that_look_like_markup_are_text(opened):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({name: rng.normal(size=60).round(3) for name in HOSTILE[:2]})
    frame[HOSTILE[2]] = rng.choice(["<b onclick=window.ran=1>", "two"], 60)
    frame["arm"] = np.repeat(["<svg onload=window.ran=1>", "javascript:window.ran=1"], 30)
    page = opened()
    drop(page, 0, frame.to_csv(index=False).encode(), f"{HOSTILE[0]}.csv")
    assert page.zones.by.value == "arm"
    shown = "".join(str(pane.object) for pane in (*page.panes.values(), page.zones.about)) + page.saved
    assert "window.ran" in shown
    for tag in ("<img", "<script", "<svg onload", "<b onclick", "href='javascript"):
        assert tag not in shown


def test_the_example_differs_as_it_says():
    found = example().compared()
    assert {column.name for column in found.differing} == {"pressure", "temperature", "ward"}
    (pair,) = [pair for pair in found.pairs if pair.adjusted <= found.level]
    assert {pair.first, pair.second} == {"weight", "dose"}


def test_a_pasted_table_is_compared_as_a_file_is(opened):
    page = opened()
    for k, source in enumerate((BEFORE, AFTER)):
        text = source.decode().replace(",", "\t")  # the format of cells copied from a spreadsheet
        asyncio.run(page.zones.intakes[k].paste._pressed(SimpleNamespace(data=text)))
    assert names_all(verdict(page), "pasted before.csv", "pasted after.csv", "differ")
    (copy,) = page.zones.intakes[1].copies
    assert copy.filename == "pasted after.csv"
    assert "compare('pasted before.csv', 'pasted after.csv', rng=0)" in page.texts.code
    asyncio.run(page.zones.intakes[0].paste._pressed(SimpleNamespace(data=" ")))
    assert names_all(page.zones.troubles[0].object, "empty")
    drop(page, 1, LATE, "new.csv")
    assert names_all(verdict(page), "pasted before.csv", "new.csv")


def test_the_example_s_files_can_be_saved_and_are_what_is_compared(opened):
    page = opened()
    found = re.findall(r"href='data:text/csv;base64,([^']*)' download='([^']*)'", page.zones.about.object)
    assert [(name, base64.b64decode(data)) for data, name in found] == [
        (file.name, file.raw) for file in example().files
    ]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Refusal("Its rows are too few; give more."), "This part is missing. Its rows are too few; give more."),
        (MemoryError(), "This part is missing. There is not enough memory for it."),
        (KeyError("a bug"), "This part is missing. An internal error occurred and was logged."),
    ],
)
@pytest.mark.parametrize("title", ["What would have been found", "Rows most unlike the other sample"])
def test_a_section_that_fails_says_so_and_the_others_follow(two, ready, monkeypatch, caplog, error, says, title):
    def broken(comparison, more=None):
        raise error

    monkeypatch.setitem(report.SECTIONS, title, broken)
    monkeypatch.setattr(report_sections, "power", broken)
    monkeypatch.setitem(report.SECTIONS, "What would have been found", broken)
    found = {part.title: part for part in parts(two)}
    assert list(found) == [VERDICT, *LATER, FILE]
    assert says in text_of(found[title].shown)
    assert found["Columns"].shown == ready["Columns"].shown
    assert found["How to repeat it"].shown == ready["How to repeat it"].shown
    assert says in text_of(found[FILE].shown)
    assert ("KeyError" in caplog.text) == isinstance(error, KeyError)


def test_what_was_parsed_of_a_large_file_is_forgotten(monkeypatch):
    files = [ParsedFile(name, each) for name, each in (("a.csv", BEFORE), ("b.csv", AFTER))]
    next(parts(ReportInput(*files)))
    assert all(file.tables for file in files)
    monkeypatch.setattr(comparison_request, "LARGE", 100)
    next(parts(ReportInput(*files)))
    assert not any(file.tables for file in files)


def test_a_refusal_of_the_library_reaches_whoever_asks():
    with pytest.raises(Refusal, match="column"):
        next(parts(ReportInput(ParsedFile("a.csv", BEFORE), ParsedFile("b.csv", b"u\n1\n2\n3\n"))))


# within subjects, and with a group of the user's choice ---------------------------------------------------------------


def twice(shift=0.0, n=40, first=0):
    """Return a file of subjects from `first` on, whose levels differ by much more than the shift."""
    rng = np.random.default_rng(7)
    level = rng.normal(0, 20, n)
    table = pandas.DataFrame({"patient": [f"p{k}" for k in range(n)], "pulse": level + shift})
    table["pulse"] += np.random.default_rng(int(10 * shift)).normal(size=n)
    return table[first:].to_csv(index=False).encode()


def test_two_files_may_be_compared_within_a_column_of_subjects(opened):
    page = opened()
    drop(page, 0, twice(), "old.csv")
    drop(page, 1, twice(2.0, first=3), "new.csv")
    assert list(page.zones.within.options.values()) == ["", "patient"]
    assert page.zones.within.visible
    before = page.texts.code
    page.zones.within.value = "patient"
    assert "within='patient'" in page.texts.code
    assert page.texts.code != before
    found = ReportInput(
        ParsedFile("old.csv", twice()), ParsedFile("new.csv", twice(2.0, first=3)), within="patient"
    ).compared()
    assert found.differ
    assert found.unmatched == (3, 0)
    assert found.verdict.split(" (")[0] in verdict(page)
    assert not links(page.panes["Columns"].object)
    drop(page, 1, AFTER, "other.csv")
    assert page.zones.within.value == ""


def test_the_group_that_others_are_compared_with_is_chosen(opened):
    page = opened()
    drop(page, 0, grouped(control=0, drug=15), "trial.csv")
    assert list(page.zones.reference.options.values()) == ["", "control", "drug"]
    page.zones.reference.value = "drug"
    assert "reference='drug'" in page.texts.code
    assert names_all(verdict(page), "drug", "control")
    drop(page, 1, AFTER, "b.csv")
    assert not page.zones.reference.visible
    assert "reference" not in page.texts.code


def test_measurements_name_no_subjects():
    rows = b"".join(b"%d,%d.5,a%d,2026-01-0%d\n" % (k, k, k % 2, k) for k in range(1, 9))
    preview = preview_of(ParsedFile("t.csv", b"id,x,word,day\n" + rows))
    assert subjects([preview]) == ["id", "word"]
    assert subjects([preview], "word") == ["id"]
    assert subjects([preview, preview_of(ParsedFile("b.csv", BEFORE))]) == []
