"""What a state of the MONK lab shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.discrepancy import BlockPath, ErrorStudy, MonkResult, MonkStep, signed_root
from explorer.embeddings import Law
from explorer.estimators.medianofmeans.blocks import starts
from explorer.printing import printed
from explorer.workbench.placed import placed

from .monk_pairs import Pairs
from .monk_studies import spoilt_side

if TYPE_CHECKING:
    from .monk import MonkLab


class Drawn(NamedTuple):
    """Embeddings as functions of the first coordinate, at `at` (p,).

    The law's, the plain average's and the median of means'; and the RKHS distances of the last two from the first."""

    at: np.ndarray
    truth: np.ndarray
    kme: np.ndarray
    median: np.ndarray
    kme_error: float
    median_error: float


@printed
@dataclass(frozen=True, eq=False)
class MonkLabResult:
    """The numbers of a state: laws P and Q, the pairs, their true MMD, MONK's estimate at the lab's Q, and at every
    other along the direction; the steps of an iteration, the embeddings and a study of other samples where a picture
    shows them.
    """

    lab: MonkLab
    P: Law
    Q: Law
    truth: float
    pairs: Pairs
    ladder: BlockPath
    estimate: MonkResult
    steps: tuple[MonkStep, ...] | None
    embeddings: Drawn | None
    replicates: ErrorStudy | None

    @property
    def stops(self):
        """The numbers of blocks that the slider stops at: the prepared ones, and the lab's own."""
        own = self.lab.blocks
        return list(self.ladder.prepared) if own in self.ladder.prepared else sorted([*self.ladder.prepared, own])

    @property
    def row(self):
        """The row of the tables that the lab is at."""
        return self.stops.index(self.lab.blocks)

    def at(self, blocks):
        """The same at another number of blocks; along the direction."""
        return replace(self, lab=self.lab.replace(blocks=blocks), estimate=self.ladder.at(blocks))

    def estimate_at(self, row):
        """MONK's estimate at a row of the tables."""
        return self.estimate if row == self.row else self.ladder.at(self.stops[row])

    @property
    def U(self):
        """The unbiased statistic of MMD^2, signed."""
        return self.pairs.U

    @property
    def u_mmd(self):
        """The MMD that it says, with its sign."""
        return signed_root(self.U)

    @property
    def one(self):
        """Whose sample the mean embeddings are of: 0 is P's, 1 is Q's."""
        return spoilt_side(self.lab)

    @property
    def placed(self):
        """The outliers that were put by hand, ((x, height), ...)."""
        return placed(self.lab.placed)

    @cached_property
    def outliers(self):
        """How many pairs are spoilt."""
        return int(self.pairs.spoilt.sum())

    def spoilt_blocks(self, row=None):
        """Which blocks of the last partition hold a spoilt pair, (Q,)."""
        blocks = (self.estimate if row is None else self.estimate_at(row)).blocks
        return np.array([bool(self.pairs.spoilt[rows].any()) for rows in blocks])

    def majorities(self, row):
        """In how many of the direction's partitions most blocks are clean, and how many partitions there are."""
        orders, blocks = self.ladder.orders, self.stops[row]
        bad = np.add.reduceat(self.pairs.spoilt[orders], starts(len(self.pairs.spoilt), blocks), axis=1) > 0
        return int((2 * bad.sum(axis=1) < blocks).sum()), len(orders)

    def error(self, value):
        """How far an estimate of the MMD is from the truth."""
        return abs(value - self.truth)

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        monk, u = self.error(self.estimate.value), self.error(self.u_mmd)
        return {
            "U": self.U,
            "U's error": u,
            "MONK's error": monk,
            "MONK's error beside U's": monk / u,
            "MONK's error beside that of 11 blocks": monk / self.error(self.ladder.at(11).value),
        }
