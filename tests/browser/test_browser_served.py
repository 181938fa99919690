"""`explorer serve` in a browser: what its policy forbids, and how pages come back to sessions that are signed."""

from __future__ import annotations

import os
import signal

import pytest
from helpers.browsing import SHRINKAGE, LabEntry
from helpers.explorer_server import ExplorerServer
from helpers.server_process import until

from explorer.workbench import registry
from explorer.workbench.content import content_of

from .test_browser_connection import BACK, STILL, LostPage, forgive
from .test_browser_own_data import GOOD

PRESETS = content_of("shrinkage").presets

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

VIOLATIONS = """
window.violations = []
document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI, sourceFile, sample}) =>
  violations.push([violatedDirective, blockedURI, sourceFile, sample].join(' ')))
"""
IDLE_SECONDS = 30  # seconds that a busy machine takes to open a page and move a slider


@pytest.fixture
def served(tmp_path):
    """Start `explorer serve` with options."""
    started = []

    def start(*options):
        started.append(ExplorerServer(tmp_path / f"log {len(started)}", *options))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Start `explorer serve` without options."""
    started = ExplorerServer(tmp_path_factory.mktemp("plain") / "log")
    yield started
    started.stop()


@pytest.fixture
def guarded(chromium):
    """Make pages of a server that may violate no policy and cause no complaint."""
    lab_pages = []

    def make(of, place):
        context = chromium.new_context(viewport={"width": 1300, "height": 900}, accept_downloads=True)
        lab_page = LostPage(context, of.url, place)
        lab_page.page.add_init_script(VIOLATIONS)
        lab_pages.append(lab_page)
        return lab_page

    yield make
    found = [complaint for lab_page in lab_pages for complaint in lab_page.complaints]
    for page in [lab_page.page for lab_page in lab_pages if not lab_page.page.is_closed()]:
        found += page.evaluate("window.violations ?? []")
    for lab_page in lab_pages:
        lab_page.page.context.close()
    assert found == []


PAGES = [
    pytest.param(name, marks=() if name in ("shrinkage", "sweep", "") else pytest.mark.slow)
    for name in (*registry.names(), "", "home", "report", "lessons")
]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_works_under_its_policy(plain, guarded, name):
    page = guarded(plain, LabEntry(name)).page
    page.goto(f"{plain.url}/{name}")
    page.wait_for_function("!document.getElementById('early') && Bokeh.index.roots?.[0]?.is_idle", timeout=60_000)
    for slider in page.locator("input[type=range]").all()[:2]:
        slider.focus()
        page.keyboard.press("ArrowRight")
    folds, themes = page.locator("button[aria-expanded=false]"), page.get_by_role("button", name="theme")
    for button in (*folds.all()[:4], *themes.all()[:1]):
        button.evaluate("button => button.click()")  # a pointer would hit what has just opened
    page.wait_for_timeout(1000)
    assert page.evaluate("violations") == []


def test_data_of_ones_own_work_under_the_policy(plain, guarded, tmp_path):
    lab_page = guarded(plain, SHRINKAGE).open()
    (tmp_path / "people.csv").write_text(GOOD)
    lab_page.unfold("Your data")
    lab_page.choose(tmp_path / "people.csv")
    lab_page.button("^Use this table$").click()
    lab_page.follows(source="file")
    with lab_page.answers("a step of λ"):
        lab_page.press("λ")
    assert lab_page.page.evaluate("violations") == []


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["shrinkage", "dna"])
def test_a_cut_page_comes_back_to_its_signed_session(plain, guarded, name):
    lab_page = guarded(plain, LabEntry(name)).open()
    lab_page.press(lab_page.place.names[1])
    session, shown = lab_page.session, lab_page.settled(STILL)
    with lab_page.lost():
        assert lab_page.takes_no_input()
    assert (lab_page.session, lab_page.loads) == (session, 1)
    until(lambda: lab_page.shows() == shown, "the page as it was")
    lab_page.works()


def test_a_page_comes_back_at_its_own_link_after_its_worker_has_died(served, guarded):
    server = served("--workers", "2")
    lab_page = guarded(server, SHRINKAGE).open()
    lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    session, (headline, fields, _) = lab_page.session, lab_page.settled()
    for pid in server.processes[1:]:
        os.kill(pid, signal.SIGKILL)
    lab_page.notice.wait_for()
    until(lambda: lab_page.loads == 2 and lab_page.page.locator(".says").count(), "the page's own link", BACK)
    assert (lab_page.settled()[:2], lab_page.loads) == ((headline, fields), 2)
    assert lab_page.session != session
    lab_page.works()
    forgive(lab_page)
    lab_page.complaints = [each for each in lab_page.complaints if "403" not in each]


@pytest.mark.slow
def test_a_page_that_nobody_touches_says_so_and_opens_again_at_its_own_link(served, guarded):
    server = served("--idle-minutes", str(IDLE_SECONDS / 60))
    lab_page = guarded(server, SHRINKAGE).open()
    lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    headline, fields = lab_page.headline, lab_page.fields
    notice = lab_page.page.get_by_role("alert").filter(has_text="This page was idle")
    notice.wait_for(timeout=1000 * 3 * IDLE_SECONDS)
    assert "data of your own" in notice.inner_text()
    lab_page.page.wait_for_timeout(20_000)  # its connection is closed, and no other is opened
    assert (lab_page.loads, notice.count(), lab_page.notice.count()) == (1, 1, 0)
    notice.click()
    until(lambda: lab_page.loads == 2 and lab_page.page.locator(".says").count(), "the page's own link", BACK)
    lab_page.settled()
    assert (lab_page.headline, lab_page.fields) == (headline, fields)
