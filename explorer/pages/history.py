"""The states that a hand left behind, so that one step back loses nothing."""

from __future__ import annotations

STEPS = 20


class History:
    """States of a lab, as it rested there; the newest is where it is."""

    def __init__(self, state):
        self._states = [state]

    def note(self, state):
        """The lab rests here."""
        if state != self._states[-1]:
            self._states = [*self._states[-STEPS:], state]

    def back(self, state):
        """The state before this one, which is forgotten; None where there is none."""
        if state == self._states[-1]:
            if not self:
                return None
            self._states.pop()
        return self._states[-1]

    def __bool__(self):
        return len(self._states) > 1
