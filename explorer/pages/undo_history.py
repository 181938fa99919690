"""Undo history of a page: the states at which the user paused."""

from __future__ import annotations

from typing import Any, NamedTuple

STEPS = 20  # largest number of steps back
TABLES = 3  # largest number of the user's data sets that the history keeps in memory


class HistoryEntry(NamedTuple):
    """A state of a lab in the undo history.

    Attributes
    ----------
    values : dict
        The values of the lab's fields.
    user_data : object or None
        The user's data that the state shows, or None if it shows none.
    naming : dict
        The fields that name the user's data.
    """

    values: dict[str, Any]
    user_data: Any = None
    naming: dict[str, Any] = {}

    def equals(self, other: HistoryEntry) -> bool:
        """Return whether the other state has the same values and the same data."""
        return self.user_data is other.user_data and self.values == other.values


class History:
    """The states at which the user paused, oldest first. The last one is the current state.

    The history holds at most TABLES different sets of the user's data.
    """

    def __init__(self, place: HistoryEntry) -> None:
        self._entries = [place]

    def note(self, place: HistoryEntry) -> None:
        """Append the current state, unless it equals the last one; drop the oldest states beyond STEPS or TABLES."""
        if place.equals(self._entries[-1]):
            return
        places, held = [], []
        for each in reversed([*self._entries[-STEPS:], place]):
            if each.user_data is not None and not any(each.user_data is own for own in held):
                held.append(each.user_data)
            if len(held) > TABLES:
                break
            places.append(each)
        self._entries = places[::-1]

    def back(self, place: HistoryEntry) -> HistoryEntry | None:
        """Go one step back: drop the current state and return the one before it, or None if there is none."""
        if place.equals(self._entries[-1]):
            if not self:
                return None
            self._entries.pop()
        return self._entries[-1]

    def with_data_of(self, values: dict[str, Any]) -> HistoryEntry | None:
        """Return the newest state whose data are those that the values name, or None if there is none."""
        there = (each for each in reversed(self._entries) if each.user_data is not None and each.naming)
        return next((each for each in there if all(values.get(n) == v for n, v in each.naming.items())), None)

    def __bool__(self) -> bool:
        return len(self._entries) > 1
