"""Whole days as the units of a scan, if rows vary with the time of day."""

from __future__ import annotations

import numpy as np

from explorer.frames import InTime
from explorer.kernels import Kernel, Linear
from explorer.record import record
from explorer.rng import stream
from explorer.types import Matrix, Points, Rng, Rows, Vector

from .neighbours import memory_length

RESAMPLES = 199  # permutations of the test whether rows vary with the time of day
MOST, PER_DAY = 1_000, 50  # most rows that this test uses, in all and from one day
ROWS_A_DAY = 4  # least mean number of rows a day; fewer do not show a course of the day
ALIKE = 1e-3  # times that differ by less than this part of a day are the same time of day
HARMONICS = 2  # harmonics of the course of a day
FEWEST = 8  # fewer days have too few orders for a small p
ROUNDING = 1e-9  # relative rounding of the statistic


@record
class WholeDays:
    """Whole days from the first row on; the last one includes the incomplete day after it.

    Attributes
    ----------
    starts : ndarray of shape (k,)
        First row of each day that has rows.
    pvalue : float
        p-value of the test whether rows of one day vary with the time of day.
    phase : ndarray of shape (n,)
        Time of day of each row, from 0 to 1.
    """

    starts: Rows
    pvalue: float
    phase: Vector

    @property
    def count(self) -> int:
        """Number of days."""
        return len(self.starts)

    def carried(self, F: Matrix, split: int) -> float:
        """Return about how many days count as one, if the memory of rows F (n, d) carries over to the next day.

        This is (1 + r) / (1 - r), with r = ρ / ((1 - ρ²) m) the correlation of the means of two successive days of m
        rows, if each row, minus the mean of its hour, is ρ times the one before it plus noise. ρ is that of
        `memory_length`; the days on either side of a split are centred by themselves.
        """
        hour = np.minimum((24 * self.phase).astype(int), 23)
        counts = np.maximum(np.bincount(hour, minlength=24), 1)[:, None]
        sums = np.stack([np.bincount(hour, column, 24) for column in F.T], axis=1)
        length = memory_length(Linear(), F - (sums / counts)[hour], int(self.starts[split]))
        r = min((length**2 - 1) / (4 * length) * self.count / len(F), 0.5)
        return (1 + r) / (1 - r)


def whole_days(kernel: Kernel, P: Points, when: InTime | None, rng: Rng) -> WholeDays | None:
    """Return the WholeDays of rows P (n, d) with the test of their course, or None if rows cannot show one.

    Rows cannot if they have no dates, all have one time of day, span less than two days, or are fewer than four a day.
    """
    if when is None or not when.dates or len(P) < 2 * ROWS_A_DAY:
        return None
    past = when.clock - when.clock[0]
    phase = np.mod(when.clock, 1.0)
    whole = int(past[-1] + past[-1] / (len(P) - 1) + ALIKE)  # the last row lasts as long as the mean row
    if whole < 2 or np.ptp(phase) < ALIKE:
        return None
    day = np.minimum(np.floor(past), whole - 1)  # the clock may go back by an hour at time zones and summer time
    day = np.maximum.accumulate(day).astype(int)
    starts = np.flatnonzero(np.diff(day, prepend=-1))
    if len(P) < ROWS_A_DAY * len(starts):
        return None
    return WholeDays(starts, _goes_with_time(kernel, P, starts, phase, rng), phase)


def _goes_with_time(kernel: Kernel, P: Points, starts: Rows, phase: Vector, rng: Rng) -> float:
    """Return the p-value of a test whether rows vary with the time of day, exact if rows of a day are exchangeable.

    The statistic is the HSIC of two things, permuted within days: the rows minus the mean of their day, and cos and sin
    of the time of day and of twice that. Changes from day to day do not affect it.
    """
    n = len(P)
    spans = list(zip(starts, [*starts[1:], n], strict=True))
    per = min(PER_DAY, int(np.ceil(n / len(spans))))
    some = np.linspace(0, len(spans) - 1, min(len(spans), MOST // per)).round().astype(int)
    parts = [np.unique(np.linspace(a, b - 1, min(per, b - a)).round().astype(int)) for a, b in (spans[i] for i in some)]
    rows, day = np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    K = kernel.contrast(P, 0.0)(P[rows])
    mean = np.equal.outer(day, np.arange(len(parts))) / np.sqrt(np.bincount(day))
    K = K - mean @ (mean.T @ K)
    K = K - (K @ mean) @ mean.T
    angle = 2 * np.pi * np.outer(phase[rows], np.arange(1, HARMONICS + 1))
    course = np.column_stack([np.cos(angle), np.sin(angle)])
    generator, values = stream(rng, "days"), np.empty(RESAMPLES + 1)
    for b in range(RESAMPLES + 1):
        order = np.lexsort((generator.random(len(rows)), day)) if b else np.arange(len(rows))
        F = course[order]
        values[b] = np.einsum("ij,ij->", F, K @ F)
    return float(np.mean(values >= values[0] - ROUNDING * abs(values[0])))
