"""Check of a test's level: how often it finds a difference between random parts of a table's own rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from explorer import checks
from explorer.discrepancy.rejection_rate import LevelCheck
from explorer.discrepancy.resampling.permutation import permutations
from explorer.discrepancy.results.answer import checked_level
from explorer.execution.cancellation import check_cancelled
from explorer.printing import format_number, percent, printed
from explorer.record import record
from explorer.rng import repetition, stream
from explorer.types import Rng, Rows


@printed
@record
class ComparisonLevelCheck(LevelCheck):
    """Rate at which a test rejects on random splits of the pooled rows, from its p-values.

    Attributes
    ----------
    pvalues : ndarray of shape (R,)
        p of each random split.
    level : float
        Level of the test.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison import ComparisonLevelCheck, compare
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> check: ComparisonLevelCheck = compare(a, b, n_resamples=99, rng=0).level_check(repetitions=20, n_resamples=39)
    >>> check.rejected, check.count
    (1, 20)
    """

    def __str__(self) -> str:
        return self._sentence()

    def _sentence(self) -> str:
        low, high = (percent(end) for end in self.interval())
        return (
            f"The test rejects {self.rejected} of {self.count} random splits of these rows at level"
            f" {format_number(self.level)}: {percent(self.rate)}, with the 95 % interval from {low} to {high}."
        )

    @property
    def holds_level(self) -> bool:
        """True if the level lies above the lower end of the 95 % interval, so that the test may well keep it."""
        return self.level >= self.interval()[0]

    kept = holds_level  # the name of earlier releases


def check_level(
    pvalue: Callable[[Rows, Rows, Rng], float],
    n: int,
    m: int,
    repetitions: int = 200,
    level: float = 0.05,
    rng: Rng = None,
    groups: Rows | None = None,
) -> ComparisonLevelCheck:
    """Return how often a test rejects at the level when n + m pooled rows are split anew at random into n and m.

    Random parts of one set of rows differ only by chance, so a test must reject no more often than its level allows,
    whatever ties, missing cells and outliers the rows have. It does not show whether the rows depend on one another, as
    those of one series do: a random split destroys their order.

    Parameters
    ----------
    pvalue : callable
        Function from the row numbers of both parts, (n,) and (m,), among the pooled rows, and a source of randomness
        for its resamples, to p. Fewer resamples than usual, such as 199, are enough.
    n : int
        Rows of the first part.
    m : int
        Rows of the second part.
    repetitions : int, default 200
        Number of random splits.
    level : float, default 0.05
        Level of the test.
    rng : int, Generator or None, default None
        Seed of the splits and the resamples.
    groups : ndarray of shape (n + m,) or None, default None
        Codes of groups within which rows are split; None splits all of them.

    Returns
    -------
    ComparisonLevelCheck
        The p-values and the rate of rejections.
    """
    checked_level(level)
    orders = stream(rng, "random splits")

    def of_split(i):
        check_cancelled()
        (order,) = next(permutations(n + m, 1, orders, groups))
        return pvalue(np.sort(order[:n]), np.sort(order[n:]), stream(repetition(rng, i), "resamples of a random split"))

    count = checks.whole(repetitions, "repetitions", 1)
    return ComparisonLevelCheck(np.array([of_split(i) for i in range(count)]), level)
