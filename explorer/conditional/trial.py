"""Error of a low-rank rule: its distance from the rule itself, on no more pairs than the rule itself can take.

On all pairs this is exactly the error. If there are more pairs, s of n with λ s/n are the same regression on another
sample. Measured at n = 2000, ranks 30 and 100: the true error is 0.5 to 2 times the estimate, and mostly 0.8 to 1.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.embeddings.low_rank import TRIED
from explorer.kernels.low_rank import some_rows
from explorer.types import Points, Rng, Rows, Vector

from .smoother import Smoother, ThinSmoother

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel
    from explorer.kernels.low_rank.finite import FiniteRank


def trial_rows(n: int, rng: Rng) -> tuple[Rows, float]:
    """Return the row numbers of the pairs that an error is measured on, and the factor of λ, which grows as n does."""
    rows = some_rows(n, TRIED, rng)
    return rows, len(rows) / n


class Trial:
    """A regression on points X (n, d), with and without the kernel of finite rank `low`, on 1000 of them at most.

    Its answer is a combination of points of the space of `out`, one for each of X.
    """

    kernel: Kernel
    out: Kernel
    points: Points
    lam: float
    low: FiniteRank

    def __init__(
        self, kernel: Kernel, X: Points, out: Kernel, points: Points, lam: float, low: FiniteRank, rng: Rng
    ) -> None:
        rows, share = trial_rows(len(X), rng)
        self.kernel, self.X, self.out, self.points = kernel, X[rows], out, points[rows]
        self.lam, self.low = lam * share, low

    @cached_property
    def smoothers(self):
        """The regression with the whole kernel and the regression with the kernel of finite rank."""
        return Smoother(self.kernel, self.X, self.lam), ThinSmoother(self.low, self.X, self.lam)

    def error(self, weights: Callable[[Smoother | ThinSmoother], Vector]) -> float:
        """Return the RKHS distance of the two answers; weights(smoother) are those of the points, shape (s,)."""
        full, thin = map(weights, self.smoothers)
        return norm(self.out, self.points, full - thin)


def norm(kernel: Kernel, points: Points, weights: Vector) -> float:
    """Return the RKHS norm |Σ_i w_i k(x_i, .)|."""
    return math.sqrt(max(float(weights @ kernel(points) @ weights), 0.0))
