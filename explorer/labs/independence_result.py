"""What a state of the Independence lab shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy import ColumnRanking, RankPath, hsic
from explorer.kernels import Kernel
from explorer.printing import printed
from explorer.workbench.numbers import number

from .independence_peer import Peer
from .independence_rest import Fresh, Measures, Powers, rows_key, study_keys
from .independence_sources import Pairs
from .independence_trials import Trial, grid, stops

if TYPE_CHECKING:
    from .independence import IndependenceLab


@printed
@dataclass(frozen=True, eq=False)
class IndependenceResult:
    """The numbers of a state. Where there are fewer pairs than a test needs, they are all that there is.

    medians and remarks of both sides' distances; kernels, those under which HSIC is that of the page but for a factor,
    σ's noise included; own, the lab's test; rows, one for each stop of σ's slider once the hand has rested; path, HSIC
    by rank, where that picture is shown; order (n,), that of y in the shuffle that is looked at; what follows at rest
    where the lab already has it.
    """

    lab: IndependenceLab
    pairs: Pairs
    medians: tuple[float, float] | None = None
    remarks: tuple[str, str] = ("", "")
    kernels: tuple[Kernel, Kernel] | None = None
    own: Trial | None = None
    rows: tuple[Trial, ...] | None = None
    found: Measures | None = None
    path: RankPath | None = None
    order: np.ndarray | None = None
    power: Powers | None = None
    columns: ColumnRanking | None = None
    fresh: Fresh | None = None
    peer: Peer | None = None

    @property
    def enough(self):
        """Whether there are pairs enough for a test."""
        return self.own is not None

    @property
    def replicates(self):
        """Whether all that follows at rest is there, as the page asks for it.

        None while some of it is still to come.
        """
        if not self.enough or self.draft or self.found.distance is None or (self.rows is None and rows_key(self.lab)):
            return None
        return True if all(getattr(self, name) is not None for name in study_keys(self.lab)) else None

    @property
    def draft(self):
        """Whether there are fewer shuffles than were asked for, as the hand still moves."""
        return self.enough and len(self.own.test.null_distribution) < self.lab.shuffles

    @property
    def stops(self):
        """The σ that the slider stops at."""
        return list(stops(self.lab))

    @property
    def row(self):
        """The row of the table that the lab is at; None where it has none of its own."""
        return None if self.rows is None or self.lab.sigma is None else self.stops.index(self.lab.sigma)

    def at(self, sigma):
        """The same at another σ of the rows; what was found for the old one alone is left out."""
        if sigma == self.lab.sigma or sigma is None:
            return self
        lab = self.lab.replace(sigma=sigma)
        return replace(self, lab=lab, own=self.trial(self.stops.index(sigma)), path=None, power=None, fresh=None)

    def trial(self, row=None):
        """The Trial of a row, or the lab's own."""
        return self.own if row is None else self.rows[row]

    @property
    def test(self):
        """The lab's own test."""
        return self.own.test

    @property
    def pvalue(self):
        """p of HSIC."""
        return self.own.test.pvalue

    @staticmethod
    def scale(trial):
        """Mean and standard deviation of a trial's shuffles; 1 where all are equal."""
        null = trial.test.null_distribution
        mean, spread = float(null.mean()), float(null.std())
        return mean, spread if spread > 1e-12 * abs(mean) else 1.0

    def standardised(self, row=None):
        """How many standard deviations of the shuffles HSIC is above their mean."""
        mean, spread = self.scale(self.trial(row))
        return float((self.trial(row).test.statistic - mean) / spread)

    @property
    def axes(self):
        """Where the cross-covariance, f and g are drawn: places along x and along y."""
        return grid(self.pairs)

    @property
    def column_words(self):
        """The table's columns with their p, from the strongest dependence on y to the weakest."""
        c = self.columns
        return [f"{name}, p = {number(float(p))}" for name, p in zip(c.names, c.pvalue, strict=True)] if c else []

    @property
    def at_rank(self):
        """The rank that is looked at, HSIC there, and what it may still lack, by the bound and in fact."""
        r = min(self.lab.rank, len(self.path.values) - 1)
        return r, float(self.path.values[r]), float(self.path.bound[r]), float(self.gaps[r])

    @cached_property
    def gaps(self):
        """HSIC less that of the low-rank kernels, for every rank (R + 1,); rounding may leave something below 0."""
        return hsic(self.pairs.X, self.pairs.Y, *self.kernels) - self.path.values

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        p, r = self.pvalue, self.found.pearson.p
        found = {
            "p": p,
            "Pearson's p": r,
            "Pearson's p beside HSIC's": r / p,
            "how far the two p lie apart": abs(p - r),
        }
        if self.fresh is not None and self.fresh.kernel is not None:
            found["the share of fresh samples in which HSIC finds something"] = self.fresh.kernel / self.fresh.count
        if self.columns is not None:
            found["p of the leading column"] = float(self.columns.pvalue[0])
        return found
