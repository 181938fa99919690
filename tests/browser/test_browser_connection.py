"""A page whose connection is lost says so, takes no input, and reconnects by itself at its own state."""

from __future__ import annotations

import re
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from every_lab import ROWS
from helpers.browsing import DESK, PHONE, SHRINKAGE, BrowserPage, LabEntry
from helpers.server_process import Server, until

from explorer.labs.sweep import SweepLab
from explorer.marks.roles import ROLES
from explorer.pages.serving.reconnect import LOST
from explorer.workbench.content import content_of

from .test_browser_own_data import GOOD
from .test_browser_sweep import SMALL

PRESETS = content_of("shrinkage").presets
STORIES = content_of("shrinkage").stories

pytestmark = pytest.mark.browser

RECORD = """
window.sockets = []
const Plain = window.WebSocket
window.WebSocket = class extends Plain {
  constructor(...all) { super(...all); window.sockets.push(this) }
}
"""
# a browser's own complaints while no server answers
UNANSWERED = re.compile("ERR_CONNECTION_(REFUSED|RESET)|Failed to connect to Bokeh server|WebSocket connection to")
# cut the next socket as soon as it hears of something
CUT_AGAIN = """
event => {
  const Recorded = window.WebSocket
  window.WebSocket = class extends Recorded {
    constructor(...all) {
      super(...all)
      window.WebSocket = Recorded
      this.addEventListener(event, () => this.close(), {once: true})
    }
  }
}
"""
PINNED = "Nothing differs from A yet"
BACK = 60  # seconds: eight pages that reconnect at once share two cores


LABS = [name for name in ROWS if name != "sweep"]
STILL = 4  # seconds without a change that mean that nothing more is computed, in any lab
# the others, whose connection is the same chassis's, come with the slow tests
SOON = ("shrinkage", "monk")


class LostPage(BrowserPage):
    """A page whose connection a test can cut, and its reactions."""

    def __init__(self, context, server, place):
        super().__init__(context, server, place)
        self.page.add_init_script(RECORD)
        self._loads = []
        self.page.on("load", lambda page: self._loads.append(page))

    @property
    def loads(self):
        """Return how often the page was loaded."""
        self.page.wait_for_timeout(1)  # Playwright reports events only during its calls
        return len(self._loads)

    def cut(self):
        """Close the newest socket."""
        self.page.evaluate("sockets.at(-1).close()")

    @property
    def notice(self):
        """Return the notice that the connection is lost."""
        return self.page.get_by_role("alert").filter(has_text=LOST)

    @property
    def session(self):
        """Return a word that only this page of this session has."""
        return self.page.evaluate(
            "[...Bokeh.documents[0]._all_models.values()].find((model) => 'asked' in model.attributes).page"
        )

    def takes_no_input(self):
        """Return whether all but the notice is inert."""
        return self.page.evaluate("""[...document.body.children].every(
            (part) => part.inert !== part.classList.contains('explorer-lost'))""")

    def is_back(self):
        """Wait until the notice has gone."""
        self.notice.wait_for(state="detached", timeout=1000 * BACK)
        assert self.page.evaluate("[...document.body.children].every((part) => !part.inert)")

    def lost(self):
        """Cut, and let the browser wait for an answer of the server as long as the context lasts."""
        return self.lost_after(lambda: None)

    @contextmanager
    def lost_after(self, act):
        """Act, then cut at once."""
        held = []
        self.page.route("**/metadata", lambda route: held.append(route))
        act()
        self.cut()
        self.notice.wait_for()
        yield
        until(lambda: self.page.wait_for_timeout(20) or held, "a question to the server")
        held[0].continue_()
        self.page.unroute("**/metadata")
        self.is_back()

    def shows(self):
        """Return the visible state: the headline, the link and the pictures."""
        return self.headline, self.fields, self.pictures()

    def settled(self, still=1.5):
        """Return what the page shows once it has not changed for some seconds: some of it is deferred."""
        looks, count = [], round(still / 0.3)

        def same():
            looks.append(self.shows())
            self.page.wait_for_timeout(300)
            return self.is_idle() and len(looks) > count and all(look == looks[-1] for look in looks[-count:])

        until(same, "a page that has settled", BACK)
        return looks[-1]

    def works(self):
        """Check that both kinds of sliders answer, and the link follows."""
        for name, field in zip(self.place.names, self.place.fields, strict=True):
            before, at_its_end = self.pictures(), self.slider(name).evaluate("input => input.value === input.max")
            self.press(name, "ArrowLeft" if at_its_end else "ArrowRight")
            until(lambda before=before: self.pictures() != before, f"a picture after {name}")
            self.leads_to(field, self.says(name))

    def leads_to(self, field, said):
        """Wait until the page is idle and the link has the slider's value for a field, 800.0 for 800."""
        until(lambda: self.fields.get(field, "").removesuffix(".0") == said, f"{field} {said} in the link")


@pytest.fixture
def new_server(tmp_path):
    """Start servers of a test's own."""
    servers = []

    def make(*options):
        servers.append(Server(tmp_path / f"log {len(servers)}", *options))
        return servers[-1]

    yield make
    for served in servers:
        served.stop()


@pytest.fixture
def new_lost(chromium, server, new_server):
    """Make pages whose connection can be cut, of the session's server or another; they may complain of nothing.

    They are closed before the servers of `new_server` end.
    """
    lab_pages = []

    def make(place=SHRINKAGE, of=server, **options):
        context = chromium.new_context(**{"viewport": DESK, **options})
        lab_pages.append(LostPage(context, of.url, place))
        return lab_pages[-1]

    yield make
    for lab_page in lab_pages:
        lab_page.page.context.close()
    assert [complaint for lab_page in lab_pages for complaint in lab_page.complaints] == []


def forgive(lab_page):
    """Drop the browser's own complaints about a server that does not answer."""
    lab_page.complaints = [each for each in lab_page.complaints if not UNANSWERED.search(each)]


@pytest.mark.few(1)
@pytest.mark.thorough
@pytest.mark.parametrize(
    "place", [pytest.param(LabEntry(name), id=name, marks=() if name in SOON else pytest.mark.slow) for name in LABS]
)
def test_a_cut_page_comes_back_to_its_session_and_works(new_lost, place):
    lab_page = new_lost(place).open()
    lab_page.press(place.names[1])
    lab_page.compare("^Pin this as A")
    lab_page.page.get_by_text(PINNED).wait_for()
    session, shown = lab_page.session, lab_page.settled(STILL)
    with lab_page.lost():
        assert lab_page.takes_no_input()
    assert (lab_page.session, lab_page.loads) == (session, 1)
    until(lambda: lab_page.shows() == shown, "the page as it was")
    assert lab_page.page.get_by_text(PINNED).count() == 1
    lab_page.works()
    lab_page.button("^Undo$").click()
    lab_page.follows(**{place.fields[1]: shown[1][place.fields[1]]})


@pytest.mark.slow
@pytest.mark.thorough
def test_a_sweep_goes_on_while_its_page_is_cut(chromium, server):
    context = chromium.new_context(viewport=DESK)
    lab_page = LostPage(context, server.url, LabEntry("sweep"))
    lab_page.page.goto(f"{lab_page.url}?{urlencode(SweepLab(**SMALL).settled().flat())}")
    status = lab_page.page.locator(".run")
    lab_page.button("^Run$").wait_for()
    until(lambda: "fits" in status.inner_text(), "the cost")
    with lab_page.lost_after(lab_page.button("^Run$").click):
        lab_page.page.wait_for_timeout(3000)  # the 18 cells take a second or two
    until(lambda: status.inner_text().startswith("All"), "the end of the sweep", BACK)
    assert lab_page.loads == 1
    assert lab_page.complaints == []
    context.close()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_page_in_the_middle_of_a_story_with_data_of_ones_own_has_both_after_a_cut(new_lost, tmp_path):
    story, lab_page = STORIES[1], new_lost().open()
    (tmp_path / "people.csv").write_text(GOOD)
    lab_page.unfold("Your data")
    lab_page.choose(tmp_path / "people.csv")
    lab_page.button("^Use this table$").click()
    lab_page.follows(source="file")
    shown = lab_page.settled()
    with lab_page.lost():
        pass
    assert lab_page.settled() == shown
    assert "people.csv" in lab_page.trust
    lab_page.press("n points", "ArrowLeft")
    lab_page.follows(source="file", n=lab_page.says("n points"))
    lab_page.begin(story)
    lab_page.button("^Next$").click()
    lab_page.follows(story=story.key, step="2")
    with lab_page.lost():
        pass
    assert story.steps[1].asks in lab_page.page.locator(".story").inner_text()
    lab_page.button("^Next$").click()
    lab_page.follows(story=story.key, step="3")


@pytest.mark.slow
@pytest.mark.thorough
def test_pictures_are_dark_again_and_a_visitor_who_chose_light_keeps_it(new_lost):
    dark = dict(ROLES.values())
    lab_page = new_lost(color_scheme="dark").open()
    until(lambda: max(lab_page.corner_brightness()) < 60, "a dark page")  # out of 255
    inks = lab_page.glyph_colours()
    assert set(inks) & set(dark.values())
    assert not set(inks) & (set(dark) - set(dark.values()))
    with lab_page.lost():
        pass
    assert lab_page.glyph_colours() == inks
    until(lambda: max(lab_page.corner_brightness()) < 60, "a dark page again")
    lab_page.works()
    lab_page.button("theme").click()
    until(lambda: min(lab_page.corner_brightness()) > 200, "a light page")
    with lab_page.lost():
        pass
    lab_page.settled()
    assert min(lab_page.corner_brightness()) > 200
    assert [dark[ink] for ink in lab_page.glyph_colours()] == inks


@pytest.mark.slow
@pytest.mark.thorough
def test_a_telephone_shows_all_of_the_notice_and_stays_where_it_was_scrolled_to(new_lost):
    lab_page = new_lost(**PHONE).open()
    main = lab_page.page.locator(".main-content")
    main.evaluate("main => main.scrollTo(0, 700)")
    with lab_page.lost():
        box = lab_page.notice.bounding_box()
        assert (box["x"], box["y"], box["width"]) == (0, 0, 390)
        assert lab_page.notice.evaluate(
            "({scrollWidth, scrollHeight, clientHeight}) => [scrollWidth, scrollHeight - clientHeight]"
        ) == [390, 0]
    lab_page.settled()
    assert main.evaluate("main => main.scrollTop") == 700
    assert lab_page.too_wide() == []
    lab_page.scroll_up()
    lab_page.slider("λ").scroll_into_view_if_needed()
    track = lab_page.track("λ")
    with lab_page.answers("a tap on the track"):
        lab_page.page.touchscreen.tap(track["x"] + 0.3 * track["width"], track["y"] + track["height"] / 2)
    lab_page.follows(lam=lab_page.says("λ"))


def begin_what_takes_long(lab_page):
    """Ask for n = 2000, and wait until the server computes it."""
    lab_page.type("n", "2000")
    until(lab_page.is_dimmed, "pictures that have stepped back")


@pytest.mark.slow
@pytest.mark.thorough
def test_what_a_thread_has_computed_meanwhile_is_shown_when_the_page_is_back(new_lost):
    lab_page = new_lost().open()
    before = lab_page.headline
    with lab_page.lost_after(lambda: begin_what_takes_long(lab_page)):
        lab_page.page.wait_for_timeout(4000)  # the state takes a second or two
    assert lab_page.says("n points") == "2000"
    until(lambda: lab_page.headline != before and not lab_page.is_dimmed(), "the result at n = 2000")
    lab_page.follows(n="2000")
    assert lab_page.loads == 1
    with lab_page.answers("one step back"):
        lab_page.press("n points", "ArrowLeft")
    lab_page.follows(n=lab_page.says("n points"))


@pytest.mark.slow
@pytest.mark.thorough
def test_a_page_that_comes_back_while_a_thread_computes_is_shown_the_result(new_lost):
    lab_page = new_lost().open()
    before = lab_page.headline
    with lab_page.lost_after(lambda: begin_what_takes_long(lab_page)):
        pass
    lab_page.follows(n="2000")
    until(lambda: lab_page.headline != before and not lab_page.is_dimmed(), "the result at n = 2000")
    assert (lab_page.says("n points"), lab_page.loads) == ("2000", 1)


@pytest.mark.slow
@pytest.mark.thorough
def test_cut_again_on_its_way_back_and_again_at_once_a_page_comes_back_to_its_session(new_lost):
    lab_page = new_lost().open()
    session, shown = lab_page.session, lab_page.settled()
    for heard in ("open", "message"):
        count = lab_page.page.evaluate("sockets.length")
        lab_page.page.evaluate(CUT_AGAIN, heard)
        lab_page.cut()
        until(lambda count=count: lab_page.page.evaluate("sockets.length") == count + 2, "two attempts", BACK)
        lab_page.is_back()
    lab_page.cut()
    lab_page.notice.wait_for()
    lab_page.is_back()
    lab_page.cut()
    lab_page.notice.wait_for()
    lab_page.is_back()
    assert (lab_page.session, lab_page.loads, lab_page.settled()) == (session, 1, shown)
    lab_page.works()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_slider_in_the_hand_is_put_down_and_can_be_taken_again(new_lost):
    lab_page = new_lost().open()
    for name, field in (("λ", "lam"), ("n points", "n")):
        with lab_page.hold_slider(name) as move:
            move(0.4)
            with lab_page.lost():
                for share in (0.5, 0.6, 0.7):
                    move(share)
            move(0.8)  # the thumb is no longer held
        lab_page.settled()
        lab_page.follows(**{field: lab_page.says(name)})
        with lab_page.hold_slider(name) as move:
            move(0.2)
        lab_page.follows(**{field: lab_page.says(name)})
        lab_page.settled()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_killed_server_that_is_started_again_has_every_page_back_at_its_own_link(new_lost, new_server):
    served, lab_pages = new_server(), {}
    for name in LABS:
        lab_page = lab_pages[name] = new_lost(place := LabEntry(name), served).open()
        lab_page.press(place.names[1])
        lab_page.follows(**{place.fields[1]: lab_page.says(place.names[1])})
    shown = {name: lab_page.settled() for name, lab_page in lab_pages.items() if not lab_page.page.bring_to_front()}
    served.kill()
    for lab_page in lab_pages.values():
        lab_page.notice.wait_for()
        assert lab_page.takes_no_input()
    served.start()
    for name, lab_page in lab_pages.items():
        lab_page.page.bring_to_front()
        until(lambda lab_page=lab_page: lab_page.loads == 2, f"{name} to load its link again", BACK)
        lab_page.is_back()
        until(
            lambda lab_page=lab_page: lab_page.page.locator(".says").count() and lab_page.is_idle(),
            f"{name} at rest",
            BACK,
        )
        headline, fields, _ = lab_page.settled()
        assert (headline, fields) == shown[name][:2]
        lab_page.works()
        assert lab_page.loads == 2
        forgive(lab_page)
    assert served.troubles() == []


@pytest.mark.slow
@pytest.mark.thorough
def test_a_session_that_the_server_has_discarded_is_begun_anew_at_the_page_s_own_link(new_lost, new_server):
    served = new_server("--unused-session-lifetime", "1", "--check-unused-sessions", "50")  # ms
    lab_page = new_lost(of=served).open()
    lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    session, (headline, fields, _) = lab_page.session, lab_page.settled()
    with lab_page.lost():
        lab_page.page.wait_for_timeout(500)  # ten looks of the server at what is unused
    until(lambda: lab_page.loads == 2 and lab_page.page.locator(".says").count(), "the page's own link", BACK)
    assert (lab_page.settled()[:2], lab_page.loads) == ((headline, fields), 2)
    assert lab_page.session != session
    lab_page.works()
    assert served.troubles() == []


@pytest.mark.slow
@pytest.mark.thorough
def test_an_expired_token_opens_its_session_and_a_refused_one_the_page_s_own_link(new_lost, new_server):
    served = new_server("--session-token-expiration", "8")  # seconds, enough for a page to open
    lab_page = new_lost(of=served).open()
    lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    session, (headline, fields, _) = lab_page.session, lab_page.settled()
    lab_page.page.wait_for_timeout(8000)
    with lab_page.lost():
        pass
    assert (lab_page.session, lab_page.loads) == (session, 1)
    assert served.troubles() == []
    served.kill()
    lab_page.notice.wait_for()
    served.start(BOKEH_SIGN_SESSIONS="1", BOKEH_SECRET_KEY="0123456789" * 4)  # tokens were not signed before
    until(lambda: lab_page.loads == 2 and lab_page.page.locator(".says").count(), "the page's own link", BACK)
    assert (lab_page.settled()[:2], lab_page.loads) == ((headline, fields), 2)
    lab_page.works()
    session = lab_page.session
    with lab_page.lost():
        pass
    assert (lab_page.session, lab_page.loads) == (session, 2)
    forgive(lab_page)
