"""A small lab, and a page backend without widgets: a test controls its threads and its time."""

from itertools import count

from explorer.checks import Refusal
from explorer.parameters import Flag, Whole
from explorer.workbench import Lab, Result, deferred, stage
from explorer.workbench.cost import LONG, refuse_too_much, timed
from explorer.workbench.lab_session import CANCELLED, PATIENT, SOON, LabSession, PageBackend
from explorer.workbench.safe_call import run_safely
from explorer.workbench.state_machine import DeferredState, PictureState

REST = 0.4  # seconds, like a page's
REFUSED, BUGGY, REFUSED_LONG, BUGGY_LONG, REFUSED_LATE = 3, 4, 8, 9, 6  # values of n
WITHOUT = (REFUSED, BUGGY, REFUSED_LONG, BUGGY_LONG)  # those that have no picture


class ToyLab(Lab):
    """A lab whose result takes long from n = 5 on; some n have none. `wide` and `deep` show a deferred stage each."""

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
    def told(self):
        """Describe a deferred stage, in a stage that is not deferred."""
        return self.near if self.far is None else (self.near, *self.far)

    @deferred(lambda result: result.lab.wide)
    def far(self, stopped):
        read = self._read("far", self.lab.n)
        return None if stopped() else self._looked(read)

    @deferred(lambda result: result.lab.deep)
    def deeper(self):
        read = self._read("deeper", self.lab.n, self.lab.lam)
        yield
        return self._looked(read)

    def _read(self, *what):
        if ToyResult.meanwhile:
            ToyResult.meanwhile()
        return what

    def _looked(self, what):
        if what[1] == REFUSED_LATE:
            raise Refusal("n = 6 has nothing late.")
        self.computed.append(what)
        return what[1:]

    @property
    def stops(self):
        return tuple(range(4)) if self.lab.n < 5 else ()

    @property
    def row(self):
        return self.lab.lam


def late_of(lab):
    """Return the deferred stages that a state shows."""
    return [name for name, shows in (("far", lab.wide), ("deeper", lab.deep)) if shows]


def _late_stages():
    """Return how many deferred stages were computed."""
    return sum(what[0] != "near" for what in ToyResult.computed)


class Desk(PageBackend):
    """A page backend that stores its requests until a test lets them happen.

    drawn      the result that is visible, and `words` above it
    jobs       (job, its outcome once a thread has run it)
    stages     (result, name of its deferred stage)
    moments    (time, what is remembered then)
    """

    at_once = False

    def attempt(self, compute, what):
        return run_safely(compute, what)

    def limit(self, lab):
        refuse_too_much(lab.cost)

    def __init__(self, lab=None, blank=False):
        self.lab, self.now, self.moments, self.order = lab or ToyLab(), 0.0, [], count()
        self.jobs, self.stages, self.rest_at = [], [], None
        self.late_since = None
        self.waits = self.back = self.wanted = self.over = False
        self.words, self.caught_up, self.rests = (), None, 0
        self.asked = self.answered = 0
        self.history = [self.lab.key]  # every state that the lab has been in
        self.seen = 0  # its index of the state that the user last got an answer for
        self.questions = [0]  # its index of each request's state
        ToyResult.meanwhile, self.closed, self.running = None, False, None
        first = ToyLab().result()
        self.slid = False  # whether the browser has drawn since
        self.drawn, self.blank, self.draws, self.had = first, blank, 0, ()
        self.tabled, self.spoiled = (
            0,
            False,
        )  # the drawing that the browser's table is of; whether it drew from it later
        self.lab_session = LabSession(self.lab, self, first, blank)
        self.lab.param.watch(self._moved, list(ToyLab.fields))
        self.by_browser = False

    # actions of a user and of a browser

    def move(self, drawn=False, **changes):
        """Move the lab; the browser may have drawn the result itself."""
        talk, draws, states = self.lab_session, self.draws, len(self.history)
        serving = self._serving()
        self.by_browser, free = drawn, not talk.busy
        talk.browser_drew |= drawn
        self.lab.move(**changes)
        self.by_browser = False
        if len(self.history) == states:
            assert self.draws == draws
        elif drawn and free:
            assert self.draws == draws, "the server drew what the browser had drawn"
        elif self.lab.quick:
            assert not talk.busy, "what is quick waited for a thread"
        if len(self.history) > states and not serving():
            assert not talk.waits, "late work went on for a state that was left"

    def _serving(self):
        """Return a function that returns whether a running stage serves the lab, by the fields that it reads."""
        if self.running is None:
            return lambda: False
        work, name = self.running
        read = ("n",) if name == "far" else ("n", "lam")
        return lambda: all(getattr(self.lab, field) == getattr(work.lab, field) for field in read)

    def ask(self, drawn=False, **changes):
        """Move it by a browser's request."""
        self.asked += 1
        self.questions.append(0)  # while it is being heard, any picture answers it
        self.move(drawn, **changes)
        self.questions[-1] = len(self.history) - 1
        if not self.lab_session.busy:
            self.answer(None)

    def cancel(self):
        """Cancel the long computation."""
        talk, shown, busy, waits = (
            self.lab_session,
            self.lab_session.result,
            self.lab_session.busy,
            self.lab_session.waits,
        )
        talk.on_cancel()
        if busy:
            assert not talk.busy
            assert self.drawn is shown
            assert self.words[:1] == (CANCELLED,)  # and then what the state lacks that it goes back to
            assert self.lab.key == shown.lab.key
        elif waits:
            assert not talk.waits

    def leave(self):
        """Close the page."""
        self.lab_session.on_close()
        self.closed = True
        assert not self.lab_session.waits
        assert self.rest_at is None
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
            if self.rest_at is not None and self.rest_at <= end:
                due.append((self.rest_at, -1, self._rest))
            if not due:
                break
            first = min(due, key=lambda each: each[:2])
            self.now = max(self.now, first[0])
            self.moments = [each for each in self.moments if each[1] != first[1]]
            first[2]()
        self.now = end

    def _rest(self):
        self.rest_at = None
        self.lab_session.on_idle()

    def run(self, index, tell=True):
        """Compute a requested job in a thread, and perhaps report it at once."""
        place = index % len(self.jobs)
        job, outcome = self.jobs[place]
        outcome = outcome or self._outcome(job)
        self.jobs[place] = (job, outcome)
        if tell:
            del self.jobs[place]
            draws = self.draws
            self.lab_session.on_result(job, outcome)
            if self.draws > draws:
                assert self.answered >= job.asked, "what was drawn was not answered"

    def _outcome(self, job):
        moved_on = len(self.history) - 1 > job.place
        wanted, before = not (job.dropped or (moved_on and job.seconds > LONG)), len(ToyResult.computed)
        try:
            result = job.compute()
        except Exception as error:

            def fails(error=error):
                raise error

            return fails
        assert wanted or len(ToyResult.computed) == before, "a state that nobody waits for was computed"
        return lambda: result

    def run_stage(self, index, meanwhile=None):
        """Compute a deferred stage in a thread, while something happens in the middle of it."""
        work, name = self.running = self.stages.pop(index % len(self.stages))
        talk, wanted, rests = self.lab_session, self.lab_session.wants(work), self.rests
        errors: list[Exception] = []

        def heard():
            try:
                meanwhile()
            except Exception as error:  # which the stage's own way would take for a bug of the stage
                errors.append(error)

        ToyResult.meanwhile, before = heard if meanwhile else None, _late_stages()
        try:
            found = talk.find(work, name)
            for error in errors:
                raise error
            assert talk.wants(work) or _late_stages() == before, "it went on for nobody"
        finally:
            ToyResult.meanwhile, self.running = None, None
        self.words = said = ("No such word.",)  # of the present state
        slid = self.slid
        talk.on_stage_finished(work, name, found)
        if not slid and self.lab.n not in WITHOUT:
            assert self.words == said, "what was said of this state went with a late stage"
        if meanwhile is None and wanted and self.lab.quick:
            assert not talk.busy, "what is quick waited for a thread"
        if meanwhile is None and wanted and not talk.busy and not self.closed:
            lacking = [
                n for n, shows in (("far", work.lab.wide), ("deeper", work.lab.deep)) if shows and n not in self.had
            ]
            same = work.lab.key == self.lab.key and self.lab.n != REFUSED_LATE
            assert self.stages or not (same and lacking), "the next stage does not begin"
            assert talk.waits or self.rests > rests or self.lab.key != self.drawn.lab.key, "nothing catches up"
            assert not found or name in self.had or self.lab.key != self.drawn.lab.key

    def settle(self):
        """Run everything that is pending."""
        for _ in range(200):
            if not (self.jobs or self.stages or self.moments or self.rest_at is not None):
                return
            while self.jobs:
                self.run(0)
            while self.stages:
                self.run_stage(0)
            self.advance(2.0)
        raise AssertionError("it never comes to rest")

    # the world that the conversation has

    def _is_somebody_there(self):
        assert not self.closed, "something is done for nobody"

    def draw(self, result, words, over):
        self._is_somebody_there()
        place = (
            len(self.history) - 1 - self.history[::-1].index(result.lab.key) if result.lab.key in self.history else 0
        )
        assert place >= self.seen or result is self.lab_session.result, "an older state came over a newer one"
        self.seen = max(place, self.seen)
        self.drawn, self.back, self.blank = result, False, False
        self.draws, self.had, self.spoiled = self.draws + 1, result.arrived(), False
        self.slid = False
        if words is not None:
            self.words = words

    def refuse(self, sentence):
        self._is_somebody_there()
        self.words, self.back, self.seen = (sentence,), True, len(self.history) - 1

    def dim(self):
        self._is_somebody_there()
        self.back = True

    def show_wait(self, done, total):
        self._is_somebody_there()
        assert 0 <= done < total
        self.waits = True

    def hide_wait(self):
        self.waits = False

    def say(self, sentence):
        self._is_somebody_there()
        self.words = (sentence,)

    def late_is_wanted(self, wanted):
        self.wanted, self.late_since = wanted, None

    def is_awaited(self, result):
        return True

    def compute(self, job):
        self._is_somebody_there()
        assert all(other.dropped for other, _ in self.jobs), "two pictures are computed for one page"
        job.asked, job.place, job.since = self.asked, len(self.history) - 1, self.now
        self.jobs.append((job, None))

    def finish(self, work, name):
        self._is_somebody_there()
        self.stages.append((work, name))
        self.late_since = self.now if self.late_since is None else self.late_since

    def remind(self, seconds, remember):
        self.moments.append((self.now + seconds, next(self.order), remember))

    def schedule_idle_update(self):
        self._is_somebody_there()
        self.rest_at = self.now + REST

    def cancel_idle_update(self):
        self.rest_at = None

    def is_behind(self):
        return self.tabled != self.draws

    def catch_up(self, result):
        self._is_somebody_there()
        assert not self.spoiled or self.back, "what the browser drew from an older table stays"
        self.tabled = self.draws
        self.rests, self.caught_up = self.rests + 1, self.lab.key
        self.drawn = result

    def answer(self, job):
        upto = self.asked if job is None else job.asked
        assert self.answered <= upto <= self.asked
        assert self.questions[upto] <= self.seen, "a question was answered before its picture was there"
        self.answered = upto

    # what must hold

    def check(self):
        """Check what holds after every event."""
        going_on = self.lab_session.picture
        assert (going_on is PictureState.DRAWN) == (self.rest_at is not None), (
            "a rest follows what is drawn, and only that"
        )
        assert not self.waits or self.lab_session.busy or self.wanted, "nothing is waited for"
        alive = [job for job, _ in self.jobs if not job.dropped]
        if going_on is PictureState.CLOSED:
            assert not alive
        for job in alive:
            assert self.back or self.now - job.since < SOON
            assert self.waits or self.now - job.since < PATIENT
        if self.lab_session.late is DeferredState.FINISHING and not self.lab_session.busy:
            assert self.waits or self.now - self.late_since < PATIENT

    def check_rest(self):
        """Check what holds once nothing is pending."""
        if self.closed:
            return
        lab, talk = self.lab, self.lab_session
        assert talk.picture is PictureState.SETTLED
        assert self.caught_up == lab.key
        assert self.answered == self.asked
        assert not self.waits
        assert not self.wanted
        if lab.n in WITHOUT:
            assert self.back
            assert len(self.words) == 1
            return
        assert not self.back
        assert not self.blank
        assert self.drawn.lab.key == lab.key
        assert self.drawn.near == 10 * lab.n + lab.lam
        wanted = late_of(lab)
        assert lab.n == REFUSED_LATE or talk.declines(lab) or list(self.had) == wanted
        assert self.drawn.told == ((self.drawn.near, lab.n) if "far" in self.had else self.drawn.near)
