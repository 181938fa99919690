"""Ranks of a stream's rows among those of a reference and of the stream so far."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.kernels import Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.printing import plural
from explorer.rng import stream
from explorer.types import PointsLike, Rng

from .betting import Bets
from .looks import NOTHING, Looks, is_empty, refuse_sketch
from .neighbours import row_memory
from .scores import Ranks, Scores

PART, TRAINED = 4, 500  # scores are learnt on one in PART rows of the reference, and on TRAINED rows at most
TOGETHER = 256  # rows that are ranked at a time
MEMORY_LEVEL = 0.01  # level of the test whether the reference's rows have a memory
APART = 2  # distance of ranked rows, in units of the rows that count as one independent row
FEWEST = 4  # if fewer rows of a reference with a memory are ranked, no row of the stream is


class RankedRows:
    """Bets on the ranks of rows, see `Monitor`, which has the same `reference`, `kernel` and `rng`.

    Attributes
    ----------
    memory : RowMemory
        Memory of the reference's rows.
    step : int
        One row in `step` is ranked: 1 if no memory was found.
    abstains : bool
        Whether no row is ranked, because the reference is too short for its memory.
    """

    def __init__(self, reference: PointsLike, kernel: Kernel, rng: Rng) -> None:
        self.columns = frames.names_of(reference)
        P = kernel.points(reference, "reference")
        checks.rows(P, "reference", 4)
        checks.warn_of_lost_digits(P, "reference", self.columns)
        order = stream(rng, "training").permutation(len(P))
        learnt = min(max(len(P) // PART, 2), TRAINED)
        self.kernel, self.size, self._d = select(kernel, P[order[:learnt]], "rows"), len(P), P.shape[1]
        self.memory = row_memory(self.kernel, P, MEMORY_LEVEL, columns=self.columns or (), rng=rng)
        self.step = math.ceil(APART * self.memory.length) if self.memory.found else 1
        if self.memory.found:  # functions of early rows, and distant later rows, are nearly independent
            order = np.concatenate([np.arange(learnt), np.arange(len(P) - 1, learnt - 1, -self.step)[::-1]])
        self.abstains = self.memory.found and len(order) - learnt < FEWEST
        self.scores = Scores(self.kernel, P[order[:learnt]])
        self.ranks = Ranks(self.scores(P[order[learnt:]]))
        self._bets, self.random = Bets(self.scores.count), stream(rng, "ties")
        self._n, self._log = 0, 0.0

    def take(self, batch: PointsLike, level: float) -> Looks:
        """Return the Looks after each row of a batch."""
        refuse_sketch(batch, "batch")
        if is_empty(batch):
            return NOTHING
        batch = frames.in_order(batch, self.columns, ("batch", "the reference"))
        X = self.kernel.points(batch, "batch")
        if X.shape[1] != self._d:
            raise Refusal(
                f"batch has {plural(X.shape[1], 'column')} and the reference {self._d}; both need the same"
                " coordinates. One row"
                " is given as [[...]]."
            )
        first, n = self.step - 1 - self._n % self.step, len(X)
        ranked = np.arange(0 if self.abstains else first, 0 if self.abstains else n, self.step)
        logs, alarm = np.full(n, self._log), np.zeros(n, bool)
        if len(ranked):
            some = X[ranked]
            wealths = np.concatenate([self._bet(some[at : at + TOGETHER]) for at in range(0, len(some), TOGETHER)])
            top = wealths.max(axis=1)
            logs[ranked[0] :] = np.repeat(
                top + np.log(np.exp(wealths - top[:, None]).mean(axis=1)), np.diff(ranked, append=n)
            )
            alarm[ranked] = top >= math.log(self._bets.K / level)
        self._n, self._log = self._n + n, float(logs[-1])
        return Looks(n, np.arange(1, n + 1), logs, alarm)

    def _bet(self, X):
        """Return the logarithms of the K wealths after each of some rows, shape (m, K)."""
        scores = self.scores(X)
        return self._bets.take(self.ranks.pvalues(scores, self.random.random(scores.shape)))
