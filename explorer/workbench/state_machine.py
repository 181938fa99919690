"""The life of a page as a table: what goes on, what it hears, what goes on then, and what it does.

Two things go on side by side. The picture is still, drawn, being computed, or overtaken by the hand while it is being
computed; and of what comes late nothing is wanted, or it is due once the hand has rested for longer, or it is being
finished. A row says: while this goes on, and the page hears that, and this is so, that goes on, by these deeds. Of the
rows of either thing the first that fits holds; what no row speaks of changes nothing.

`conversation.py` reads the table, and has the conditions and the deeds under their names.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import NamedTuple


class PictureState(Flag):
    """What goes on with the picture."""

    STILL = auto()  # it is that of the lab, or of the last state that has one, and all else has caught up with it
    DRAWN = auto()  # so it is, and all else follows once the hand rests
    COMPUTING = auto()  # the one before is shown while a thread computes that of the lab
    OVERTAKEN = auto()  # a thread computes one, and the lab has moved on
    GONE = auto()  # nobody is there to be shown anything


class DeferredState(Flag):
    """What goes on with the stages that come late."""

    NOTHING = auto()
    DUE = auto()  # the hand rests, and they begin unless it goes on
    FINISHING = auto()  # a thread computes one after the other


class Event(Flag):
    """What a page hears."""

    MOVED = auto()  # the lab has other values
    SLID = auto()  # the lab has another value of its slider, which the browser has drawn by itself
    NEWS = auto()  # the lab has the same values, and more to show
    STIRRED = auto()  # something else of the page has changed, which a rest sets right
    ANSWERED = auto()  # a thread gives the picture that was asked for
    REFUSED = auto()  # a thread gives a sentence why there is none
    ENDED = auto()  # a thread has ended early, as the lab had moved on
    SLOW = auto()  # a picture is not there so soon that the hand would not notice
    LONG = auto()  # it has taken so long that the page must say that it goes on
    LONG_LATE = auto()  # and so have the late stages
    CANCELLED = auto()  # a hand gives up what takes long
    RESTED = auto()  # the hand rests
    BEGIN = auto()  # it has rested for longer
    FINISHED = auto()  # a thread gives a late stage
    LEFT = auto()  # the session is over


class Transition(NamedTuple):
    """While `during` goes on and the page hears one of `events` and `where` is so, `then` goes on, by its `deeds`."""

    during: PictureState | DeferredState
    events: Event
    where: str
    then: PictureState | DeferredState | None  # None: what went on before
    deeds: str


STILL, DRAWN, COMPUTING, OVERTAKEN, GONE = PictureState
NOTHING, DUE, FINISHING = DeferredState
MOVED, SLID, NEWS, STIRRED, ANSWERED, REFUSED, ENDED = list(Event)[:7]
SLOW, LONG, LONG_LATE, CANCELLED, RESTED, BEGIN, FINISHED, LEFT = list(Event)[7:]

READY, BUSY = STILL | DRAWN, COMPUTING | OVERTAKEN
WANTED = DUE | FINISHING

TRANSITIONS = tuple(
    Transition(*row)
    for row in (
        # the hand moves: what is under way for another state shares the processor with it no longer
        (WANTED, MOVED | SLID, "serves no more", NOTHING, "end late"),
        (READY, SLID, "", DRAWN, "ask for rest"),
        (READY | BUSY, MOVED | SLID, "here", DRAWN, "drop job, draw again, answer, ask for rest"),
        (READY | BUSY, MOVED | SLID, "quick", DRAWN, "drop job, draw at once, answer, ask for rest"),
        (READY, MOVED, "", COMPUTING, "no rest, compute"),
        (BUSY, MOVED | SLID, "", OVERTAKEN, "overtake"),
        # a late stage is there; the next one begins from what the lab is now
        (FINISHING, FINISHED, "lacking more", FINISHING, "finish"),
        (FINISHING, FINISHED, "", NOTHING, "end late, rest at once"),
        (READY, FINISHED, "quick", DRAWN, "draw at once, ask for rest"),
        (READY, NEWS, "quick", None, "draw at once"),
        (READY, FINISHED | NEWS, "", COMPUTING, "no rest, compute"),
        (BUSY, FINISHED | NEWS, "", OVERTAKEN, "overtake"),
        # a thread is done with a picture
        (COMPUTING, ANSWERED, "", DRAWN, "draw, drop job, answer, ask for rest"),
        (COMPUTING, REFUSED, "", DRAWN, "refuse, drop job, answer, ask for rest"),
        (OVERTAKEN, ANSWERED, "", COMPUTING, "draw, answer, compute"),
        (OVERTAKEN, REFUSED | ENDED, "", COMPUTING, "compute"),
        # it takes long
        (BUSY, SLOW, "", None, "step back"),
        (BUSY, LONG, "", None, "show wait"),
        (FINISHING, LONG_LATE, "", FINISHING, "show late wait"),
        # the hand gives it up: what is computed for the picture first
        (WANTED, CANCELLED, "ready", NOTHING, "end late, go back to whole"),
        (BUSY, CANCELLED, "", None, "go back"),
        # the hand rests
        (READY, STIRRED, "", DRAWN, "ask for rest"),
        (READY, RESTED, "", STILL, "no rest, follow browser, catch up"),
        (NOTHING, RESTED, "lacking", DUE, "await longer rest"),
        (DUE, BEGIN, "", FINISHING, "begin late, finish"),
        # it is over
        (WANTED, LEFT, "", NOTHING, "end late"),
        (READY | BUSY, LEFT, "", GONE, "drop job, no rest"),
    )
)
