"""State machine of a page: a table of its states, the events that it receives, and the actions for each.

Two state machines run side by side. The picture is settled, drawn, computing, or outdated while computing (the user has
moved on). Deferred stages are idle, scheduled (they start after a longer pause), or running. A row of the table says:
in this state, on this event, if this guard holds, go to that state and carry out these actions. For each
machine the first row that applies is used. An event without such a row changes nothing.

`lab_session.py` has the guards and the actions, and runs the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Flag, auto
from typing import Any, NamedTuple, TypeAlias


class PictureState(Flag):
    """States of the picture."""

    SETTLED = auto()  # it shows the lab, or the last state that has a picture, and everything else is up to date
    DRAWN = auto()  # it does too, and everything else will be updated when the user pauses
    COMPUTING = auto()  # the previous picture is shown while a thread computes that of the lab
    OUTDATED = auto()  # a thread computes a picture, and the lab has moved on
    CLOSED = auto()  # the session is over


class DeferredState(Flag):
    """States of the deferred stages."""

    NOTHING = auto()
    DUE = auto()  # the user has paused, and they begin unless the user goes on
    FINISHING = auto()  # a thread computes one after the other


class Event(Flag):
    """Events that a page receives."""

    MOVED = auto()  # the lab has other values
    SLIDER_MOVED = auto()  # the lab has another value of its slider, which the browser has drawn by itself
    RESULT_GREW = auto()  # the lab has the same values, and more to show
    PAGE_CHANGED = auto()  # something else of the page has changed, which the idle update handles
    ANSWERED = auto()  # a thread returns the requested picture
    REFUSED = auto()  # a thread returns a message on why there is no picture
    ENDED = auto()  # a thread has ended early, because the lab had moved on
    SLOW = auto()  # the picture takes long enough for the user to notice the delay
    LONG = auto()  # it takes so long that the page has to show that work goes on
    LONG_LATE = auto()  # the deferred stages take so long that the page has to show that work goes on
    CANCELLED = auto()  # the user cancels what takes long
    RESTED = auto()  # the user pauses
    IDLE_LONGER = auto()  # the user has paused for longer
    FINISHED = auto()  # a thread returns a deferred stage
    SESSION_CLOSED = auto()  # the session is over


Session: TypeAlias = Any  # a LabSession, whose module imports this one
Guard: TypeAlias = Callable[[Session], object]
Action: TypeAlias = Callable[[Session], object]


class Transition(NamedTuple):
    """A row of the table: in the states `during`, on one of `events`, if `guard` holds, carry out `actions`.

    Attributes
    ----------
    during : PictureState or DeferredState
        States in which the row applies.
    events : Event
        Events on which it applies.
    guard : callable or None
        Takes the session and returns whether the row applies; None for always.
    then : PictureState, DeferredState or None
        The next state; None for the current one.
    actions : sequence of callable
        Take the session, and are called in this order.
    """

    during: PictureState | DeferredState
    events: Event
    guard: Guard | None
    then: PictureState | DeferredState | None
    actions: Sequence[Action]


SETTLED, DRAWN, COMPUTING, OUTDATED, CLOSED = PictureState
NOTHING, DUE, FINISHING = DeferredState
MOVED, SLIDER_MOVED, RESULT_GREW, PAGE_CHANGED, ANSWERED, REFUSED, ENDED = list(Event)[:7]
SLOW, LONG, LONG_LATE, CANCELLED, RESTED, IDLE_LONGER, FINISHED, SESSION_CLOSED = list(Event)[7:]

READY, BUSY = SETTLED | DRAWN, COMPUTING | OUTDATED
WANTED = DUE | FINISHING


def transitions(do: type[Session]) -> tuple[Transition, ...]:
    """Return the table. `do` is the session's class, whose methods are the guards and actions."""
    rows: tuple[tuple[Any, ...], ...] = (
        # the user moves a control: work for another state releases the processor
        (WANTED, MOVED | SLIDER_MOVED, do._deferred_work_is_outdated, NOTHING, [do._end_deferred]),
        (READY, SLIDER_MOVED, None, DRAWN, [do._schedule_idle_update]),
        (READY | BUSY, MOVED | SLIDER_MOVED, do._lab_matches_picture, DRAWN,
         [do._drop_job, do._draw_again, do._answer, do._schedule_idle_update]),
        (READY | BUSY, MOVED | SLIDER_MOVED, do._is_quick, DRAWN,
         [do._drop_job, do._draw_at_once, do._answer, do._schedule_idle_update]),
        (READY, MOVED, None, COMPUTING, [do._cancel_idle_update, do._compute]),
        (BUSY, MOVED | SLIDER_MOVED, None, OUTDATED, [do._mark_job_outdated]),
        # a deferred stage is available; the next one starts from the lab's current state
        (FINISHING, FINISHED, do._lacks_another_stage, FINISHING, [do._finish]),
        (FINISHING, FINISHED, None, NOTHING, [do._end_deferred, do._idle_at_once]),
        (READY, FINISHED, do._is_quick, DRAWN, [do._draw_at_once, do._schedule_idle_update]),
        (READY, RESULT_GREW, do._is_quick, None, [do._draw_at_once]),
        (READY, FINISHED | RESULT_GREW, None, COMPUTING, [do._cancel_idle_update, do._compute]),
        (BUSY, FINISHED | RESULT_GREW, None, OUTDATED, [do._mark_job_outdated]),
        # a thread has finished a picture
        (COMPUTING, ANSWERED, None, DRAWN, [do._draw, do._drop_job, do._answer, do._schedule_idle_update]),
        (COMPUTING, REFUSED, None, DRAWN, [do._refuse, do._drop_job, do._answer, do._schedule_idle_update]),
        (OUTDATED, ANSWERED, None, COMPUTING, [do._draw, do._answer, do._compute]),
        (OUTDATED, REFUSED | ENDED, None, COMPUTING, [do._compute]),
        # work takes long
        (BUSY, SLOW, None, None, [do._dim]),
        (BUSY, LONG, None, None, [do._show_wait]),
        (FINISHING, LONG_LATE, None, FINISHING, [do._show_deferred_wait]),
        # the user cancels: the picture's computation first
        (WANTED, CANCELLED, do._is_ready, NOTHING, [do._end_deferred, do._restore_last_complete]),
        (BUSY, CANCELLED, None, None, [do._go_back]),
        # the user pauses
        (READY, PAGE_CHANGED, None, DRAWN, [do._schedule_idle_update]),
        (READY, RESTED, None, SETTLED, [do._cancel_idle_update, do._follow_browser, do._catch_up]),
        (NOTHING, RESTED, do._lacks_stages, DUE, [do._await_longer_pause]),
        (DUE, IDLE_LONGER, None, FINISHING, [do._begin_deferred, do._finish]),
        # the session is over
        (WANTED, SESSION_CLOSED, None, NOTHING, [do._end_deferred]),
        (READY | BUSY, SESSION_CLOSED, None, CLOSED, [do._drop_job, do._cancel_idle_update]),
    )  # fmt: skip
    return tuple(Transition(*row) for row in rows)
