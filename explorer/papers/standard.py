"""Standards: rules on what an effect's interval has to show for a claim, better, no worse or comparable.

A standard decides whether an effect's interval shows what is required, shows the contrary, or leaves the question open.
Numbers are signed so that smaller is better when two are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .effect import Effect, Measure


class Less(NamedTuple):
    """The number is below `limit`. A number above contradicts it, and so does a tie, within `tie` of the limit."""

    limit: float = 0.0
    tie: float = 0.0

    def shows(self, effect: Effect) -> bool:
        """Return whether the interval shows it."""
        return effect.high < self.limit

    def denies(self, effect: Effect) -> bool:
        """Return whether the interval shows the contrary."""
        tied = self.limit - self.tie <= effect.low and effect.high <= self.limit + self.tie
        return not self.shows(effect) and (effect.low > self.limit or tied)

    def shortfall(self, effect: Effect) -> float:
        """Return how far the interval extends towards the contrary, on any scale."""
        return effect.high

    def words(self, measure: Measure) -> str:
        """Return what is required of a measure, in words."""
        tie = f" (a tie: at most {measure.show(self.tie).lstrip('+-')} either way)" if self.tie else ""
        return f"{measure.below(self.limit)}{tie}"


class More(NamedTuple):
    """The number is above `limit`."""

    limit: float = 0.0

    def shows(self, effect: Effect) -> bool:
        """Return whether the interval shows it."""
        return effect.low > self.limit

    def denies(self, effect: Effect) -> bool:
        """Return whether the interval shows the contrary: a number of at most the limit."""
        return effect.high <= self.limit

    def shortfall(self, effect: Effect) -> float:
        """Return how far the interval extends towards the contrary, on any scale."""
        return -effect.low

    def words(self, measure: Measure) -> str:
        """Return what is required of a measure, in words."""
        return measure.above(self.limit)


class NoWorse(NamedTuple):
    """The number is below `margin`: if it is worse at all, then by less than matters (non-inferiority).

    It is contradicted if it is worse beyond sampling noise, above 0, and not shown to be within the margin.
    """

    margin: float

    def shows(self, effect: Effect) -> bool:
        """Return whether the interval shows it."""
        return effect.high < self.margin

    def denies(self, effect: Effect) -> bool:
        """Return whether the interval shows the contrary."""
        return effect.low > 0 and not self.shows(effect)

    def shortfall(self, effect: Effect) -> float:
        """Return how far the interval extends towards the contrary, on any scale."""
        return effect.high

    def words(self, measure: Measure) -> str:
        """Return what is required of a measure, in words."""
        return f"no worse than {measure.show(self.margin)}"


class Near(NamedTuple):
    """The number is within `margin` of `at`, on either side (equivalence)."""

    margin: float
    at: float = 0.0

    def shows(self, effect: Effect) -> bool:
        """Return whether the whole interval is within the margin."""
        return self.at - self.margin < effect.low and effect.high < self.at + self.margin

    def denies(self, effect: Effect) -> bool:
        """Return whether the whole interval is outside the margin."""
        return effect.low > self.at + self.margin or effect.high < self.at - self.margin

    def shortfall(self, effect: Effect) -> float:
        """Return how far the interval extends towards the contrary, on any scale."""
        return max(effect.high - self.at, self.at - effect.low)

    def words(self, measure: Measure) -> str:
        """Return what is required of a measure, in words."""
        ends = sorted((self.at - self.margin, self.at + self.margin), reverse=measure.turned)
        return f"between {measure.show(ends[0])} and {measure.show(ends[1])}"


Standard: TypeAlias = Less | More | NoWorse | Near
