"""What takes longer than a picture may wait for.

It begins when the hand rests, in a thread, and is given up when it moves on.
"""

from __future__ import annotations

import asyncio
from functools import partial

import panel as pn

PATIENCE = 750  # ms more than a rest: a hand that goes on step by step shares no processor with work that it will undo


class Longer:
    """The part of a page that adds to its result what the lab's `more` computes."""

    _repeating = None  # the key of what is under way
    _turn = None  # which beginning of it: a hand that comes back to a state begins anew, and its earlier timer finds so

    def _more(self):
        """Begin what takes longer than a result, now that the hand rests.

        What was begun before a change is given up.
        """
        found = self.lab.more()
        wanted = None if found is None or self.result.replicates is not None else found[0]
        if wanted == self._repeating:
            return
        self._repeating, self._turn = wanted, (turn := object())
        if wanted is None:
            return
        if self._doc is None:
            self._arrived(wanted, found[1](lambda: False))
        else:
            begin = self.unlocked(partial(self._more_in_thread, turn, *found))
            # not before the browser has the page: a label that changes while its button is being made is lost there
            pn.state.onload(lambda: self._doc.add_timeout_callback(begin, PATIENCE))

    def _give_up(self):
        """The hand has moved on: what is under way for another state shares the processor with it no longer."""
        found = self.lab.more() if self._repeating is not None else None
        if self._repeating != (found and found[0]):
            self._repeating = None

    async def _more_in_thread(self, turn, key, compute):
        def stopped():
            return self._repeating != key or self._turn is not turn

        if stopped():
            return
        value = await asyncio.to_thread(compute, stopped)
        with self.hold():
            self._arrived(key, value)

    def _arrived(self, key, value):
        """What takes longer is there; where the hand has moved on it is not wanted any more."""
        if value is None or self._repeating != key:
            return
        self._repeating = None
        self.lab.keep(key, value)
        if self._busy:
            self._again = True
        else:
            self._renew()
