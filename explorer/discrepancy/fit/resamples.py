"""Unbiased KSD² of a sample and of its resamples under a model, for one kernel or many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from explorer import checks, frames
from explorer.discrepancy.mmd.two_samples import one_of
from explorer.discrepancy.resampling.permutation import WIDE
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import side_by_side
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.public_names.synonyms import refuse_other
from explorer.rng import seed_of, stream
from explorer.types import Mask, Points, PointsLike, Rng

from .model import ModelLike, sampler_of, score_at
from .stein_kernel import stein_sums, tie_tolerance

DRAWN = 2**22  # number of signs drawn at a time: 32 MB of random numbers
VALUE, FLIP = 5e-9, 8e-11  # time per coordinate and per sign of a value of the Stein kernel, in seconds
NULLS = {"wild": "sign flips", "parametric": "samples of the model"}


class Resamples:
    """Unbiased KSD² under k kernels: values (B + 1, k), those of the observed sample first.

    `kernels` are those of the observed sample, as `choose` makes them from points. `tolerance` (k,) is the largest
    difference that rounding may leave between equal values. `others` holds further fields of a TestResult.
    """

    def __init__(
        self,
        X: PointsLike,
        model: ModelLike,
        choose: Callable[[Points], tuple[Kernel, ...]],
        null: str,
        n_resamples: int,
        rng: Rng,
    ) -> None:
        one_of(null, tuple(NULLS), "null")
        count = checks.whole(n_resamples, "n_resamples", 1)
        columns, points = frames.names_of(X) or (), checked_points(X, 2)
        draw = sampler_of(model) if null == "parametric" else None
        scores = score_at(model, points)
        self.kernels: tuple[Kernel, ...] = choose(points)
        n, k = len(points), len(self.kernels)
        flips = np.concatenate(list(signs(n, count, rng))) if draw is None else None
        self.values, self.tolerance = np.empty((count + 1, k)), np.empty(k)
        seconds = k * n**2 * (VALUE * points.shape[1] + (0 if flips is None else FLIP * count))
        sums_of = partial(stein_sums, X=points, scores=scores, signs=flips)
        for j, sums in enumerate(side_by_side(sums_of, self.kernels, seconds)):
            self.values[0, j], self.tolerance[j] = sums.apart / (n * (n - 1)), tie_tolerance(sums.magnitude, n)
            if flips is not None:
                self.values[1:, j] = sums.forms / (n * (n - 1))
        if draw is not None:
            generator = stream(rng, "model")
            for b in range(1, count + 1):
                check_cancelled()
                self.values[b] = _of_sample(draw(n, generator), model, choose)
        self.others: dict[str, Any] = {
            "n": n,
            "resamples": NULLS[null],
            "columns": columns,
            "seed": seed_of(rng),
            "counted": "points",
        }


def checked_points(X: PointsLike, at_least: int) -> Points:
    """Return points (n, d), at least two rows for an unbiased statistic and one for a biased one."""
    points = checks.sample(X)
    checks.rows(points, "X, for the unbiased statistic," if at_least > 1 else "X", at_least)
    checks.warn_of_lost_digits(points, "X")
    return points


def choose_kernel(kernel: Kernel | None, points: Points) -> Kernel:
    """Return the kernel with its bandwidth chosen on the points; None becomes ``Gaussian()``."""
    given = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    return select(given, points, "points")


def signs(n: int, count: int, rng: Rng) -> Iterator[Mask]:
    """Yield `count` rows of n fair signs in batches (b, n), true for +1; all tests with this rng get the same."""
    generator, rows = stream(rng, "flips"), max(1, min(WIDE, DRAWN // n))
    for start in range(0, count, rows):
        check_cancelled()
        yield generator.random((min(rows, count - start), n)) < 0.5


def _of_sample(points, model, choose):
    """Return the unbiased KSD² of a sample of the model under the kernels that are chosen on it, (k,)."""
    n, scores = len(points), score_at(model, points)
    return [stein_sums(kernel, points, scores).apart / (n * (n - 1)) for kernel in choose(points)]
