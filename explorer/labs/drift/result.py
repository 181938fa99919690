"""Result of the Drift lab: the scan of the series, the p of every look, and the wealth of the betting test."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.changes import Monitor, look_pvalues, scan
from explorer.changes.columns import ColumnScores
from explorer.changes.scanning import LEVEL, other_orders
from explorer.changes.segments import breaks
from explorer.changes.splits import GramRows, standardise
from explorer.datasets import drifted
from explorer.datasets.columns.quantity import coordinates
from explorer.datasets.columns.times import format_times
from explorer.datasets.toys.series import series
from explorer.discrepancy import rate_interval
from explorer.kernels.named import NAMED
from explorer.rng import stream
from explorer.types import Points, Rows
from explorer.workbench import Result, deferred, effect, measure, stage, stage_when
from explorer.workbench.cost import costs
from explorer.workbench.kernels import kernel_at, middle_of
from explorer.workbench.samples import Sample
from explorer.workbench.seeds import further_seed
from explorer.workbench.stages import Steps, one_by_one

from .lab import SIDE, DriftLab

if TYPE_CHECKING:
    from explorer.changes import ScanResult
    from explorer.datasets.columns.quantity import Quantity
    from explorer.kernels.base import Kernel


ORDERS = 199  # the number of other orders of the rows that test the scan


class Watch(NamedTuple):
    """A series and its profile, its looks and its wealth.

    Attributes
    ----------
    row : int
        The first row after the break.
    X : ndarray of shape (n, d)
        The series.
    profile : ndarray of shape (n,)
        The standardised MMD² at every split, nan near the ends.
    split : int
        The split at which it is largest.
    pvalues : ndarray of shape (L,)
        p of the t test at every look.
    path : ndarray
        The wealth before the first watched row, and after each.
    alarm : int or None
        The row of the series at which the betting test raises its alarm, or None if it raises none.
    """

    row: int
    X: np.ndarray
    profile: np.ndarray
    split: int
    pvalues: np.ndarray
    path: np.ndarray
    alarm: int | None

    @property
    def peak(self) -> float:
        """The largest value of the profile."""
        return float(self.profile[self.split])


class Scanned(NamedTuple):
    """A series, and the test of its profile's peak under other orders of its rows, or None until it is computed."""

    watch: Watch
    test: ScanResult | None


@dataclass(frozen=True)
class FalseAlarms:
    """Numbers of false alarms in series without a change.

    Attributes
    ----------
    count : int
        The number of series.
    looks : int
        The number of series in which a look rejects.
    betting : int
        The number of series in which the betting test raises an alarm.
    """

    count: int
    looks: int
    betting: int

    def interval(self, times: int) -> tuple[float, float]:
        """Return the 95 % interval of Clopper and Pearson for the rate of an event that happened `times` times."""
        return rate_interval(times, self.count)


def _float(row):
    """Return a row, or a number of rows, as a float by which states are compared, or None for None."""
    return None if row is None else float(row)


# Seconds on the core on which the labs were timed.


def _watch(lab):
    """Return the seconds of a profile, the looks and the wealth."""
    return 1e-3 + 5e-8 * lab.n**2 + _monitor(lab.n) + _needs(lab)


def _scan(lab):
    return 2e-3 + ORDERS * (5e-5 + 2.2e-9 * lab.n**2) + _needs(lab)


def _monitor(n):
    """Return the seconds of a Monitor of n rows; a third of them are its reference."""
    return 2e-3 + 2e-5 * n + 8e-9 * n**2


def _needs(lab):
    return 0.02 + 1.2e-4 * lab.n if lab.null == "auto" else 0.0


def _held(lab):
    return max(3 * lab.n**2, 8e6 if lab.null == "auto" else 0)


class DriftResult(Result[DriftLab]):
    """Numbers of a state.

    The rows of tables are the stops of the break. Until all of them are computed there is one row, for the current
    break.
    """

    slider_stages = ("watched", "rows")
    slider_rows, scanned_at = Result.shown_rows, Result.at_row

    @stage
    def drawn(self) -> Sample:
        """Draw the Sample in order of time, before anything is made to change."""
        if self.lab.toy:
            return Sample(series(self.lab.source, self.lab.n, self.lab.seed), coordinates(2))
        table = self.lab.the_table()
        return Sample(table.X[self.table_rows], table.quantities)

    @stage_when(lambda result: not result.lab.toy)
    def table_rows(self) -> Rows:
        """Return the drawn rows of a table, in its order, shape (n,)."""
        return self.lab.the_table().in_order(self.lab.n, self.lab.seed)

    @stage_when(lambda result: not result.lab.toy)
    def total(self) -> int:
        """Return the number of rows of the table."""
        return self.lab.the_table().n

    @stage_when(lambda result: not result.lab.toy)
    def times(self) -> Any:
        """Return the times of the drawn rows, datetime64 or numbers, or None if the table is not sorted by them."""
        times = self.lab.the_table().times
        return None if times is None else times[self.table_rows]

    @property
    def timed(self) -> Any:
        """The times for the scan if it chooses its own orders; rows that are made to change have none."""
        asked = self.lab.null == "auto" and not self.lab.changes and not self.lab.toy
        return np.maximum.accumulate(self.times) if asked and self.times is not None else None

    @stage
    def median(self) -> tuple[float, str]:
        """Return the median distance of these rows, and a remark; (1, "") for a kernel without a bandwidth."""
        return middle_of(self.drawn.X, self.lab.kernel) if NAMED[self.lab.kernel].has_bandwidth else (1.0, "")

    @stage
    def kernel(self) -> Kernel:
        """Return the kernel, which is the same for every break. The unit of its bandwidth is the median distance."""
        return kernel_at(self.lab.kernel, self.lab.bandwidth, self.median[0])

    @stage
    @costs("the profile of the scan", _watch, _held, "n")
    def watch(self) -> Watch:
        """Return the series, its profile, looks and wealth at the current break."""
        return self.at_slider(lambda at: Scanned(self.watch_at(at), None)).watch

    @deferred(lambda result: result.rows is None)
    @costs("the scan of other orders", _scan, lambda lab: 3 * lab.n**2, "n")
    def test(self) -> ScanResult:
        """Scan the current series under other orders, until every stop of the break has its own test."""
        return self.scanned(self.watch.X)

    @deferred(lambda result: result.lab.tabled)
    @costs(
        "every place of the break",
        lambda lab: len(lab.stops) * (_watch(lab) + _scan(lab)),
        lambda lab: 4 * lab.n**2,
        "n",
    )
    def rows(self) -> Steps[tuple[Scanned, ...]]:
        """Scan the series with the break at every stop of the slider."""
        return one_by_one(self._row, self.lab.stops)

    @deferred(lambda result: result.lab.several and not result.lab.changes)
    @costs("the search for several breaks", lambda lab: 0.05 + 4e-8 * ORDERS * lab.n**2, lambda lab: 4 * lab.n**2, "n")
    def breaks(self, stopped: Callable[[], bool]) -> tuple[int, ...] | None:
        """Find the rows at which `scan(..., segments=True)` finds breaks, at level 0.05 over all of them."""
        lab = self.lab
        if lab.null == "auto":
            return None if stopped() else self.scanned(self.watch.X, segments=True).breaks
        rows = GramRows(self.kernel, self.watch.X)

        def orders(n, count):
            return itertools.takewhile(lambda order: not stopped(), other_orders(n, count, lab.seed, lab.null))

        found = breaks(rows, SIDE, LEVEL, ORDERS, orders)
        return None if stopped() else found

    @deferred(lambda result: result.lab.samples > 0)
    @costs("the series without a change", lambda lab: lab.samples * (1e-3 + _monitor(lab.n)), 1e5, "samples", "n")
    def quiet(self, stopped: Callable[[], bool]) -> FalseAlarms | None:
        """Count the alarms in series without a change: with further seeds, or a table's rows in random orders."""
        lab, looks, betting = self.lab, 0, 0
        for i in range(lab.samples):
            if stopped():
                return None
            X, seed = self.unchanged(i), further_seed(lab.seed, i)
            reference, rest = X[: lab.start], X[lab.start :]
            looks += bool((look_pvalues(reference, rest, lab.every) <= lab.alpha).any())
            betting += Monitor(reference, self.kernel, lab.alpha, seed).update(rest).alarm
        return FalseAlarms(lab.samples, looks, betting)

    def unchanged(self, i: int) -> Points:
        """Return the i-th series without a change, shape (n, d)."""
        lab, seed = self.lab, further_seed(self.lab.seed, i)
        if lab.toy:
            return series(lab.source, lab.n, seed)
        return self.drawn.X[stream(seed, "order").permutation(lab.n)]

    def watch_at(self, at: float) -> Watch:
        """Return the series, its profile, looks and wealth with the break at a share of the rows."""
        lab, n = self.lab, self.lab.n
        row = lab.row_at(at)
        X = drifted(self.drawn.X, lab.kind, row, lab.size)
        if lab.null == "auto":
            profile = np.array(self.scanned(X, 1).profile)
        else:
            gram, order = GramRows(self.kernel, X), np.arange(n)
            profile = standardise(gram, gram.squares(order), order, SIDE)
        reference, rest = X[: lab.start], X[lab.start :]
        monitor = Monitor(reference, self.kernel, lab.alpha, lab.seed).update(rest)
        alarm = None if monitor.alarm_at is None else lab.start + monitor.alarm_at
        pvalues = look_pvalues(reference, rest, lab.every)
        return Watch(row, X, profile, int(np.nanargmax(profile)), pvalues, monitor.path, alarm)

    def scanned(self, X: Points, n_resamples: int = ORDERS, segments: bool = False) -> ScanResult:
        """Scan a series under other orders."""
        lab = self.lab
        how = {"min_size": SIDE, "n_resamples": n_resamples, "rng": lab.seed, "null": lab.null, "approximation": None}
        return scan(X, self.kernel, **how, segments=segments, time=self.timed)

    def _row(self, at):
        watch = self.watch_at(at)
        return Scanned(watch, self.scanned(watch.X))

    # Attributes for pages and tables.

    @property
    def thinned(self) -> bool:
        """True if only some rows of a table are drawn."""
        return not self.lab.toy and self.lab.n < self.total

    @property
    def watched(self) -> Scanned:
        """The series at the current break, and its test once it is computed."""
        return Scanned(self.watch, self.test)

    @property
    def own_test(self) -> ScanResult | None:
        """The test at the current break, or None until it is computed."""
        return self.scanned_at().test

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the columns."""
        return self.drawn.quantities

    @property
    def drawn_columns(self) -> tuple[int, ...]:
        """The one or two columns that are drawn and described: for a table those that differ most at the best split.

        If rows are made to change, these are the first columns, because the change is in them.
        """
        X, split = self.watch.X, self.watch.split
        scores = None if self.lab.toy or self.lab.changes else ColumnScores.of(X, ())
        if scores is None:
            return tuple(range(min(2, X.shape[1])))
        (apart,) = scores.statistics(scores.differences(np.arange(len(X)), split)[None])
        return tuple(np.argsort(-apart, kind="stable")[:2].tolist())

    @property
    def drawn_quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the drawn columns."""
        return tuple(self.quantities[j] for j in self.drawn_columns)

    def place(self, row: int, dated: bool = True) -> str:
        """Return the name of a row: for a file its line, with its date if `dated` and if it has one."""
        if self.lab.toy:
            return f"row {row}"
        place = self.lab.the_table().place(int(self.table_rows[row]))
        return f"{place}, {self.dates[row]}" if dated and self.times is not None else place

    @stage_when(lambda result: not result.lab.toy)
    def dates(self) -> Any:
        """Return the times of the drawn rows as text, shape (n,), or "" if they have none."""
        return np.full(self.lab.n, "", dtype=object) if self.times is None else format_times(self.times)

    @property
    def looks(self) -> Rows:
        """The last row of the series at every look, shape (L,)."""
        return self.lab.start + np.arange(1, len(self.watch.pvalues) + 1) * self.lab.every - 1

    def first_look(self, watch: Watch | None = None) -> int | None:
        """Return the last row of the first look whose p is at most the level, or None if there is none."""
        found = np.flatnonzero((self.watch if watch is None else watch).pvalues <= self.lab.alpha)
        return int(self.looks[found[0]]) if len(found) else None

    def apart(self, watch: Watch | None = None) -> int | None:
        """Return the number of rows between the break and the best split, or None without a sudden break."""
        watch = self.watch if watch is None else watch
        return abs(watch.split - watch.row) if self.lab.kind != "slow" and self.changes(watch) else None

    def changes(self, watch: Watch | None = None) -> bool:
        """Return whether something is made to change within the series.

        It is not if the break is before the first row or after the last. A slow drift may begin with the first row.
        """
        row = (self.watch if watch is None else watch).row
        first = 0 if self.lab.kind == "slow" else 1
        return self.lab.changes and first <= row < self.lab.n

    # Numbers by which states are compared, and the effects that presets claim.

    split: measure[float] = measure("best split", compute=lambda r: float(r.watch.split))
    peak: measure[float] = measure("largest standardised MMD squared", "largest standardised MMD²", of="watch.peak")
    missed: measure[float | None] = measure(
        "rows from the break to the best split", compute=lambda r: _float(r.apart())
    )
    least: measure[float | None] = measure(
        "smallest p of the looks",
        "smallest p of the t tests",
        compute=lambda r: float(r.watch.pvalues.min()) if len(r.watch.pvalues) else None,
    )
    look: measure[float | None] = measure(
        "row of the first look that rejects",
        "row of the first t test that rejects",
        compute=lambda r: _float(r.first_look()),
    )
    alarm: measure[float | None] = measure("row of the betting test's alarm", compute=lambda r: _float(r.watch.alarm))
    wealth: measure[float] = measure("wealth at the end", compute=lambda r: float(r.watch.path[-1]))
    pvalue: measure[float | None] = measure("p of the scan", of="own_test.pvalue")

    effect_p: effect[float | None] = effect("p of the scan", of="pvalue")
    effect_apart: effect[float | None] = effect("the rows from the break to the best split", of="missed")
    effect_least: effect[float | None] = effect("the smallest p of the looks", of="least")
    effect_most: effect[float] = effect("the largest wealth", compute=lambda r: float(r.watch.path.max()))
    effect_looks: effect[float | None] = effect(
        "the share of quiet series in which a look rejects", of="quiet", compute=lambda quiet: quiet.looks / quiet.count
    )
    effect_betting: effect[float | None] = effect(
        "the share of quiet series in which the betting test raises an alarm",
        of="quiet",
        compute=lambda quiet: quiet.betting / quiet.count,
    )
    effect_split: effect[float] = effect("the best split", compute=lambda r: float(r.watch.split))

    # Numbers that the stories let the user guess.

    silent = property(lambda self: float(self.alarm is None), doc="1 if the betting test raises no alarm, else 0.")
