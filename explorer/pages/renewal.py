"""From the lab to the picture: at once, by a thread, and what catches up when the hand rests."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from bokeh.core.property.validation import validate

from explorer.workbench.cost import refuse_too_much, seconds

from .frame import NOTHING
from .hand import attempted
from .quiet import quiet
from .turns import LONG, TURNS
from .waiting import CANCELLED, PATIENT

SOON = 0.25  # s within which a new picture may come before the old one steps back
BUILDING = 10.0  # s that a page may take to be built; a visitor who never says so is shown it all the same
REST = 400  # ms without a move that count as rest: a hand that steps by keys or looks at each picture is quicker


class Renewal:
    """The part of a page that draws what the lab has become, and lets the rest follow once the hand rests."""

    _rest_call = _quiet_moments = None  # the timer of a rest, and where it waits for its turn
    _cancel = None  # a Future while a thread computes a picture: done once nobody wants to wait for that
    _parting = ()  # what the next picture says

    def changed(self, *events):
        """The lab has other values: a new picture, now or when the present one is there."""
        self._refused.clear()
        self._moved, self.declined = True, None
        self._elsewhere.update(event.name for event in events if event.name not in self._asking)
        self.give_up_what_no_longer_serves()
        if self._busy:
            self._again = True
        elif self._quiet:
            self.later()
        else:
            self.renew()

    def renew(self):
        """A new picture, by the event loop itself or, where that takes long, by a thread."""
        if self.lab.quick or self._doc is None:
            self.refresh()
        else:
            self._busy = True
            self._doc.add_next_tick_callback(self.unlocked(self._refresh_in_thread))

    def refresh(self):
        """Compute and draw; where the state cannot be shown, say why and keep the last picture."""
        result = self._attempt(self.affordable)
        if result is not None:
            self.draw_anew(result)

    def affordable(self):
        """The result of the lab as it is now; a Refusal, before anything is computed, where a page may not take it."""
        refuse_too_much(self.lab.cost)
        return self.lab.result()

    def _attempt(self, compute):
        """What it gives; None, and a sentence above the pictures, where it is refused or fails."""
        value, sentence = attempted(compute, self.lab)
        if sentence:
            self.frame.say([sentence])
            if self.blank:
                self.frame.begin_blank(NOTHING)
            self.frame.step_back(True)
        return value

    async def _refresh_in_thread(self):
        """Compute where that would hold up other sessions: one run at a time, then one more with the newest state."""
        self._cancel = asyncio.get_running_loop().create_future()
        try:
            self._again = True
            while self._again and not self.gone:
                self._again, asked = False, self.pacer.asked
                computing = asyncio.create_task(self._compute_in_turn())
                if await self._is_given_up(computing):
                    with self.hold():
                        self._go_back()
                    break
                if self.blank:
                    await self._is_built()
                if self.gone:
                    computing.exception()  # nobody asks for what it gives or raises
                    break
                with self.hold():
                    result = self._attempt(computing.result)
                    if result is not None:
                        self.draw_anew(result)
                        self.pacer.done(asked)
        finally:
            self._busy, self._cancel = False, None
            if not self.gone:
                with self.hold():
                    self.frame.waiting.hide()
                    self.pacer.done()
                self.later()

    async def _is_built(self):
        """Wait until the browser has built the page: a part that it is building hears of no change."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._built.wait(), BUILDING)

    async def _is_given_up(self, computing):
        """Wait for a picture, whose predecessor steps back meanwhile; whether it was cancelled."""
        steps = ((SOON, lambda: self.frame.step_back(True)), (PATIENT - SOON, self.frame.waiting.show), (None, None))
        for patience, act in steps:
            waits = {"timeout": patience, "return_when": asyncio.FIRST_COMPLETED}
            if (await asyncio.wait([computing, self._cancel], **waits))[0]:
                break
            with self.hold():
                act()
        if not self._cancel.done():
            return False
        # nobody asks it for what it raises
        computing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return True

    def give_up_waiting(self):
        """Give up what takes long: back to the last state that has all its pictures."""
        if self._cancel is None:
            with self.hold():
                self.give_up_late()
        elif not self._cancel.done():
            self._cancel.set_result(None)

    def _go_back(self):
        """Be again where the pictures are, which still show that state."""
        self.return_to(self.result.lab)
        self._again = False  # that is no new state to be computed
        self.draw_anew(self.result)

    def return_to(self, lab):
        """Be where a snapshot of the lab is, and say so with its picture."""
        self._parting = (CANCELLED,)
        self.lab.own = lab.own
        self.move(None, **lab.values())

    async def _compute_in_turn(self):
        """The result of the lab as it is now, by a thread.

        None where nobody waits for it any more: the page is closed, or it would take long and the lab has moved on.
        """
        refuse_too_much(cost := self.lab.cost)
        taken, cancel = seconds(cost), self._cancel

        def stale():
            return self.gone or cancel.done() or (self._again and taken > LONG)

        return await TURNS.take(self.lab.task(stale), taken, stale)

    def draw_anew(self, result):
        """Draw a new result; a table that the browser has still holds where nothing else than the slider moved."""
        with self.hold():
            self.blank = False
            self.frame.step_back(False)
            if self._moved:
                self._moved = False
                self.frame.say(self._parting)
                self._parting = ()
            self.lookup.outdate()
            self.show(result)
            if self._tabled is not None and self._tabled == self._token(result):
                self.lookup.stamp.table = self.lookup.stamp.shown
        self.later()

    def show(self, result):
        """Write a result into the pictures, the headline and the parts that depend on it."""
        self.result, overdrawn = result, self.view.overdrawn
        with validate(False):  # columns of ours: Bokeh would look through each of their values
            self.view.show(result)
        self.frame.headline.object = self.headline(result, result.row)
        if overdrawn:  # the browser wrote a headline of its own, so ours must be sent even where it is our last one
            self.frame.headline.param.trigger("object")
        self.arranged.show(result)
        for name, condition in self.enabled.items():
            self._enable(name, condition(result))
        for name, quantity in self.quantities(result).items():
            if self.controls[name].quantity != quantity:
                self.controls[name].quantity = quantity
                self._elsewhere.add(name)
        self.shown(result)

    def _enable(self, name, wanted):
        """Let a control, a menu or a button take a hand, or none."""
        control = self.controls.get(name) or self.choice.get(name) or self.pressed[name]
        for widget in (control.slider, control.box) if name in self.sliders else (getattr(control, "box", control),):
            if widget.disabled == wanted:
                widget.disabled = not wanted

    # when the hand rests

    def later(self):
        """Let what can wait follow once the hand rests."""
        if self._doc is None:
            return self.rest()
        self._move_on()
        self._rest_call = self._doc.add_timeout_callback(self._ask_for_rest, REST)
        return None

    def rest_at_once(self):
        """Let follow now what would follow when the hand rests."""
        self._move_on()
        self.rest()

    def _ask_for_rest(self):
        """The hand rests: what follows waits until no other hand does."""
        self._rest_call = None
        self._quiet_moments = quiet()
        self._quiet_moments.ask(self._rest_in_turn)

    def _rest_in_turn(self):
        if not self.gone:
            self._doc.add_next_tick_callback(self.rest)

    def _move_on(self):
        """The hand no longer rests."""
        if self._rest_call is not None:
            self._doc.remove_timeout_callback(self._rest_call)
            self._rest_call = None
        if self._quiet_moments is not None:
            self._quiet_moments.drop(self._rest_in_turn)

    def rest(self):
        """The hand rests: the table for the browser, boxes, link and code catch up."""
        if self._busy or self.gone:
            return
        self._quiet = True
        try:
            with self.hold():
                self._catch_up()
        finally:
            self._quiet = False

    def _catch_up(self):
        if self.lab.slider:
            self._renew_table()
        for name, control in self.sliders.items():
            if name != self.lab.slider:
                control.steps = self.lab.stops_of(name)
        for name, control in self.controls.items():
            if name in self._refused:
                continue
            value = getattr(self.lab, name)
            # a slider that the hand moved is where it should be, or already further: only the others are put in place
            if name in self._elsewhere or value is None or not control.has(value):
                control.show(value, self.near(name), self.pacer.place)
            else:
                control.note(value)
        self._elsewhere.clear()
        self.history.note(self.lab.values())
        for name, widget in self.choice.items():
            now = {"value": getattr(self.lab, name), **self.menus[name].now(self.lab)}
            if changed := {each: value for each, value in now.items() if getattr(widget, each) != value}:
                widget.param.update(**changed)
        self.frame.catch_up(self.result)
        self.begin_late()
        self.note_whole()
        for name, button in self.buttons.items():
            self.pressed[name].param.update(**button.now(self))
        self.rested(self.result)
        if self._location:
            self._location.search = f"?{self.link()}"

    def _renew_table(self):
        """Let the browser have the table of what is shown, where its rows are all that the slider changes."""
        slider, stamp = self.lab.slider, self.lookup.stamp
        here = getattr(self.lab, slider)
        if self.view.overdrawn and (here is None or here in self.result.stops):
            self.result = self.result.at(here)  # the browser drew the last moves by itself
            if stamp.table != stamp.shown:  # and perhaps from the table before the last one
                self.show(self.result)
        answers = self.result.answers and self.view.answers(self.result)
        if not answers:
            self._tabled, stamp.table = None, -1
        elif stamp.table != stamp.shown or self._tabled != self._token(self.result):
            # the second where a typed value, which had a row, is left: the slider loses its stop, and the table its row
            tables = self.view.tables(self.result)
            rows = range(max(map(len, tables.values())))
            self.lookup.send(tables, [self.headline(self.result, row) for row in rows])
            self._tabled = self._token(self.result)
        # the slider that the browser answers has the stops that its table has rows
        self.sliders[slider].steps = list(self.result.stops)

    def _token(self, result):
        """All that a table depends on: every field but the slider's own, which late stages are there, and the veil."""
        fields = tuple((name, value) for name, value in result.lab.key[1:] if name != result.lab.slider)
        return fields, tuple(result.stops), result.there(), self.frame.story.veils
