"""The null distribution of a test as a histogram, and its marks: the statistic, the level, and where A was pinned."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer.printing import number

from .mark import boxes, by, dots, uprights

REACHING = "those that reach it (p)"
BEYOND = 14.0  # px, of the triangle that stands for a statistic beyond the axis


def level_words(result):
    """The test's level in words."""
    return f"level {number(result.lab.alpha)}"


@dataclass(frozen=True)
class NullAxis:
    """The axes of a null histogram, the same for every test: places count in standard deviations of the resamples.

    low, high  where the axis ends; the last bar holds all that lies beyond
    bins       how many bars there are
    tops       where the upper end of the shares may be: it stays while a slider moves, but for rare steps
    """

    low: float
    high: float
    bins: int
    tops: tuple[float, ...]

    @property
    def edges(self):
        """The ends of the bars, (bins + 1,)."""
        return np.linspace(self.low, self.high, self.bins + 1)

    def places(self, tests):
        """The null values of each test, (r, B), in its standard deviations from its mean."""
        mean, spread = np.array([test.scale for test in tests]).T
        return (np.array([test.null_distribution for test in tests]) - mean[:, None]) / spread[:, None]

    def shares(self, places, chosen=None):
        """The share of all resamples, (r, bins), that are chosen and lie in each bar."""
        bar = np.clip(((places - self.low) * (self.bins / (self.high - self.low))).astype(int), 0, self.bins - 1)
        rows = bar if chosen is None else [b[c] for b, c in zip(bar, chosen, strict=True)]
        return np.array([np.bincount(b, minlength=self.bins) for b in rows]) / places.shape[1]

    def top(self, test):
        """Where the axis of the shares ends for a test."""
        highest = self.shares(self.places([test])).max()
        return next((end for end in self.tops if 1.04 * highest <= end), self.tops[-1])

    def inside(self, places):
        """Places within the picture, those beyond at its ends."""
        return np.clip(places, self.low + 0.1, self.high - 0.1)

    def table(self, tests, level, top=math.inf):
        """What is drawn of r tests of one size B, column -> (r, length).

        top, tail  (r, bins), the shares of all resamples and of those that reach the statistic. None is
                   higher than `top`
        x, beyond  (r, 1), the statistic, and the size of the triangle where it lies beyond the axis
        limit      (r, 1), from where on p is at most `level`; nan where B is too small for any
        """
        places, observed = self.places(tests), np.array([test.standardised for test in tests])
        limits = [(test.threshold(level) - test.scale[0]) / test.scale[1] for test in tests]
        return {
            "top": np.minimum(self.shares(places), top),
            "tail": np.minimum(self.shares(places, [test.reaching for test in tests]), top),
            "x": self.inside(observed)[:, None],
            "beyond": np.where(observed > self.high, BEYOND, 0.0)[:, None],
            "limit": np.array([limit if math.isfinite(limit) else np.nan for limit in limits])[:, None],
        }


def null_words(test, level, given):
    """The null values of a test in its statistic's own units, `given` being what gives them, and the observed one."""
    null, limit = test.null_distribution, test.threshold(level)
    edge = f"p is at most {number(level)} from {number(limit)} on"
    if math.isinf(limit):
        edge = f"that is too few for p to be at most {number(level)}"
    low, mean, high = (number(float(value)) for value in (null.min(), null.mean(), null.max()))
    observed = f"Observed: {number(test.statistic)}, p = {number(test.pvalue)}."
    return f"{len(null)} {given} between {low} and {high}, on average {mean}; {edge}. {observed}"


def null_bars(source, called, hatch=None):
    """The shares `top` and, before them, `tail` of a source, whose bars go from `left` to `right`.

    `called` is what gave the null values.
    """
    reaching = ("fill", "hatch") if hatch else ("fill",)
    return (
        boxes(source, "kme", fill=0.55, width=0.5, alpha=0.8, inks=("fill", "line"), moves=True,
              called=called),
        boxes(source, "harm", top="tail", fill=0.9, alpha=0, hatch=hatch, inks=reaching, moves=True,
              called=REACHING),
    )  # fmt: skip


def null_lines(pinned, limit, observed, threshold="limit"):
    """Where A was pinned, faint; where p reaches the level, dashed (column `threshold`); and the statistic.

    Three sources, which may be one; of a statistic beyond the axis a triangle says so, at height y and of size
    `beyond`.
    """
    return (
        uprights(pinned, width=6, alpha=0.3, moves=False, kept=True),
        uprights(limit, "harm", threshold, width=2, dash="dashed", alpha=1.0, called=level_words),
        uprights(observed, width=3, alpha=1.0, called="observed"),
        dots(observed, "truth", size=by("beyond"), marker="triangle", angle=-np.pi / 2, moves=True),
    )
