"""Choice of kernels of finite rank for pairs: the requested ones, or automatic ones if exact sums take long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from explorer.checks import Refusal
from explorer.discrepancy.mmd.two_samples import allowed_error
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.rng import stream
from explorer.types import Rng

from .low_rank import MOST, LowRankPairs

GATHERED = 1e-9  # time of one permutation and two pairs of points on a typical core, in seconds
RANK = 100  # default rank of either side


class PairApproximation(NamedTuple):
    """Requested approximation, with its rank and seed, for a test of `n_resamples` permutations.

    `plain` is true if the pairs may be put in any order.
    """

    approximation: Approximation | None = None
    rank: int | None = None
    rng: Rng = 0
    n_resamples: int = 0
    plain: bool = True

    def of(self, pairs: Any, statistic: str, plain: bool) -> tuple[LowRankPairs | None, str | None]:
        """Return the pairs under kernels of finite rank and their name; the pairs are None if the kernels are used.

        `plain` is true if the pairs count once each and carry no noise.
        """
        sides: Sequence[Any] = list(zip(pairs.kernels, pairs[:2], strict=True))
        n, exact = len(pairs.X), 0.0
        if plain and self.plain:
            exact = sum(values_take(kernel, n**2, Z.shape[1]) for kernel, Z in sides)
            exact += GATHERED * self.n_resamples * n**2
        elif self.approximation not in (None, "auto"):
            raise Refusal(
                f"approximation={self.approximation!r} is for plain means, of pairs that count once and take any order;"
                " leave it at None, or the estimator, weights and groups."
            )
        rank = RANK if self.rank is None and self.approximation not in (None, "auto") else self.rank
        x, y = (
            stand_in(kernel, Z, self.approximation, rank, _stream_of(self.rng, side), exact, allowed_error(2 / n), MOST)
            for side, (kernel, Z) in zip("xy", sides, strict=True)
        )
        if x.low is None or y.low is None:
            return None, x.name
        name = x.name if x.name == y.name else f"{x.name} and {y.low.rank}"
        return LowRankPairs((x.low, y.low), pairs.X, pairs.Y, statistic), name


def _stream_of(rng, side):
    """Return a seed for one side's landmarks or frequencies, independent of the other side's.

    Landmarks at the same rows on both sides, or waves of the same frequencies, would depend on each other even if x and
    y do not.
    """
    return int(stream(rng, f"finite rank of {side}").integers(2**32))
