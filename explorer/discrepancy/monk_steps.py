"""MONK's iterations one by one, for a hand that presses a button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from explorer import checks, drawing
from explorer.estimators.medianofmeans_blocks import block_count, lower_median, split, starts
from explorer.kernels import Kernel
from explorer.printing import printed
from explorer.types import MonkMethod, PointsLike, Rng

from .mmd import one_of
from .monk import descent, drawn
from .monk_copies import Flipped
from .monk_pairs import differences, paired


@printed
class MonkStep(NamedTuple):
    """One iteration: its blocks, the witness's means over them before it, the block whose turn it is, the means after.

    blocks        Q index arrays
    before        (Q,) <f, Δ_q> for the witness f of the step before; all 0 at first
    median_block  the position of the lower median of `before`: f becomes Δ_q / |Δ_q| of that block
    after         (Q,) <f, Δ_q> for the new f
    value         the lower median of `after`
    """

    blocks: tuple
    before: np.ndarray
    median_block: int
    after: np.ndarray
    value: float

    def _sentence(self):
        count = len(self.blocks)
        return f"A step of MONK: the witness's means over {count} blocks after it, of lower median {self.value:.4g}."

    def _picture(self):
        return drawing.bars(self.after, self._sentence(), marked=self.median_block)


def monk_steps(
    X: PointsLike,
    Y: PointsLike,
    kernel: Kernel | None = None,
    blocks: int = 11,
    method: MonkMethod = "bcd",
    iterations: int = 100,
    rng: Rng = None,
) -> Iterator[MonkStep]:
    """The MonkSteps of monk_mmd with the same arguments, in order: their values are its history.

    Raises the errors of monk_mmd.

    >>> import numpy as np
    >>> from explorer import Linear, monk_steps
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(60, 1)), rng.normal(size=(60, 1))
    >>> Y[:2] = 100.0  # two outliers
    >>> [round(step.value, 2) for step in monk_steps(X, Y, Linear(), 7, iterations=4, rng=0)]
    [0.29, 0.54, 0.81, 0.02]
    """
    one_of(method, ("bcd", "bcd-fast"), "method")
    iterations = checks.whole(iterations, "iterations", 1)
    kernel, X, Y = paired(X, Y, kernel)
    at = starts(len(X), block_count(blocks, len(X), "pairs"))
    orders = drawn(len(X), method, iterations, rng)
    for step in descent(Flipped(differences(kernel, X, Y)), orders, at, method):
        before, after = checks.read_only(step.before[0]), checks.read_only(step.after[0])
        yield MonkStep(split(step.order, at), before, int(step.chosen[0]), after, float(lower_median(after)))
