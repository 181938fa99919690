"""MMD² by kernels of low rank, over the rank: its value and the stated bound on its distance from the exact one."""

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


# ranks of the curve; random features come in pairs, a cosine and a sine
RANKS = (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)
MENU = {"pivots": "cholesky", "random points": "nystrom", "random waves": "features"}


class Ranked(NamedTuple):
    """MMD² of plain averages by kernels of low rank.

    Attributes
    ----------
    ranks : ndarray of shape (r,)
        The number of features in place of the kernel.
    values : ndarray of shape (r,)
        MMD² by these features.
    errors : ndarray of shape (r,)
        The stated bounds on the distance from `exact`.
    exact : float
        MMD² under the kernel itself.
    """

    ranks: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    exact: float

    @property
    def ranks_within_error(self) -> int:
        """The number of ranks at which the stated error holds, apart from rounding."""
        off = np.abs(self.values - self.exact)
        return int((off <= self.errors * (1 + 1e-6) + 1e-12 * abs(self.exact)).sum())


def by_rank(
    X: Points, Y: Points, kernel: Kernel, statistic: Statistic, how: Approximation, seed: int, ranks: Sequence[int]
) -> Steps[Ranked]:
    """Compute MMD² of samples X (n, d) and Y (m, d) at several ranks, one per step.

    Raises
    ------
    Refusal
        If the approximation `how` does not support the kernel.
    """
    values, errors = [], []
    for rank in ranks:
        yield
        value: Any = mmd2(X, Y, kernel, statistic, approximation=how, rank=rank, rng=seed)
        values.append(float(value))
        errors.append(value.error)
    yield
    exact = float(mmd2(X, Y, kernel, statistic))
    return Ranked(np.array(ranks, float), np.array(values), np.array(errors), exact)
