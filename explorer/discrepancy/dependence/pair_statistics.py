"""Ways to compute HSIC of pairs and of other pairings of their sides. A test chooses one of them, once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer.checks import Refusal
from explorer.discrepancy.mmd.low_rank import Approximate
from explorer.discrepancy.resampling.groups import describe_permutations, group_codes
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.types import Mask, Rng, Rows, Vector

from .centred_grams import Centred, PairSums, of_sums, refuse_too_large
from .mean_estimators import ScaledByEstimator, WeightedByEstimator
from .permutation_null import null_sums, sums
from .weighted_pairs import WeightedPairs

if TYPE_CHECKING:
    from .low_rank import LowRankPairs

SHIFTS = "shifts of one side"


class Outcome(NamedTuple):
    """Result of a test: HSIC, that of the resamples (B,), the difference below which values are ties, and their name.

    `error` is a limit of the distance of the observed value from the exact one, or None if the kernels are compared.
    """

    observed: float
    null: Vector
    tolerance: float
    resamples: str
    error: float | None = None


@dataclass(frozen=True, eq=False)
class ExactPairs(ABC):
    """Pairs under the kernels themselves: both centred sides, and the sums of the given pairing."""

    x: Centred
    y: Centred
    paired: PairSums
    statistic: str
    weights = ""  # what to add to the statistic's name

    def observed(self) -> float:
        """Return HSIC of the given pairing; raise a Refusal if its sums overflow."""
        refuse_too_large(self.x, self.y)
        return self._value()

    def test(
        self, n_resamples: int, rng: Rng, orders: Sequence[Rows] | None = None, groups: ArrayLike | None = None
    ) -> Outcome:
        """Return HSIC of the given pairing and of random orders of one side, within groups if these are given.

        `orders` are the batches of orders of this rng, if the caller has them; only plain pairs use them.
        """
        refuse_too_large(self.x, self.y)
        codes, name = None, "permutations"
        if groups is not None:
            codes = self._codes(groups)
            name = _describe_orders(codes, n_resamples)
        null, tolerance = self._null(n_resamples, rng, orders, codes)
        return Outcome(self.observed(), null, tolerance, name)

    @abstractmethod
    def _value(self) -> float:
        """Return HSIC of the given pairing."""

    @abstractmethod
    def _null(self, count: int, rng: Rng, orders: Sequence[Rows] | None, groups: Rows | None) -> tuple[Vector, float]:
        """Return HSIC of random orders (count,), and the difference below which values are ties."""

    def _codes(self, groups):
        """Return the groups' numbers of the pairs that take part."""
        return group_codes(groups, self.x.n, "pairs")

    @property
    def _tolerance(self):
        """The difference below which values of the biased HSIC are ties."""
        return self.paired.tolerance / self.x.n**2


@dataclass(frozen=True, eq=False)
class PlainPairs(ExactPairs):
    """Pairs that count 1/n each, times the scale that an estimator gives to all of them, if there is one."""

    scaled: ScaledByEstimator | None

    def _value(self):
        return float(self._of_sums(self.paired.whole, self.paired.diagonal))

    def _null(self, count, rng, orders, groups):
        if orders is None:
            null = self._of_sums(*null_sums(self.x, self.y, count, rng, groups))
        else:
            null = self._of_sums(*sums(self.x, self.y, orders, count))
        n, tolerance = self.x.n, self._tolerance
        # the unbiased statistic sums `whole` and at most twice the diagonal, divided by n(n-3)
        tolerance *= 1 if self.statistic == "biased" else 3 * n / (n - 3)
        tolerance *= 1 if self.scaled is None else self.scaled.slack
        return null, tolerance

    def _of_sums(self, whole, diagonal):
        value = of_sums(whole, diagonal, self.x.trace * self.y.trace, self.x.n, self.statistic)
        return value if self.scaled is None else self.scaled.factor(whole, diagonal, self.x.n) * value


@dataclass(frozen=True, eq=False)
class EstimatedPairs(ExactPairs):
    """Pairs whose weights an estimator chooses anew in each order."""

    weighing: WeightedByEstimator

    def _value(self):
        return self.weighing.observed()

    def _null(self, count, rng, orders, groups):
        null = self.weighing.null(count, rng, groups)
        return null, self._tolerance * (self.weighing.slack / SLACK)


@dataclass(frozen=True, eq=False)
class CountedPairs(ExactPairs):
    """Pairs with the user's weights. `included` marks the given pairs with a weight above 0."""

    counted: WeightedPairs
    included: Mask
    weights = " of weighted pairs"

    def _value(self):
        return self.counted.observed()

    def _null(self, count, rng, orders, groups):
        return self.counted.null(count, rng, groups), self.counted.tolerance

    def _codes(self, groups):
        return group_codes(group_codes(groups, len(self.included), "pairs")[self.included], self.x.n)


@dataclass(frozen=True, eq=False)
class ShiftedPairs:
    """Pairs under kernels of finite rank, which are tested by shifts of one side.

    The kernels were chosen with the seed `rng`, and `approximation` names them. `permuted` returns the test of the same
    kernels by permutations, for fewer pairs than shifts are requested.
    """

    low_rank: LowRankPairs
    rng: Rng
    approximation: str | None
    permuted: Callable[[], Any]
    weights = ""

    def observed(self) -> Approximate:
        """Return HSIC of the given pairing, with its error."""
        return Approximate(self.low_rank.observed(), lambda: self.low_rank.error(self.rng), self.approximation)

    def test(
        self, n_resamples: int, rng: Rng, orders: Sequence[Rows] | None = None, groups: ArrayLike | None = None
    ) -> Outcome:
        """Return HSIC of the given pairing and of random shifts of one side."""
        error = self.low_rank.error(rng)
        if self.low_rank.n <= n_resamples:
            few = self.permuted().test(n_resamples, rng)
            return Outcome(few.statistic, few.null_distribution, few.tolerance, few.resamples, error)
        return Outcome(*self.low_rank.test(n_resamples, rng), SHIFTS, error)


def _describe_orders(codes, count):
    """Return the name of `count` orders within groups; raise a Refusal if no order differs."""
    sizes = np.bincount(codes)
    if sizes.max() == 1:
        raise Refusal(
            "every pair has a group of its own, so no order within groups differs and p can only be 1; give groups"
            " of two pairs and more."
        )
    ways = math.prod(math.factorial(size) for size in sizes.tolist())
    return describe_permutations(codes, ways, 1 / ways, count)
