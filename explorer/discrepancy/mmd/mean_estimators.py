"""Estimators of kernel means in two-sample tests: how an estimator weighs the points of each split.

The open parameters of an estimator are chosen once, on the pooled sample, and fixed for all splits. Chosen on the
original split they would break the level (0.085 instead of 0.05 for 15 points against 40); the pooled sample is the
same for all splits.
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
from explorer.estimators import KME
from explorer.estimators.base import Estimator
from explorer.estimators.check import warn_if_faulty
from explorer.public_names.synonyms import refuse_other
from explorer.types import Gram, Points, Rng, Rows, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


ENTRIES = 2**22  # number of entries of the Gram matrices that are solved at once: 32 MB
FEW, LONG = 50, 10.0  # smallest number of permutations, and of their seconds, for a warning of long work
MEAN = KME()  # default estimator, made once because tests are called by the thousand
SOLVABLE = 1e-10  # ratio of λ to the trace of K above which a solve moves an estimate by less than 1e-10 of itself


def warn_of_long_work(compute: Callable[[], object], count: int, name: str) -> None:
    """Warn if an estimator that is called for each of `count` splits will take long."""
    if count < FEW:
        return
    seconds = []
    for _ in range(2):  # the first call may also wait for imports and caches
        start = time.thread_time()  # counts work alone, however busy the machine is
        compute()
        seconds.append(time.thread_time() - start)
    if (expected := count * min(seconds)) > LONG:
        checks.warn(
            f"{name} is estimated anew in each of {count} permutations, which takes about {expected:.0f} s; a smaller"
            " n_resamples takes less."
        )


class Plain(NamedTuple):
    """Equal weights, `scale` / n each: MMD² is scale^2 times that of the plain means, and may be unbiased.

    `covariance` (d, d) is that of the Gaussian that every point carries, None for point masses.
    """

    scale: float = 1.0
    covariance: np.ndarray | None = None


def checked_estimator(estimator: Estimator | None, kernel: Kernel | None, statistic: str) -> Estimator:
    """Return the estimator if it goes with the kernel and the statistic; None becomes a KME.

    Parameters
    ----------
    estimator : Estimator or None
        Estimator of a kernel mean.
    kernel : Kernel or None
        Kernel of the test.
    statistic : {"unbiased", "biased"}
        Estimate of MMD².

    Returns
    -------
    Estimator
        The estimator.

    Raises
    ------
    Refusal, TypeError
        If it cannot be compared by this kernel and statistic.

    Warns
    -----
    ExplorerWarning
        If an estimator of the user's fails a check, once for each class.
    """
    estimator = MEAN if estimator is None else estimator
    refuse_other(estimator, Estimator, "estimator", optional=True)
    warn_if_faulty(estimator)
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
    """Choose the estimator's open parameters on the pooled points P; also return how it weighs the points of any split.

    That is `Plain` if all points of a sample have the same weight, and otherwise `Weighted`, which computes the
    weights of each split.
    """
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
    """Squared distance of two estimates whose weights β depend on the split.

    It is ``|sum_i β_i k(x_i, .) - sum_j β_j k(y_j, .)|^2``. An estimator with a fixed `ridge` λ, such as F-KMSE, solves
    (K + λI) β = K 1/n on both halves of every split, many at a time: O(n^3 + m^3) each. Any other estimator is called
    split by split, at the cost of its own `embed`.
    """

    lam: float | None
    chosen: Estimator
    magnitude: float

    def __init__(self, chosen: Estimator, K: Gram) -> None:
        self.K, self.chosen, trace, ridge = K, chosen, float(np.trace(K)), chosen.ridge
        solvable = ridge is not None and 0 < ridge < math.inf and ridge >= SOLVABLE * trace
        self.lam = ridge if solvable else None
        # A solve moves an estimate by at most eps |K| |β| / (2 sqrt(λ)). The estimators' own solvers are accurate to
        # 1e-9 or better.
        slack = 1e-9 if self.lam is None else SLACK * (1 + math.sqrt(trace / self.lam))
        self.magnitude = slack / SLACK * float(np.abs(K).sum())

    def observed(self, n: int) -> float:
        """Return the statistic with the first n points as the first sample."""
        return float(self._values(np.arange(len(self.K))[None], n)[0])

    def null(self, n: int, count: int, rng: Rng, groups: Rows | None = None) -> Vector:
        """Return the statistics of `count` random splits, within groups if these are given, (count,)."""
        if self.lam is None:
            warn_of_long_work(lambda: self.observed(n), count, type(self.chosen).__name__)
        N = len(self.K)
        wide = max(1, ENTRIES // max(n, N - n) ** 2)
        orders = permutations(N, count, rng, groups)
        parts = (order[i : i + wide] for order in orders for i in range(0, len(order), wide))
        return np.concatenate([self._values(part, n) for part in parts])

    def _values(self, order, n):
        """Return the statistic of each permutation of `order` (b, N), whose first n points form the first sample."""
        W = np.zeros(order.shape)
        np.put_along_axis(W, order[:, :n], self._weights(order[:, :n]), axis=1)
        np.put_along_axis(W, order[:, n:], -self._weights(order[:, n:]), axis=1)
        return np.einsum("bi,bi->b", W @ self.K, W)

    def _weights(self, rows):
        """Return the weights β (b, n) of the points of each of `rows` (b, n)."""
        if self.lam is None:
            return np.array([self.chosen.on_gram(self.K[np.ix_(row, row)]) for row in rows])
        K = self.K[rows[:, :, None], rows[:, None, :]]
        right, each = K.mean(axis=2), np.arange(rows.shape[1])
        K[:, each, each] += self.lam
        beta = np.linalg.solve(K, right[:, :, None])[:, :, 0]
        return np.array([self.chosen.constrained(b) for b in beta])
