"""The page of the report as a visitor uses it: files, the report that fills in, and the labs that its lines open."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from urllib.parse import parse_qs, urlparse

import numpy as np
import pandas
import pytest
from helpers.browsing import DESK, PHONE
from helpers.explorer_server import ExplorerServer
from helpers.naming import names_all
from helpers.server_process import until

from .test_browser_accessibility import barriers_of
from .test_browser_connection import RECORD

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TAG = "<img src=x onerror=window.ran=1>"
LOOKS = {"light": {}, "dark": {"color_scheme": "dark"}, "phone": PHONE}


@contextmanager
def visit(chromium, server, script="", **options):
    """Open a tab at /report with its example, in its own profile; the browser must not complain."""
    context = chromium.new_context(**{"viewport": DESK, "accept_downloads": True, **options})
    context.add_init_script(script)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab, complaints = context.new_page(), []

    def heard(message):
        if message.type == "error":
            complaints.append(message.text)

    def watch(page):
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))

    watch(tab)
    context.on("page", watch)
    tab.goto(f"{server.url}/report")
    whole(tab, "before.csv")
    yield tab
    context.close()
    assert complaints == []


def whole(tab, name, seconds=60):
    """Wait for a whole report of a file."""
    button = tab.get_by_role("button", name="Save as HTML")
    shown = tab.locator("section[aria-label=verdict]")

    def is_there():
        return shown.count() and name in shown.inner_text() and button.is_enabled()

    until(is_there, f"the report of {name}", seconds)


def table(seed, shift=0.0, n=60):
    rng = np.random.default_rng(seed)
    columns = {"height": rng.normal(170 + shift, 8, n).round(1), "visits": rng.poisson(4, n)}
    return pandas.DataFrame(columns | {TAG: rng.choice(["f", "<b>m</b>"], n)})


@pytest.fixture
def files(tmp_path):
    """Return two files that differ in height, with a hostile column name."""
    for name, seed, shift in (("old.csv", 0, 0.0), ("new.csv", 1, 9.0)):
        table(seed, shift).to_csv(tmp_path / name, index=False)
    return tmp_path


def choose(tab, k, path):
    tab.locator("input[type=file]").nth(k).set_input_files(path)


@pytest.mark.parametrize("look", LOOKS)
def test_the_example_is_there_and_has_no_barrier(chromium, server, axe, look):
    with visit(chromium, server, **LOOKS[look]) as tab:
        assert "differ" in tab.locator("section[aria-label=verdict]").inner_text()
        assert tab.evaluate("document.documentElement.scrollWidth") <= tab.viewport_size["width"]
        light = tab.evaluate("document.querySelector('.mui-dark') === null") and look != "dark"
        assert light == (look != "dark")
        tab.wait_for_timeout(500)  # a button that can be pressed from now on takes a moment to be as dark as it will be
        assert barriers_of(tab, axe) == []


def test_two_files_are_compared_and_a_line_opens_its_lab_with_them(chromium, server, files):
    with visit(chromium, server) as tab:
        choose(tab, 0, files / "old.csv")
        choose(tab, 1, files / "new.csv")
        whole(tab, "old.csv")
        row = tab.locator("tr", has_text="height").first
        with tab.context.expect_page() as opened:
            row.get_by_role("link").click()
        lab = opened.value
        words = parse_qs(urlparse(lab.url).query)
        assert json.loads(words["columns"][0]) == ["height"]
        until(lambda: lab.locator(".says").count() and "old.csv and new.csv" in lab.locator(".says").first.inner_text(),
              "the lab's verdict of these files", 60)  # fmt: skip
        assert lab.locator("[role=alert]").count() == 0
        assert tab.evaluate("window.ran") is None
        assert lab.evaluate("window.ran") is None


def test_what_is_saved_is_the_report_and_what_is_copied_repeats_it(chromium, server, files):
    with visit(chromium, server) as tab:
        choose(tab, 0, files / "old.csv")
        choose(tab, 1, files / "new.csv")
        whole(tab, "old.csv")
        with tab.expect_download() as saving:
            tab.get_by_role("button", name="Save as HTML").click()
        page = saving.value.path().read_text(encoding="utf-8")
        assert saving.value.suggested_filename == "report.html"
        assert names_all(re.search("<title>(.*?)</title>", page)[1], "old.csv", "new.csv")
        tab.get_by_role("button", name="Copy Python").click()
        tab.get_by_role("button", name="Copied").wait_for()
        assert "compare('old.csv', 'new.csv', rng=0)" in tab.evaluate("navigator.clipboard.readText()")


FOCUSED = """() => {
  let at = document.activeElement
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at.ariaLabel || at.textContent || at.closest('label, button, [role=button]')?.textContent || ''
}"""


def tab_to(tab, name):
    """Press Tab until the element with this name has the focus."""
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate(FOCUSED).startswith(name):
            return
    raise AssertionError(f"Tab reaches nothing that is called {name}")


def test_keys_alone_bring_in_a_pasted_table_and_a_file(chromium, server, files):
    with visit(chromium, server) as tab:
        choosers = []
        tab.on("filechooser", lambda chooser: choosers.append(chooser))  # before the key, or it may be lost
        tab_to(tab, "before: drop or choose")
        tab.keyboard.press("Enter")
        until(lambda: tab.wait_for_timeout(50) or choosers, "a chooser of files")  # to wait lets the browser's word in
        choosers[0].set_files(files / "old.csv")
        until(lambda: "Now drop the second file" in tab.locator("p.about").inner_text(), "a word on the first file")
        tab_to(tab, "Or paste a table: after")
        tab.keyboard.press("Enter")
        tab.keyboard.press("Tab")
        tab.keyboard.insert_text(table(1, 9.0).to_csv(index=False, sep="\t"))
        tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        whole(tab, "pasted after.csv")
        assert "height" in tab.locator("section[aria-label=verdict]").inner_text()


def test_the_example_shows_what_a_file_may_look_like(chromium, server):
    with visit(chromium, server) as tab, tab.expect_download() as saving:
        tab.get_by_role("link", name="after.csv", exact=True).click()
    saved = saving.value
    assert saved.suggested_filename == "after.csv"


def test_a_report_that_is_computed_while_the_connection_is_lost_is_there_once_it_is_back(chromium, server, files):
    with visit(chromium, server, script=RECORD) as tab:
        choose(tab, 0, files / "old.csv")
        until(lambda: "Now drop the second file" in tab.locator("p.about").inner_text(), "a word on the first file")
        choose(tab, 1, files / "new.csv")
        until(lambda: "new.csv" in tab.locator("p.about").inner_text(), "a word on both files")
        tab.evaluate("sockets.at(-1).close()")
        whole(tab, "old.csv")
        tab.get_by_role("button", name="Copy Python").click()
        tab.get_by_role("button", name="Copied").wait_for()
        assert "compare('old.csv', 'new.csv', rng=0)" in tab.evaluate("navigator.clipboard.readText()")


def test_all_of_it_is_printed_in_ink_on_paper_without_what_asks_for_files(chromium, server):
    with visit(chromium, server, color_scheme="dark") as tab:
        assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format="A4"))) in (2, 3)
        tab.emulate_media(media="print", color_scheme="dark")
        repeats = tab.get_by_text("How to repeat it")
        assert tab.evaluate("document.documentElement.scrollHeight") > repeats.bounding_box()["y"] > DESK["height"]
        assert repeats.evaluate("it => getComputedStyle(it).color") == "rgb(27, 29, 31)"
        assert not tab.locator("p.about").is_visible()
        assert not tab.get_by_role("link", name="Two samples").first.is_visible()


def test_what_cannot_be_read_is_said_at_once_and_no_old_verdict_stays(chromium, server, files):
    with visit(chromium, server) as tab:
        assert "differ" in tab.locator("section[aria-label=verdict]").inner_text()
        (files / "photo.csv").write_bytes(b"\x00\x01\x02" * 500)
        choose(tab, 0, files / "photo.csv")
        tab.locator("p[role=alert]").wait_for()
        assert "photo.csv" in tab.locator("p[role=alert]").inner_text()
        until(lambda: not tab.locator("section[aria-label=verdict]").count(), "the end of the example's verdict")
        assert tab.get_by_role("button", name="Save as HTML").is_disabled()


def test_a_line_opens_its_lab_in_whichever_worker(chromium, files, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    shared = ExplorerServer(tmp_path / "log", "--workers", "2")
    try:
        with visit(chromium, shared) as tab:
            choose(tab, 0, files / "old.csv")
            choose(tab, 1, files / "new.csv")
            whole(tab, "old.csv")
            section = tab.locator("section[aria-labelledby=columns]")
            links = [link for link in section.locator("td a, th a").all() if link.is_visible()]
            assert len(links) >= 2
            for link in links[:3]:  # a page goes to the worker with the fewest: these three to both
                with tab.context.expect_page() as opened:
                    link.click()
                says = opened.value.locator(".says").first
                until(lambda says=says: says.count() and "old.csv and new.csv" in says.inner_text(),
                      "the lab's verdict of these files", 60)  # fmt: skip
            assert list(tmp_path.glob("explorer-*/*"))
    finally:
        shared.stop()
    assert not list(tmp_path.glob("explorer-*"))


def test_another_visitor_does_not_get_the_files_by_the_link(chromium, server, files):
    with visit(chromium, server) as tab:
        choose(tab, 0, files / "old.csv")
        choose(tab, 1, files / "new.csv")
        whole(tab, "old.csv")
        link = tab.locator("tr", has_text="height").first.get_by_role("link").get_attribute("href")
        other = chromium.new_context()
        stranger = other.new_page()
        stranger.goto(f"{server.url}/{link}")
        stranger.locator("[role=alert]").first.wait_for()
        assert names_all(stranger.locator("[role=alert]").first.inner_text(), "old.csv")
        other.close()
