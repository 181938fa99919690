"""What an estimator of a kernel mean makes of a split, so that tests may compare any two estimates.

Whatever the estimator leaves to choose is chosen once, on the pooled sample, and held over all splits. Kept from the
original split it would break the level (0.085 in place of 0.05 for 15 points against 40); the pooled sample is the same
for all splits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE, between
from explorer.elsewhere import refuse_other
from explorer.estimators import KME
from explorer.estimators.base import Estimator
from explorer.types import Gram, Points, Rng, Rows, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


ENTRIES = 2**22  # of the Gram matrices solved at once: 32 MB
FEW, LONG = 50, 10.0  # permutations that need no warning, and seconds of work that do
MEAN = KME()  # where no estimator is given: made once, as a test is asked for by the thousand
SOLVABLE = 1e-10  # λ over the trace of K above which a solve moves an estimate by less than 1e-10 of itself


def warn_of_long_work(once: Callable[[], object], count: int, name: str) -> None:
    """Our warning where an estimator that is asked split by split will take long for `count` of them."""
    if count < FEW:
        return
    seconds = []
    for _ in range(2):  # what else the first call waits for is not met again
        start = time.thread_time()  # of work alone, however busy the machine is
        once()
        seconds.append(time.thread_time() - start)
    if (expected := count * min(seconds)) > LONG:
        checks.warn(
            f"{name} is estimated anew in each of {count} permutations, which takes about {expected:.0f} s; a smaller"
            " n_resamples takes less."
        )


class Plain(NamedTuple):
    """Equal weights, `scale` / n each: then MMD^2 is scale^2 times that of the plain means, and U has a meaning.

    covariance  (d, d) of the Gaussian that every point carries, None for point masses
    """

    scale: float = 1.0
    covariance: np.ndarray | None = None


def checked_estimator(estimator: Estimator | None, kernel: Kernel | None, statistic: str) -> Estimator:
    """The estimator, a KME where it is None.

    TypeError, ValueError where it cannot be compared by this kernel and statistic.
    """
    estimator = MEAN if estimator is None else estimator
    refuse_other(estimator, Estimator, "estimator", optional=True)
    if estimator.kernel is not None and kernel is not None and estimator.kernel != kernel:
        raise Refusal(
            f"the estimator's kernel is {checks.echo(estimator.kernel)} and the one given is {checks.echo(kernel)}; "
            "leave the estimator's at None, or give both the same."
        )
    if statistic == "unbiased" and not estimator.equal_weights:
        raise Refusal(
            "statistic='unbiased' leaves out the pairs i = j, which has a meaning for equal weights only, and those of"
            f" {type(estimator).__name__} differ; take statistic='biased'."
        )
    return estimator


def choose_estimator(estimator: Estimator, kernel: Kernel, P: Points) -> tuple[Estimator, Plain | Weighted]:
    """The estimator with what it leaves to choose chosen on the pooled points P, and how it weighs a split of them."""
    given = estimator.replace(kernel=kernel)
    if given.plain:
        return given, Plain()
    if len(P) > LARGE and not (given.settled and given.equal_weights):
        raise Refusal(
            f"{type(estimator).__name__} needs the whole Gram matrix of the pooled points, and X and Y have {len(P)}"
            f" together; give at most {LARGE}, or compare the plain means: estimator=None."
        )
    chosen = given.select(P)
    if chosen.noisy:
        variance = np.asarray(chosen.point_noise, dtype=np.float64) ** 2
        return chosen, Plain(1.0, checks.covariance(variance, P.shape[1]) if variance.any() else None)
    if not chosen.equal_weights:
        return chosen, Weighted(chosen, between(kernel, P, P))
    chosen.embed(P[:1])  # a target of another kernel, and weights that sum to 0, are refused here
    # the estimate is scale times the plain mean, and a multiple of the target that both samples share
    return chosen, Plain(chosen.scale())


class Weighted:
    """Estimates β whose weights depend on the split: |sum_i β_i k(x_i, .) - sum_j β_j k(y_j, .)|^2.

    An estimator with a fixed `ridge` λ, such as F-KMSE, solves (K + λI) β = K 1/n on both halves of every split, many
    at a time: O(n^3 + m^3) each. Any other is asked for its weights split by split, at the cost of its own `embed`.
    """

    lam: float | None
    chosen: Estimator
    magnitude: float

    def __init__(self, chosen: Estimator, K: Gram) -> None:
        self.K, self.chosen, trace, ridge = K, chosen, float(np.trace(K)), chosen.ridge
        solvable = ridge is not None and 0 < ridge < math.inf and ridge >= SOLVABLE * trace
        self.lam = ridge if solvable else None
        # a solve moves an estimate by eps |K| |β| / (2 sqrt(λ)) at most; estimators' own solvers are good to 1e-9 and
        # better
        slack = 1e-9 if self.lam is None else SLACK * (1 + math.sqrt(trace / self.lam))
        self.magnitude = slack / SLACK * float(np.abs(K).sum())

    def observed(self, n: int) -> float:
        return float(self._values(np.arange(len(self.K))[None], n)[0])

    def null(self, n: int, count: int, rng: Rng, groups: Rows | None = None) -> Vector:
        if self.lam is None:
            warn_of_long_work(lambda: self.observed(n), count, type(self.chosen).__name__)
        N = len(self.K)
        wide = max(1, ENTRIES // max(n, N - n) ** 2)
        orders = permutations(N, count, rng, groups)
        parts = (order[i : i + wide] for order in orders for i in range(0, len(order), wide))
        return np.concatenate([self._values(part, n) for part in parts])

    def _values(self, order, n):
        """The statistic of each permutation of `order` (b, N), whose first n points stand in for X."""
        W = np.zeros(order.shape)
        np.put_along_axis(W, order[:, :n], self._weights(order[:, :n]), axis=1)
        np.put_along_axis(W, order[:, n:], -self._weights(order[:, n:]), axis=1)
        return np.einsum("bi,bi->b", W @ self.K, W)

    def _weights(self, rows):
        """β (b, n) of the points of each of `rows` (b, n)."""
        if self.lam is None:
            return np.array([self.chosen.on_gram(self.K[np.ix_(row, row)]) for row in rows])
        K = self.K[rows[:, :, None], rows[:, None, :]]
        right, each = K.mean(axis=2), np.arange(rows.shape[1])
        K[:, each, each] += self.lam
        beta = np.linalg.solve(K, right[:, :, None])[:, :, 0]
        return np.array([self.chosen.held(b) for b in beta])
