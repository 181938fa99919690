"""Dependence of successive rows of batches in time; every p of a comparison assumes that there is none."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer.changes.columns import ColumnScores
from explorer.changes.neighbours import row_memory
from explorer.kernels import Linear
from explorer.printing import printed
from explorer.types import Matrix, Rows, Vector

LEVEL = 0.05  # level over all lengths of stretches
FEWEST = 40  # least number of stretches that are compared with their neighbours
TIMES = 4  # factor from one length of stretches to the next
MOST = 2**20  # most rows that are examined, from the first one on


@printed
class Successive(NamedTuple):
    """Test of the dependence of successive rows in order of time.

    Attributes
    ----------
    pvalue : float
        p over all lengths of stretches; about right for independent rows of each batch.
    """

    pvalue: float

    @property
    def is_dependent(self) -> bool:
        """True if successive rows are similar, p <= 0.05."""
        return self.pvalue <= LEVEL

    found = is_dependent  # the name of earlier releases

    def __str__(self) -> str:
        if not self.is_dependent:
            return f"Successive rows are not found to depend on each other (p = {self.pvalue:.3g})."
        return (
            f"Successive rows depend on each other (p = {self.pvalue:.3g}). The other p-values assume independent rows"
            " and may be far too small: batches can differ by chance alone. scan allows for such dependence."
        )


def successive_of(samples: Any, seed: int) -> Successive | None:
    """Return the test of successive rows of Samples, or None if these are not batches in time or have too few rows."""
    if samples is None or samples.times is None:
        return None
    tables, times = samples.tables, samples.times
    batch = np.repeat(np.arange(len(tables)), [one.n for one in tables])
    order = np.argsort(np.concatenate([times[rows] for rows in samples.rows]), kind="stable")[:MOST]
    P = np.concatenate([one.X for one in tables])[order]
    scores = ColumnScores.of(P, tuple(len(column.levels) for column in tables.included))
    if scores is None or len(P) < FEWEST:
        return None
    return successive(_within(scores.values, batch[order]), seed)


def successive(F: Matrix, seed: int) -> Successive:
    """Test whether successive rows F (n, k) are similar, by the means of stretches of 1, 4, 16, ... rows.

    At each length `row_memory` compares neighbouring stretches with others that are farther apart; p is the least of
    its p-values times their number. Every length has 40 stretches or more, so a memory as long as the batches
    themselves is not detected.
    """
    found, length = [], 1
    while length == 1 or len(F) // length >= FEWEST:
        starts = np.arange(0, len(F) - length + 1, length)
        means = np.add.reduceat(F[: starts[-1] + length], starts, axis=0) / length
        found.append(row_memory(Linear(), means, LEVEL, rng=seed).pvalue)
        length *= TIMES
    return Successive(min(1.0, len(found) * min(found)))


def _within(F: Matrix, batch: Rows) -> Matrix:
    """Return scores of rows minus the mean of their batch, so that differences of batches do not count as memory."""
    counts: Vector = np.bincount(batch).astype(float)
    sums = np.stack([np.bincount(batch, column, len(counts)) for column in F.T], axis=1)
    return F - (sums / np.maximum(counts, 1)[:, None])[batch]
