"""`Monitor`: whether the rows of a stream still come from where those of a reference did."""

from __future__ import annotations

import math
from collections.abc import Sized
from typing import Any, Self

import numpy as np

from explorer import checks, drawing, frames
from explorer.checks import Refusal
from explorer.discrepancy.answer import level_checked
from explorer.elsewhere import explained, refuse_other
from explorer.embeddings.feature_sums import FeatureSums
from explorer.kernels import Gaussian, Kernel, in_prose
from explorer.kernels.selecting import select
from explorer.printing import Written, number
from explorer.rng import stream
from explorer.types import PointsLike, Rng, Vector

from .betting import Bets
from .scores import Ranks, Scores

PART, TRAINED = 4, 500  # of the reference, scores are learnt on one in four rows, and on so many at most
TOGETHER = 256  # rows whose ranks are found at a time
MOST = 709.0  # the logarithm of the largest float


class Monitor(Written):
    """A test that may be looked at after every row of a stream of any length: P(ever an alarm) <= level where the rows
    of the reference and of the stream are exchangeable, as independent ones of one distribution are.

    Half of the reference, at random, 500 rows at most, serves to learn K functions of a row: its kernel mean and up to
    11 of its kernel principal components. The other rows of the reference and all of the stream so far, n of them, are
    ranked by each, and with θ_n uniform

        p_n = (#{j : s_j > s_n} + θ_n #{j : s_j = s_n}) / n.

    Given which n rows there are, any of them is as likely as any other to be the last, so p_n is uniform; and it is
    independent of all later ones, which depend on the rows' set alone. So the p_n of a function are independent and
    uniform, exactly, for any number of rows and however short the reference: no row is used up (Vovk, Gammerman and
    Shafer 2005, Algorithmic Learning in a Random World, theorem 8.1). Who bets on the next p_n by what the earlier ones
    were (see `betting.Bets`) has a wealth M_n that is a martingale, and by Ville's inequality P(ever M_n >= K / level)
    <= level / K. An alarm is raised at the first row where that happens to one of the K wealths; over all of them its
    probability is at most the level.

    The p_n of two functions at one row need not be independent, and a mean of martingales each of which knows its own
    past alone is no martingale of them all: hence K / level for each of them in place of 1 / level for the mean.

    reference  rows (n, d), 4 or more, or a DataFrame of numbers, whose columns the batches' are met with by name
    kernel     None is Gaussian(); an automatic bandwidth is the median heuristic on the rows that functions are learnt
               on
    level      0 < level < 1
    rng        of the choice of these rows and of θ: batches of any sizes come to one wealth

    >>> import numpy as np
    >>> from explorer import Monitor
    >>> rng = np.random.default_rng(0)
    >>> monitor = Monitor(rng.normal(size=(500, 1)), rng=0)
    >>> monitor.update(rng.normal(size=(1000, 1))).alarm
    False
    >>> monitor.update(rng.normal(size=(500, 1)) + 0.5).alarm
    True
    """

    @explained
    def __init__(
        self, reference: PointsLike, kernel: Kernel | None = None, level: float = 0.05, rng: Rng = None
    ) -> None:
        given: Kernel = Gaussian() if kernel is None else kernel
        refuse_other(given, Kernel, "kernel", optional=True)
        self.level = float(level_checked(level))
        _refuse_sketch(reference, "reference")
        self.columns = frames.names_of(reference)
        P = given.points(reference, "reference")
        checks.rows(P, "reference", 4)
        checks.warn_of_lost_digits(P, "reference", self.columns)
        order = stream(rng, "training").permutation(len(P))
        learnt = min(max(len(P) // PART, 2), TRAINED)
        Z = P[order[:learnt]]
        self.kernel, self.size, self._d = select(given, Z, "rows"), len(P), P.shape[1]
        self._scores = Scores(self.kernel, Z)
        self._ranks = Ranks(self._scores(P[order[learnt:]]))
        self._bets, self._random = Bets(self._scores.count), stream(rng, "ties")
        self._path: list[Vector] = [np.zeros(1)]
        self._n, self._alarm_at = 0, None

    @explained
    def update(self, batch: PointsLike) -> Self:
        """Take in the next rows of the stream, (m, d), one or many; none change nothing.

        O(m K (log n + n / 256)) beside the kernel's values. Nothing is kept of a batch that is refused: ValueError for
        rows of other columns or that are not finite, TypeError for what are no rows.
        """
        _refuse_sketch(batch, "batch")
        if isinstance(batch, Sized) and not isinstance(batch, (str, bytes)) and len(batch) == 0:
            return self
        batch = frames.in_order(batch, self.columns, ("batch", "the reference"))
        X = self.kernel.points(batch, "batch")
        if X.shape[1] != self._d:
            raise Refusal(
                f"batch has {X.shape[1]} columns and the reference {self._d}; both need the same coordinates. One row"
                " is given as [[...]]."
            )
        for start in range(0, len(X), TOGETHER):
            self._take(X[start : start + TOGETHER])
        return self

    def _take(self, X):
        """Rank and bet on some rows."""
        scores = self._scores(X)
        wealths = self._bets.take(self._ranks.pvalues(scores, self._random.random(scores.shape)))
        reached = np.flatnonzero(wealths.max(axis=1) >= math.log(self._bets.K / self.level))
        if self._alarm_at is None and len(reached):
            self._alarm_at = self._n + int(reached[0])
        top = wealths.max(axis=1)
        self._path.append(top + np.log(np.exp(wealths - top[:, None]).mean(axis=1)))
        self._n += len(X)

    @property
    def n(self) -> int:
        """Rows of the stream that were seen."""
        return self._n

    @property
    def alarm(self) -> bool:
        """Whether an alarm was ever raised."""
        return self._alarm_at is not None

    @property
    def alarm_at(self) -> int | None:
        """The row of the stream, counted from 0, at which the alarm was raised; None where it was not."""
        return self._alarm_at

    @property
    def wealth(self) -> float:
        """The mean of the K wealths, 1 at the start: 1 / level at least where the alarm is raised."""
        return math.exp(min(float(self._path[-1][-1]), MOST))

    @property
    def path(self) -> Vector:
        """The wealth before the first row and after each, (n + 1,)."""
        return np.exp(np.minimum(np.concatenate(self._path), MOST))

    def __str__(self) -> str:
        under = in_prose(self.kernel, self.columns or ())
        beside = f"beside a reference of {self.size} rows, under {under}"
        if self._alarm_at is not None:
            return (
                f"Alarm at row {self._alarm_at} of the stream (counted from 0), at level {self.level:g}: after {self.n}"
                f" rows the wealth is {number(self.wealth)}, {beside}."
            )
        rows = "1 row" if self.n == 1 else f"{self.n} rows"
        return (
            f"No alarm after {rows} of the stream, at level {self.level:g}: the wealth is {number(self.wealth)},"
            f" {beside}."
        )

    def _parts(self) -> list[tuple[str, Any]]:
        return [
            ("reference", f"{self.size} rows"), ("kernel", self.kernel), ("level", self.level), ("n", self.n),
            ("wealth", float(f"{self.wealth:.6g}")), ("alarm", self.alarm),
        ]  # fmt: skip

    def _picture(self):
        return drawing.wealth(self, str(self))


def _refuse_sketch(thing, name):
    """A sentence for a sketch, whose rows are forgotten."""
    if isinstance(thing, FeatureSums):
        raise Refusal(
            f"{name} is a Sketch, and a Monitor ranks each row among all others, which a sketch has forgotten; give the"
            " rows, of a reference some hundreds of them are enough, or compare two sketches by mmd_test(s, t)."
        )
