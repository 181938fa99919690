"""A page's life in any order of what it can hear, without a page: a world whose threads and time are moved by hand."""

import logging

import pytest
from fake_backend import REST, Desk, ToyLab, ToyResult
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

# of each kind as many as make what is rare come about: long states that have late stages, and moves that these serve
SIZES, STOPS, SHOWN = (
    st.sampled_from([1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9]),
    st.integers(0, 3),
    st.sampled_from([True, True, False]),
)
MOVES = st.fixed_dictionaries({}, optional={"n": SIZES, "lam": STOPS, "wide": SHOWN, "deep": SHOWN})
SLIGHT = st.fixed_dictionaries({"lam": STOPS})
INDEX = st.integers(0, 5)


class AnyOrder(RuleBasedStateMachine):
    """Whatever a hand, a browser, threads and time do, in whatever order."""

    desk: Desk

    @initialize(moves=MOVES, blank=st.booleans(), leaves=st.booleans())
    def open(self, moves, blank, leaves):
        self.desk, self.leaves = Desk(ToyLab(**moves), blank), leaves
        if blank or self.desk.lab != ToyLab():
            self.desk.lab_session.on_lab_changed()
        else:
            self.desk.lab_session.on_idle()

    @property
    def _open(self):
        return not self.desk.closed

    @precondition(lambda self: self._open)
    @rule(moves=MOVES)
    def move(self, moves):
        self.desk.move(**moves)

    @precondition(lambda self: self._open)
    @rule(moves=MOVES)
    def ask(self, moves):
        self.desk.ask(**moves)

    @precondition(lambda self: self._open and self.desk.lab_session.result.stops)
    @rule(stop=STOPS)
    def slide(self, stop):
        """The browser's own slider, which it draws from its table while it has one."""
        self.desk.ask(drawn=True, lam=stop)

    @precondition(lambda self: self._open and (self.desk.lab_session.busy or self.desk.lab_session.waits))
    @rule()
    def cancel(self):
        self.desk.cancel()

    @precondition(lambda self: self._open)
    @rule()
    def news(self):
        self.desk.lab_session.on_result_grew()

    @precondition(lambda self: self.desk.jobs)
    @rule(index=INDEX, tell=st.booleans())
    def run(self, index, tell):
        self.desk.run(index, tell)

    @precondition(lambda self: self.desk.lab_session.waits or not self.desk.lab_session.busy)
    @rule(
        index=INDEX,
        moves=st.lists(SLIGHT | MOVES, max_size=2),
        cancel=st.sampled_from([False, False, True]),
        seconds=st.sampled_from([0, 2]),
        rests=st.booleans(),
    )
    def run_stage(self, index, moves, cancel, seconds, rests):
        """A thread computes a late stage, and meanwhile a hand goes on, or time."""

        def meanwhile():
            self.desk.advance(seconds)
            for changes in moves if self._open else ():
                self.desk.move(**changes)
                if self.desk.jobs:
                    self.desk.run(-1, tell=False)
            if cancel and self._open:
                self.desk.lab_session.on_cancel()

        if rests:
            self.desk.advance(REST + PATIENCE)
        if self.desk.stages:
            self.desk.run_stage(index, meanwhile if moves or cancel or seconds else None)

    @rule(seconds=st.sampled_from([0.1, 0.3, 0.5, 1.0, 2.0]))
    def wait(self, seconds):
        self.desk.advance(seconds)

    @precondition(lambda self: self._open)
    @rule()
    def rest(self):
        """By a key or a story, at once."""
        self.desk.lab_session.on_idle()

    @precondition(lambda self: self._open)
    @rule()
    def settle(self):
        self.desk.settle()
        self.desk.check_rest()

    @invariant()
    def holds(self):
        if hasattr(self, "desk"):
            self.desk.check()

    def teardown(self):
        if hasattr(self, "desk"):
            if self.leaves:
                self.desk.leave()
            self.desk.settle()
            self.desk.check_rest()
        ToyResult.computed.clear()


@pytest.fixture(autouse=True)
def _quiet(caplog):
    """The toy's bugs are meant."""
    caplog.set_level(logging.CRITICAL, "explorer")


def play(sequences, events=30):
    """Play so many sequences of so many events at most; to make one that fails shorter would take a minute."""
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    odd = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True, "database": None}
    limits = {"max_examples": sequences, "stateful_step_count": events}
    run_state_machine_as_test(AnyOrder, settings=settings(phases=phases, **limits, **odd))


def play_and_meet_what_is_rare(sequences):
    """Play so many sequences, after the one that needs a row which hardly any of them does."""
    test_a_late_stage_that_comes_while_a_picture_is_computed_is_in_the_next_one()
    play(sequences)


@pytest.mark.parametrize("sequences", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_in_any_order_the_newest_state_is_shown_in_the_end_and_nothing_is_done_for_nobody(sequences):
    play(sequences)


def without(monkeypatch, row, action=None):
    """Take a row out of the table, or one action out of a row."""
    for event, rows in ROWS.items():
        kept = []
        for each in rows:
            if each is not row:
                kept.append(each)
            elif action is not None:
                kept.append(each._replace(actions=[do for do in each.actions if do is not action]))
        monkeypatch.setitem(ROWS, event, kept)


def row_of(event, going_on):
    """The first row that something has for an event."""
    rows = (row for row in TRANSITIONS if event in row.events and isinstance(row.during, type(going_on)))
    return next(row for row in rows if going_on in row.during)


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
    with pytest.raises((AssertionError, AttributeError, IndexError, BaseExceptionGroup)):
        play_and_meet_what_is_rare(1500)


# faults that once were, put back by hand


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


# what is rare in any order


def test_a_question_that_waits_is_answered_by_what_a_menu_shows_at_once():
    desk = Desk()
    desk.ask(n=7)
    assert desk.answered == 0
    desk.move(n=2)
    assert desk.answered == desk.asked == 1


def test_a_late_stage_that_comes_while_a_picture_is_computed_is_in_the_next_one():
    desk = Desk(ToyLab(n=5, wide=True))
    desk.lab_session.on_lab_changed()
    desk.run(0)
    desk.advance(2)

    def meanwhile():
        desk.move(lam=1)
        desk.run(0, tell=False)  # without the late stage

    desk.run_stage(0, meanwhile)
    assert desk.lab_session.picture is PictureState.OUTDATED
    desk.settle()
    desk.check_rest()
    assert desk.drawn.told == (51, 5)


def test_a_state_that_was_declined_is_asked_for_again_once_the_hand_comes_back():
    desk = Desk(ToyLab(wide=True))
    desk.lab_session.on_result_grew()
    desk.lab_session.on_idle()
    desk.cancel()
    desk.settle()
    assert desk.had == ()
    desk.move(lam=1)
    desk.settle()
    assert desk.had == ("far",)


def test_a_refusal_of_a_state_that_was_left_is_not_said_and_the_newest_is_computed():
    desk = Desk()
    desk.move(n=8)
    desk.run(0, tell=False)  # the thread has refused, and has not told yet
    desk.move(n=7)
    said = desk.words
    desk.run(0)
    assert desk.lab_session.picture is PictureState.COMPUTING
    assert desk.words == said
    desk.settle()
    desk.check_rest()


def test_a_stage_of_before_is_nobodys_once_the_hand_has_left_and_come_back():
    desk = Desk(ToyLab(wide=True))
    desk.lab_session.on_lab_changed()
    desk.advance(REST + PATIENCE)
    desk.move(n=2)
    desk.move(n=1)
    desk.advance(REST)
    assert desk.lab_session.late is DeferredState.DUE
    desk.run_stage(0)
    assert (desk.had, desk.lab_session.late) == ((), DeferredState.DUE)
    desk.settle()
    desk.check_rest()
    assert desk.had == ("far",)


def test_what_follows_of_an_event_comes_after_what_follows_of_the_one_before():
    desk, heard = Desk(), []
    rest = desk.lab_session.on_idle
    desk.schedule_idle_update = rest  # a world where nothing can follow later
    desk.catch_up = lambda result: heard.append((desk.lab_session.picture, result.lab.n))
    desk.move(n=2)
    assert heard == [(PictureState.SETTLED, 2)]
