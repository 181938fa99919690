"""A small lab, and a page backend without widgets: a test controls its threads and its time."""

from itertools import count

from explorer.checks import Refusal
from explorer.parameters import Flag, Whole
from explorer.workbench import Lab, Result, deferred, stage
from explorer.workbench.cost import LONG, refuse_too_much, timed
from explorer.workbench.lab_session import CANCELLED, PATIENT, SOON, LabSession, PageBackend
from explorer.workbench.safe_call import run_safely
from explorer.workbench.state_machine import DeferredState, PictureState

IDLE_AFTER = 0.4  # seconds without input before the idle update, as on a page
REFUSED, BUGGY, REFUSED_LONG, BUGGY_LONG, REFUSED_DEFERRED = 3, 4, 8, 9, 6  # values of n
WITHOUT_PICTURE = (REFUSED, BUGGY, REFUSED_LONG, BUGGY_LONG)  # values of n


class ToyLab(Lab):
    """A lab whose result takes long from n = 5 on; some n have none. `wide` and `deep` show one deferred stage each."""

    n = Whole(default=1, bounds=(0, 9), doc="size")
    lam = Whole(default=0, bounds=(0, 3), doc="slider")
    wide = Flag(default=False, doc="shows the stage far")
    deep = Flag(default=False, doc="shows the stage deeper")
    slider = "lam"

    @property
    def cost(self):
        return (timed("toy", 0.01 if self.n < 5 else 0.2 if self.n < 7 else 2.0, 1, ("n",)),)


class ToyResult(Result[ToyLab]):
    """Result that records its stages in `computed`; in the middle of a deferred stage it calls `meanwhile`."""

    computed = []  # the stages of all results
    meanwhile = None

    @stage
    def near(self):
        n = self.lab.n
        if n in (REFUSED, REFUSED_LONG):
            raise Refusal(f"n = {n} has no picture; take another.")
        if n in (BUGGY, BUGGY_LONG):
            raise ZeroDivisionError
        self.computed.append(("near", n, self.lab.lam))
        return 10 * n + self.lab.lam

    @stage
    def combined(self):
        """Describe a deferred stage, in a stage that is not deferred."""
        return self.near if self.far is None else (self.near, *self.far)

    @deferred(lambda result: result.lab.wide)
    def far(self, stopped):
        read = self._read("far", self.lab.n)
        return None if stopped() else self._record(read)

    @deferred(lambda result: result.lab.deep)
    def deeper(self):
        read = self._read("deeper", self.lab.n, self.lab.lam)
        yield
        return self._record(read)

    def _read(self, stage, *fields):
        if ToyResult.meanwhile:
            ToyResult.meanwhile()
        return stage, *fields

    def _record(self, computed):
        if computed[1] == REFUSED_DEFERRED:
            raise Refusal("n = 6 has no deferred stage.")
        self.computed.append(computed)
        return computed[1:]

    @property
    def stops(self):
        return tuple(range(4)) if self.lab.n < 5 else ()

    @property
    def row(self):
        return self.lab.lam


def deferred_stages_of(lab):
    """Return the names of the deferred stages that a lab's state shows."""
    return [name for name, shows in (("far", lab.wide), ("deeper", lab.deep)) if shows]


def _deferred_stages_computed():
    """Return how many deferred stages were computed."""
    return sum(stage != "near" for stage, *_ in ToyResult.computed)


class FakeBackend(PageBackend):
    """A page backend that stores requests until a test runs them.

    drawn      the result that is visible; `words` are the sentences above it
    jobs       (job, its outcome once a thread has run it, or None)
    stages     (result, name of its deferred stage)
    moments    (time, serial number, function to call at that time)
    """

    at_once = False

    def attempt(self, compute, what):
        return run_safely(compute, what)

    def limit(self, lab):
        refuse_too_much(lab.cost)

    def __init__(self, lab=None, blank=False):
        self.lab, self.now, self.moments, self.order = lab or ToyLab(), 0.0, [], count()
        self.jobs, self.stages, self.idle_at = [], [], None
        self.late_since = None
        self.waits = self.back = self.wanted = self.over = False
        self.words, self.caught_up, self.idle_updates = (), None, 0
        self.asked = self.answered = 0  # requests of the browser
        self.history = [self.lab.key]  # every state that the lab has been in
        self.seen = 0  # index in `history` of the state that the user last got an answer for
        self.questions = [0]  # index in `history` of the state that each request set
        ToyResult.meanwhile, self.closed, self.running = None, False, None
        first = ToyLab().result()
        self.slid = False  # whether the browser has drawn since the last picture of the server
        self.drawn, self.blank, self.draws, self.had = first, blank, 0, ()
        self.tabled = 0  # the number of draws when the browser got its table
        self.spoiled = False  # whether the browser drew from an outdated table
        self.lab_session = LabSession(self.lab, self, first, blank)
        self.lab.param.watch(self._moved, list(ToyLab.fields))
        self.by_browser = False

    # actions of a user and of a browser

    def move(self, drawn=False, **changes):
        """Move the lab; the browser may have drawn the result itself."""
        session, draws, states = self.lab_session, self.draws, len(self.history)
        serving = self._serving()
        self.by_browser, free = drawn, not session.busy
        session.browser_drew |= drawn
        self.lab.move(**changes)
        self.by_browser = False
        if len(self.history) == states:
            assert self.draws == draws
        elif drawn and free:
            assert self.draws == draws, "the server drew what the browser had drawn"
        elif self.lab.quick:
            assert not session.busy, "a quick result waited for a thread"
        if len(self.history) > states and not serving():
            assert not session.waits, "deferred work went on for an outdated state"

    def _serving(self):
        """Return a function that checks whether the running stage is valid for the lab's current state."""
        if self.running is None:
            return lambda: False
        work, name = self.running
        read = ("n",) if name == "far" else ("n", "lam")
        return lambda: all(getattr(self.lab, field) == getattr(work.lab, field) for field in read)

    def ask(self, drawn=False, **changes):
        """Move the lab by a browser's request."""
        self.asked += 1
        self.questions.append(0)  # while the request is handled, any picture answers it
        self.move(drawn, **changes)
        self.questions[-1] = len(self.history) - 1
        if not self.lab_session.busy:
            self.answer(None)

    def cancel(self):
        """Cancel the long computation."""
        session, shown, busy, waits = (
            self.lab_session,
            self.lab_session.result,
            self.lab_session.busy,
            self.lab_session.waits,
        )
        session.on_cancel()
        if busy:
            assert not session.busy
            assert self.drawn is shown
            assert self.words[:1] == (CANCELLED,)  # further sentences are about the state that it goes back to
            assert self.lab.key == shown.lab.key
        elif waits:
            assert not session.waits

    def leave(self):
        """Close the page."""
        self.lab_session.on_close()
        self.closed = True
        assert not self.lab_session.waits
        assert self.idle_at is None
        assert all(job.dropped for job, _ in self.jobs)

    def _moved(self, *events):
        self.history.append(self.lab.key)
        if self.by_browser:
            self.seen = len(self.history) - 1
            self.slid = True
            self.spoiled |= self.is_behind()
        self.lab_session.on_lab_changed(self.by_browser)

    def advance(self, seconds):
        """Advance the time."""
        end = self.now + seconds
        while True:
            due = [*((at, n, what) for at, n, what in self.moments if at <= end)]
            if self.idle_at is not None and self.idle_at <= end:
                due.append((self.idle_at, -1, self._on_idle))
            if not due:
                break
            first = min(due, key=lambda each: each[:2])
            self.now = max(self.now, first[0])
            self.moments = [each for each in self.moments if each[1] != first[1]]
            first[2]()
        self.now = end

    def _on_idle(self):
        self.idle_at = None
        self.lab_session.on_idle()

    def run(self, index, tell=True):
        """Compute a requested job as a thread does; if `tell`, report its result at once."""
        place = index % len(self.jobs)
        job, outcome = self.jobs[place]
        outcome = outcome or self._outcome(job)
        self.jobs[place] = (job, outcome)
        if tell:
            del self.jobs[place]
            draws = self.draws
            self.lab_session.on_result(job, outcome)
            if self.draws > draws:
                assert self.answered >= job.asked, "a picture was drawn, but its request was not answered"

    def _outcome(self, job):
        moved_on = len(self.history) - 1 > job.place
        wanted, before = not (job.dropped or (moved_on and job.seconds > LONG)), len(ToyResult.computed)
        try:
            result = job.compute()
        except Exception as error:

            def fails(error=error):
                raise error

            return fails
        assert wanted or len(ToyResult.computed) == before, "an outdated state was computed"
        return lambda: result

    def run_stage(self, index, meanwhile=None):
        """Compute a deferred stage as a thread does, and call `meanwhile` in the middle of it."""
        work, name = self.running = self.stages.pop(index % len(self.stages))
        session, wanted, idle_updates = self.lab_session, self.lab_session.wants(work), self.idle_updates
        errors: list[Exception] = []

        def heard():
            try:
                meanwhile()
            except Exception as error:  # the session would take it for a bug of the stage
                errors.append(error)

        ToyResult.meanwhile, before = heard if meanwhile else None, _deferred_stages_computed()
        try:
            found = session.find(work, name)
            for error in errors:
                raise error
            assert session.wants(work) or _deferred_stages_computed() == before, "an unwanted stage was computed"
        finally:
            ToyResult.meanwhile, self.running = None, None
        self.words = said = ("A remark on the current state.",)
        slid = self.slid
        session.on_stage_finished(work, name, found)
        if not slid and self.lab.n not in WITHOUT_PICTURE:
            assert self.words == said, "a deferred stage removed the remarks on the current state"
        if meanwhile is None and wanted and self.lab.quick:
            assert not session.busy, "a quick result waited for a thread"
        if meanwhile is None and wanted and not session.busy and not self.closed:
            lacking = [
                n for n, shows in (("far", work.lab.wide), ("deeper", work.lab.deep)) if shows and n not in self.had
            ]
            same = work.lab.key == self.lab.key and self.lab.n != REFUSED_DEFERRED
            assert self.stages or not (same and lacking), "the next deferred stage does not begin"
            updated = session.waits or self.idle_updates > idle_updates or self.lab.key != self.drawn.lab.key
            assert updated, "no idle update follows"
            assert not found or name in self.had or self.lab.key != self.drawn.lab.key

    def settle(self):
        """Run everything that is pending."""
        for _ in range(200):
            if not (self.jobs or self.stages or self.moments or self.idle_at is not None):
                return
            while self.jobs:
                self.run(0)
            while self.stages:
                self.run_stage(0)
            self.advance(2.0)
        raise AssertionError("work is still pending after 200 rounds")

    # methods of a PageBackend

    def _check_open(self):
        assert not self.closed, "a closed page got work"

    def draw(self, result, words, over):
        self._check_open()
        place = (
            len(self.history) - 1 - self.history[::-1].index(result.lab.key) if result.lab.key in self.history else 0
        )
        assert place >= self.seen or result is self.lab_session.result, "an older state replaced a newer one"
        self.seen = max(place, self.seen)
        self.drawn, self.back, self.blank = result, False, False
        self.draws, self.had, self.spoiled = self.draws + 1, result.arrived(), False
        self.slid = False
        if words is not None:
            self.words = words

    def refuse(self, sentence):
        self._check_open()
        self.words, self.back, self.seen = (sentence,), True, len(self.history) - 1

    def dim(self):
        self._check_open()
        self.back = True

    def show_wait(self, done, total):
        self._check_open()
        assert 0 <= done < total
        self.waits = True

    def hide_wait(self):
        self.waits = False

    def say(self, sentence):
        self._check_open()
        self.words = (sentence,)

    def late_is_wanted(self, wanted):
        self.wanted, self.late_since = wanted, None

    def is_awaited(self, result):
        return True

    def compute(self, job):
        self._check_open()
        assert all(other.dropped for other, _ in self.jobs), "two pictures are computed at once for one page"
        job.asked, job.place, job.since = self.asked, len(self.history) - 1, self.now
        self.jobs.append((job, None))

    def finish(self, work, name):
        self._check_open()
        self.stages.append((work, name))
        self.late_since = self.now if self.late_since is None else self.late_since

    def remind(self, seconds, remember):
        self.moments.append((self.now + seconds, next(self.order), remember))

    def schedule_idle_update(self):
        self._check_open()
        self.idle_at = self.now + IDLE_AFTER

    def cancel_idle_update(self):
        self.idle_at = None

    def is_behind(self):
        return self.tabled != self.draws

    def catch_up(self, result):
        self._check_open()
        assert not self.spoiled or self.back, "a picture from an outdated table stays"
        self.tabled = self.draws
        self.idle_updates, self.caught_up = self.idle_updates + 1, self.lab.key
        self.drawn = result

    def answer(self, job):
        upto = self.asked if job is None else job.asked
        assert self.answered <= upto <= self.asked
        assert self.questions[upto] <= self.seen, "a request was answered before its picture was drawn"
        self.answered = upto

    # checks

    def check(self):
        """Check what must hold after every event."""
        state = self.lab_session.picture
        assert (state is PictureState.DRAWN) == (self.idle_at is not None), (
            "an idle update is scheduled if and only if a picture was just drawn"
        )
        assert not self.waits or self.lab_session.busy or self.wanted, "the page shows a wait, but nothing is pending"
        alive = [job for job, _ in self.jobs if not job.dropped]
        if state is PictureState.CLOSED:
            assert not alive
        for job in alive:
            assert self.back or self.now - job.since < SOON
            assert self.waits or self.now - job.since < PATIENT
        if self.lab_session.late is DeferredState.FINISHING and not self.lab_session.busy:
            assert self.waits or self.now - self.late_since < PATIENT

    def check_settled(self):
        """Check what must hold once nothing is pending."""
        if self.closed:
            return
        lab, session = self.lab, self.lab_session
        assert session.picture is PictureState.SETTLED
        assert self.caught_up == lab.key
        assert self.answered == self.asked
        assert not self.waits
        assert not self.wanted
        if lab.n in WITHOUT_PICTURE:
            assert self.back
            assert len(self.words) == 1
            return
        assert not self.back
        assert not self.blank
        assert self.drawn.lab.key == lab.key
        assert self.drawn.near == 10 * lab.n + lab.lam
        wanted = deferred_stages_of(lab)
        assert lab.n == REFUSED_DEFERRED or session.declines(lab) or list(self.had) == wanted
        assert self.drawn.combined == ((self.drawn.near, lab.n) if "far" in self.had else self.drawn.near)
