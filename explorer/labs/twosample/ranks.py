"""MMD² by kernels of low rank, over the rank: its value, and how far it is stated to be from that of the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.discrepancy import mmd2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.kernels.base import Kernel
    from explorer.kernels.low_rank import Approximation
    from explorer.types import Points, Statistic
    from explorer.workbench.stages import Steps


RANKS = (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)  # features come in pairs, a cosine and a sine
MENU = {"pivots": "cholesky", "random points": "nystrom", "random waves": "features"}


class Ranked(NamedTuple):
    """MMD² of plain averages by kernels of low rank.

    ranks   (r,), how many features stand for the kernel
    values  (r,), MMD² by them
    errors  (r,), how far that is stated to be from `exact`, at most
    exact   MMD² under the kernel itself
    """

    ranks: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    exact: float

    @property
    def kept(self) -> int:
        """At how many ranks the value is no farther from the exact one than stated, rounding aside."""
        off = np.abs(self.values - self.exact)
        return int((off <= self.errors * (1 + 1e-6) + 1e-12 * abs(self.exact)).sum())


def by_rank(
    X: Points, Y: Points, kernel: Kernel, statistic: Statistic, how: Approximation, seed: int, ranks: Sequence[int]
) -> Steps[Ranked]:
    """The Ranked of samples X (n, d) and Y (m, d) at some ranks; a Refusal of a kernel that `how` does not take."""
    values, errors = [], []
    for rank in ranks:
        yield
        value: Any = mmd2(X, Y, kernel, statistic, approximation=how, rank=rank, rng=seed)
        values.append(float(value))
        errors.append(value.error)
    yield
    exact = float(mmd2(X, Y, kernel, statistic))
    return Ranked(np.array(ranks, float), np.array(values), np.array(errors), exact)
