"""A sweep that runs while the page goes on.

In a thread that waits for processes, with what is done shown as it comes.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import weakref
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from functools import cached_property
from html import escape

from explorer.labs.sweep_compute import cells_key
from explorer.labs.sweep_words import progress, standing
from explorer.labs.sweep_work import Work

TICK = 0.3  # s from one picture of a running sweep to the next


class Running:
    """The part of the Sweep page that runs its sweep, and stops it.

    `executor` is where, None the processes of this machine.
    """

    executor = work = None
    _gone = False  # the session is over, and nobody is there to be shown anything

    @cached_property
    def folder(self):
        """The session's own, for the sweeps that may go on; it goes with the page."""
        folder = tempfile.mkdtemp(prefix="sweep-")
        self._clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def _thread(self):
        """One for each page: sweeps of other sessions do not wait for this one's."""
        return ThreadPoolExecutor(1, thread_name_prefix="sweep")

    def run(self, event=None):
        """Begin the sweep, or go on with it."""
        if self.work is not None:
            return
        try:
            self.work = Work(self.lab.snapshot, self.folder, self.executor)
        except (OSError, TypeError, ValueError) as error:
            self.frame.say([str(error)])
            return
        self.frame.say([])
        self.report()
        if self._doc is not None:
            self._doc.add_next_tick_callback(self.unlocked(self._run_in_thread))
            return
        try:
            self.work()
        except FAILURES as error:
            self.frame.say([str(error)])
        finally:
            self._ended()

    def cancel(self, event=None):
        """Stop it; what is done is kept."""
        if self.work is not None:
            self.work.stop()
            self.report(stopping=True)

    async def _run_in_thread(self):
        work, sentences = self.work, []
        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        while not running.done() and not self._gone:
            await asyncio.wait([running], timeout=TICK)
            if not self._gone:
                with self.hold():
                    self._take(work)
        try:
            await running
        except FAILURES as error:
            sentences = [str(error)]
        if not self._gone:
            with self.hold():
                self._ended()
                if sentences:
                    self.frame.say(sentences)

    def _ended(self):
        work, self.work = self.work, None
        self._take(work)
        self.report()
        self._later()

    def _take(self, work):
        """Show what a sweep has by now, unless the hand has moved on to another."""
        self.lab.keep(work.key, work.cells())
        if work.key == cells_key(self.lab):
            self._show(self.lab.result())

    def report(self, stopping=False):
        """Say how far the sweep is, and which buttons serve."""
        result, running = self.result, self.work is not None
        said = progress(self.work.step) if running else standing(result)
        if stopping:
            said = "Stopping, after the fits that are under way."
        share = result.done / result.grid.size
        bar = (
            "<div class='gauge' role='progressbar' aria-label='fits done' aria-valuemin='0' aria-valuemax='100' "
            f"aria-valuenow='{100 * share:.0f}'><div style='width:{100 * share:.1f}%'></div></div>"
        )
        self.status.object = f"{GAUGE}{bar}<div class='trust'>{escape(said)}</div>"
        for button, label, serves in (
            (self.go, "Resume" if 0 < result.done < result.grid.size else "Run", not running and not result.whole),
            (self.halt, "Cancel", running and not stopping),
        ):
            now = {"label": label, "disabled": not serves}
            if changed := {name: value for name, value in now.items() if getattr(button, name) != value}:
                button.param.update(**changed)

    def _release(self):
        super()._release()
        self._gone = True
        if self.work is not None:
            self.work.stop()
        if "folder" in vars(self):
            self._thread.submit(self._clean)  # after the sweep, whose file is there
            self._thread.shutdown(wait=False)


FAILURES = (
    BrokenExecutor,
    ArithmeticError,
    OSError,
    TypeError,
    ValueError,
)  # of workers, disk or study, each with a sentence
GAUGE = """<style>
.gauge { height: 6px; border-radius: 3px; background: rgba(127, 127, 127, 0.25); overflow: hidden;
         margin: 4px 0 2px 0; }
.gauge div { height: 100%; background: #3F86F2; transition: width 0.2s linear; }
@media (prefers-reduced-motion: reduce) { .gauge div { transition: none; } }
</style>"""
