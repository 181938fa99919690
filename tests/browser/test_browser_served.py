"""`explorer serve` in a browser: what its policy forbids, and how pages come back to sessions that are signed."""

from __future__ import annotations

import os
import signal

import pytest
from browsing import Place
from explorer_server import ExplorerServer
from server_process import until

from explorer.labs.shrinkage.stories import PRESETS
from explorer.workbench import registry

from .test_browser_connection import BACK, CASES, LostRoom, forgive
from .test_browser_own_data import GOOD

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
    """Make rooms of a server that may violate no policy and cause no complaint."""
    rooms = []

    def make(of, place):
        context = chromium.new_context(viewport={"width": 1300, "height": 900}, accept_downloads=True)
        room = LostRoom(context, of.url, place)
        room.page.add_init_script(VIOLATIONS)
        rooms.append(room)
        return room

    yield make
    found = [complaint for room in rooms for complaint in room.complaints]
    for page in [room.page for room in rooms if not room.page.is_closed()]:
        found += page.evaluate("window.violations ?? []")
    for room in rooms:
        room.page.context.close()
    assert found == []


PAGES = [
    pytest.param(name, marks=() if name in ("shrinkage", "sweep", "") else pytest.mark.slow)
    for name in (*registry.names(), "", "home", "report", "lessons")
]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_works_under_its_policy(plain, guarded, name):
    page = guarded(plain, Place(name, "", 0, "")).page
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
    room = guarded(plain, CASES["shrinkage"].place).open()
    (tmp_path / "people.csv").write_text(GOOD)
    room.unfold("Your data")
    room.choose(tmp_path / "people.csv")
    room.button("^Use this table$").click()
    room.follows(source="file")
    with room.answers("a step of λ"):
        room.press("λ")
    assert room.page.evaluate("violations") == []


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["shrinkage", "dna"])
def test_a_cut_page_comes_back_to_its_signed_session(plain, guarded, name):
    room = guarded(plain, CASES[name].place).open()
    room.press(CASES[name].other)
    session, shown = room.session, room.settled(CASES[name].still)
    with room.lost():
        assert room.takes_no_hand()
    assert (room.session, room.loads) == (session, 1)
    until(lambda: room.shows() == shown, "the page as it was")
    room.works(CASES[name])


def test_a_page_comes_back_at_its_own_link_after_its_worker_has_died(served, guarded):
    server = served("--workers", "2")
    room = guarded(server, CASES["shrinkage"].place).open()
    room.press("n points")
    room.follows(n=room.says("n points"))
    session, (headline, fields, _) = room.session, room.settled()
    for pid in server.processes[1:]:
        os.kill(pid, signal.SIGKILL)
    room.notice.wait_for()
    until(lambda: room.loads == 2 and room.page.locator(".says").count(), "the page's own link", BACK)
    assert (room.settled()[:2], room.loads) == ((headline, fields), 2)
    assert room.session != session
    room.works(CASES["shrinkage"])
    forgive(room)
    room.complaints = [each for each in room.complaints if "403" not in each]


@pytest.mark.slow
def test_a_page_that_nobody_touches_says_so_and_opens_again_at_its_own_link(served, guarded):
    server = served("--idle-minutes", str(IDLE_SECONDS / 60))
    room = guarded(server, Place("shrinkage", "λ", 3, PRESETS[0].name)).open()
    room.press("n points")
    room.follows(n=room.says("n points"))
    headline, fields = room.headline, room.fields
    notice = room.page.get_by_role("alert").filter(has_text="This page was idle")
    notice.wait_for(timeout=1000 * 3 * IDLE_SECONDS)
    assert "data of your own" in notice.inner_text()
    room.page.wait_for_timeout(20_000)  # its connection is closed, and no other is opened
    assert (room.loads, notice.count(), room.notice.count()) == (1, 1, 0)
    notice.click()
    until(lambda: room.loads == 2 and room.page.locator(".says").count(), "the page's own link", BACK)
    room.settled()
    assert (room.headline, room.fields) == (headline, fields)
