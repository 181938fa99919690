"""What a page's conversation asks for, carried out: pictures, sentences, threads and time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import panel as pn
from bokeh.document import without_document_lock
from panel.io.state import set_curdoc

from explorer.workbench.cost import refuse_too_much, seconds
from explorer.workbench.lab_session import PageBackend
from explorer.workbench.safe_call import run_safely

from .chrome import NOTHING
from .layout.declarations import Toggle
from .serving.idle_queue import idle_queue
from .serving.scheduler import TURNS

if TYPE_CHECKING:
    from concurrent.futures import Future
    from contextlib import AbstractContextManager

    from bokeh.document import Document

    from explorer.workbench.lab import Lab
    from explorer.workbench.lab_session import Job
    from explorer.workbench.result import Result

    from .protocol import Page

T = TypeVar("T")
BUILDING = 10.0  # s that a page may take to be built; a visitor who never says so is shown it all the same
REST = 0.4  # s without a move that count as rest: a hand that steps by keys or looks at each picture is quicker
TICK = 0.3  # s from one picture of what is under way to the next


class Runtime(PageBackend):
    """The world of a page in a script, or in a notebook without a kernel: whatever is asked for is done at once."""

    doc: Any = None  # the document that a browser shows, if one does

    def __init__(self, page: Page) -> None:
        self.page = page

    def attempt(self, compute: Callable[[], T], what: object) -> tuple[T | None, str]:
        """(what it gives, no sentence), or (None, why not)."""
        return run_safely(compute, what)

    def limit(self, lab: Lab) -> None:
        """A Refusal of a state that takes more than a session is allowed."""
        refuse_too_much(lab.cost)

    def hold(self) -> AbstractContextManager[Any]:
        """Collect changes of the page into one message; after an await Bokeh lets models change only so.

        What is said meanwhile is said in the page's language.
        """
        return self.page.speaking(pn.io.hold(self.doc))

    # what is seen

    def draw(self, result: Result[Any], words: Sequence[str] | None, over: bool) -> None:
        """Show a result, and say these words in place of what was said; None leaves what was said."""
        page = self.page
        with self.hold():
            page.chrome.step_back(False)
            page.chrome.take_own()
            if words is not None:
                page.chrome.say(words)
            page.display.draw(result, over)

    def refuse(self, sentence: str) -> None:
        """Say why the lab's state has no picture; the last one steps back."""
        frame = self.page.chrome
        with self.hold():
            frame.say([sentence])
            if self.page.blank:
                frame.begin_blank(NOTHING)
                frame.refuse_own(sentence)
            frame.step_back(True)

    def step_back(self) -> None:
        """Let the pictures step back, as they are no longer the lab's."""
        with self.hold():
            self.page.chrome.step_back(True)

    def say(self, sentence: str) -> None:
        """Say something above the pictures."""
        with self.hold():
            self.page.chrome.say([sentence])

    def late_is_wanted(self, wanted: bool) -> None:
        """The buttons that ask for late stages say so."""
        with self.hold():
            self.page.bindings.show_buttons()

    def is_awaited(self, result: Result[Any]) -> bool:
        """Whether one sees that late stages are missing: by a picture that has stepped back, or a pressed button."""
        page = self.page
        toggles = (each for each in page.buttons.values() if isinstance(each, Toggle))
        pictures = page.view.pictures
        return any(pictures[name].waits(result) for name in page.view.visible(result)) or any(
            getattr(page.lab, each.field) for each in toggles
        )

    def is_behind(self) -> bool:
        """Whether the browser may have drawn from the table of an older picture."""
        return self.page.display.lookup.is_behind

    def catch_up(self, result: Result[Any]) -> None:
        """The hand rests: the table for the browser, boxes, link and code follow the lab."""
        with self.hold():
            self.page.catch_up(result)

    def answer(self, job: Job | None) -> None:
        """Let the browser ask again: all that it has asked is answered, or all up to the beginning of a job."""
        with self.hold():
            self.page.pacer.done(None if job is None else job.asked)

    # threads and time

    def in_thread(self, compute: Callable[[], T | None], take: Callable[[T], object], seconds: float = 1.0) -> None:
        """Compute, and `take` what it gives; a refusal is said above the pictures."""
        self._take(compute, take)

    def _take(self, compute, take):
        value, sentence = self.attempt(compute, self.page.lab)
        if sentence:
            self.page.chrome.say([sentence])
        elif value is not None:
            take(value)

    def follow(
        self,
        start: Callable[[], Future[Any]],
        take: Callable[[], object],
        ended: Callable[[BaseException | None], object],
    ) -> None:
        """Wait for the Future that `start()` gives; `ended(error)` hears what it raised, or None."""
        ended(start().exception())

    def bring(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Nothing: where there is no browser, no visitor has files open on another page."""


class ServedRuntime(Runtime):
    """The world of a page in a browser, by a server or a notebook's kernel: threads compute, and time goes by."""

    at_once = False

    def __init__(self, page: Page, doc: Document) -> None:
        super().__init__(page)
        self.doc = doc
        self._built = asyncio.Event()  # whether the browser has built the page
        self._rest = self._quiet = None  # the timer of a rest, and where it waits for its turn
        pn.state.onload(self._built.set)

    def show_wait(self, done: int, total: int) -> None:
        """Say that work goes on and about how long it takes, and how many of how many parts are done."""
        with self.hold():
            about = seconds(self.page.lab.cost, late=self.page.waits)
            self.page.chrome.waiting.say(done, total, about)

    def hide_wait(self) -> None:
        """Say no more that work goes on."""
        with self.hold():
            self.page.chrome.waiting.hide()

    def compute(self, job: Job) -> None:
        """Let a thread compute a picture; it answers all that the browser has asked by now."""
        job.asked = self.page.pacer.asked
        self.soon(partial(self._compute, job))

    async def _compute(self, job):
        computing = await done(TURNS.submit(job.compute, job.seconds, job.stale))
        if self.page.blank:
            await self._is_built()
        with self.hold():
            self.lab_session.on_result(job, computing)

    async def _is_built(self):
        """Wait until the browser has built the page: a part that it is building hears of no change."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._built.wait(), BUILDING)

    def finish(self, work: Result[Any], name: str) -> None:
        """Let a thread compute a late stage."""
        self.soon(partial(self._finish, work, name))

    async def _finish(self, work, name):
        find, taken = partial(self.lab_session.find, work, name), seconds(work.lab.cost, late=True)
        finding = await done(TURNS.submit(find, taken, lambda: not self.lab_session.wants(work)))
        with self.hold():
            self.lab_session.on_stage_finished(work, name, bool(finding()))

    def remind(self, seconds: float, remember: Callable[[], None]) -> None:
        """Call `remember()` after some time, and not before the browser has the page, as it would hear of no change."""
        pn.state.onload(partial(self.doc.add_timeout_callback, remember, round(1000 * seconds)))

    def ask_for_rest(self) -> None:
        """Tell of a rest where the hand makes no further move, once no other hand does."""
        self.no_rest()
        self._rest = self.doc.add_timeout_callback(self._rest_in_turn, round(1000 * REST))

    def _rest_in_turn(self):
        self._rest = None
        self._quiet = idle_queue()
        self._quiet.schedule(self._rest_soon)

    def _rest_soon(self):
        if not self.lab_session.is_closed:
            self.doc.add_next_tick_callback(self.lab_session.on_idle)

    def no_rest(self) -> None:
        """The hand no longer rests."""
        if self._rest is not None:
            self.doc.remove_timeout_callback(self._rest)
            self._rest = None
        if self._quiet is not None:
            self._quiet.cancel(self._rest_soon)

    def in_thread(self, compute: Callable[[], T | None], take: Callable[[T], object], seconds: float = 1.0) -> None:
        """Let a thread compute, and `take` what it gives; a refusal is said above the pictures.

        seconds: about how long it takes
        """
        self.soon(partial(self._compute_and_take, compute, take, seconds))

    async def _compute_and_take(self, compute, take, seconds):
        computing = await done(TURNS.submit(compute, seconds, lambda: self.lab_session.is_closed))
        if not self.lab_session.is_closed:
            with self.hold():
                self._take(computing, take)

    def follow(
        self,
        start: Callable[[], Future[Any]],
        take: Callable[[], object],
        ended: Callable[[BaseException | None], object],
    ) -> None:
        """Wait for the Future that `start()` gives, perhaps for hours, and `take()` what there is of it by then.

        At its end `ended(error)` hears what it raised, or None. Nobody hears of it once the session is over.
        """
        # a page that opens does so sooner where nothing shares its processor yet
        pn.state.onload(partial(self.soon, partial(self._follow, start, take, ended)))

    def bring(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Use files that the link names, as if a hand had chosen them, once the browser has the page."""
        pn.state.onload(partial(self.soon, partial(self._bring, files)))

    async def _bring(self, files):
        await self._is_built()
        await self.page.user_data.load(files)
        if not self.lab_session.is_closed:
            with self.hold():
                self.page.on_files_loaded()

    async def _follow(self, start, take, ended):
        running = asyncio.wrap_future(start())
        while not running.done() and not self.lab_session.is_closed:
            await asyncio.wait([running], timeout=TICK)
            if not self.lab_session.is_closed:
                with self.hold():
                    take()
        await asyncio.wait([running])
        error = running.exception()
        if not self.lab_session.is_closed:
            with self.hold():
                ended(error)

    def soon(self, work):
        """Run a coroutine function that leaves the document's lock alone: with it no press is heard before its end."""

        @without_document_lock
        async def callback():
            with set_curdoc(self.doc), self.page.speaking():
                await work()

        self.doc.add_next_tick_callback(callback)


async def done(future: Future[T]) -> Callable[[], T | None]:
    """A function that gives or raises what a thread's Future does, once it is done; None where it was cancelled."""
    waited = asyncio.wrap_future(future)
    await asyncio.wait([waited])
    if waited.cancelled():
        return lambda: None
    waited.exception()  # else asyncio would say that nobody asked for it
    return future.result
