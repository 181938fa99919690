"""A lab session handles its events in any order: tests with a fake page backend whose threads and time they control."""

import logging

import pytest
from helpers.fake_backend import IDLE_AFTER, FakeBackend, ToyLab, ToyResult
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from explorer.workbench.lab_session import PATIENCE, ROWS, TRANSITIONS, LabSession
from explorer.workbench.state_machine import DeferredState, Event, PictureState

# repeated values are drawn more often, so that rare cases occur: long computations with deferred stages
SIZES, STOPS, SHOWN = (
    st.sampled_from([1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9]),
    st.integers(0, 3),
    st.sampled_from([True, True, False]),
)
MOVES = st.fixed_dictionaries({}, optional={"n": SIZES, "lam": STOPS, "wide": SHOWN, "deep": SHOWN})
SLIGHT = st.fixed_dictionaries({"lam": STOPS})
INDEX = st.integers(0, 5)


class AnyOrder(RuleBasedStateMachine):
    """State machine of all that a user, a browser, threads and time can do, in any order."""

    backend: FakeBackend

    @initialize(moves=MOVES, blank=st.booleans(), leaves=st.booleans())
    def open(self, moves, blank, leaves):
        self.backend, self.leaves = FakeBackend(ToyLab(**moves), blank), leaves
        if blank or self.backend.lab != ToyLab():
            self.backend.lab_session.on_lab_changed()
        else:
            self.backend.lab_session.on_idle()

    @property
    def _open(self):
        return not self.backend.closed

    @precondition(lambda self: self._open)
    @rule(moves=MOVES)
    def move(self, moves):
        self.backend.move(**moves)

    @precondition(lambda self: self._open)
    @rule(moves=MOVES)
    def ask(self, moves):
        self.backend.ask(**moves)

    @precondition(lambda self: self._open and self.backend.lab_session.result.stops)
    @rule(stop=STOPS)
    def slide(self, stop):
        """Move the slider in the browser, which draws the result from its table."""
        self.backend.ask(drawn=True, lam=stop)

    @precondition(lambda self: self._open and (self.backend.lab_session.busy or self.backend.lab_session.waits))
    @rule()
    def cancel(self):
        self.backend.cancel()

    @precondition(lambda self: self._open)
    @rule()
    def news(self):
        self.backend.lab_session.on_result_grew()

    @precondition(lambda self: self.backend.jobs)
    @rule(index=INDEX, tell=st.booleans())
    def run(self, index, tell):
        self.backend.run(index, tell)

    @precondition(lambda self: self.backend.lab_session.waits or not self.backend.lab_session.busy)
    @rule(
        index=INDEX,
        moves=st.lists(SLIGHT | MOVES, max_size=2),
        cancel=st.sampled_from([False, False, True]),
        seconds=st.sampled_from([0, 2]),
        rests=st.booleans(),
    )
    def run_stage(self, index, moves, cancel, seconds, rests):
        """Compute a deferred stage in a thread; while it runs, the user moves controls or time passes."""

        def meanwhile():
            self.backend.advance(seconds)
            for changes in moves if self._open else ():
                self.backend.move(**changes)
                if self.backend.jobs:
                    self.backend.run(-1, tell=False)
            if cancel and self._open:
                self.backend.lab_session.on_cancel()

        if rests:
            self.backend.advance(IDLE_AFTER + PATIENCE)
        if self.backend.stages:
            self.backend.run_stage(index, meanwhile if moves or cancel or seconds else None)

    @rule(seconds=st.sampled_from([0.1, 0.3, 0.5, 1.0, 2.0]))
    def wait(self, seconds):
        self.backend.advance(seconds)

    @precondition(lambda self: self._open)
    @rule()
    def rest(self):
        """Run the idle update at once, as a key or a story does."""
        self.backend.lab_session.on_idle()

    @precondition(lambda self: self._open)
    @rule()
    def settle(self):
        self.backend.settle()
        self.backend.check_settled()

    @invariant()
    def holds(self):
        if hasattr(self, "backend"):
            self.backend.check()

    def teardown(self):
        if hasattr(self, "backend"):
            if self.leaves:
                self.backend.leave()
            self.backend.settle()
            self.backend.check_settled()
        ToyResult.computed.clear()


@pytest.fixture(autouse=True)
def _quiet(caplog):
    """Hide the log of the toy lab's intended bugs."""
    caplog.set_level(logging.CRITICAL, "explorer")


def play(sequences, events=30):
    """Run random sequences of at most `events` events, without shrinking those that fail, which would take a minute."""
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    odd = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True, "database": None}
    limits = {"max_examples": sequences, "stateful_step_count": events}
    run_state_machine_as_test(AnyOrder, settings=settings(phases=phases, **limits, **odd))


def play_with_a_rare_sequence(sequences):
    """Run a rare sequence, then random ones: few of these would use its row of the table."""
    test_a_late_stage_that_comes_while_a_picture_is_computed_is_in_the_next_one()
    play(sequences)


@pytest.mark.parametrize("sequences", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_in_any_order_the_newest_state_is_shown_in_the_end_and_nothing_is_done_for_nobody(sequences):
    play(sequences)


def without(monkeypatch, row, action=None):
    """Remove a row from the table, or one action from a row."""
    for event, rows in ROWS.items():
        kept = []
        for each in rows:
            if each is not row:
                kept.append(each)
            elif action is not None:
                kept.append(each._replace(actions=[do for do in each.actions if do is not action]))
        monkeypatch.setitem(ROWS, event, kept)


def row_of(event, state):
    """Return the first row of the table for an event in a state."""
    rows = (row for row in TRANSITIONS if event in row.events and isinstance(row.during, type(state)))
    return next(row for row in rows if state in row.during)


def parts_of_the_table():
    """Yield every row as a whole, and every action of each."""
    for row in TRANSITIONS:
        name = f"{row.during}-{row.events}-{getattr(row.guard, '__name__', '')}"
        yield pytest.param(row, None, id=name)
        for action in row.actions:
            yield pytest.param(row, action, id=f"{name}-{action.__name__}")


@pytest.mark.slow
@pytest.mark.parametrize(("row", "action"), list(parts_of_the_table()))
def test_no_row_and_no_deed_is_idle(monkeypatch, row, action):
    without(monkeypatch, row, action)
    with pytest.raises((AssertionError, AttributeError, IndexError, ZeroDivisionError, BaseExceptionGroup)):
        play_with_a_rare_sequence(1500)


# regressions: each test restores an earlier fault, and random sequences must detect it


def test_a_page_that_is_closed_while_a_thread_computes_would_be_drawn(monkeypatch):
    without(monkeypatch, row_of(Event.SESSION_CLOSED, PictureState.COMPUTING))
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        play(150)


def test_a_late_stage_would_take_away_what_is_said(monkeypatch):
    show = LabSession._show

    def forgetful(self, result):
        self._moved = True
        show(self, result)

    monkeypatch.setattr(LabSession, "_show", forgetful)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        play(150)


def test_late_work_would_go_on_for_a_state_that_was_left(monkeypatch):
    without(monkeypatch, row_of(Event.MOVED, DeferredState.FINISHING))
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        play(150)


# cases that random sequences rarely reach


def test_a_question_that_waits_is_answered_by_what_a_menu_shows_at_once():
    backend = FakeBackend()
    backend.ask(n=7)
    assert backend.answered == 0
    backend.move(n=2)
    assert backend.answered == backend.asked == 1


def test_a_late_stage_that_comes_while_a_picture_is_computed_is_in_the_next_one():
    backend = FakeBackend(ToyLab(n=5, wide=True))
    backend.lab_session.on_lab_changed()
    backend.run(0)
    backend.advance(2)

    def meanwhile():
        backend.move(lam=1)
        backend.run(0, tell=False)  # without the deferred stage

    backend.run_stage(0, meanwhile)
    assert backend.lab_session.picture is PictureState.OUTDATED
    backend.settle()
    backend.check_settled()
    assert backend.drawn.combined == (51, 5)


def test_a_state_that_was_declined_is_asked_for_again_once_the_hand_comes_back():
    backend = FakeBackend(ToyLab(wide=True))
    backend.lab_session.on_result_grew()
    backend.lab_session.on_idle()
    backend.cancel()
    backend.settle()
    assert backend.had == ()
    backend.move(lam=1)
    backend.settle()
    assert backend.had == ("far",)


def test_a_refusal_of_a_state_that_was_left_is_not_said_and_the_newest_is_computed():
    backend = FakeBackend()
    backend.move(n=8)
    backend.run(0, tell=False)  # the thread has refused, but not reported it yet
    backend.move(n=7)
    said = backend.words
    backend.run(0)
    assert backend.lab_session.picture is PictureState.COMPUTING
    assert backend.words == said
    backend.settle()
    backend.check_settled()


def test_a_stage_of_before_is_nobodys_once_the_hand_has_left_and_come_back():
    backend = FakeBackend(ToyLab(wide=True))
    backend.lab_session.on_lab_changed()
    backend.advance(IDLE_AFTER + PATIENCE)
    backend.move(n=2)
    backend.move(n=1)
    backend.advance(IDLE_AFTER)
    assert backend.lab_session.late is DeferredState.DUE
    backend.run_stage(0)
    assert (backend.had, backend.lab_session.late) == ((), DeferredState.DUE)
    backend.settle()
    backend.check_settled()
    assert backend.had == ("far",)


def test_what_follows_of_an_event_comes_after_what_follows_of_the_one_before():
    backend, heard = FakeBackend(), []
    rest = backend.lab_session.on_idle
    backend.schedule_idle_update = rest  # a backend that runs idle updates at once
    backend.catch_up = lambda result: heard.append((backend.lab_session.picture, result.lab.n))
    backend.move(n=2)
    assert heard == [(PictureState.SETTLED, 2)]
