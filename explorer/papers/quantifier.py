"""In how many cases a claim has to hold: in every one, in most, in some, or on average over them.

Several intervals give chance several opportunities. A verdict that needs all cases at once does not profit from them:
every case shows the claim, or every case contradicts it. So 95 % for each interval is enough. A verdict that needs only
some of the cases, one contradiction among many cases or a count of them, takes intervals that hold together with 95 %:
1 - .05/m each, where m is the number of cases (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .effect import LEVEL, averaged

if TYPE_CHECKING:
    from explorer.papers.standard import Standard

    from .effect import Case


HOLDS, FAILS, UNDECIDED, NOT_SEEN = "holds", "fails", "undecided", "not seen"


class Tally(NamedTuple):
    """Numbers of `cases` that show or contradict a claim.

    `n_shown` and `n_denied` take each case's own interval at 95 %, the two others take intervals that hold together.
    """

    cases: int
    n_shown: int
    n_denied: int
    n_shown_jointly: int
    n_denied_jointly: int


def tally(cases: Sequence[Case], standard: Standard) -> Tally:
    """Count the cases that show or contradict a standard."""
    alone = [case.effect(LEVEL) for case in cases]
    together = [case.effect(1 - (1 - LEVEL) / len(cases)) for case in cases]
    counts = [sum(map(rule, effects)) for effects in (alone, together) for rule in (standard.shows, standard.denies)]
    return Tally(len(cases), *counts)


class Every:
    """In every case: holds if each case shows it; fails if one case contradicts it, by intervals that hold together."""

    words = "in every case"

    @staticmethod
    def word(cases: Sequence[Case], standard: Standard) -> str:
        """Return the verdict on cases."""
        count = tally(cases, standard)
        if count.n_shown == count.cases:
            return HOLDS
        if count.n_denied_jointly:
            return FAILS
        return f"{HOLDS} in part ({count.n_shown_jointly} of {count.cases})" if count.n_shown_jointly else UNDECIDED


class Most:
    """In more than half of the cases: fails if at least half contradict it. Both by intervals that hold together."""

    words = "in more than half of the cases"

    @staticmethod
    def word(cases: Sequence[Case], standard: Standard) -> str:
        """Return the verdict on cases."""
        count = tally(cases, standard)
        if 2 * count.n_shown_jointly > count.cases:
            return HOLDS
        return FAILS if 2 * count.n_denied_jointly >= count.cases else UNDECIDED


class Some:
    """In at least one case: holds if one shows it, by intervals that hold together; fails if each contradicts it."""

    words = "in at least one case"

    @staticmethod
    def word(cases: Sequence[Case], standard: Standard) -> str:
        """Return the verdict on cases."""
        count = tally(cases, standard)
        if count.n_shown_jointly:
            return HOLDS
        return FAILS if count.n_denied == count.cases else UNDECIDED


class OnAverage:
    """On average over the cases, each with the same weight."""

    words = "on average over all cases"

    @staticmethod
    def word(cases: Sequence[Case], standard: Standard) -> str:
        """Return the verdict on cases."""
        effect = averaged([case.effect(LEVEL) for case in cases])
        if standard.shows(effect):
            return HOLDS
        return FAILS if standard.denies(effect) else UNDECIDED


Quantifier: TypeAlias = type[Every] | type[Most] | type[Some] | type[OnAverage]
