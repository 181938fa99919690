"""A lab and whoever is shown it, in conversation: it hears what the hand and the threads do, and says what follows.

`life.py` is the table of what follows. Here are the conditions and the deeds that it names, without a widget, a socket,
a thread or a clock: those are the world's, which may be a served page, a notebook's cell, a script, or a test whose
time is a number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from .cost import LONG, CostItem, refuse_too_much, seconds
from .state_machine import BUSY, READY, TRANSITIONS, DeferredState, Event, PictureState

# not by their names: a lab itself asks for its whole result by a conversation
Lab: TypeAlias = Any
Result: TypeAlias = Any
T = TypeVar("T")
SOON = 0.25  # s within which a new picture may come before the old one steps back
PATIENT = 1.0  # s that work may take before the page says that it goes on
PATIENCE = 0.75  # s more than a rest: a hand that goes on step by step shares no processor with work that it will undo
CANCELLED = "Cancelled. The page is back at the last state that was computed."
NOT_HERE = "Cancelled. Change a setting to have the rest of the page computed."


class Job:
    """The picture of a state that a thread computes; it ends early where it is not wanted any more."""

    def __init__(self, lab: Lab) -> None:
        self.lab: Lab = lab.snapshot
        self.cost: Sequence[CostItem] = lab.cost
        self.seconds: float = seconds(self.cost)
        self.overtaken = False  # whether the lab has moved on
        self.dropped = False  # whether nobody waits for it
        self.long = False  # whether it has taken so long that the page says so
        self.asked = 0  # a world's own mark: all that a browser had asked for when it began
        self._settle = lab.task(self.stale)

    def stale(self) -> bool:
        """Whether it may end without a result: nobody waits, or the lab has moved on and it would take long."""
        return self.dropped or (self.overtaken and self.seconds > LONG)

    def compute(self) -> Result | None:
        """The result, None where it ended early; a Refusal, before anything is computed, of what no page may take."""
        refuse_too_much(self.cost)
        return self._settle()


class PageBackend:
    """What a conversation asks for: pictures, threads and time. What it is asked to compute it tells of later.

    This one is a script's: all is there at once, nothing is drawn, and what is refused or fails is raised.
    """

    at_once = True  # whether nothing can follow later: threads and rests are no use
    lab_session: LabSession  # which it tells

    def attempt(self, compute: Callable[[], T], what: object) -> tuple[T | None, str]:
        """(what it gives, no sentence), or (None, why not) where that is not raised."""
        return compute(), ""

    def limit(self, lab: Lab) -> None:
        """A Refusal of a state that takes more than this world allows."""

    # what is seen

    def draw(self, result: Result, words: tuple[str, ...] | None, over: bool) -> None:
        """Show a result, over what the browser may have drawn, and say these words; None leaves what was said."""

    def refuse(self, sentence: str) -> None:
        """Say why the lab's state has no picture; the last one steps back."""

    def step_back(self) -> None:
        """Let the picture step back, as it is no longer the lab's."""

    def show_wait(self, done: int, total: int) -> None:
        """Say that work goes on, and how many of how many parts are done."""

    def hide_wait(self) -> None:
        """Say no more that work goes on."""

    def say(self, sentence: str) -> None:
        """Say something above the pictures."""

    def late_is_wanted(self, wanted: bool) -> None:
        """Late stages are wanted, or no longer."""

    def is_awaited(self, result: Result) -> bool:
        """Whether one sees that late stages are missing."""
        return False

    def is_behind(self) -> bool:
        """Whether the browser may have drawn from the table of an older picture."""
        return False

    def catch_up(self, result: Result) -> None:
        """The hand rests: let all else follow the lab."""

    def answer(self, job: Job | None) -> None:
        """All that the browser has asked for is shown, or all that it had asked by the beginning of a job."""

    # threads and time

    def compute(self, job: Job) -> None:
        """Let a thread compute a job, and tell `answered`; where all is there at once, none is asked for."""
        raise NotImplementedError

    def finish(self, work: Result, name: str) -> None:
        """Let a thread compute a late stage by `Conversation.find`, and tell `finished`."""
        self.lab_session.on_stage_finished(work, name, self.lab_session.find(work, name))

    def remind(self, seconds: float, remember: Callable[[], None]) -> None:
        """Call `remember()` after some time."""
        remember()

    def ask_for_rest(self) -> None:
        """Tell `rested` once nothing has asked so for some time; here at once, and of late stages with the last one."""
        if not self.lab_session.waits:
            self.lab_session.on_idle()

    def no_rest(self) -> None:
        """Tell of no rest that was asked for."""


class LabSession:
    """What goes on between a lab and a world, by the table of `life.py`.

    result   the result that the pictures show
    blank    whether that is another state's, as there is none of the lab's own yet
    picture  what goes on with the picture
    late     what goes on with the late stages
    """

    def __init__(self, lab: Lab, world: PageBackend, result: Result | None = None, blank: bool = False) -> None:
        self.lab = lab
        self.blank: bool = blank
        self.result: Any = result  # None before a script has its first
        self.attach(world)
        self.picture: PictureState = PictureState.STILL
        self.late: DeferredState = DeferredState.NOTHING
        self.browser_drew: bool = False  # whether the browser has moved the picture by itself since it was drawn
        self._heard: deque[tuple[Event, object]] = deque()
        self._hearing = False
        self._brought: object = None  # what the event came with: a result, or a sentence
        self._moved = False  # whether the lab has moved since its last picture: then what was said of it goes
        self._parting: tuple[str, ...] = ()  # what is said with the next picture
        self._refused = False  # whether the lab's state has no picture
        self._job: Any = None  # the Job whose picture a thread computes
        self._work: Any = None  # the result whose late stages are wanted
        self._done = self._left = 0  # how many of them are there, and how many are still to come
        self._long = False  # whether they have taken so long that the page says so
        self._run: object = None  # what no other run of late stages is
        self._whole: Lab | None = None  # the last state that lacked nothing: there a hand goes back that does not wait
        self._declined: tuple[Any, ...] | None = None  # the key of the state whose late stages a hand did not wait for
        self._failed: set[tuple[Any, str]] = set()  # (key, stage) that gave nothing: it is not tried again and again

    def attach(self, world: PageBackend) -> None:
        """Ask another world from now on."""
        self.world = world
        world.lab_session = self

    @property
    def busy(self) -> bool:
        """Whether a thread computes a picture."""
        return self.picture in BUSY

    @property
    def is_closed(self) -> bool:
        """Whether the session is over."""
        return self.picture is PictureState.GONE

    def wants(self, work: Result) -> bool:
        """Whether a result's late stages are still wanted."""
        return self._work is work

    @property
    def waits(self) -> bool:
        """Whether late stages are wanted."""
        return self._work is not None

    def declines(self, lab: Lab) -> bool:
        """Whether a hand did not wait for the late stages of a state."""
        return lab.key == self._declined

    # what it hears

    def on_lab_changed(self, drawn: bool = False) -> None:
        """The lab has other values; `drawn` says that the browser has drawn them by itself."""
        self._moved, self._declined = True, None
        self.hear(Event.SLID if drawn else Event.MOVED)

    def on_result_grew(self) -> None:
        """The lab has more to show at the same values."""
        self.hear(Event.NEWS)

    def on_page_changed(self) -> None:
        """Something of the page has changed beside the lab: let a rest follow."""
        self.hear(Event.STIRRED)

    def on_result(self, job: Job, give: Callable[[], Result | None]) -> None:
        """A thread is done with a job: `give()` gives its result, or raises what was raised."""
        if job is self._job:
            result, sentence = self.world.attempt(give, job.lab)
            event = Event.REFUSED if sentence else Event.ENDED if result is None else Event.ANSWERED
            self.hear(event, sentence or result)

    def find(self, work: Result, name: str) -> bool:
        """Compute a late stage, which a thread may; whether it was found."""
        finish = partial(work.finish, name, lambda: not self.wants(work))
        stage, sentence = self.world.attempt(finish, f"{name} of {work.lab}")
        if sentence:
            work.refuse(name, sentence)
        return stage is not None

    def on_stage_finished(self, work: Result, name: str, found: bool) -> None:
        """A thread is done with a late stage; where none was found, that is not tried again."""
        if work is not self._work:
            return
        if not found:
            self._failed.add((work.lab.key, name))
        self._work, self._done = self.lab.work(), self._done + 1
        self.hear(Event.FINISHED)

    def on_idle(self) -> None:
        """The hand rests."""
        self.hear(Event.RESTED)

    def on_cancel(self) -> None:
        """The hand gives up what takes long."""
        self.hear(Event.CANCELLED)

    def on_close(self) -> None:
        """The session is over."""
        self.hear(Event.LEFT)

    def hear(self, event: Event, what: object = None) -> None:
        """Do what follows of an event; what is heard meanwhile comes after it."""
        self._heard.append((event, what))
        if self._hearing:
            return
        self._hearing = True
        try:
            while self._heard:
                self._follow(*self._heard.popleft())
        finally:
            self._hearing = False
            self._heard.clear()

    def _follow(self, event: Event, brought: object) -> None:
        self._brought, told = brought, set()
        for row, condition, deeds in ROWS[event]:
            thing = "picture" if isinstance(row.during, PictureState) else "late"
            if thing in told or getattr(self, thing) not in row.during or not condition(self):
                continue
            told.add(thing)
            if row.then is not None:
                setattr(self, thing, row.then)
            for deed in deeds:
                deed(self)

    def on_refusal(self, sentence: str) -> None:
        """The user's data were refused, and the lab is where it was: show no answer until the user moves on."""
        self.blank = True
        self.world.refuse(sentence)
        self.on_page_changed()

    # the conditions that the table names

    def _here(self):
        """Whether the lab is where the pictures are."""
        if self.result is None:
            return False
        there = self.result.lab
        return self.lab.own is there.own and self.lab.values() == there.values()

    def _shows_other_data(self):
        """Whether the pictures are of other data than the lab's, and the user's are among these."""
        if self.result is None:
            return False
        there = self.result.lab
        own, others = (lab.own if lab.shows_own else None for lab in (self.lab, there))
        return own is not others or self.lab.shows_own != there.shows_own

    def _quick(self):
        """Whether a picture of the lab's state takes a frame or two, or nothing can follow later."""
        return self.world.at_once or self.lab.quick

    def _ready(self):
        """Whether no thread computes a picture."""
        return self.picture in READY

    def _lacking(self):
        """Whether the lab's picture is there, and lacks late stages that can be had."""
        return (
            self.picture is PictureState.STILL
            and not self._refused
            and self._here()
            and bool(self._missing(self.result))
        )

    def _lacking_more(self):
        """Whether the result that is being finished lacks a further late stage."""
        return not self._refused and bool(self._missing(self._work))

    def _serves_no_more(self):
        """Whether the late stage that is under way is another state's."""
        return not self._work.serves(self.lab)

    def _missing(self, result):
        """The late stages that a result lacks, and that can be had and are wanted."""
        key = result.lab.key
        if key == self._declined:
            return []
        return [name for name in result.pending() if (key, name) not in self._failed]

    # the deeds that the table names

    def _draw(self):
        self._show(self._brought)

    def _show(self, result):
        refused = result.refusals()
        words = (*self._parting, *refused) if self._moved or refused else None
        over, self.browser_drew = self.browser_drew, False
        self.result, self.blank, self._refused, self._moved, self._parting = result, False, False, False, ()
        self.world.draw(result, words, over)

    def _draw_again(self):
        self._show(self.result)

    def _draw_at_once(self):
        result, sentence = self.world.attempt(self._compute_at_once, self.lab)
        if sentence:
            self._say_refused(sentence)
        else:
            self._show(result)

    def _compute_at_once(self):
        self.world.limit(self.lab)
        return self.lab.result()

    def _refuse(self):
        self._say_refused(self._brought)

    def _say_refused(self, sentence):
        self._refused = True
        self.blank = self.blank or self._shows_other_data()
        self.world.refuse(sentence)

    def _compute(self):
        self._job = job = Job(self.lab)
        self.world.compute(job)
        self._remind(SOON, Event.SLOW, job)
        self._remind(PATIENT, Event.LONG, job)

    def _overtake(self):
        self._job.overtaken = True

    def _drop_job(self):
        if self._job is not None:
            self._job.dropped = True
            self._job = None
            self._say_whether_work_goes_on()

    def _answer(self):
        self.world.answer(self._job)

    def _step_back(self):
        self.world.step_back()

    def _show_wait(self):
        self._job.long = True
        self._say_whether_work_goes_on()

    def _ask_for_rest(self):
        self.world.ask_for_rest()

    def _no_rest(self):
        self.world.no_rest()

    def _rest_at_once(self):
        self.on_idle()

    def _follow_browser(self):
        """Be where the browser has moved the picture by itself."""
        if self.browser_drew and (slider := self.lab.slider):
            here = getattr(self.lab, slider)
            if here is None or here in self.result.stops:
                drawn, self.result = self.result, self.result.at(here)
                # no table has what has come late at this stop alone
                if not self._refused and (self.result.arrived() != drawn.arrived() or self.world.is_behind()):
                    self._show(self.result)

    def _catch_up(self):
        self.world.catch_up(self.result)
        if not self.result.pending():
            self._whole = self.result.lab

    def _await_longer_rest(self):
        self._work, self._done, self._long, self._run = self.lab.work(), 0, False, object()
        self.world.late_is_wanted(True)
        self._remind(PATIENCE, Event.BEGIN, self._run)

    def _begin_late(self):
        self._remind(PATIENT, Event.LONG_LATE, self._run)

    def _finish(self):
        missing = self._missing(self._work)  # now: what is asked of a result while a stage runs counts as read by it
        self._left = len(missing)
        self._say_whether_work_goes_on()
        self.world.finish(self._work, missing[0])

    def _show_late_wait(self):
        self._long = True
        self._say_whether_work_goes_on()

    def _say_whether_work_goes_on(self):
        """Of the picture first; of late stages where one sees that they are missing."""
        if self._job is not None and self._job.long:
            self.world.show_wait(0, 1)
        elif self._long and self._job is None and self.world.is_awaited(self.result):
            self.world.show_wait(self._done, self._done + self._left)
        else:
            self.world.hide_wait()

    def _end_late(self):
        self._work, self._run, self._long = None, None, False
        self._say_whether_work_goes_on()
        self.world.late_is_wanted(False)

    def _go_back(self):
        """Be again where the pictures are."""
        self._return_to(self.result.lab)

    def _go_back_to_whole(self):
        """Be again at the last state that lacked nothing; where there is none, stay, with what is there."""
        if self._whole is not None and self._whole.key != self.lab.key:
            self._return_to(self._whole)
        else:
            self._declined = self.lab.key
            self.world.say(NOT_HERE)
            self.on_idle()

    def _return_to(self, there):
        self.lab.own = there.own
        self.lab.move(**there.values())
        self._parting = (CANCELLED,)
        if not any(event is Event.MOVED for event, _ in self._heard):  # the lab was there already
            self.on_lab_changed()

    def _remind(self, seconds, event, of):
        self.world.remind(seconds, partial(self._remember, event, of))

    def _remember(self, event, of):
        if of in (self._job, self._run):
            self.hear(event)


def whole_result(lab: Lab) -> Result:
    """The result of a lab with all that comes late."""
    talk = LabSession(lab, PageBackend())
    talk.on_result_grew()
    talk.on_idle()
    return talk.result


def _called(words: str) -> Callable[[LabSession], object]:
    """The condition or the deed that the table calls so."""
    return getattr(LabSession, f"_{words.replace(' ', '_')}")


def _always(conversation: LabSession) -> bool:
    return True


ROWS = {
    event: [
        (row, _called(row.where) if row.where else _always, [_called(deed) for deed in row.deeds.split(", ") if deed])
        for row in TRANSITIONS
        if event in row.events
    ]
    for event in Event
}
