"""Session of a lab: it receives events from the user and the threads, and carries out the actions for each.

`TRANSITIONS` is the table of events and actions. `LabSession` has the guards and the actions that its rows name. There
are no widgets, sockets, threads or clocks here. Those belong to the backend, which may be a served page, a notebook
cell, a script, or a test whose time is a number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from explorer.languages import message

from .cost import LONG, CostItem, refuse_too_much, seconds
from .state_machine import BUSY, READY, DeferredState, Event, PictureState, transitions

# Any, because a lab itself creates a session to compute its whole result.
Lab: TypeAlias = Any
Result: TypeAlias = Any
T = TypeVar("T")
SOON = 0.25  # seconds within which a new picture may arrive before the old one is dimmed
PATIENT = 1.0  # seconds that work may take before the page shows its progress
# seconds in addition to a pause: deferred work waits while a user moves on step by step, and would undo it
PATIENCE = 0.75
CANCELLED = message("Cancelled. The page is back at the last state that was computed.")
NOT_HERE = message("Cancelled. Change a setting to have the rest of the page computed.")


class Job:
    """The picture of a state that a thread computes; it ends early if it is no longer wanted.

    Parameters
    ----------
    lab : Lab
        The lab at that state.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab: Lab = lab.snapshot
        self.cost: Sequence[CostItem] = lab.cost
        self.seconds: float = seconds(self.cost)
        self.outdated = False  # whether the lab has moved on
        self.dropped = False  # whether its result is no longer used
        self.long = False  # whether it takes so long that the page says so
        self.asked = 0  # for the backend: what a browser had requested when the job began
        self._settle = lab.task(self.stale)

    def stale(self) -> bool:
        """Return whether it may end without a result: it is unused, or the lab has moved on and it would take long.

        Returns
        -------
        bool
            True if it may end.
        """
        return self.dropped or (self.outdated and self.seconds > LONG)

    def compute(self) -> Result | None:
        """Compute the result.

        Returns
        -------
        Result or None
            None if it ended early.

        Raises
        ------
        Refusal
            If it would exceed a session's limits; nothing is computed then.
        """
        refuse_too_much(self.cost)
        return self._settle()


class PageBackend:
    """Interface of what surrounds a session: pictures, threads and time. It reports results later.

    This one is a script's: everything is available at once, nothing is drawn, and refusals and errors are raised.
    """

    at_once = True  # whether nothing can follow later, so that threads and pauses are of no use
    lab_session: LabSession  # the session to which it reports

    def attempt(self, compute: Callable[[], T], what: object) -> tuple[T | None, str]:
        """Call a function and turn its exceptions into a message, or raise them.

        Parameters
        ----------
        compute : callable
            Called without arguments.
        what : object
            Names the work in the log.

        Returns
        -------
        value : object or None
            The result, or None if it failed.
        message : str
            Empty on success.
        """
        return compute(), ""

    def limit(self, lab: Lab) -> None:
        """Raise a Refusal if a state takes more than this backend allows.

        Parameters
        ----------
        lab : Lab
            The state.
        """

    # What the user sees.

    def draw(self, result: Result, words: tuple[str, ...] | None, over: bool) -> None:
        """Show a result.

        Parameters
        ----------
        result : Result
            The result.
        words : tuple of str or None
            Messages to show; None keeps the current ones.
        over : bool
            Whether the browser may have drawn another state by itself. Then what is unchanged on the server is sent
            too.
        """

    def refuse(self, sentence: str) -> None:
        """Show why the lab's state has no picture; the last picture is dimmed.

        Parameters
        ----------
        sentence : str
            The reason.
        """

    def dim(self) -> None:
        """Dim the picture, because it is no longer the lab's."""

    def show_wait(self, done: int, total: int) -> None:
        """Show that work goes on.

        Parameters
        ----------
        done, total : int
            How many of how many parts are done.
        """

    def hide_wait(self) -> None:
        """Show no longer that work goes on."""

    def say(self, sentence: str) -> None:
        """Show a message above the pictures.

        Parameters
        ----------
        sentence : str
            The message.
        """

    def late_is_wanted(self, wanted: bool) -> None:
        """Note whether deferred stages are wanted.

        Parameters
        ----------
        wanted : bool
            Whether they are.
        """

    def is_awaited(self, result: Result) -> bool:
        """Return whether the user sees that deferred stages are missing.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            False for a script.
        """
        return False

    def is_behind(self) -> bool:
        """Return whether the browser may have drawn from the table of an older picture.

        Returns
        -------
        bool
            False for a script.
        """
        return False

    def catch_up(self, result: Result) -> None:
        """Update everything else from a result, after the user has paused.

        Parameters
        ----------
        result : Result
            The result.
        """

    def answer(self, job: Job | None) -> None:
        """Report to the browser that everything it has requested is shown, or everything it had when a job began.

        Parameters
        ----------
        job : Job or None
            The job; None for all requests.
        """

    # Threads and time.

    def compute(self, job: Job) -> None:
        """Compute a job in a thread, and call `on_result`. A backend with `at_once` is never asked to.

        Parameters
        ----------
        job : Job
            The job.
        """
        raise NotImplementedError

    def finish(self, work: Result, name: str) -> None:
        """Compute a deferred stage in a thread by `LabSession.find`, and call `on_stage_finished`.

        Parameters
        ----------
        work : Result
            The result.
        name : str
            The stage.
        """
        self.lab_session.on_stage_finished(work, name, self.lab_session.find(work, name))

    def remind(self, seconds: float, remember: Callable[[], None]) -> None:
        """Call a function after some time.

        Parameters
        ----------
        seconds : float
            The time.
        remember : callable
            Called without arguments.
        """
        remember()

    def schedule_idle_update(self) -> None:
        """Schedule the idle update: `on_idle` is called once this has not been called for some time.

        Here it is called at once, and after the last deferred stage.
        """
        if not self.lab_session.waits:
            self.lab_session.on_idle()

    def cancel_idle_update(self) -> None:
        """Cancel a scheduled idle update."""


class LabSession:
    """Exchange between a lab and its backend, by the table of transitions.

    Parameters
    ----------
    lab : Lab
        The lab.
    world : PageBackend
        The backend.
    result : Result or None, default None
        The result that the pictures show; None before a script has its first.
    blank : bool, default False
        Whether that result belongs to another state, because the lab's has none yet.

    Attributes
    ----------
    result : Result
        The result that the pictures show.
    blank : bool
        Whether it belongs to another state.
    picture : PictureState
        State of the picture.
    late : DeferredState
        State of the deferred stages.
    """

    def __init__(self, lab: Lab, world: PageBackend, result: Result | None = None, blank: bool = False) -> None:
        self.lab = lab
        self.blank: bool = blank
        self.result: Any = result  # None before a script has its first result
        self.attach(world)
        self.picture: PictureState = PictureState.SETTLED
        self.late: DeferredState = DeferredState.NOTHING
        self.browser_drew: bool = False  # whether the browser has moved the picture by itself since it was drawn
        self._queue: deque[tuple[Event, object]] = deque()
        self._is_handling = False
        self._payload: object = None  # what the event came with: a result or a message
        self._moved = False  # whether the lab has moved since its last picture, so that messages on that are removed
        self._parting: tuple[str, ...] = ()  # messages to show with the next picture
        self._refused = False  # whether the lab's state has no picture
        self._job: Any = None  # the Job whose picture a thread computes
        self._work: Any = None  # the result whose deferred stages are wanted
        self._done = self._left = 0  # numbers of finished and of remaining deferred stages
        self._long = False  # whether they take so long that the page says so
        self._run: object = None  # identifies this run of deferred stages
        self._last_complete: Lab | None = None  # last state with all deferred stages computed; "Cancel" returns to it
        # key of the state whose deferred stages the user cancelled; they do not start again by themselves
        self._declined: tuple[Any, ...] | None = None
        self._failed: set[tuple[Any, str]] = set()  # (key, stage) that returned nothing: it is not tried again

    def attach(self, world: PageBackend) -> None:
        """Use another backend from now on.

        Parameters
        ----------
        world : PageBackend
            The backend.
        """
        self.world = world
        world.lab_session = self

    @property
    def busy(self) -> bool:
        """True if a thread computes a picture."""
        return self.picture in BUSY

    @property
    def is_closed(self) -> bool:
        """True if the session is over."""
        return self.picture is PictureState.CLOSED

    def wants(self, work: Result) -> bool:
        """Return whether a result's deferred stages are still wanted.

        Parameters
        ----------
        work : Result
            The result.

        Returns
        -------
        bool
            True if they are.
        """
        return self._work is work

    @property
    def waits(self) -> bool:
        """True if deferred stages are wanted."""
        return self._work is not None

    def declines(self, lab: Lab) -> bool:
        """Return whether the user cancelled the deferred stages of a state.

        Parameters
        ----------
        lab : Lab
            The state.

        Returns
        -------
        bool
            True if cancelled.
        """
        return lab.key == self._declined

    # Events that it receives.

    def on_lab_changed(self, drawn: bool = False) -> None:
        """Handle new values of the lab.

        Parameters
        ----------
        drawn : bool, default False
            Whether the browser has drawn them by itself.
        """
        self._moved, self._declined = True, None
        self.hear(Event.SLIDER_MOVED if drawn else Event.MOVED)

    def on_result_grew(self) -> None:
        """Handle that the lab has more to show at the same values."""
        self.hear(Event.RESULT_GREW)

    def on_page_changed(self) -> None:
        """Schedule an idle update, after a change of the page that does not concern the lab."""
        self.hear(Event.PAGE_CHANGED)

    def on_result(self, job: Job, give: Callable[[], Result | None]) -> None:
        """Handle the end of a job in a thread.

        Parameters
        ----------
        job : Job
            The job.
        give : callable
            Returns the result, or raises what was raised.
        """
        if job is self._job:
            result, sentence = self.world.attempt(give, job.lab)
            event = Event.REFUSED if sentence else Event.ENDED if result is None else Event.ANSWERED
            self.hear(event, sentence or result)

    def find(self, work: Result, name: str) -> bool:
        """Compute a deferred stage; a thread may call this.

        Parameters
        ----------
        work : Result
            The result.
        name : str
            The stage.

        Returns
        -------
        bool
            Whether the stage has a value.
        """
        finish = partial(work.finish, name, lambda: not self.wants(work))
        stage, sentence = self.world.attempt(finish, f"{name} of {work.lab}")
        if sentence:
            work.refuse(name, sentence)
        return stage is not None

    def on_stage_finished(self, work: Result, name: str, found: bool) -> None:
        """Handle the end of a deferred stage in a thread; one without a value is not tried again.

        Parameters
        ----------
        work : Result
            The result.
        name : str
            The stage.
        found : bool
            Whether it has a value.
        """
        if work is not self._work:
            return
        if not found:
            self._failed.add((work.lab.key, name))
        self._work, self._done = self.lab.work(), self._done + 1
        self.hear(Event.FINISHED)

    def on_idle(self) -> None:
        """Handle a pause of the user."""
        self.hear(Event.RESTED)

    def on_cancel(self) -> None:
        """Handle that the user cancels what takes long."""
        self.hear(Event.CANCELLED)

    def on_close(self) -> None:
        """Handle the end of the session."""
        self.hear(Event.SESSION_CLOSED)

    def hear(self, event: Event, what: object = None) -> None:
        """Carry out the actions for an event. Events that arrive during that are queued.

        Parameters
        ----------
        event : Event
            The event.
        what : object, default None
            A result or a message that belongs to it.
        """
        self._queue.append((event, what))
        if self._is_handling:
            return
        self._is_handling = True
        try:
            while self._queue:
                self._follow(*self._queue.popleft())
        finally:
            self._is_handling = False
            self._queue.clear()

    def _follow(self, event: Event, payload: object) -> None:
        """Carry out the first row that applies to the picture and the first that applies to the deferred stages."""
        self._payload, handled = payload, set()
        for row in ROWS[event]:
            machine = "picture" if isinstance(row.during, PictureState) else "late"
            if machine in handled or getattr(self, machine) not in row.during:
                continue
            if row.guard is not None and not row.guard(self):
                continue
            handled.add(machine)
            if row.then is not None:
                setattr(self, machine, row.then)
            for action in row.actions:
                action(self)

    def on_refusal(self, sentence: str) -> None:
        """Handle a refusal of the user's data: the lab is unchanged, and shows no answer until the user moves on.

        Parameters
        ----------
        sentence : str
            The reason.
        """
        self.blank = True
        self.world.refuse(sentence)
        self.on_page_changed()

    # Guards of the table.

    def _lab_matches_picture(self):
        """Return whether the pictures show the lab's state."""
        if self.result is None:
            return False
        lab = self.result.lab
        return self.lab.own is lab.own and self.lab.values() == lab.values()

    def _shows_other_data(self):
        """Return whether the pictures show other data than the lab's, and either are the user's."""
        if self.result is None:
            return False
        other = self.result.lab
        own, others = (lab.own if lab.shows_own else None for lab in (self.lab, other))
        return own is not others or self.lab.shows_own != other.shows_own

    def _is_quick(self):
        """Return whether a picture of the lab's state takes a frame or two, or nothing can follow later."""
        return self.world.at_once or self.lab.quick

    def _is_ready(self):
        """Return whether no thread computes a picture."""
        return self.picture in READY

    def _lacks_stages(self):
        """Return whether the lab's picture is shown and lacks deferred stages that can be computed."""
        return (
            self.picture is PictureState.SETTLED
            and not self._refused
            and self._lab_matches_picture()
            and bool(self._missing(self.result))
        )

    def _lacks_another_stage(self):
        """Return whether the result that is being finished lacks another deferred stage."""
        return not self._refused and bool(self._missing(self._work))

    def _deferred_work_is_outdated(self):
        """Return whether the running deferred stage belongs to another state."""
        return not self._work.serves(self.lab)

    def _missing(self, result):
        """Return the deferred stages that a result lacks, and that are wanted and can be computed."""
        key = result.lab.key
        if key == self._declined:
            return []
        return [name for name in result.pending() if (key, name) not in self._failed]

    # Actions of the table.

    def _draw(self):
        self._show(self._payload)

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
            self._show_refusal(sentence)
        else:
            self._show(result)

    def _compute_at_once(self):
        self.world.limit(self.lab)
        return self.lab.result()

    def _refuse(self):
        self._show_refusal(self._payload)

    def _show_refusal(self, sentence):
        self._refused = True
        self.blank = self.blank or self._shows_other_data()
        self.world.refuse(sentence)

    def _compute(self):
        self._job = job = Job(self.lab)
        self.world.compute(job)
        self._remind(SOON, Event.SLOW, job)
        self._remind(PATIENT, Event.LONG, job)

    def _mark_job_outdated(self):
        self._job.outdated = True

    def _drop_job(self):
        if self._job is not None:
            self._job.dropped = True
            self._job = None
            self._update_progress()

    def _answer(self):
        self.world.answer(self._job)

    def _dim(self):
        self.world.dim()

    def _show_wait(self):
        self._job.long = True
        self._update_progress()

    def _schedule_idle_update(self):
        self.world.schedule_idle_update()

    def _cancel_idle_update(self):
        self.world.cancel_idle_update()

    def _idle_at_once(self):
        self.on_idle()

    def _follow_browser(self):
        """Use the result at the slider position to which the browser has moved the picture by itself."""
        if self.browser_drew and (slider := self.lab.slider):
            stop = getattr(self.lab, slider)
            if stop is None or stop in self.result.stops:
                drawn, self.result = self.result, self.result.at(stop)
                # no table contains what a deferred stage has computed at this stop only
                if not self._refused and (self.result.arrived() != drawn.arrived() or self.world.is_behind()):
                    self._show(self.result)

    def _catch_up(self):
        self.world.catch_up(self.result)
        if not self.result.pending():
            self._last_complete = self.result.lab

    def _await_longer_pause(self):
        self._work, self._done, self._long, self._run = self.lab.work(), 0, False, object()
        self.world.late_is_wanted(True)
        self._remind(PATIENCE, Event.IDLE_LONGER, self._run)

    def _begin_deferred(self):
        self._remind(PATIENT, Event.LONG_LATE, self._run)

    def _finish(self):
        # computed first: what is read from a result while a stage runs counts as read by it
        missing = self._missing(self._work)
        self._left = len(missing)
        self._update_progress()
        self.world.finish(self._work, missing[0])

    def _show_deferred_wait(self):
        self._long = True
        self._update_progress()

    def _update_progress(self):
        """Show the progress of the picture, or of deferred stages if the user sees that they are missing."""
        if self._job is not None and self._job.long:
            self.world.show_wait(0, 1)
        elif self._long and self._job is None and self.world.is_awaited(self.result):
            self.world.show_wait(self._done, self._done + self._left)
        else:
            self.world.hide_wait()

    def _end_deferred(self):
        self._work, self._run, self._long = None, None, False
        self._update_progress()
        self.world.late_is_wanted(False)

    def _go_back(self):
        """Return to the state that the pictures show."""
        self._return_to(self.result.lab)

    def _restore_last_complete(self):
        """Return to the last state with all deferred stages; if there is none, stay at this one without them."""
        if self._last_complete is not None and self._last_complete.key != self.lab.key:
            self._return_to(self._last_complete)
        else:
            self._declined = self.lab.key
            self.world.say(NOT_HERE)
            self.on_idle()

    def _return_to(self, lab):
        self.lab.own = lab.own
        self.lab.move(**lab.values())
        self._parting = (CANCELLED,)
        if not any(event is Event.MOVED for event, _ in self._queue):  # the lab was at that state already
            self.on_lab_changed()

    def _remind(self, seconds, event, of):
        self.world.remind(seconds, partial(self._remember, event, of))

    def _remember(self, event, of):
        if of in (self._job, self._run):
            self.hear(event)


def whole_result(lab: Lab) -> Result:
    """Return the result of a lab with all deferred stages."""
    session = LabSession(lab, PageBackend())
    session.on_result_grew()
    session.on_idle()
    return session.result


TRANSITIONS = transitions(LabSession)
ROWS = {event: [row for row in TRANSITIONS if event in row.events] for event in Event}
