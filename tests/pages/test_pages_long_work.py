"""Long computations run in a thread, and the page shows the newest state of its controls."""

import inspect

import pytest
from helpers.page_helpers import ask, live_columns, notice, open_page, run_callbacks, same_columns, shows_state, type_in

from explorer.checks import Refusal
from explorer.estimators.spectrum import Spectrum
from explorer.labs.shrinkage import result as shown
from explorer.pages.widgets import progress
from explorer.workbench import lab_session


def stop(page):
    """Return the stop of the bandwidth's slider."""
    return list(page.sliders["bandwidth"].slider.options.values()).index(page.lab.bandwidth)


def test_what_takes_long_leaves_the_lock_of_the_document_to_the_hand(as_if_served):
    page = open_page()
    page.move(None, samples=100)
    page.rest()
    page.move(None, n=700)
    left = [
        c.callback for c in as_if_served.session_callbacks if inspect.iscoroutinefunction(inspect.unwrap(c.callback))
    ]
    assert len(left) == 1  # the job for the picture
    assert left[0].nolock


def test_a_large_sample_is_computed_in_a_thread_and_small_ones_at_once(as_if_served):
    page = open_page()
    type_in(page, "n", "50")
    assert page.result.lab.n == 50
    type_in(page, "n", "700")
    assert page.result.lab.n == 50  # the event loop is free
    assert ask(page, 7, bandwidth=[stop(page), False]) == 0  # the answer waits for the picture
    run_callbacks(as_if_served)
    assert page.result.lab.n == 700
    assert page.pacer.request.answered == 7
    assert page.chrome.pictures.styles.get("opacity", "1") == "1"
    page.rest()
    assert shows_state(page, n=700)


@pytest.mark.parametrize(("soon_enough", "seen"), [(0, ["0.6", "1"]), (60, [])], ids=str)
@pytest.mark.thorough
def test_the_old_picture_steps_back_only_where_the_new_one_is_not_there_soon(
    as_if_served, monkeypatch, soon_enough, seen
):
    monkeypatch.setattr(lab_session, "SOON", soon_enough)
    page, opacities = open_page(), []
    page.chrome.pictures.param.watch(lambda event: opacities.append(event.new["opacity"]), "styles")
    type_in(page, "n", "700")
    run_callbacks(as_if_served)
    assert page.result.lab.n == 700
    assert opacities == seen


@pytest.mark.thorough(default=["{'seed': 5}-{'n': 700, 'seed': 5}"])
@pytest.mark.parametrize(
    ("meanwhile", "fields"), [({"n": 100}, {"n": 100}), ({"seed": 5}, {"n": 700, "seed": 5})], ids=str
)
def test_what_the_hand_does_during_long_work_is_what_is_shown(as_if_served, monkeypatch, meanwhile, fields):
    page, moves = open_page(), [meanwhile]

    def while_the_hand_moves(K):
        if moves and len(K) == 700:
            page.move(None, **moves.pop())
        return Spectrum(K)

    monkeypatch.setattr(shown, "Spectrum", while_the_hand_moves)
    type_in(page, "n", "700")
    run_callbacks(as_if_served)
    page.rest()
    assert moves == []
    assert shows_state(page, **fields)


def test_long_work_that_is_refused_says_so_and_lets_the_browser_go_on(as_if_served):
    page = open_page(source="wine")
    before = live_columns(page)
    type_in(page, "n", "700")
    assert ask(page, 7, bandwidth=[stop(page), False]) == 0
    run_callbacks(as_if_served)
    assert "178" in notice(page)
    assert same_columns(before, live_columns(page))
    assert page.pacer.request.answered == 7
    page.rest()
    ask(page, 8, lam=[30, True])  # the old picture can still be explored
    type_in(page, "lam", "0.0123")
    run_callbacks(as_if_served)
    page.rest()
    assert "178" in notice(page)
    type_in(page, "n", "40")
    run_callbacks(as_if_served)
    page.rest()
    assert shows_state(page, source="wine", n=40, lam=0.0123)


@pytest.mark.thorough
def test_what_a_thread_computes_is_taken_on_the_page(as_if_served):
    page, taken = open_page(), []
    page.in_thread(lambda: 3, taken.append)
    assert taken == []  # the event loop is free
    run_callbacks(as_if_served)
    assert taken == [3]


def test_what_a_thread_is_refused_is_said_and_not_taken(as_if_served):
    page, taken = open_page(), []

    def refuse():
        raise Refusal("No such thing.")

    page.in_thread(refuse, taken.append)
    run_callbacks(as_if_served)
    assert taken == []
    assert "No such thing." in notice(page)


def test_where_nobody_waits_it_is_taken_at_once():
    page, taken = open_page(), []
    page.in_thread(lambda: 3, taken.append)
    assert taken == [3]


# long computations show their progress, and the user can cancel them


@pytest.fixture
def impatient(monkeypatch):
    """Make pages show their progress at once."""
    for wait in ("SOON", "PATIENT", "PATIENCE"):
        monkeypatch.setattr(lab_session, wait, 0.0)


def watched(page, monkeypatch, act=lambda: None):
    """Return a list that records the progress texts over the pictures; `act` is called at each of them."""
    seen, show = [], page.chrome.waiting.say

    def shows(*parts):
        show(*parts)
        seen.append(page.chrome.waiting.words.object)
        act()

    monkeypatch.setattr(page.chrome.waiting, "say", shows)
    return seen


def test_long_work_says_that_it_goes_on_and_then_no_more(as_if_served, impatient, monkeypatch):
    page = open_page()
    seen = watched(page, monkeypatch)
    type_in(page, "n", "700")
    run_callbacks(as_if_served)
    assert len(seen) == 1
    assert "Computing <progress" in seen[0]
    assert not page.chrome.waiting.row.visible
    page.rest()
    assert shows_state(page, n=700)


def test_short_work_says_nothing(as_if_served, monkeypatch):
    page = open_page()
    seen = watched(page, monkeypatch)
    type_in(page, "n", "700")
    run_callbacks(as_if_served)
    assert seen == []


def test_a_picture_that_is_given_up_leaves_the_last_state_as_it_was(as_if_served, impatient, monkeypatch):
    page = open_page(lam="0.0123")
    page.rest()
    before = live_columns(page)
    watched(page, monkeypatch, lambda: page.chrome.waiting.button.param.trigger("clicks"))
    type_in(page, "n", "700")
    run_callbacks(as_if_served)
    assert page.result.lab.n == page.lab.n == 20
    assert lab_session.CANCELLED in notice(page)
    assert not page.chrome.waiting.row.visible
    assert page.chrome.pictures.styles.get("opacity", "1") == "1"
    page.rest()
    assert same_columns(before, live_columns(page))
    assert shows_state(page, lam=0.0123)
    assert page.controls["n"].box.value == "20"
    type_in(page, "n", "50")
    assert notice(page) == ""


def test_a_link_whose_picture_is_given_up_leads_to_the_lab_s_first_state(as_if_served, impatient, monkeypatch):
    page = open_page(n="700")
    assert page.blank
    watched(page, monkeypatch, page.lab_session.on_cancel)
    run_callbacks(as_if_served)
    assert not page.blank
    assert page.lab == page.lab_class()
    assert lab_session.CANCELLED in notice(page)
    page.rest()
    assert shows_state(page)


@pytest.mark.thorough
def test_late_work_that_is_given_up_leads_to_the_last_whole_state(as_if_served, impatient, monkeypatch):
    page = open_page()
    page.rest()
    seen = watched(page, monkeypatch, page.lab_session.on_cancel)
    page.move(None, samples=100)
    page.rest()
    assert page.waits
    run_callbacks(as_if_served)
    assert len(seen) == 1
    assert not page.waits
    assert page.lab.samples == 0
    assert lab_session.CANCELLED in notice(page)
    page.rest()
    assert shows_state(page)


@pytest.mark.thorough
def test_late_work_of_the_first_state_is_given_up_for_that_state_alone(as_if_served, impatient, monkeypatch):
    page = open_page(samples="100")
    page.rest()
    seen = watched(page, monkeypatch, page.lab_session.on_cancel)
    run_callbacks(as_if_served)
    assert len(seen) == 1
    assert lab_session.NOT_HERE in notice(page)
    page.rest()
    assert not page.waits
    page.move(None, n=30)
    page.rest()
    assert page.waits


@pytest.mark.thorough
def test_late_work_that_nobody_sees_missing_says_nothing(as_if_served, impatient, monkeypatch):
    page = open_page(samples="100")
    page.rest()
    monkeypatch.setattr(page.runtime, "is_awaited", lambda result: False)
    seen = watched(page, monkeypatch)
    run_callbacks(as_if_served)
    assert seen == []
    assert page.result.pending() == ()


@pytest.mark.parametrize(
    ("parts", "words"),
    [((), "Computing <progress"), ((1, 3), "part 2 of 3 <progress")],
    ids=str,
)
def test_the_bar_has_a_share_where_one_is_known(parts, words):
    shown = progress.ProgressOverlay(lambda: None)
    shown.say(*parts)
    assert words in shown.words.object
    assert ("value='1' max='3'" in shown.words.object) == bool(parts)
