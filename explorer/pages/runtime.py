"""Runtimes of a page: they carry out what its session asks for, such as pictures, sentences, threads and timers."""

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
from .patches.bokeh.threads import stay_on_the_event_loop
from .serving.idle_queue import idle_queue
from .serving.scheduler import TURNS

if TYPE_CHECKING:
    from concurrent.futures import Future
    from contextlib import AbstractContextManager

    from bokeh.document import Document

    from explorer.workbench.lab import Lab
    from explorer.workbench.lab_session import Job
    from explorer.workbench.result import Result

    from .bindings import Bindings
    from .chrome import Chrome
    from .display import Display
    from .page_protocol import Page

T = TypeVar("T")
# seconds that a browser may take to build a page; after that it is sent the picture without its confirmation
BUILDING = 10.0
REST = 0.4  # seconds without input that count as a pause; key steps and a look at each picture are faster
TICK = 0.3  # seconds between two updates of work in progress


class Runtime(PageBackend):
    """Runtime of a page in a script, or in a notebook without a kernel: everything is computed and shown at once.

    Parameters
    ----------
    page : LabPage
        The page.
    """

    doc: Any = None  # the document that a browser shows, or None
    bindings: Bindings
    display: Display
    chrome: Chrome

    def __init__(self, page: Page) -> None:
        self.page = page

    def connect(self, bindings: Bindings, display: Display, chrome: Chrome) -> None:
        """Set the parts of the page that show what the session asks for. The page builds them after its session."""
        self.bindings, self.pacer, self.display, self.chrome = bindings, bindings.pacer, display, chrome

    def served(self, doc: Document) -> ServedRuntime:
        """Return a runtime of the same page and parts, for a document that a browser shows from now on."""
        runtime = ServedRuntime(self.page, doc)
        runtime.connect(self.bindings, self.display, self.chrome)
        return runtime

    def attempt(self, compute: Callable[[], T], what: object) -> tuple[T | None, str]:
        """Return (value, "") on success, or (None, message) on failure."""
        return run_safely(compute, what)

    def limit(self, lab: Lab) -> None:
        """Raise a Refusal if the lab's state costs more than a session is allowed."""
        refuse_too_much(lab.cost)

    def hold(self) -> AbstractContextManager[Any]:
        """Collect changes of the page into one message, in the page's language; after an await Bokeh requires this."""
        return self.page.speaking(pn.io.hold(self.doc))

    # What is visible.

    def draw(self, result: Result[Any], words: Sequence[str] | None, over: bool) -> None:
        """Show a result, and replace the sentences above the pictures by `words`; None leaves them unchanged.

        If `over` is true, the browser may have drawn by itself: it is also sent what the server has not changed.
        """
        with self.hold():
            self.chrome.step_back(False)
            self.chrome.clear_data_refusal()
            if words is not None:
                self.chrome.say(words)
            self.display.draw(result, over)

    def refuse(self, sentence: str) -> None:
        """Show why the lab's state has no picture, and dim the last picture."""
        with self.hold():
            self.chrome.say([sentence])
            if self.page.blank:
                self.chrome.begin_blank(NOTHING)
                self.chrome.refuse_user_data(sentence)
            self.chrome.step_back(True)

    def dim(self) -> None:
        """Dim the pictures, because they no longer show the lab's state."""
        with self.hold():
            self.chrome.step_back(True)

    def say(self, sentence: str) -> None:
        """Show a sentence above the pictures."""
        with self.hold():
            self.chrome.say([sentence])

    def late_is_wanted(self, wanted: bool) -> None:
        """Update the buttons that ask for deferred stages."""
        with self.hold():
            self.bindings.show_buttons()

    def is_awaited(self, result: Result[Any]) -> bool:
        """Return whether the user can see that deferred stages are missing: a dimmed picture or a pressed button."""
        return self.display.waits(result) or self.bindings.is_toggled

    def is_behind(self) -> bool:
        """Return whether the browser may have drawn from the table of an older picture."""
        return self.display.is_behind

    def catch_up(self, result: Result[Any]) -> None:
        """Run the idle update: the browser's table, number boxes, link and code follow the lab."""
        with self.hold():
            self.page.catch_up(result)

    def answer(self, job: Job | None) -> None:
        """Acknowledge the browser's requests: all of them, or those that arrived before a job began."""
        with self.hold():
            self.pacer.done(None if job is None else job.asked)

    # Threads and time.

    def in_thread(self, compute: Callable[[], T | None], take: Callable[[T], object], seconds: float = 1.0) -> None:
        """Compute, and process the value; a refusal is shown above the pictures. `ServedRuntime` uses a thread."""
        self._take(compute, take)

    def _take(self, compute, take):
        value, sentence = self.attempt(compute, self.page.lab)
        if sentence:
            self.chrome.say([sentence])
        elif value is not None:
            take(value)

    def follow(
        self,
        start: Callable[[], Future[Any]],
        take: Callable[[], object],
        ended: Callable[[BaseException | None], object],
    ) -> None:
        """Wait for the Future that `start()` returns, then call `ended` with its exception, or with None."""
        ended(start().exception())

    def bring(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Do nothing: without a browser, no visitor has files open on another page."""


class ServedRuntime(Runtime):
    """Runtime of a page in a browser, for a server or a notebook's kernel: threads compute, and timers run.

    Parameters
    ----------
    page : LabPage
        The page.
    doc : Document
        The document that the browser shows.
    """

    at_once = False

    def __init__(self, page: Page, doc: Document) -> None:
        super().__init__(page)
        self.doc = doc
        # `open_page` does so too: only served pages go through it, and only those of labs have a runtime
        stay_on_the_event_loop(doc)
        self._built = asyncio.Event()  # set once the browser has built the page
        self._rest = self._idle_queue = None  # the timer of an idle update, and the queue in which it waits
        pn.state.onload(self._built.set)

    def show_wait(self, done: int, total: int) -> None:
        """Show that a computation is running, its expected duration, and the number of finished parts."""
        with self.hold():
            about = seconds(self.lab_session.lab.cost, late=self.page.waits)
            self.chrome.show_wait(done, total, about)

    def hide_wait(self) -> None:
        """Hide the display of a running computation."""
        with self.hold():
            self.chrome.hide_wait()

    def compute(self, job: Job) -> None:
        """Compute a picture in a thread. Its answer covers all requests that the browser has sent so far."""
        job.asked = self.pacer.asked
        self.soon(partial(self._compute, job))

    async def _compute(self, job):
        computing = await done(TURNS.submit(job.compute, job.seconds, job.stale))
        if self.page.blank:
            await self._is_built()
        if not self.lab_session.is_closed:
            with self.hold():
                self.lab_session.on_result(job, computing)

    async def _is_built(self):
        """Wait until the browser has built the page: a part that is being built misses changes."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._built.wait(), BUILDING)

    def finish(self, work: Result[Any], name: str) -> None:
        """Compute a deferred stage in a thread."""
        self.soon(partial(self._finish, work, name))

    async def _finish(self, work, name):
        find, taken = partial(self.lab_session.find, work, name), seconds(work.lab.cost, late=True)
        finding = await done(TURNS.submit(find, taken, lambda: not self.lab_session.wants(work)))
        if not self.lab_session.is_closed:
            with self.hold():
                self.lab_session.on_stage_finished(work, name, bool(finding()))

    def remind(self, seconds: float, remember: Callable[[], None]) -> None:
        """Call `remember()` after some seconds, once the browser has built the page: it would miss changes before."""
        pn.state.onload(partial(self.doc.add_timeout_callback, remember, round(1000 * seconds)))

    def schedule_idle_update(self) -> None:
        """Schedule the idle update: it runs after the user has paused, once the event loop has no requests waiting."""
        self.cancel_idle_update()
        self._rest = self.doc.add_timeout_callback(self._rest_in_turn, round(1000 * REST))

    def _rest_in_turn(self):
        self._rest = None
        self._idle_queue = idle_queue()
        self._idle_queue.schedule(self._rest_soon)

    def _rest_soon(self):
        if not self.lab_session.is_closed:
            self.doc.add_next_tick_callback(self.lab_session.on_idle)

    def cancel_idle_update(self) -> None:
        """Cancel the idle update that is scheduled, if there is one."""
        if self._rest is not None:
            self.doc.remove_timeout_callback(self._rest)
            self._rest = None
        if self._idle_queue is not None:
            self._idle_queue.cancel(self._rest_soon)

    def in_thread(self, compute: Callable[[], T | None], take: Callable[[T], object], seconds: float = 1.0) -> None:
        """Compute in a thread, and process the value; a refusal is shown above the pictures.

        `seconds` is the expected run time in seconds.
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
        """Wait for the Future that `start()` returns, perhaps for hours, and call `take()` for what there is so far.

        At its end `ended(error)` is called with its exception, or with None. Neither is called once the session is
        closed.
        """
        # The work starts after the page is loaded: a page opens faster while nothing else uses its processor.
        pn.state.onload(partial(self.soon, partial(self._follow, start, take, ended)))

    def bring(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Load files that the link names, as if the user had chosen them, once the browser has built the page."""
        pn.state.onload(partial(self.soon, partial(self._bring, files)))

    async def _bring(self, files):
        await self._is_built()
        user_data = self.page.user_data
        await user_data.load(files)
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
        """Schedule a coroutine function without the document's lock: with it, input events would wait for its end."""

        @without_document_lock
        async def callback():
            with set_curdoc(self.doc), self.page.speaking():
                await work()

        self.doc.add_next_tick_callback(callback)


async def done(future: Future[T]) -> Callable[[], T | None]:
    """Wait for a thread's Future, and return a function that returns its result or raises its error.

    The function returns None if the Future was cancelled.
    """
    waited = asyncio.wrap_future(future)
    await asyncio.wait([waited])
    if waited.cancelled():
        return lambda: None
    waited.exception()  # reading the exception prevents asyncio's warning that it was never retrieved
    return future.result
