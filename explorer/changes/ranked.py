"""The rows of a stream, ranked among those of a reference and of the stream so far."""

from __future__ import annotations

import math

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.kernels import Kernel
from explorer.kernels.selecting import select
from explorer.rng import stream
from explorer.types import PointsLike, Rng

from .betting import Bets
from .scores import Ranks, Scores
from .taken import NOTHING, Taken, is_empty, refuse_sketch

PART, TRAINED = 4, 500  # of the reference, scores are learnt on one in four rows, and on so many at most
TOGETHER = 256  # rows whose ranks are found at a time


class RankedRows:
    """Bets on the ranks of rows, see `Monitor`, whose `reference`, `kernel` and `rng` these are."""

    def __init__(self, reference: PointsLike, kernel: Kernel, rng: Rng) -> None:
        self.columns = frames.names_of(reference)
        P = kernel.points(reference, "reference")
        checks.rows(P, "reference", 4)
        checks.warn_of_lost_digits(P, "reference", self.columns)
        order = stream(rng, "training").permutation(len(P))
        learnt = min(max(len(P) // PART, 2), TRAINED)
        Z = P[order[:learnt]]
        self.kernel, self.size, self._d = select(kernel, Z, "rows"), len(P), P.shape[1]
        self.scores = Scores(self.kernel, Z)
        self.ranks = Ranks(self.scores(P[order[learnt:]]))
        self._bets, self.random = Bets(self.scores.count), stream(rng, "ties")

    def take(self, batch: PointsLike, level: float) -> Taken:
        """The wealth after each row of a batch."""
        refuse_sketch(batch, "batch")
        if is_empty(batch):
            return NOTHING
        batch = frames.in_order(batch, self.columns, ("batch", "the reference"))
        X = self.kernel.points(batch, "batch")
        if X.shape[1] != self._d:
            raise Refusal(
                f"batch has {X.shape[1]} columns and the reference {self._d}; both need the same coordinates. One row"
                " is given as [[...]]."
            )
        wealths = np.concatenate([self._bet(X[start : start + TOGETHER]) for start in range(0, len(X), TOGETHER)])
        top = wealths.max(axis=1)
        logs = top + np.log(np.exp(wealths - top[:, None]).mean(axis=1))
        return Taken(len(X), np.arange(1, len(X) + 1), logs, top >= math.log(self._bets.K / level))

    def _bet(self, X):
        """The logarithms of the K wealths after each of some rows, (m, K)."""
        scores = self.scores(X)
        return self._bets.take(self.ranks.pvalues(scores, self.random.random(scores.shape)))
