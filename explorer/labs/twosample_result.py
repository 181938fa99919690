"""What a state of the Two-sample lab shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy import TestResult, mmd2_of_laws
from explorer.kernels import Gaussian, Kernel
from explorer.printing import printed

from .twosample_plane import frame, places
from .twosample_rest import SIZES, Checked, Every, Here
from .twosample_sources import Samples
from .twosample_trials import Trials

if TYPE_CHECKING:
    from .twosample import TwoSampleLab


@printed
@dataclass(frozen=True)
class TwoSampleResult:
    """The numbers of a state. Rows of `trials` are bandwidths.

    All stops of the slider once the hand has rested, else this one.

    The kernel here, the median distance that its bandwidth counts in, and a remark where that is
    not the plain median; slider, the stops of the bandwidth's slider; moments, MMD^2 by moments under a polynomial
    kernel, else None; `every`, `here` and `checked` where the lab already has what follows at rest.
    """

    lab: TwoSampleLab
    samples: Samples
    kernel: Kernel
    remark: str
    median: float
    trials: Trials
    slider: tuple[float, ...]
    moments: np.ndarray | None
    every: Every | None
    here: Here | None
    checked: Checked | None

    @property
    def laws(self):
        """The clean laws P and Q, or None for a table."""
        return self.samples.laws

    @property
    def replicates(self):
        """What follows at rest, as the page asks for it; None while it is still to come."""
        return None if self.lab.samples and self.checked is None else self.here

    @property
    def ready(self):
        """Whether there is a row for every stop of the slider, so that a browser can answer it by itself."""
        return self.moments is not None or len(self.trials.bandwidths) == len(self.slider)

    @property
    def row(self):
        """The row of the tables that the lab is at: under a polynomial kernel all stops are the same."""
        return self.slider.index(self.lab.bandwidth) if self.ready else 0

    @property
    def place(self):
        """The row of `trials` that the lab is at."""
        return self.of(self.row)

    def of(self, row):
        """The row of `trials` for a row of the tables."""
        return row if len(self.trials.bandwidths) > 1 else 0

    def at(self, bandwidth):
        """The same numbers at another bandwidth of the rows; what was found for the old one alone is left out."""
        if bandwidth == self.lab.bandwidth:
            return self
        kernel = self.kernel if self.moments is not None else Gaussian(bandwidth * self.median)
        kept = {} if self.moments is not None else {"here": None, "checked": None}
        return replace(self, lab=self.lab.replace(bandwidth=bandwidth), kernel=kernel, **kept)

    def test(self, row=None):
        """The test at a row, as the library gives it."""
        row, t, X, Y = self.of(self.row if row is None else row), self.trials, self.samples.X, self.samples.Y
        name = f"the {self.lab.statistic} MMD²"
        return TestResult(t.observed[row], t.null[row], name, self.kernel, len(X), len(Y), t.tolerance[row])

    @property
    def pvalue(self):
        """p at the lab's bandwidth."""
        return self.test().pvalue

    @property
    def draft(self):
        """Whether there are fewer shuffles than were asked for, as the hand still moves."""
        return self.trials.null.shape[1] < self.lab.shuffles

    @cached_property
    def scale(self):
        """Mean and standard deviation of the null values at each row of `trials`, two arrays (r,).

        1 where all are equal.
        """
        spread = self.trials.null.std(axis=1)
        return self.trials.null.mean(axis=1), np.where(spread > 0, spread, 1.0)

    def standardised(self, row=None):
        """How many standard deviations of the shuffles MMD^2 is above their mean."""
        place = self.of(self.row if row is None else row)
        mean, spread = self.scale
        return float((self.trials.observed[place] - mean[place]) / spread[place])

    @cached_property
    def frame(self):
        """Centre and half side of what the sample's picture shows."""
        return frame(self.lab, self.samples)

    @cached_property
    def places(self):
        """Where the witness is drawn, (g, d)."""
        return places(self.frame, self.samples)

    @property
    def sizes(self):
        """The sizes of P's sample at which the power is known."""
        return SIZES

    def extremes(self, row=None):
        """The points where the witness is highest and lowest, as places among the pooled ones."""
        heights = self.trials.heights[self.of(self.row if row is None else row)]
        return int(np.argmax(heights)), int(np.argmin(heights))

    @property
    def picture(self):
        """The small picture that is seen: under a polynomial kernel the X-ray shows moments."""
        return "moments" if self.lab.picture == "x-ray" and self.moments is not None else self.lab.picture

    @property
    def truth(self):
        """MMD^2 of the laws, or None for a table."""
        return mmd2_of_laws(*self.laws, self.kernel) if self.laws else None

    @property
    def effects(self):
        """The numbers that presets promise something about."""
        found = {"p": self.pvalue, "standard deviations above the shuffles": self.standardised()}
        if self.laws:
            found["MMD² of the laws"] = self.truth
        if self.every is not None:
            found["p of MMDAgg"] = self.every.aggregated
        if self.here is not None and self.here.influence:
            found["p without the row of most influence"] = self.here.influence[0].pvalue
        return found
