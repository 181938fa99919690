"""What takes longer than a picture may wait for: it begins when the hand rests, and is given up when it moves on."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import panel as pn

from explorer.workbench.cost import seconds

from .declare import Toggle
from .hand import attempted
from .turns import TURNS
from .waiting import NOT_HERE, PATIENT

PATIENCE = 750  # ms more than a rest: a hand that goes on step by step shares no processor with work that it will undo
TICK = 0.3  # s from one picture of what is under way to the next


class Late:
    """The part of a page that has the late stages of its result computed, one after the other, by a thread."""

    _work = None  # the result whose late stage is under way
    _whole = None  # the last snapshot of the lab whose late stages were all there
    declined = None  # the state whose late stages a hand would not wait for
    _failed = frozenset()  # (state, stage) that gave nothing: it is not tried again and again

    @property
    def waits(self):
        """Whether a late stage is under way."""
        return self._work is not None

    def begin_late(self):
        """Begin what the result lacks, now that the hand rests."""
        if self._work is not None or not self._missing(self.result):
            return
        self._work = work = self.lab.work()
        if self._doc is None:
            self._finish_at_once()
        else:
            # not before the browser has the page: a label that changes while its button is being made is lost there
            begin = self.unlocked(partial(self._finish_in_thread, work))
            pn.state.onload(lambda: self._doc.add_timeout_callback(begin, PATIENCE))

    def in_thread(self, compute, take, seconds=1.0):
        """Let a thread compute, and `take` what it gives; a refusal is said above the pictures.

        seconds: about how long it takes
        """
        if self._doc is None:
            self._take(compute, take)
        else:
            self._doc.add_next_tick_callback(self.unlocked(partial(self._compute_in_thread, compute, take, seconds)))

    async def _compute_in_thread(self, compute, take, seconds):
        computing = TURNS.ask(compute, seconds, lambda: self.gone)
        await asyncio.wait([asyncio.wrap_future(computing)])
        if not self.gone:
            with self.hold():
                self._take(computing.result, take)

    def _take(self, compute, take):
        value = self._attempt(compute)
        if value is not None:
            take(value)

    def follow(self, start, take, ended):
        """Wait for the Future that `start()` gives, perhaps for hours, and `take()` what there is of it by then.

        At its end `ended(error)` hears what it raised, or None. Nobody hears of it once the session is over.
        """
        if self._doc is not None:
            work = self.unlocked(partial(self._follow, start, take, ended))
            # a page that opens does so sooner where nothing shares its processor yet
            pn.state.onload(lambda: self._doc.add_next_tick_callback(work))
        else:
            ended(start().exception())

    async def _follow(self, start, take, ended):
        running = asyncio.wrap_future(start())
        while not running.done() and not self.gone:
            await asyncio.wait([running], timeout=TICK)
            if not self.gone:
                with self.hold():
                    take()
        await asyncio.wait([running])
        error = running.exception()
        if not self.gone:
            with self.hold():
                ended(error)

    def _missing(self, result):
        if result.lab.key == self.declined:
            return []
        return [name for name in result.pending() if (result.lab.key, name) not in self._failed]

    def note_whole(self):
        """Remember the state where it lacks nothing: there a hand can go back that would not wait."""
        if not self.result.pending():
            self._whole = self.result.lab

    @property
    def is_awaited(self):
        """Whether what is under way is seen to be missing: by a picture that has stepped back, or a pressed button."""
        pictures = self.view.visible(self.result)
        toggles = (each for each in self.buttons.values() if isinstance(each, Toggle))
        return any(self.view.pictures[name].waits(self.result) for name in pictures) or any(
            getattr(self.lab, each.field) for each in toggles
        )

    def give_up(self):
        """What is under way is not wanted any more."""
        self._work = None
        self.frame.waiting.hide()

    def give_up_what_no_longer_serves(self):
        """The hand has moved on: what is under way for another state shares the processor with it no longer."""
        if self._work is not None and not self._work.serves(self.lab):
            self.give_up()

    def give_up_late(self):
        """Go back to the last state that lacks nothing; where there was none, stay, with what is there."""
        if self._work is None:
            return
        self.give_up()
        if self._whole is not None and self._whole.key != self.lab.key:
            self.return_to(self._whole)
            return
        self.declined = self.lab.key
        self.frame.say([NOT_HERE])
        self.later()

    def _is_over(self, work):
        """Whether nobody waits for a result's late stages any more."""
        return self._work is not work

    def _finish_at_once(self):
        while missing := self._missing(self._work):
            self._finish(self._work, missing[0])
            self._work = self.lab.work()
        self._work = None
        self.renew()

    def _finish(self, work, name):
        """Compute one stage; where it cannot be had, do not try it again."""
        value, _ = attempted(partial(work.finish, name, partial(self._is_over, work)), f"{name} of {work.lab}")
        if value is None and self._work is work:
            self._failed |= {(work.lab.key, name)}

    async def _finish_in_thread(self, work):
        begun, done = time.monotonic(), 0
        while self._work is work and (missing := self._missing(work)):
            finish, taken = partial(self._finish, work, missing[0]), seconds(work.lab.cost, late=True)
            finishing = asyncio.ensure_future(TURNS.take(finish, taken, partial(self._is_over, work)))
            patience = max(0.0, begun + PATIENT - time.monotonic())
            if not (await asyncio.wait([finishing], timeout=patience))[0] and self._work is work and self.is_awaited:
                with self.hold():
                    self.frame.waiting.show(done, done + len(missing))
            await finishing
            if self._work is not work:
                return
            work, done = self.lab.work(), done + 1
            self._work = work
            with self.hold():
                self._arrived(last=not self._missing(work))

    def _arrived(self, last):
        """A late stage is there: a new picture has it, and after the last one the table follows at once."""
        if last:
            self.give_up()
        if self._busy:
            self._again = True
            return
        self.renew()
        if last and not self._busy:
            self.rest_at_once()
